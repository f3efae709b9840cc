/** Queries for notifications. The time of a row is in its id. Days are in UTC. */
import type { Executor, Statement } from '../../kernel/db.ts';
import { afterId } from '../../kernel/offset.ts';
import { isApart, isPostShown } from './sql.ts';

export type Notice = {
  userId: string;
  byId?: string;
  subjectId?: string | null;
  cents?: number;
  note?: string;
  /** The user caused it themselves, so it is listed as read. */
  isOwn?: boolean;
};
/** `id` is the event's id. */
export type Told = Notice & { id: string };

/**
 * A kind is the key of its preference, if it has one. A user who wants it neither in the app nor by e-mail gets no row.
 */
const PREFERENCE = (user: string, kind: string) =>
  `left join notification_preferences p on p.user_id = ${user} and p.key = ${kind}`;
const IS_WRITTEN = '(p.user_id is null or p.in_app or p.email)';
/** Pushes are inserted by the same statement, so that what is notified once is pushed once. */
const PUSH =
  'insert into pushes (device_id, event_id, user_id, kind, tag, rank, by_id, subject_id, cents, note, created_at, not_before)';

/** A push may replace an earlier one of the same kind about the same subject. */
const TAG = (kind: string, subject: string) => `${kind}::text || '-' || ${subject}`;

const TELL: Statement = {
  name: 'notifications-tell',
  text: `with meant as materialized (
      select n.*, coalesce(p.in_app, true) as is_listed, ${IS_WRITTEN} as is_written, not n.is_own and coalesce(p.push, true) as is_pushed
        from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::bigint[], $7::text[], $8::bool[])
          n (user_id, id, by_id, subject_id, cents, note, is_own) ${PREFERENCE('n.user_id', '$1')}
    ), told as (
      insert into notifications (user_id, id, kind, by_id, subject_id, cents, note, read_at, is_listed)
        select user_id, id, $1, by_id, subject_id, cents, note, case when is_own then $9::timestamptz end, is_listed
          from meant where is_written
        on conflict do nothing returning user_id, is_listed
    ), pushed as (
      ${PUSH} select d.id, m.id, m.user_id, $1, ${TAG('$1', 'coalesce(m.subject_id, m.id)')}, $10, m.by_id, m.subject_id, m.cents, m.note, $9, $9
          from meant m join push_devices d on d.user_id = m.user_id where m.is_pushed
        on conflict do nothing returning 1
    )
    select array(select distinct user_id from told where is_listed)::text[] as told, exists (select from pushed) as "isPushed"`,
};

export type NewTo = { told: string[]; isPushed: boolean };

export async function tell(
  db: Executor,
  { kind, rank, told, now }: { kind: string; rank: number; told: readonly Told[]; now: Date },
): Promise<NewTo> {
  const [newTo] = await db.run<NewTo>(TELL, [
    kind,
    told.map(({ userId }) => userId),
    told.map(({ id }) => id),
    told.map(({ byId }) => byId ?? null),
    told.map(({ subjectId }) => subjectId ?? null),
    told.map(({ cents }) => cents ?? null),
    told.map(({ note }) => note ?? ''),
    told.map(({ isOwn }) => isOwn ?? false),
    now,
    rank,
  ]);
  return newTo ?? { told: [], isPushed: false };
}

const TELL_FOLLOWERS: Statement = {
  name: 'notifications-tell-followers',
  text: `with batch as (
      select fan_id from follows where creator_id = $1 and ${afterId('fan_id', '$2')} order by fan_id limit $3
    ), told as (
      insert into notifications (user_id, id, kind, by_id, subject_id, is_listed)
        select b.fan_id, $4::uuid, $5, $1, $6::uuid, coalesce(p.in_app, true)
          from batch b ${PREFERENCE('b.fan_id', '$5')} where ${IS_WRITTEN}
        on conflict do nothing returning user_id, is_listed
    ), pushed as (
      ${PUSH} select d.id, $4::uuid, d.user_id, $5, ${TAG('$5', 'coalesce($6::uuid, $1::uuid)')}, $7, $1, $6::uuid, null, '', $8, $8
          from batch b join push_devices d on d.user_id = b.fan_id ${PREFERENCE('b.fan_id', '$5')}
          where coalesce(p.push, true) and not exists (select from bells_off o where o.fan_id = b.fan_id and o.creator_id = $1)
        on conflict do nothing returning 1
    )
    select (select fan_id from batch order by fan_id desc limit 1) as last, (select count(*) from batch) as count,
      array(select user_id from told where is_listed)::text[] as told, exists (select from pushed) as "isPushed"`,
};

