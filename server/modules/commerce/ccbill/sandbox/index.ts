/**
 * A simulation of CCBill on our own server for development and tests: the payment page that checks the digest, the
 * webhooks, renewals with a clock that can be moved, and DataLink. It is unavailable in production unless PAYMENT_SANDBOX
 * enables it explicitly.
 */
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ModuleHost } from '../../../../platform/http/routing.ts';
import { getMerchant } from '../merchant.ts';
import { registerControl } from './control.ts';
import { registerDataLink } from './datalink.ts';
import { type SandboxSale, toSaleMessage } from './messages.ts';
import { renderPaymentPage, renderRefusalPage } from './page.ts';
import { startRecurring } from './recurring.ts';
import { type PaymentRequest, parseCard, parsePaymentRequest } from './request.ts';
import { createSandbox, type Sandbox } from './state.ts';

export const SANDBOX_PATH = '/sandbox/ccbill';

function html(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.status(status).header('cache-control', 'no-store').type('text/html; charset=utf-8').send(body);
}

/** Parameters of the URL override those of the form. */
function parseValues(request: FastifyRequest): URLSearchParams {
  const start = request.url.indexOf('?');
  const values = new URLSearchParams(start === -1 ? '' : request.url.slice(start + 1));
  if (request.body instanceof URLSearchParams) {
    for (const [name, value] of request.body) if (!values.has(name)) values.set(name, value);
  }
  return values;
}

function submitPayment(
  sandbox: Sandbox,
  payment: PaymentRequest,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { config, clock } = sandbox.ctx;
  const card = parseCard(parseValues(request));
  if (typeof card === 'string') return html(reply, 422, renderPaymentPage({ ...payment, errorMessage: card }));
  const sale: SandboxSale = {
    id: sandbox.nextId(),
    orderId: payment.orderId,
    priceCents: payment.priceCents,
    periodDays: payment.periodDays,
    currencyCode: payment.currencyCode,
    bin: card.bin,
    last4: card.last4,
    expDate: card.expDate,
    payerAddress: request.ip,
    requestDigest: payment.digest,
    soldAt: clock.now(),
    isApproved: card.isApproved,
    reversedCents: 0,
    recurring:
      payment.recurring && startRecurring(sandbox, payment.recurring, { days: payment.periodDays, at: clock.now() }),
  };
  const message = toSaleMessage(sale, getMerchant(config));
  if (card.isApproved) sandbox.storeSale(sale, message);
  else sandbox.sendMessage(message, sale);
  const returnUrl = new URL(PATHS.fanDepositReturn, config.publicUrl);
  returnUrl.searchParams.set('orderId', payment.orderId);
  returnUrl.searchParams.set('result', card.isApproved ? 'approved' : 'declined');
  return reply.header('cache-control', 'no-store').redirect(returnUrl.toString(), 303);
}

export async function registerSandbox({ app, ctx }: Pick<ModuleHost, 'app' | 'ctx'>): Promise<void> {
  if (!ctx.config.payments.isSandbox) return;
  const sandbox = createSandbox(app, ctx);
  const merchant = getMerchant(ctx.config);
  app.addHook('onListen', async () => sandbox.resume());
  app.addHook('preClose', async () => sandbox.delivery.stop());
  await app.register(
    async (scope) => {
      scope.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'string', bodyLimit: 16 * 1024 },
        (_request, body, done) => done(null, new URLSearchParams(String(body))),
      );
      scope.route<{ Params: { flexId: string } }>({
        method: ['GET', 'POST'],
        url: '/wap-frontflex/flexforms/:flexId',
        handler: async (request, reply) => {
          const payment = parsePaymentRequest(request.params.flexId, parseValues(request), merchant);
          if (typeof payment === 'string') return html(reply, 400, renderRefusalPage(payment));
          if (request.method === 'POST') return submitPayment(sandbox, payment, request, reply);
          return html(reply, 200, renderPaymentPage({ ...payment, errorMessage: undefined }));
        },
      });
      registerDataLink(scope, sandbox);
      if (!ctx.config.isProduction) registerControl(scope, sandbox);
    },
    { prefix: SANDBOX_PATH },
  );
}
