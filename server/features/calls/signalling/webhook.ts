/** The webhook endpoint for LiveKit. Requests without a valid signature get 404. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../kernel/context.ts';
import { findCall } from '../call/access.ts';
import { lose } from '../call/course.ts';
import { SIDES, sideOf } from '../call/sides.ts';
import { take } from '../call/turn.ts';
import { type RoomFact, readWebhook } from './livekit.ts';

const BODY_LIMIT = 64 * 1024;

async function hearOf(ctx: Context, { event, callId, userId }: RoomFact): Promise<void> {
  const call = await findCall(ctx.db, callId);
  if (!call) return;
  const left = event === 'participant_left' && userId !== undefined ? [sideOf(call, userId)] : [];
  const sides = event === 'room_finished' ? SIDES : left;
  for (const side of sides)
    if (side) await take(ctx, callId, (turn) => void (turn.call.status === 'received' && lose(turn, side, turn.at)));
}

/** Registers the webhook in its own scope, because the signature covers the raw body. */
export async function registerWebhook(app: FastifyInstance, ctx: Context): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    const types = ['application/webhook+json', 'application/json'];
    scope.addContentTypeParser(types, { parseAs: 'string', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    );
    scope.route({
      method: 'POST',
      url: '/webhooks/livekit',
      bodyLimit: BODY_LIMIT,
      handler: async (request, reply) => {
        const body = typeof request.body === 'string' ? request.body : '';
        const { livekit } = ctx.config.calls;
        const fact = readWebhook(livekit, body, request.headers.authorization ?? '', ctx.clock.now());
        if (fact === undefined) throw new AppError('NOT_FOUND');
        if (fact !== 'none') await hearOf(ctx, fact);
        return reply.status(204).send();
      },
    });
  });
}
