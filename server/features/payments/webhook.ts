/**
 * The CCBill webhook. It stores each request and responds with 200 at once, and processing follows the commit. A wrong
 * secret and a sender outside the CCBill networks get the same response as an unknown URL.
 */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import { noteCard } from '../accounts/index.ts';
import { CCBILL } from './ccbill/ours.ts';
import { type ProcessorPost, readPost } from './ccbill/post.ts';
import { isSameSecret, networkCheck } from './ccbill/sender.ts';
import { fanOfOrder } from './deposits-store.ts';
import { storeEvent } from './events-store.ts';

/** The CCBill documentation spells the content type in the second form. */
const CONTENT_TYPES = ['application/x-www-form-urlencoded', 'application/x-www-form-encoded', 'application/json'];
const BODY_LIMIT = 64 * 1024;

/**
 * Records the card of a sale to recognize a returning card holder. This moves no money, so it does not wait for
 * confirmation.
 */
async function noteCardOf(ctx: Context, tx: Transaction, { eventType, fields, card }: ProcessorPost): Promise<void> {
  if (eventType !== 'NewSaleSuccess' || card === undefined) return;
  const fanId = await fanOfOrder(tx, CCBILL, fields['X-orderId'] ?? '');
  if (fanId !== undefined) await noteCard(ctx, tx, fanId, card);
}

export async function receivePost(
  ctx: Context,
  post: ProcessorPost,
  from: { contentType: string; peer: string },
): Promise<void> {
  const stored = await ctx.db.transaction(async (tx) => {
    const event = await storeEvent(tx, { provider: CCBILL, post, ...from, at: ctx.clock.now() });
    if (event.state === 'received' || event.state === 'waiting')
      await tx.emit('processor.received', { eventId: event.id });
    if (event.isNew) await noteCardOf(ctx, tx, post);
    return event;
  });
  if (stored.isNew && stored.problem !== undefined) {
    ctx.log.warn(
      { eventId: stored.id, eventType: post.eventType, reason: stored.problem },
      'a webhook of the payment processor needs a decision by an operator',
    );
  }
}

type Address = { Params: { secret: string } };

export async function registerWebhook(app: FastifyInstance, ctx: Context): Promise<void> {
  const { isSandbox, webhookSecret, allowedAddresses } = ctx.config.payments;
  const isOfProcessor = networkCheck(allowedAddresses);

  async function requireSender(request: FastifyRequest<Address>): Promise<void> {
    if (!isSameSecret(request.params.secret, webhookSecret)) throw new AppError('NOT_FOUND');
    if (!isSandbox && !isOfProcessor(request.ip)) {
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
    scope.route<Address>({
      method: 'POST',
      url: '/api/webhook/ccbill/:secret',
      bodyLimit: BODY_LIMIT,
      onRequest: requireSender,
      handler: async (request, reply) => {
        const start = request.url.indexOf('?');
        const body = typeof request.body === 'string' ? request.body : '';
        const contentType = request.headers['content-type'] ?? '';
        const post = readPost(start === -1 ? '' : request.url.slice(start + 1), body, contentType);
        await receivePost(ctx, post, { contentType: contentType.slice(0, 100), peer: request.ip });
        return reply.type('text/plain').send('OK');
      },
    });
  });
}
