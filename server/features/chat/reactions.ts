import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import type { EventPayload } from '../../kernel/events.ts';
import { newId } from '../../kernel/ids.ts';
import { forgetSights } from '../media/index.ts';
import { findSales, type Sale } from '../sales/index.ts';
import './events.ts';
import { tellMediaReady } from './live/tell.ts';
import { announceLater, LIVE, writeMessage } from './outbox/send.ts';
import { findMessages } from './rows.ts';
import { returnPurchase } from './thread/purchases.ts';

const BOND: Statement = {
  name: 'chat-bond',
  text: `insert into chat_bonds as o (fan_id, creator_id, since, bought_at, active_at)
    select fan_id, creator_id, min(at), case when $4 then min(at) end, max(at)
      from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) p (fan_id, creator_id, at) group by fan_id, creator_id order by fan_id, creator_id
    on conflict (fan_id, creator_id) do update set since = least(o.since, excluded.since), bought_at = coalesce(o.bought_at, excluded.bought_at),
      active_at = greatest(o.active_at, excluded.active_at)`,
};

type SaleMade = EventPayload<'sale.made'>;
type Pair = { fanId: string; creatorId: string; at?: string };

/** Records that fans interacted with creators, which makes them possible recipients of broadcasts. */
async function bond(ctx: Context, pairs: readonly Pair[], isBought: boolean): Promise<void> {
  const [fans, creators] = [pairs.map(({ fanId }) => fanId), pairs.map(({ creatorId }) => creatorId)];
  const now = ctx.clock.now();
  await ctx.db.run(BOND, [fans, creators, pairs.map(({ at }) => at ?? now), isBought]);
}

async function writeTips(ctx: Context, tips: readonly SaleMade[]): Promise<void> {
  const ids = tips.map(({ transactionId }) => transactionId);
  const sales = new Map((await findSales(ctx.db, ids)).map((sale) => [sale.id, sale]));
  for (const id of ids) {
    const sale = sales.get(id);
    if (sale?.kind === 'tip' && sale.tipType === 'chat') await writeTip(ctx, sale);
  }
}

/** The sale's id is the message's client id, so that a repeated event writes the tip once. */
async function writeTip(ctx: Context, sale: Sale): Promise<void> {
  const id = newId(ctx.clock);
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
const OF_MEDIUM: Statement = {
  name: 'chat-messages-of-medium',
  text: `with holders as materialized (select distinct holder_id as id from chat_attachments where media_id = $1),
    shared as (update broadcasts b set revision = b.revision + 1 from holders h where b.id = h.id returning b.id),
    own as (update messages m set revision = m.revision + 1 from holders h where m.id = h.id and m.unsent_at is null returning m.id)
    select id from own union all select m.id from shared b join messages m on m.broadcast_id = b.id where m.unsent_at is null limit 500`,
};

export function registerReactions(ctx: Context): void {
  ctx.events.tell(
    'message.sent',
    LIVE,
    ({ conversationId }) => `chat:${conversationId}`,
    ({ payload }) => announceLater(ctx, payload.messageId, payload.isChanged),
  );
  // Events of the previous release do not say where the tip was given.
  const inChat = {
    lane: 'quick',
    when: ({ kind, tipType }: SaleMade) => kind === 'tip' && (tipType ?? 'chat') === 'chat',
  } as const;
  ctx.events.doTogether('sale.made', 'chat.tip', inChat, (sales) =>
    writeTips(
      ctx,
      sales.map(({ payload }) => payload),
    ),
  );
  ctx.events.doTogether('sale.made', 'chat.bond', { lane: 'quick' }, (sales) =>
    bond(
      ctx,
      sales.map(({ payload }) => payload),
      true,
    ),
  );
  const followed = { lane: 'quick', when: ({ isFollowed }: { isFollowed: boolean }) => isFollowed } as const;
  ctx.events.doTogether('follow.changed', 'chat.bond', followed, (follows) =>
    bond(
      ctx,
      follows.map(({ payload }) => payload),
      false,
    ),
  );
  ctx.events.do(
    'sale.refunded',
    'chat.return',
    { lane: 'money', subject: ({ transactionId }) => `sale:${transactionId}`, when: ({ kind }) => kind === 'chat' },
    ({ payload }) => returnPurchase(ctx, payload),
  );
  const forget = () => forgetSights(ctx);
  ctx.events.everywhere('chat.closed', 'chat.forgetSights', forget, forget);
  ctx.events.everywhere('chat.blocked', 'chat.forgetSights', forget, forget);
  ctx.events.everywhere('broadcast.takenBack', 'chat.forgetSights', forget, forget);
  const ofMedium = ({ mediaId }: { mediaId: string }) => `media:${mediaId}`;
  ctx.events.tell('media.processed', 'chat.ready', ofMedium, async ({ payload }) => {
    const ids = await ctx.db.run<{ id: string }>(OF_MEDIUM, [payload.mediaId]);
    if (ids.length === 0) return;
    for (const row of await findMessages(
      ctx.db,
      ids.map(({ id }) => id),
    ))
      tellMediaReady(ctx, row);
  });
}

type CallLine = {
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

/** Adds a finished call to its conversation as a message of type `videoCallInfo`, once per call (row F4). */
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
