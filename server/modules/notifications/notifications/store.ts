/** Queries for notifications. The time of a row is in its id. Days are in UTC. */
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { afterIdSql } from '../../../platform/database/pagination.ts';
import { blockedEitherWaySql, isPostShownSql } from './visibility-sql.ts';

export type NotificationInput = {
  userId: string;
  byId?: string;
  subjectId?: string | null;
  cents?: number;
  note?: string;
  /** The user caused it themselves, so it is listed as read. */
  isOwn?: boolean;
};
/** `id` is the event's id. */
export type NewNotification = NotificationInput & { id: string };

/**
 * A kind is the key of its preference, if it has one. A user who wants it neither in the app nor by e-mail gets no row.
 */
const preferenceJoinSql = (user: string, kind: string) =>
  `left join notification_preferences p on p.user_id = ${user} and p.key = ${kind}`;
const IS_WRITTEN = '(p.user_id is null or p.in_app or p.email)';
const INSERT: SqlStatement = {
  name: 'notifications-insert',
  text: `with notified as (
      insert into notifications (user_id, id, kind, by_id, subject_id, cents, note, read_at, is_listed)
        select n.user_id, n.id, $1, n.by_id, n.subject_id, n.cents, n.note, case when n.is_own then $9::timestamptz end, coalesce(p.in_app, true)
          from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::bigint[], $7::text[], $8::bool[])
            n (user_id, id, by_id, subject_id, cents, note, is_own) ${preferenceJoinSql('n.user_id', '$1')} where ${IS_WRITTEN}
        on conflict do nothing returning user_id, is_listed
    )
    select array(select distinct user_id from notified where is_listed)::text[] as "notifiedUserIds"`,
};

type InsertResult = { notifiedUserIds: string[] };

/** Returns the users who have a new entry in their list. */
export async function insertNotifications(
  db: Executor,
  { kind, notifications, now }: { kind: string; notifications: readonly NewNotification[]; now: Date },
): Promise<string[]> {
  const [result] = await db.run<InsertResult>(INSERT, [
    kind,
    notifications.map(({ userId }) => userId),
    notifications.map(({ id }) => id),
    notifications.map(({ byId }) => byId ?? null),
    notifications.map(({ subjectId }) => subjectId ?? null),
    notifications.map(({ cents }) => cents ?? null),
    notifications.map(({ note }) => note ?? ''),
    notifications.map(({ isOwn }) => isOwn ?? false),
    now,
  ]);
  return result?.notifiedUserIds ?? [];
}

const INSERT_FOR_FOLLOWERS: SqlStatement = {
  name: 'notifications-insert-followers',
  text: `with batch as (
      select fan_id from follows where creator_id = $1 and ${afterIdSql('fan_id', '$2')} order by fan_id limit $3
    ), notified as (
      insert into notifications (user_id, id, kind, by_id, subject_id, is_listed)
        select b.fan_id, $4::uuid, $5, $1, $6::uuid, coalesce(p.in_app, true)
          from batch b ${preferenceJoinSql('b.fan_id', '$5')} where ${IS_WRITTEN}
        on conflict do nothing returning user_id, is_listed
    )
    select array(select fan_id from batch order by fan_id)::text[] as "fanIds",
      array(select user_id from notified where is_listed)::text[] as "notifiedUserIds"`,
};

export type FollowersNotification = { id: string; kind: string; creatorId: string; subjectId: string | null };

/** Returns the followers of the batch and those of them who have a new entry, and the cursor, null at the end. */
export async function insertForFollowers(
  db: Executor,
  { id, kind, creatorId, subjectId }: FollowersNotification,
  { after, size }: { after: string | null; size: number },
): Promise<InsertResult & { fanIds: string[]; next: string | null }> {
  type Batch = InsertResult & { fanIds: string[] };
  const [batch] = await db.run<Batch>(INSERT_FOR_FOLLOWERS, [creatorId, after, size, id, kind, subjectId]);
  const { fanIds, notifiedUserIds } = batch ?? { fanIds: [], notifiedUserIds: [] };
  return { fanIds, notifiedUserIds, next: fanIds.length === size ? (fanIds.at(-1) ?? null) : null };
}

