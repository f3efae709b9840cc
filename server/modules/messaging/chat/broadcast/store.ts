import type { BROADCAST_STATES, BroadcastAudience } from '@stagedoor/contract/messaging/broadcasts.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../../platform/database/db.ts';
import { joinEntitlement } from '../../../content/entitlements/index.ts';
import { BROADCAST_COLUMNS, type BroadcastMessageRow } from './thread.ts';

export type BroadcastRow = BroadcastMessageRow & {
  audience: BroadcastAudience;
  tier_name: string | null;
  exclude_buyers: boolean;
  state: (typeof BROADCAST_STATES)[number];
  scheduled_at: Date | null;
  recipient_count: number | null;
  delivered: number;
  read: number;
  purchased: number;
  earned_cents: number;
};

const createReadStatement = (name: string, rest: string): SqlStatement => ({
  name,
  text: `select ${BROADCAST_COLUMNS}, b.audience,
      (select t.name from subscription_tiers t where t.id = b.tier_id) as tier_name, b.exclude_buyers, case when b.taken_down_at is null then b.state else 'unsent' end as state, b.scheduled_at, b.recipient_count, n.delivered, n.read, n.purchased, n.earned_cents
    from broadcasts b cross join lateral (
      select coalesce(sum(delivered), 0)::int as delivered, coalesce(sum(read), 0)::int as read, coalesce(sum(purchased), 0)::int as purchased,
        coalesce(sum(earned_cents), 0)::int8 as earned_cents from broadcast_counts where broadcast_id = b.id) n ${rest}`,
});
const FIND = createReadStatement('broadcasts-one', 'where b.id = $1');
const LIST_SENT = createReadStatement(
  'broadcasts-sent',
  'where b.creator_id = $1 and b.seq is not null and b.seq < $2 order by b.seq desc offset $3 limit $4',
);
const LIST_SCHEDULED = createReadStatement(
  'broadcasts-scheduled',
  `where b.creator_id = $1 and b.state = 'scheduled' order by b.scheduled_at, b.id offset $2 limit $3`,
);

export async function findBroadcast(db: Executor, id: string): Promise<BroadcastRow | undefined> {
  return (await db.run<BroadcastRow>(FIND, [id]))[0];
}

export function listSent(db: Executor, creatorId: string, before: number, skip: number, limit: number) {
  return db.run<BroadcastRow>(LIST_SENT, [creatorId, before, skip, limit]);
}

export function listScheduled(db: Executor, creatorId: string, skip: number, limit: number) {
  return db.run<BroadcastRow>(LIST_SCHEDULED, [creatorId, skip, limit]);
}

const LIST_FAN_IDS: SqlStatement = {
  name: 'broadcasts-fans',
  text: 'select fan_id as id from conversations where creator_id = $1 and id = any ($2::uuid[])',
};

/**
 * Returns the fans of a creator's conversations. There are fewer than requested when some belong to another creator.
 */
export async function listFanIds(
  db: Executor,
  creatorId: string,
  conversationIds: readonly string[],
): Promise<string[]> {
  return (await db.run<{ id: string }>(LIST_FAN_IDS, [creatorId, conversationIds])).map(({ id }) => id);
}

const NEXT_SEQ: SqlStatement = {
  name: 'broadcasts-next',
  text: `insert into broadcasters as r (creator_id, last_seq, last_at) values ($1, 1, $2)
    on conflict (creator_id) do update set last_seq = r.last_seq + 1, last_at = greatest(r.last_at, excluded.last_at) returning last_seq as seq`,
};
const MARK_SENT: SqlStatement = {
  name: 'broadcasts-mark-sent',
  text: `update broadcasts set state = 'sent', seq = $2, sent_at = $3 where id = $1`,
};

/** From the commit on the broadcast is in every recipient's inbox. The cost does not depend on their number. */
export async function markBroadcastSent(tx: DbTransaction, id: string, creatorId: string, at: Date): Promise<void> {
  const [next] = await tx.run<{ seq: number }>(NEXT_SEQ, [creatorId, at]);
  await tx.run(MARK_SENT, [id, next?.seq, at]);
}

const BUYER_ENTITLEMENT = joinEntitlement({
  viewer: 'p.fan_id',
  owner: 'm.sender_id',
  subject: 'm.id',
  price: 'm.price_cents',
  access: "'shown'",
  container: 'm.broadcast_id',
});
const AUDIENCE = `select fan_id from follows where creator_id = b.creator_id and created_at <= b.sent_at and b.audience in ('followers', 'notBought')
  union all select fan_id from fan_creator_relations where creator_id = b.creator_id and bought_at <= b.sent_at and b.audience = 'buyers'
  union all select fan_id from fan_creator_relations where creator_id = b.creator_id and since <= b.sent_at and active_at >= b.sent_at - interval '30 days' and b.audience = 'active'
  union all select unnest(b.fan_ids) where b.audience = 'chosen'
  union all select fan_id from broadcast_recipients where broadcast_id = b.id`;
const COUNT_RECIPIENTS: SqlStatement = {
  name: 'broadcasts-count',
  text: `with owners as materialized (
      select distinct p.fan_id from broadcasts b join chat_attachments w on w.holder_id = b.id and w.media_id is not null
      join chat_attachments o on o.media_id = w.media_id join messages m on m.id = o.holder_id or m.broadcast_id = o.holder_id
      join chat_purchases p on p.message_id = m.id and p.revoked_at is null ${BUYER_ENTITLEMENT} where b.id = $1 and e.source = 'purchase' and (b.exclude_buyers or b.audience = 'notBought')),
    blocked as materialized (select c.fan_id from broadcasts b join conversations c on c.creator_id = b.creator_id
      where b.id = $1 and (c.is_blocked_by_creator or c.is_blocked_by_fan))
    update broadcasts t set recipient_count = (select count(*) from broadcasts b, lateral (${AUDIENCE}) a where b.id = $1
        and not exists (select from owners o where o.fan_id = a.fan_id) and not exists (select from blocked k where k.fan_id = a.fan_id))
      where t.id = $1 and t.sent_at is not null`,
};

