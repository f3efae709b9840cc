/**
 * The CCBill webhook. It stores each request and responds with 200 at once, and processing follows the commit. A wrong
 * secret and a sender outside the CCBill networks get the same response as an unknown URL.
 */
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { storeCardFingerprint } from '../../identity/accounts/index.ts';
import { CCBILL } from './ccbill/merchant.ts';
import { createNetworkCheck, isSameSecret } from './ccbill/sender.ts';
import { type ParsedWebhook, parseWebhook } from './ccbill/webhook-body.ts';
import { findFanByOrder } from './deposits-store.ts';
import { storeWebhook } from './webhooks-store.ts';

/** The CCBill documentation spells the content type in the second form. */
const CONTENT_TYPES = ['application/x-www-form-urlencoded', 'application/x-www-form-encoded', 'application/json'];
const BODY_LIMIT = 64 * 1024;

/**
 * Records the card of a sale to recognize a returning card holder. This moves no money, so it does not wait for
 * confirmation.
 */
async function recordCard(ctx: Context, tx: DbTransaction, { eventType, fields, card }: ParsedWebhook): Promise<void> {
  if (eventType !== 'NewSaleSuccess' || card === undefined) return;
  const fanId = await findFanByOrder(tx, CCBILL, fields['X-orderId'] ?? '');
  if (fanId !== undefined) await storeCardFingerprint(ctx, tx, fanId, card);
}

export async function receiveWebhook(
  ctx: Context,
  webhook: ParsedWebhook,
  sender: { contentType: string; peer: string },
): Promise<void> {
  const stored = await ctx.db.transaction(async (tx) => {
    const saved = await storeWebhook(tx, { provider: CCBILL, webhook, ...sender, at: ctx.clock.now() });
    if (saved.state === 'received' || saved.state === 'waiting')
      await tx.emit('processor.received', { webhookId: saved.id });
    if (saved.isNew) await recordCard(ctx, tx, webhook);
    return saved;
  });
  if (stored.isNew && stored.problem !== undefined) {
    ctx.log.warn(
      { eventId: stored.id, eventType: webhook.eventType, reason: stored.problem },
      'a webhook of the payment processor needs a decision by an operator',
    );
  }
}

type WebhookRequest = { Params: { secret: string } };

export async function registerWebhook(app: FastifyInstance, ctx: Context): Promise<void> {
  const { isSandbox, webhookSecret, allowedAddresses } = ctx.config.payments;
  const isProcessorAddress = createNetworkCheck(allowedAddresses);

  async function requireSender(request: FastifyRequest<WebhookRequest>): Promise<void> {
    if (!isSameSecret(request.params.secret, webhookSecret)) throw new AppError('NOT_FOUND');
    if (!isSandbox && !isProcessorAddress(request.ip)) {
      ctx.log.warn(
        { peer: request.ip },
        'a post with the right secret came from outside the payment processor’s networks',
      );
      throw new AppError('NOT_FOUND');
    }
  }

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(CONTENT_TYPES, { parseAs: 'string', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    );
    scope.route<WebhookRequest>({
      method: 'POST',
      url: '/api/webhook/ccbill/:secret',
      bodyLimit: BODY_LIMIT,
      onRequest: requireSender,
      handler: async (request, reply) => {
        const start = request.url.indexOf('?');
        const body = typeof request.body === 'string' ? request.body : '';
        const contentType = request.headers['content-type'] ?? '';
        const webhook = parseWebhook(start === -1 ? '' : request.url.slice(start + 1), body, contentType);
        await receiveWebhook(ctx, webhook, { contentType: contentType.slice(0, 100), peer: request.ip });
        return reply.type('text/plain').send('OK');
      },
    });
  });
}
