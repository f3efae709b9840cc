/**
 * A simulation of CCBill on our own server for development and tests: the payment page that checks the digest, the
 * webhooks, and DataLink. It is unavailable in production unless PAYMENT_SANDBOX enables it explicitly.
 */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Server } from '../../../kernel/bind.ts';
import { merchantOf } from '../ccbill/ours.ts';
import { registerControl } from './control.ts';
import { registerDataLink } from './datalink.ts';
import { type SandboxSale, saleMessage } from './messages.ts';
import { paymentPage, refusalPage } from './page.ts';
import { type PaymentRequest, readCard, readRequest } from './request.ts';
import { createSandbox, type Sandbox } from './state.ts';

export const SANDBOX_PATH = '/sandbox/ccbill';

function html(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.status(status).header('cache-control', 'no-store').type('text/html; charset=utf-8').send(body);
}

/** Parameters of the URL override those of the form. */
function valuesOf(request: FastifyRequest): URLSearchParams {
  const start = request.url.indexOf('?');
  const values = new URLSearchParams(start === -1 ? '' : request.url.slice(start + 1));
  if (request.body instanceof URLSearchParams) {
    for (const [name, value] of request.body) if (!values.has(name)) values.set(name, value);
  }
  return values;
}

function pay(sandbox: Sandbox, payment: PaymentRequest, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { config, clock } = sandbox.ctx;
  const card = readCard(valuesOf(request));
  if (typeof card === 'string') return html(reply, 422, paymentPage({ ...payment, complaint: card }));
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
  };
  const message = saleMessage(sale, merchantOf(config));
  if (card.isApproved) sandbox.keepSale(sale, message);
  else sandbox.tell(message, sale);
  const back = new URL(PATHS.fanDepositReturn, config.publicUrl);
  back.searchParams.set('orderId', payment.orderId);
  back.searchParams.set('result', card.isApproved ? 'approved' : 'declined');
  return reply.header('cache-control', 'no-store').redirect(back.toString(), 303);
}

export async function registerSandbox({ app, ctx }: Pick<Server, 'app' | 'ctx'>): Promise<void> {
  if (!ctx.config.payments.isSandbox) return;
  const sandbox = createSandbox(app, ctx);
  const merchant = merchantOf(ctx.config);
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
          const payment = readRequest(request.params.flexId, valuesOf(request), merchant);
          if (typeof payment === 'string') return html(reply, 400, refusalPage(payment));
          if (request.method === 'POST') return pay(sandbox, payment, request, reply);
          return html(reply, 200, paymentPage({ ...payment, complaint: undefined }));
        },
      });
      registerDataLink(scope, sandbox);
      if (!ctx.config.isProduction) registerControl(scope, sandbox);
    },
    { prefix: SANDBOX_PATH },
  );
}