const CLAIM_ONLINE: SqlStatement = {
  name: 'notifications-online',
  text: `insert into creator_online_notifications as o (creator_id, event_id, notified_at) values ($1, $2, $3)
    on conflict (creator_id) do update set event_id = excluded.event_id, notified_at = excluded.notified_at
      where o.notified_at <= $4 or o.event_id = excluded.event_id
    returning 1 as is_due`,
};

export async function claimOnline(
  db: Executor,
  { creatorId, eventId, now, since }: { creatorId: string; eventId: string; now: Date; since: Date },
): Promise<boolean> {
  return (await db.run(CLAIM_ONLINE, [creatorId, eventId, now, since])).length > 0;
}

const IS_SHOWN = `not (n.kind = 'newPost' and not ${isPostShownSql('n.subject_id')})`;
const DAY_SQL = `(uuid_extract_timestamp(n.id) at time zone 'UTC')::date`;
/**
 * Notifications by these users (geo-blocked creators) and by the other user of a blocked pair are hidden, except for
 * the kinds in `exceptKinds`.
 */
export type HiddenFilter = { readonly byIds: readonly string[]; readonly exceptKinds: readonly string[] };
const visibleSql = (byIds: string, exceptKinds: string) =>
  `(n.by_id is null or n.kind = any (${exceptKinds}::text[]) or (n.by_id <> all (${byIds}::uuid[]) and not ${blockedEitherWaySql('$1::uuid', 'n.by_id')}))`;
/** The grouping key of an entry within a day. $3 are the kinds that are grouped. */
const GROUP_KEY = `case when n.kind = any ($3::text[]) then n.kind else n.id::text end`;

/** A page has this many rows and the rest of the last one's day, so that no entry is cut. */
const PAGE_ROWS = 40;
const MAX_USER_IDS = 50;

const GROUP_COLUMNS = `day, line, (array_agg(id order by id desc))[1] as id, (array_agg(id order by id))[1] as "firstId", min(kind) as kind,
        bool_or(read_at is null) as "isUnread", count(*)::int as count, count(distinct by_id)::int as "byCount",
        (array_agg(by_id order by id desc) filter (where by_id is not null))[1:${MAX_USER_IDS}] as "byIds",
        (array_agg(subject_id order by id desc))[1] as "subjectId", sum(cents)::bigint as cents, (array_agg(note order by id desc))[1] as note`;
const GROUP_FIELDS =
  'id, "firstId", kind, uuid_extract_timestamp(id) as at, "isUnread", count, "byCount", "byIds"::text[], "subjectId", cents, note';

const LIST_GROUPS: SqlStatement = {
  name: 'notifications-groups',
  text: `with mine as not materialized (
      select n.*, ${DAY_SQL} as day, ${GROUP_KEY} as line from notifications n
        where n.user_id = $1 and n.id < $2::uuid and ($4 or n.read_at is null) and n.is_listed and ${IS_SHOWN} and ${visibleSql('$5', '$6')}
    ), cut as (
      select (lpad(to_hex(extract(epoch from day)::bigint * 1000), 12, '0') || repeat('0', 20))::uuid as id
        from mine order by mine.id desc offset ${PAGE_ROWS - 1} limit 1
    ), lines as (
      select ${GROUP_COLUMNS} from mine where id >= coalesce((select id from cut), '00000000-0000-0000-0000-000000000000'::uuid) group by day, line
    )
    select ${GROUP_FIELDS},
      exists (select from mine where mine.id < (select cut.id from cut)) as "hasMore" from lines order by id desc`,
};

