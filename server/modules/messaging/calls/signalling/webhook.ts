/** The webhook endpoint for LiveKit. Requests without a valid signature get 404. */
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../../platform/context.ts';
import { findCall } from '../call/access.ts';
import { findCallSide, SIDES } from '../call/sides.ts';
import { loseConnection } from '../call/state-machine.ts';
import { runCallStep } from '../call/step.ts';
import { type LiveKitEvent, readWebhook } from './livekit.ts';

const BODY_LIMIT = 64 * 1024;

async function applyLiveKitEvent(ctx: Context, { event, callId, userId }: LiveKitEvent): Promise<void> {
  const call = await findCall(ctx.db, callId);
  if (!call) return;
  const leavingSides = event === 'participant_left' && userId !== undefined ? [findCallSide(call, userId)] : [];
  const sides = event === 'room_finished' ? SIDES : leavingSides;
  for (const side of sides)
    if (side)
      await runCallStep(
        ctx,
        callId,
        (step) => void (step.call.status === 'received' && loseConnection(step, side, step.at)),
      );
}

/** Registers the webhook in its own scope, because the signature covers the raw body. */
export async function registerLiveKitWebhook(app: FastifyInstance, ctx: Context): Promise<void> {
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
        const liveKitEvent = readWebhook(livekit, body, request.headers.authorization ?? '', ctx.clock.now());
        if (liveKitEvent === undefined) throw new AppError('NOT_FOUND');
        if (liveKitEvent !== 'none') await applyLiveKitEvent(ctx, liveKitEvent);
        return reply.status(204).send();
      },
    });
  });
}