export type ToFollowers = { id: string; kind: string; creatorId: string; subjectId: string | null };

/** Returns the cursor, null at the end, and who has a new entry. */
export async function tellFollowers(
  db: Executor,
  { id, kind, creatorId, subjectId }: ToFollowers,
  { after, size, rank, now }: { after: string | null; size: number; rank: number; now: Date },
): Promise<NewTo & { next: string | null }> {
  type Batch = NewTo & { last: string | null; count: number };
  const values = [creatorId, after, size, id, kind, subjectId, rank, now];
  const [batch] = await db.run<Batch>(TELL_FOLLOWERS, values);
  if (!batch) return { next: null, told: [], isPushed: false };
  return { next: batch.count === size ? batch.last : null, told: batch.told, isPushed: batch.isPushed };
}

const ONLINE: Statement = {
  name: 'notifications-online',
  text: `insert into creators_online_told as o (creator_id, event_id, told_at) values ($1, $2, $3)
    on conflict (creator_id) do update set event_id = excluded.event_id, told_at = excluded.told_at
      where o.told_at <= $4 or o.event_id = excluded.event_id
    returning 1 as is_due`,
};

export async function beginOnline(
  db: Executor,
  { creatorId, eventId, now, since }: { creatorId: string; eventId: string; now: Date; since: Date },
): Promise<boolean> {
  return (await db.run(ONLINE, [creatorId, eventId, now, since])).length > 0;
}

const SHOWN = `not (n.kind = 'newPost' and not ${isPostShown('n.subject_id')})`;
const DAY = `(uuid_extract_timestamp(n.id) at time zone 'UTC')::date`;
/**
 * Notifications by these users (geo-blocked creators) and by the other user of a blocked pair are hidden, except for
 * the kinds in `butKinds`.
 */
export type Unseen = { readonly byIds: readonly string[]; readonly butKinds: readonly string[] };
const SEEN = (byIds: string, butKinds: string) =>
  `(n.by_id is null or n.kind = any (${butKinds}::text[]) or (n.by_id <> all (${byIds}::uuid[]) and not ${isApart('$1::uuid', 'n.by_id')}))`;
/** The grouping key of an entry within a day. $3 are the kinds that are grouped. */
const LINE = `case when n.kind = any ($3::text[]) then n.kind else n.id::text end`;

/** A page has this many rows and the rest of the last one's day, so that no entry is cut. */
const PAGE_ROWS = 40;
const FACES_OF = 50;

const GATHER = `day, line, (array_agg(id order by id desc))[1] as id, (array_agg(id order by id))[1] as "firstId", min(kind) as kind,
        bool_or(read_at is null) as "isUnread", count(*)::int as count, count(distinct by_id)::int as "byCount",
        (array_agg(by_id order by id desc) filter (where by_id is not null))[1:${FACES_OF}] as "byIds",
        (array_agg(subject_id order by id desc))[1] as "subjectId", sum(cents)::bigint as cents, (array_agg(note order by id desc))[1] as note`;
const SAID =
  'id, "firstId", kind, uuid_extract_timestamp(id) as at, "isUnread", count, "byCount", "byIds"::text[], "subjectId", cents, note';

const LINES: Statement = {
  name: 'notifications-lines',
  text: `with mine as not materialized (
      select n.*, ${DAY} as day, ${LINE} as line from notifications n
        where n.user_id = $1 and n.id < $2::uuid and ($4 or n.read_at is null) and n.is_listed and ${SHOWN} and ${SEEN('$5', '$6')}
    ), cut as (
      select (lpad(to_hex(extract(epoch from day)::bigint * 1000), 12, '0') || repeat('0', 20))::uuid as id
        from mine order by mine.id desc offset ${PAGE_ROWS - 1} limit 1
    ), lines as (
      select ${GATHER} from mine where id >= coalesce((select id from cut), '00000000-0000-0000-0000-000000000000'::uuid) group by day, line
    )
    select ${SAID},
      exists (select from mine where mine.id < (select cut.id from cut)) as "hasMore" from lines order by id desc`,
};

