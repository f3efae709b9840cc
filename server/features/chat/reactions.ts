/** What happens after: tips become messages, processed files are told, purchases that were given back are closed again. */
import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { findSale } from '../sales/index.ts';
import './events.ts';
import { tellMediaReady } from './live.ts';
import { returnPurchase } from './purchases.ts';
import { findMessages } from './rows.ts';
import { announceLater, LIVE, writeMessage } from './send.ts';

const BOND: Statement = {
  name: 'chat-bond',
  text: `insert into chat_bonds as o (fan_id, creator_id, since, bought_at, active_at) values ($1, $2, $3, case when $4 then $3::timestamptz end, $3)
    on conflict (fan_id, creator_id) do update set since = least(o.since, excluded.since), bought_at = coalesce(o.bought_at, excluded.bought_at),
      active_at = greatest(o.active_at, excluded.active_at)`,
};

/** A fan did something with a creator: broadcasts may be meant for them from now on. */
async function bond(ctx: Context, fanId: string, creatorId: string, isBought: boolean): Promise<void> {
  await ctx.db.run(BOND, [fanId, creatorId, ctx.clock.now(), isBought]);
}

/** A tip given in chat, as a message of it. The sale's id is the message's client id: it is written once, however often it is told. */
async function writeTip(ctx: Context, transactionId: string): Promise<void> {
  const sale = await findSale(ctx.db, transactionId);
  if (sale?.kind !== 'tip' || sale.tipType !== 'chat') return;
  const id = newId(ctx.clock);
  await writeMessage(ctx.db, 1, {
    senderId: sale.fanId,
    isCreator: false,
    to: { receiverId: sale.creatorId },
    id,
    clientId: transactionId,
    type: 'tipInfo',
    text: '',
    priceCents: 0,
    isViewOnce: false,
    details: { transactionId, amountCents: sale.grossCents, note: sale.note },
    at: sale.createdAt,
  });
  ctx.events.wake();
}

const OF_MEDIUM: Statement = {
  name: 'chat-messages-of-medium',
  text: `select m.id from chat_attachments a join messages m on m.id = a.holder_id where a.media_id = $1 and m.unsent_at is null
    union all select m.id from chat_attachments a join messages m on m.broadcast_id = a.holder_id where a.media_id = $1 and m.unsent_at is null limit 500`,
};

export function registerReactions(ctx: Context): void {
  ctx.events.on('message.sent', LIVE, ({ payload }) => announceLater(ctx, payload.messageId, payload.isChanged));
  ctx.events.on('sale.made', 'chat.tip', ({ payload }) =>
    payload.kind === 'tip' ? writeTip(ctx, payload.transactionId) : undefined,
  );
  ctx.events.on('sale.made', 'chat.bond', ({ payload }) => bond(ctx, payload.fanId, payload.creatorId, true));
  ctx.events.on('follow.changed', 'chat.bond', ({ payload }) =>
    payload.isFollowed ? bond(ctx, payload.fanId, payload.creatorId, false) : undefined,
  );
  ctx.events.on('sale.refunded', 'chat.return', async ({ payload }) => {
    if (payload.kind === 'chat') await returnPurchase(ctx, payload);
  });
  ctx.events.on('media.processed', 'chat.ready', async ({ payload }) => {
    const ids = await ctx.db.run<{ id: string }>(OF_MEDIUM, [payload.mediaId]);
    if (ids.length === 0) return;
    for (const row of await findMessages(
      ctx.db,
      ids.map(({ id }) => id),
    ))
      tellMediaReady(ctx, row);
  });
}

/** What the calls room tells of a call that ended (row F4). */
export type CallLine = {
  callLogId: string;
  fanId: string;
  creatorId: string;
  isFromCreator: boolean;
  kind: 'video' | 'audio';
  status: string;
  durationSeconds: number;
  amountCents: number;
  at: Date;
};

/** @public Writes a call into its conversation as a line of type videoCallInfo, once for each call. */
export async function writeCall(
  ctx: Context,
  { fanId, creatorId, isFromCreator, at, ...call }: CallLine,
): Promise<void> {
  await writeMessage(ctx.db, 1, {
    senderId: isFromCreator ? creatorId : fanId,
    isCreator: isFromCreator,
    to: { receiverId: isFromCreator ? fanId : creatorId },
    id: newId(ctx.clock),
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
