import type { CallEndReason } from '@stagedoor/contract/messaging/call-states.ts';
import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import type { EventPayload } from '../../../platform/events/event-types.ts';
import { createId } from '../../../platform/ids.ts';
import { listSalesByIds, type Sale } from '../../commerce/sales/index.ts';
import { invalidateMediaAccess } from '../../content/media/index.ts';
import './events.ts';
import { replaceChatTier } from './inbox/settings.ts';
import { emitMediaReady } from './live/emit.ts';
import { EMIT_HANDLER, emitMessageById, writeMessage } from './outbox/send.ts';
import { welcomeSubscriber } from './outbox/welcome.ts';
import { findMessages } from './rows.ts';
import { applyRefund } from './thread/purchases.ts';

const SAVE_RELATIONS: SqlStatement = {
  name: 'chat-save-relations',
  text: `insert into fan_creator_relations as o (fan_id, creator_id, since, bought_at, active_at)
    select fan_id, creator_id, min(at), case when $4 then min(at) end, max(at)
      from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) p (fan_id, creator_id, at) group by fan_id, creator_id order by fan_id, creator_id
    on conflict (fan_id, creator_id) do update set since = least(o.since, excluded.since), bought_at = coalesce(o.bought_at, excluded.bought_at),
      active_at = greatest(o.active_at, excluded.active_at)`,
};

type SaleMade = EventPayload<'sale.made'>;
type FanCreatorPair = { fanId: string; creatorId: string; at?: string };

/** Records that fans interacted with creators, which makes them possible recipients of broadcasts. */
async function saveRelations(ctx: Context, pairs: readonly FanCreatorPair[], isBought: boolean): Promise<void> {
  const [fans, creators] = [pairs.map(({ fanId }) => fanId), pairs.map(({ creatorId }) => creatorId)];
  const now = ctx.clock.now();
  await ctx.db.run(SAVE_RELATIONS, [fans, creators, pairs.map(({ at }) => at ?? now), isBought]);
}

async function writeTipMessages(ctx: Context, tips: readonly SaleMade[]): Promise<void> {
  const ids = tips.map(({ transactionId }) => transactionId);
  const sales = new Map((await listSalesByIds(ctx.db, ids)).map((sale) => [sale.id, sale]));
  for (const id of ids) {
    const sale = sales.get(id);
    if (sale?.kind === 'tip') await writeTipMessage(ctx, sale);
  }
}

/** The sale's id is the message's client id, so that a repeated event writes the tip once. */
async function writeTipMessage(ctx: Context, sale: Sale): Promise<void> {
  const id = createId(ctx.clock);
  await writeMessage(ctx.db, 1, {
    senderId: sale.fanId,
    isCreator: false,
    to: { receiverId: sale.creatorId },
    id,
    clientId: sale.id,
    type: 'tipInfo',
    text: '',
    priceCents: 0,
    isViewOnce: false,
    details: { transactionId: sale.id, amountCents: sale.grossCents, note: sale.note },
    at: sale.createdAt,
  });
  ctx.events.wake();
}

/** Raises the revision of the messages that contain a media item. A broadcast is raised once for all its messages. */
const INCREMENT_REVISIONS: SqlStatement = {
  name: 'chat-increment-revisions',
  text: `with holders as materialized (select distinct holder_id as id from chat_attachments where media_id = $1),
    shared as (update broadcasts b set revision = b.revision + 1 from holders h where b.id = h.id returning b.id),
    own as (update messages m set revision = m.revision + 1 from holders h where m.id = h.id and m.unsent_at is null returning m.id)
    select id from own union all select m.id from shared b join messages m on m.broadcast_id = b.id where m.unsent_at is null limit 500`,
};