export async function countRecipients(db: Executor, id: string): Promise<void> {
  await db.run(COUNT_RECIPIENTS, [id]);
}

const COUNT_AUDIENCES: SqlStatement = {
  name: 'broadcasts-count-audiences',
  text: `select (select follower_count from creators where user_id = $1) as followers,
    (select count(*) from fan_creator_relations where creator_id = $1 and bought_at is not null) as buyers,
    (select count(*) from fan_creator_relations where creator_id = $1 and active_at >= $2::timestamptz - interval '30 days') as active,
    (select count(distinct p.fan_id) from chat_attachments o join messages m on m.id = o.holder_id or m.broadcast_id = o.holder_id
      join chat_purchases p on p.message_id = m.id and p.revoked_at is null ${BUYER_ENTITLEMENT} join follows f on f.fan_id = p.fan_id and f.creator_id = $1
      where e.source = 'purchase' and o.media_id = any ($3::uuid[])) as owners`,
};

export type AudienceCounts = { followers: number; buyers: number; active: number; owners: number };

/** `owners` are followers who own one of the media. */
export async function countAudiences(
  db: Executor,
  creatorId: string,
  now: Date,
  mediaIds: readonly string[],
): Promise<AudienceCounts> {
  const [row] = await db.run<AudienceCounts>(COUNT_AUDIENCES, [creatorId, now, mediaIds]);
  return row ?? { followers: 0, buyers: 0, active: 0, owners: 0 };
}

const REMOVE_MESSAGES: SqlStatement = {
  name: 'broadcasts-remove-messages',
  // Locks the conversations first, in order of id, so that none is marked as read meanwhile.
  text: `with next as materialized (select m.conversation_id, m.seq from messages m where m.broadcast_id = $1 and m.conversation_id > $2 order by m.conversation_id limit $4),
    held as materialized (select c.id, c.fan_id, c.fan_read_seq from conversations c where c.id in (select conversation_id from next) order by c.id for no key update),
    removed as (update messages m set unsent_at = $3 from next n join held h on h.id = n.conversation_id where m.conversation_id = n.conversation_id and m.seq = n.seq
      and m.unsent_at is null and m.purchased_at is null and m.seq > h.fan_read_seq returning m.id, m.conversation_id, m.revision, m.is_hidden_from_fan, h.fan_id),
    left_over as (update conversations c set fan_unread = greatest(c.fan_unread - (case when g.is_hidden_from_fan then 0 else 1 end), 0),
      fan_listed_at = case when exists (select from messages x where x.conversation_id = c.id and x.id <> g.id and x.seq > c.fan_cleared_seq
        and x.unsent_at is null and not x.is_hidden_from_fan) then c.fan_listed_at end
      from removed g where c.id = g.conversation_id returning c.id, c.revision),
    counted as materialized (select broadcast_add_counts($1, g.fan_id, -1, 0, 0, 0) from removed g)
    select (select max(conversation_id::text) from next) as last, (select count(*) from counted) as counted,
      coalesce((select json_agg(json_build_object('id', g.id, 'conversation_id', g.conversation_id, 'fan_id', g.fan_id,
        'revision', g.revision + (select revision from broadcasts where id = $1), 'conversation_revision', l.revision))
        from removed g join left_over l on l.id = g.conversation_id), '[]') as removed`,
};

export type RemovedBroadcastMessage = {
  id: string;
  conversation_id: string;
  fan_id: string;
  revision: number;
  conversation_revision: number;
};

export async function removeMessages(
  tx: DbTransaction,
  id: string,
  after: string,
  at: Date,
  limit: number,
): Promise<{ last: string | null; removed: RemovedBroadcastMessage[] }> {
  const [row] = await tx.run<{ last: string | null; removed: RemovedBroadcastMessage[] }>(REMOVE_MESSAGES, [
    id,
    after,
    at,
    limit,
  ]);
  return row ?? { last: null, removed: [] };
}

const DELIVER_BROADCASTS: SqlStatement = {
  name: 'broadcasts-deliver-online',
  text: `select d.id from unnest($2::uuid[]) f (id), lateral chat_deliver_broadcasts($1, f.id, $3, $4) d (id)
    where exists (select from follows x where x.fan_id = f.id and x.creator_id = $1) or exists (select from fan_creator_relations o where o.fan_id = f.id and o.creator_id = $1)`,
};

export async function deliverToFans(
  db: Executor,
  creatorId: string,
  fanIds: readonly string[],
  max: number,
  at: Date,
): Promise<string[]> {
  return (await db.run<{ id: string }>(DELIVER_BROADCASTS, [creatorId, [...fanIds].sort(), max, at])).map(
    ({ id }) => id,
  );
}

const LIST_CREATORS_SINCE: SqlStatement = {
  name: 'broadcasts-since',
  text: 'select creator_id as id from broadcasters where last_at > $1',
};

export async function listCreatorIdsSince(db: Executor, at: Date): Promise<string[]> {
  return (await db.run<{ id: string }>(LIST_CREATORS_SINCE, [at])).map(({ id }) => id);
}