export type GroupRow = {
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

/** The entries of whole days before an id, newest first. `groupedKinds` are the kinds that are one entry a day. */
export function listGroups(
  db: Executor,
  userId: string,
  {
    before,
    groupedKinds,
    isAll,
    hiddenFilter,
  }: { before: string; groupedKinds: readonly string[]; isAll: boolean; hiddenFilter: HiddenFilter },
): Promise<GroupRow[]> {
  return db.run<GroupRow>(LIST_GROUPS, [
    userId,
    before,
    groupedKinds,
    isAll,
    hiddenFilter.byIds,
    hiddenFilter.exceptKinds,
  ]);
}

const MAX_MAILED_ROWS = 1_000;
const CLAIM_MISSED: SqlStatement = {
  name: 'notifications-missed',
  text: `with mine as (
      select n.*, ${DAY_SQL} as day, ${GROUP_KEY} as line from notifications n
        where n.user_id = $1 and n.read_at is null and n.digested_at is null and n.kind = any ($2::text[])
          and uuid_extract_timestamp(n.id) > $4 and ${IS_SHOWN} and ${visibleSql("'{}'", '$5')}
        order by n.id desc limit ${MAX_MAILED_ROWS}
    ), noted as (
      update notifications n set digested_at = $6 from mine where n.user_id = $1 and n.id = mine.id
    ), lines as (select ${GROUP_COLUMNS} from mine group by day, line)
    select ${GROUP_FIELDS}, false as "hasMore" from lines order by id desc`,
};

/** Marks the returned rows as digested. They include what the user does not want in the app. */
export function claimMissed(
  db: Executor,
  userId: string,
  {
    kinds,
    groupedKinds,
    since,
    exceptKinds,
    now,
  }: {
    kinds: readonly string[];
    groupedKinds: readonly string[];
    since: Date;
    exceptKinds: readonly string[];
    now: Date;
  },
): Promise<GroupRow[]> {
  return db.run<GroupRow>(CLAIM_MISSED, [userId, kinds, groupedKinds, since, exceptKinds, now]);
}

const COUNT_UNREAD: SqlStatement = {
  name: 'notifications-count',
  text: `select count(distinct (${DAY_SQL}, ${GROUP_KEY}))::int as count from (
      select * from notifications n where user_id = $1 and read_at is null and is_listed and ${visibleSql('$4', '$5')} order by id desc limit $2
    ) n where ${IS_SHOWN}`,
};
const MAX_COUNTED = 500;

export async function countUnread(
  db: Executor,
  userId: string,
  groupedKinds: readonly string[],
  { byIds, exceptKinds }: HiddenFilter,
): Promise<number> {
  return (
    (await db.run<{ count: number }>(COUNT_UNREAD, [userId, MAX_COUNTED, groupedKinds, byIds, exceptKinds]))[0]
      ?.count ?? 0
  );
}

const MARK_READ: SqlStatement = {
  name: 'notifications-read',
  text: `update notifications set read_at = $5 where user_id = $1 and read_at is null and id <= $2::uuid
    and id >= coalesce($3::uuid, '00000000-0000-0000-0000-000000000000') and ($4::text is null or kind = $4) returning 1 as read`,
};

/** Marks as read up to `upTo`, or only rows of a kind from `group.firstId` on. Returns whether anything changed. */
export async function markRead(
  db: Executor,
  userId: string,
  { upTo, group, now }: { upTo: string; group: { kind?: string | undefined; firstId: string } | undefined; now: Date },
): Promise<boolean> {
  return (await db.run(MARK_READ, [userId, upTo, group?.firstId ?? null, group?.kind ?? null, now])).length > 0;
}

const DELETE_OLD: SqlStatement = {
  name: 'notifications-delete-old',
  text: `delete from notifications where ctid = any (array(select ctid from notifications where uuid_extract_timestamp(id) < $1 limit $2)) returning 1 as gone`,
};

export async function deleteOld(db: Executor, before: Date, max: number): Promise<number> {
  return (await db.run(DELETE_OLD, [before, max])).length;
}