export type LineRow = {
  id: string;
  firstId: string;
  kind: string;
  at: Date;
  isUnread: boolean;
  count: number;
  byCount: number;
  byIds: string[] | null;
  subjectId: string | null;
  cents: number | null;
  note: string;
  hasMore: boolean;
};

/** The entries of whole days before an id, newest first. `gathered` are the kinds that are one entry a day. */
export function readLines(
  db: Executor,
  userId: string,
  { before, gathered, isAll, unseen }: { before: string; gathered: readonly string[]; isAll: boolean; unseen: Unseen },
): Promise<LineRow[]> {
  return db.run<LineRow>(LINES, [userId, before, gathered, isAll, unseen.byIds, unseen.butKinds]);
}

const MAILED_ROWS = 1_000;
const MISSED: Statement = {
  name: 'notifications-missed',
  text: `with mine as (
      select n.*, ${DAY} as day, ${LINE} as line from notifications n
        where n.user_id = $1 and n.read_at is null and n.digested_at is null and n.kind = any ($2::text[])
          and uuid_extract_timestamp(n.id) > $4 and ${SHOWN} and ${SEEN("'{}'", '$5')}
        order by n.id desc limit ${MAILED_ROWS}
    ), noted as (
      update notifications n set digested_at = $6 from mine where n.user_id = $1 and n.id = mine.id
    ), lines as (select ${GATHER} from mine group by day, line)
    select ${SAID}, false as "hasMore" from lines order by id desc`,
};

/** Marks the returned rows as digested. They include what the user does not want in the app. */
export function takeMissed(
  db: Executor,
  userId: string,
  {
    kinds,
    gathered,
    since,
    butKinds,
    now,
  }: { kinds: readonly string[]; gathered: readonly string[]; since: Date; butKinds: readonly string[]; now: Date },
): Promise<LineRow[]> {
  return db.run<LineRow>(MISSED, [userId, kinds, gathered, since, butKinds, now]);
}

const COUNT: Statement = {
  name: 'notifications-count',
  text: `select count(distinct (${DAY}, ${LINE}))::int as count from (
      select * from notifications n where user_id = $1 and read_at is null and is_listed and ${SEEN('$4', '$5')} order by id desc limit $2
    ) n where ${SHOWN}`,
};
const COUNTED = 500;

export async function countUnread(
  db: Executor,
  userId: string,
  gathered: readonly string[],
  { byIds, butKinds }: Unseen,
): Promise<number> {
  return (await db.run<{ count: number }>(COUNT, [userId, COUNTED, gathered, byIds, butKinds]))[0]?.count ?? 0;
}

const READ: Statement = {
  name: 'notifications-read',
  text: `update notifications set read_at = $5 where user_id = $1 and read_at is null and id <= $2::uuid
    and id >= coalesce($3::uuid, '00000000-0000-0000-0000-000000000000') and ($4::text is null or kind = $4) returning 1 as read`,
};

/** Marks as read up to `upTo`, or only rows of a kind from `line.firstId` on. Returns whether anything changed. */
export async function markRead(
  db: Executor,
  userId: string,
  { upTo, line, now }: { upTo: string; line: { kind?: string | undefined; firstId: string } | undefined; now: Date },
): Promise<boolean> {
  return (await db.run(READ, [userId, upTo, line?.firstId ?? null, line?.kind ?? null, now])).length > 0;
}

const FORGET: Statement = {
  name: 'notifications-forget',
  text: `delete from notifications where ctid = any (array(select ctid from notifications where uuid_extract_timestamp(id) < $1 limit $2)) returning 1 as gone`,
};

export async function forget(db: Executor, before: Date, most: number): Promise<number> {
  return (await db.run(FORGET, [before, most])).length;
}
