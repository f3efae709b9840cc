import * as contract from '@stagedoor/contract/messaging/broadcasts.ts';
import { conversationId, instant, subscriptionTierId } from '@stagedoor/contract/shared/ids.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Context } from '../../../../platform/context.ts';
import type { ModuleHost } from '../../../../platform/http/routing.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import { chooseMedia } from '../outbox/attachments.ts';
import { formFields, parseFields } from '../outbox/form-fields.ts';
import { claimUploads, discardUploads, readForm, tryParseJson } from '../outbox/forms.ts';
import { requireCanSetPrice } from '../outbox/send.ts';
import { registerBroadcastEventHandlers } from './handlers.ts';
import * as service from './service.ts';

const fields = z.object({
  ...z.omit(formFields, { conversationId: true, receiverId: true }).shape,
  audience: z._default(z.enum(contract.BROADCAST_AUDIENCES), 'chosen'),
  conversationIds: z._default(
    z.pipe(
      z.pipe(z.string(), z.transform(tryParseJson)),
      z.array(conversationId).check(z.maxLength(CHAT_LIMITS.broadcastTargets)),
    ),
    [],
  ),
  excludeBuyers: z._default(z.stringbool(), false),
  tierId: z.optional(subscriptionTierId),
  scheduledAt: z.optional(instant),
});

async function sendBroadcastForm(ctx: Context, actor: Actor, request: FastifyRequest, operationId: string) {
  const form = await readForm(ctx, request, actor.userId, (values) =>
    requireCanSetPrice(ctx, actor, parseFields(fields, values).price),
  );
  const input = parseFields(fields, form.fields);
  try {
    return await service.createBroadcast(
      ctx,
      actor,
      { ...input, tierId: input.tierId, scheduledAt: input.scheduledAt, clientId: input.clientId ?? operationId },
      (tx) => claimUploads(ctx, tx, actor.userId, form.uploads),
    );
  } catch (error) {
    await discardUploads(ctx, form.uploads);
    throw error;
  }
}

export function registerBroadcastRoutes({ ctx, bind }: ModuleHost): void {
  service.defineJobs(ctx);
  registerBroadcastEventHandlers(ctx);
  bind(contract.broadcastText, ({ actor, body, operationId }) =>
    service.createBroadcast(
      ctx,
      actor,
      {
        ...body,
        tierId: body.tierId,
        scheduledAt: body.scheduledAt,
        clientId: body.clientId ?? operationId,
        price: 0,
        isViewOnce: false,
      },
      undefined,
    ),
  );
  bind(contract.broadcastMedia, ({ actor, body, operationId }) =>
    service.createBroadcast(
      ctx,
      actor,
      { ...body, tierId: body.tierId, scheduledAt: body.scheduledAt, clientId: body.clientId ?? operationId },
      (tx) => chooseMedia(ctx, tx, actor.userId, body.mediaIds),
    ),
  );
  bind(contract.broadcastMediaMessage, ({ actor, request, operationId }) =>
    sendBroadcastForm(ctx, actor, request, operationId),
  );
  bind(contract.listBroadcastAudiences, ({ actor, query }) => service.listAudiences(ctx, actor, query));
  bind(contract.listBroadcasts, ({ actor, query }) => service.list(ctx, actor, query));
  bind(contract.getBroadcast, async ({ actor, params }) =>
    service.presentBroadcast(await service.accessBroadcast(ctx, actor, params.id), ctx.clock.now()),
  );
  bind(contract.unsendBroadcast, ({ actor, params }) => service.unsend(ctx, actor, params.id));
  bind(contract.rescheduleBroadcast, ({ actor, params, body }) =>
    service.reschedule(ctx, actor, params.id, body.scheduledAt),
  );
}