export function registerChatEventHandlers(ctx: Context): void {
  ctx.events.addBroadcastHandler(
    'message.sent',
    EMIT_HANDLER,
    ({ conversationId }) => `chat:${conversationId}`,
    ({ payload }) => emitMessageById(ctx, payload.messageId, payload.isChanged),
  );
  const tipOptions = { queue: 'quick', filter: ({ kind }: SaleMade) => kind === 'tip' } as const;
  ctx.events.addBatchJobHandler('sale.made', 'chat.writeTipMessages', tipOptions, (sales) =>
    writeTipMessages(
      ctx,
      sales.map(({ payload }) => payload),
    ),
  );
  ctx.events.addBatchJobHandler('sale.made', 'chat.saveRelations', { queue: 'quick' }, (sales) =>
    saveRelations(
      ctx,
      sales.map(({ payload }) => payload),
      true,
    ),
  );
  const followOptions = { queue: 'quick', filter: ({ isFollowed }: { isFollowed: boolean }) => isFollowed } as const;
  ctx.events.addBatchJobHandler('follow.changed', 'chat.saveRelations', followOptions, (follows) =>
    saveRelations(
      ctx,
      follows.map(({ payload }) => payload),
      false,
    ),
  );
  ctx.events.addJobHandler(
    'sale.refunded',
    'chat.applyRefund',
    { queue: 'money', subject: ({ transactionId }) => `sale:${transactionId}`, filter: ({ kind }) => kind === 'chat' },
    ({ payload }) => applyRefund(ctx, payload),
  );
  ctx.events.addJobHandler(
    'subscription.started',
    'chat.welcomeSubscriber',
    { queue: 'quick', subject: ({ fanId }) => `subscriptions:${fanId}` },
    async ({ payload }) => {
      // A creator may write only to fans with a relation, and a trial or a free tier is no sale.
      await saveRelations(ctx, [payload], false);
      await welcomeSubscriber(ctx, payload);
    },
  );
  ctx.events.addJobHandler(
    'subscriptionTier.deleted',
    'chat.replaceChatTier',
    { queue: 'quick', subject: ({ tierId }) => `tier:${tierId}` },
    ({ payload }) => replaceChatTier(ctx, payload),
  );
  const invalidateAccess = () => invalidateMediaAccess(ctx);
  ctx.events.addLocalHandler('message.accessRevoked', 'chat.invalidateMediaAccess', invalidateAccess, invalidateAccess);
  ctx.events.addLocalHandler('chat.blocked', 'chat.invalidateMediaAccess', invalidateAccess, invalidateAccess);
  ctx.events.addLocalHandler(
    'broadcast.messagesRemoved',
    'chat.invalidateMediaAccess',
    invalidateAccess,
    invalidateAccess,
  );
  const toMediaSubject = ({ mediaId }: { mediaId: string }) => `media:${mediaId}`;
  ctx.events.addBroadcastHandler('media.processed', 'chat.emitMediaReady', toMediaSubject, async ({ payload }) => {
    const ids = await ctx.db.run<{ id: string }>(INCREMENT_REVISIONS, [payload.mediaId]);
    if (ids.length === 0) return;
    for (const row of await findMessages(
      ctx.db,
      ids.map(({ id }) => id),
    ))
      emitMediaReady(ctx, row);
  });
}

type CallMessageInput = {
  callLogId: string;
  fanId: string;
  creatorId: string;
  isFromCreator: boolean;
  kind: 'video' | 'audio';
  status: string;
  /** Why the call ended. */
  reason: CallEndReason | null;
  durationSeconds: number;
  /** What the fan paid. */
  amountCents: number;
  /** What the creator earned. */
  netCents: number;
  at: Date;
};

/** Adds a finished call to its conversation as a message of type `videoCallInfo`, once per call (row F4). */
export async function writeCallMessage(
  ctx: Context,
  { fanId, creatorId, isFromCreator, at, ...call }: CallMessageInput,
): Promise<void> {
  await writeMessage(ctx.db, 1, {
    senderId: isFromCreator ? creatorId : fanId,
    isCreator: isFromCreator,
    to: { receiverId: isFromCreator ? fanId : creatorId },
    id: createId(ctx.clock),
    clientId: call.callLogId,
    type: 'videoCallInfo',
    text: '',
    priceCents: 0,
    isViewOnce: false,
    details: { call },
    at,
  });
  ctx.events.wake();
}
