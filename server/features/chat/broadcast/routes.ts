import { conversationId, instant } from '@stagedoor/contract/atoms/ids.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/atoms/room-limits.ts';
import * as contract from '@stagedoor/contract/broadcasts.ts';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Server } from '../../../kernel/bind.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Actor } from '../../../kernel/session.ts';
import { chooseMedia } from '../outbox/attachments.ts';
import { formFields, parseFields } from '../outbox/form-fields.ts';
import { chooseTaken, discardTaken, readForm, readJson } from '../outbox/forms.ts';
import { requireMayPrice } from '../outbox/send.ts';
import { registerReactions } from './reactions.ts';
import * as service from './service.ts';

const fields = z.object({
  ...z.omit(formFields, { conversationId: true, receiverId: true }).shape,
  audience: z._default(z.enum(contract.AUDIENCES), 'chosen'),
  conversationIds: z._default(
    z.pipe(
      z.pipe(z.string(), z.transform(readJson)),
      z.array(conversationId).check(z.maxLength(CHAT_LIMITS.broadcastTargets)),
    ),
    [],
  ),
  excludeBuyers: z._default(z.stringbool(), false),
  scheduledAt: z.optional(instant),
});

async function broadcastForm(ctx: Context, actor: Actor, request: FastifyRequest, operationId: string) {
  const form = await readForm(ctx, request, actor.userId, (given) =>
    requireMayPrice(ctx, actor, parseFields(fields, given).price),
  );
  const wish = parseFields(fields, form.fields);
  try {
    return await service.makeBroadcast(
      ctx,
      actor,
      { ...wish, scheduledAt: wish.scheduledAt, clientId: wish.clientId ?? operationId },
      (tx) => chooseTaken(ctx, tx, actor.userId, form.taken),
    );
  } catch (error) {
    await discardTaken(ctx, form.taken);
    throw error;
  }
}

export function registerBroadcasts({ ctx, bind }: Server): void {
  service.defineJobs(ctx);
  registerReactions(ctx);
  bind(contract.broadcastText, ({ actor, body, operationId }) =>
    service.makeBroadcast(
      ctx,
      actor,
      { ...body, scheduledAt: body.scheduledAt, clientId: body.clientId ?? operationId, price: 0, isViewOnce: false },
      undefined,
    ),
  );
  bind(contract.broadcastMedia, ({ actor, body, operationId }) =>
    service.makeBroadcast(
      ctx,
      actor,
      { ...body, scheduledAt: body.scheduledAt, clientId: body.clientId ?? operationId },
      (tx) => chooseMedia(ctx, tx, actor.userId, body.mediaIds),
    ),
  );
  bind(contract.broadcastMediaMessage, ({ actor, request, operationId }) =>
    broadcastForm(ctx, actor, request, operationId),
  );
  bind(contract.broadcastGroups, ({ actor, query }) => service.groups(ctx, actor, query.mediaIds));
  bind(contract.listBroadcasts, ({ actor, query }) => service.list(ctx, actor, query));
  bind(contract.getBroadcast, async ({ actor, params }) =>
    service.present(await service.accessBroadcast(ctx, actor, params.id), ctx.clock.now()),
  );
  bind(contract.unsendBroadcast, ({ actor, params }) => service.unsend(ctx, actor, params.id));
  bind(contract.rescheduleBroadcast, ({ actor, params, body }) =>
    service.reschedule(ctx, actor, params.id, body.scheduledAt),
  );
}
