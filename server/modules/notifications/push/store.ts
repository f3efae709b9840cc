import type { UserType } from '@stagedoor/contract/identity/accounts.ts';
import type { PushSettings } from '@stagedoor/contract/notifications/push.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import {
  blockedEitherWaySql,
  type FollowersNotification,
  isPostShownSql,
  type NewNotification,
} from '../notifications/index.ts';
import {
  getPushRank,
  MESSAGE_KIND,
  NORMAL_RANK,
  type PushRank,
  RING_END_KIND,
  RING_KIND,
  RING_RANK,
  UNLIMITED_KINDS,
  URGENT_RANK,
} from './delivery-policy.ts';

/**
 * Without this lock two processes could both use the last push under a cap, and a ring could begin while it ends. Rings
 * have no cap, so they have a lock of their own.
 */
const LOCK: SqlStatement = { name: 'push-lock', text: 'select pg_advisory_xact_lock($1) is null as is_locked' };
const PUSH_LOCK_ID = 809_701;
const RING_LOCK_ID = 809_702;

/** A push may replace an earlier one of the same kind about the same subject. */
const tagSql = (kind: string, subject: string) => `${kind}::text || '-' || ${subject}`;

const INSERT_FOR_NOTIFICATIONS: SqlStatement = {
  name: 'push-notifications',
  text: `insert into push_deliveries (device_id, event_id, user_id, kind, tag, rank, by_id, subject_id, cents, note, created_at, not_before)
    select d.id, n.id, n.user_id, $1, ${tagSql('$1', 'coalesce(n.subject_id, n.id)')}, $2, n.by_id, n.subject_id, n.cents, n.note, $3, $3
      from unnest($4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::bigint[], $9::text[]) n (user_id, id, by_id, subject_id, cents, note)
        join push_devices d on d.user_id = n.user_id
        left join notification_preferences p on p.user_id = n.user_id and p.key = $1
      where coalesce(p.push, true) on conflict do nothing returning 1 as is_due`,
};

/** What users caused themselves is not pushed to them. */
export async function pushNotifications(
  db: Executor,
  kind: string,
  notifications: readonly NewNotification[],
  now: Date,
): Promise<boolean> {
  const pushed = notifications.filter(({ isOwn }) => !isOwn);
  if (pushed.length === 0) return false;
  const rows = await db.run(INSERT_FOR_NOTIFICATIONS, [
    ...[kind, getPushRank(kind), now],
    pushed.map(({ userId }) => userId),
    pushed.map(({ id }) => id),
    pushed.map(({ byId }) => byId ?? null),
    pushed.map(({ subjectId }) => subjectId ?? null),
    pushed.map(({ cents }) => cents ?? null),
    pushed.map(({ note }) => note ?? ''),
  ]);
  return rows.length > 0;
}

const INSERT_FOR_FOLLOWERS: SqlStatement = {
  name: 'push-followers',
  text: `insert into push_deliveries (device_id, event_id, user_id, kind, tag, rank, by_id, subject_id, created_at, not_before)
    select d.id, $2::uuid, d.user_id, $3, ${tagSql('$3', 'coalesce($5::uuid, $4::uuid)')}, $6, $4::uuid, $5::uuid, $7, $7
      from unnest($1::uuid[]) f (id) join push_devices d on d.user_id = f.id
        left join notification_preferences p on p.user_id = f.id and p.key = $3
      where coalesce(p.push, true) and not exists (select from muted_creators o where o.fan_id = f.id and o.creator_id = $4)
      on conflict do nothing returning 1 as is_due`,
};

export async function pushToFollowers(
  db: Executor,
  { id, kind, creatorId, subjectId }: FollowersNotification,
  fanIds: readonly string[],
  now: Date,
): Promise<boolean> {
  if (fanIds.length === 0) return false;
  const values = [fanIds, id, kind, creatorId, subjectId, getPushRank(kind), now];
  return (await db.run(INSERT_FOR_FOLLOWERS, values)).length > 0;
}

export type WrittenMessage = { messageId: string; conversationId: string; creatorId: string; fanId: string };

const INSERT_FOR_MESSAGES: SqlStatement = {
  name: 'push-written',
  text: `insert into push_deliveries (device_id, event_id, user_id, kind, tag, rank, by_id, subject_id, created_at, not_before)
    select d.id, m.id, m.fan_id, $5, 'chat-' || m.conversation_id, $6, m.creator_id, m.conversation_id, $7, $7
      from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[]) m (id, conversation_id, creator_id, fan_id)
        join push_devices d on d.user_id = m.fan_id
        join conversations c on c.id = m.conversation_id and not c.is_muted_by_fan
        left join notification_preferences p on p.user_id = m.fan_id and p.key = $5
      where coalesce(p.push, true) on conflict do nothing returning 1 as is_due`,
};

export async function pushMessages(db: Executor, messages: readonly WrittenMessage[], now: Date): Promise<boolean> {
  const rows = await db.run(INSERT_FOR_MESSAGES, [
    messages.map(({ messageId }) => messageId),
    messages.map(({ conversationId }) => conversationId),
    messages.map(({ creatorId }) => creatorId),
    messages.map(({ fanId }) => fanId),
    ...[MESSAGE_KIND, getPushRank(MESSAGE_KIND), now],
  ]);
  return rows.length > 0;
}

const INSERT_FOR_BROADCAST: SqlStatement = {
  name: 'push-broadcast',
  text: `insert into push_deliveries (device_id, event_id, user_id, kind, tag, rank, by_id, subject_id, created_at, not_before)
    select d.id, $2::uuid, d.user_id, $4, 'chat-' || coalesce(c.id, $3::uuid), ${NORMAL_RANK}, $3::uuid, c.id, $5, $5
      from unnest($1::uuid[]) f (id) join push_devices d on d.user_id = f.id
        left join conversations c on c.creator_id = $3 and c.fan_id = f.id
        left join notification_preferences p on p.user_id = f.id and p.key = $4
      where not coalesce(c.is_muted_by_fan, false) and coalesce(p.push, true) on conflict do nothing returning 1 as is_due`,
};

export async function pushBroadcast(
  db: Executor,
  { fanIds, eventId, creatorId, now }: { fanIds: readonly string[]; eventId: string; creatorId: string; now: Date },
): Promise<boolean> {
  return (await db.run(INSERT_FOR_BROADCAST, [fanIds, eventId, creatorId, MESSAGE_KIND, now])).length > 0;
}

const INSERT_RINGS: SqlStatement = {
  name: 'push-rings',
  text: `insert into push_deliveries (device_id, event_id, user_id, kind, tag, rank, by_id, created_at, not_before)
    select d.id, $2::uuid, d.user_id, '${RING_KIND}', $2::uuid::text, ${RING_RANK}, $3::uuid, $4, $4 from push_devices d
      left join notification_preferences p on p.user_id = d.user_id and p.key = 'incomingVideoCall'
      where d.user_id = $1 and coalesce(p.push, true) on conflict do nothing returning 1 as is_due`,
};
/** Cancels the rings that were not sent yet. A ring that was sent is followed by one end push. */
const END_RINGS: SqlStatement = {
  name: 'push-ring-over',
  text: `with cancelled as (
      update push_deliveries set outcome = 'over' where user_id = $1 and tag = $3 and kind = '${RING_KIND}' and started_at is null and outcome is null
    )
    insert into push_deliveries (device_id, event_id, user_id, kind, tag, rank, by_id, created_at, not_before)
      select r.device_id, $2::uuid, r.user_id, '${RING_END_KIND}', r.tag, ${RING_RANK}, r.by_id, $4, $4 from push_deliveries r
        where r.user_id = $1 and r.tag = $3 and r.kind = '${RING_KIND}' and r.started_at is not null
          and not exists (select from push_deliveries e where e.device_id = r.device_id and e.tag = r.tag and e.kind = '${RING_END_KIND}')
      on conflict do nothing returning 1 as is_due`,
};

const CAN_RING: SqlStatement = {
  name: 'push-can-ring',
  text: `select 1 as can_ring from push_devices d join sessions s on s.id = d.session_id
      left join notification_preferences p on p.user_id = d.user_id and p.key = 'incomingVideoCall'
    where d.user_id = $1 and s.expires_at > $2 and coalesce(p.push, true) limit 1`,
};

export async function canRing(db: Executor, userId: string, now: Date): Promise<boolean> {
  return (await db.run(CAN_RING, [userId, now])).length > 0;
}

type RingInput = { creatorId: string; fanId: string; callId: string; now: Date };

export async function pushRing(db: Executor, { creatorId, fanId, callId, now }: RingInput): Promise<boolean> {
  return (await db.run(INSERT_RINGS, [creatorId, callId, fanId, now])).length > 0;
}
/** `id` differs from the event's id, because the same event may create the push of a missed call. */
export async function endRing(
  db: Executor,
  { creatorId, callId, id, now }: Omit<RingInput, 'fanId'> & { id: string },
): Promise<boolean> {
  await db.run(LOCK, [RING_LOCK_ID]);
  return (await db.run(END_RINGS, [creatorId, id, callId, now])).length > 0;
}

export type PendingPush = {
  deviceId: string;
  eventId: string;
  userId: string;
  userType: UserType;
  kind: string;
  tag: string;
  byId: string | null;
  subjectId: string | null;
  cents: number | null;
  note: string;
  createdAt: Date;
  attempts: number;
  endpoint: string;
  p256dh: string | null;
  auth: string | null;
  /** The session is valid, and the account is not blocked. */
  isSignedIn: boolean;
  isRead: boolean;
  /**
   * Its subject no longer exists, or it comes from the other user of a blocked pair and does not concern a purchase.
   */
  isObsolete: boolean;
  isListed: boolean;
  pushesInHour: number;
} & PushSettings;

const LIST_PENDING: SqlStatement = {
  name: 'push-ready',
  text: `select p.device_id as "deviceId", p.event_id as "eventId", p.user_id as "userId", u.type as "userType", p.kind, p.tag,
      p.by_id as "byId", p.subject_id as "subjectId", p.cents, p.note, p.created_at as "createdAt", p.attempts, d.endpoint, d.p256dh, d.auth,
      s.expires_at > $2::timestamptz and not u.is_blocked as "isSignedIn",
      exists (select from notifications n where n.user_id = p.user_id and n.id = p.event_id and n.read_at is not null)
        or (p.kind = '${MESSAGE_KIND}' and p.rank = ${URGENT_RANK} and exists (select from conversations c where c.id = p.subject_id and c.fan_unread = 0)) as "isRead",
      (p.kind = 'newPost' and not ${isPostShownSql('p.subject_id')}) or (p.kind <> all ($9::text[]) and ${blockedEitherWaySql('p.user_id', 'p.by_id')})
        or exists (select from notification_preferences w where w.user_id = p.user_id and w.key = p.kind and not w.push)
        or exists (select from muted_creators o where o.fan_id = p.user_id and o.creator_id = p.by_id and p.kind <> '${MESSAGE_KIND}')
        or (p.kind = '${MESSAGE_KIND}' and exists (select from conversations c where c.creator_id = p.by_id and c.fan_id = p.user_id and c.is_muted_by_fan)) as "isObsolete",
      p.kind = '${MESSAGE_KIND}' or not exists (
        select from notification_preferences w where w.user_id = p.user_id and w.key = p.kind and not w.in_app) as "isListed", t.quiet_from as "quietFrom", t.quiet_until as "quietUntil",
      coalesce(t.time_zone, $6) as "timeZone", coalesce(t.pushes_per_hour, $7) as "pushesPerHour", coalesce(t.is_discreet, $8) as "isDiscreet",
      (select count(distinct o.event_id)::int from push_deliveries o where o.user_id = p.user_id and o.created_at > $3::timestamptz - interval '1 day'
        and o.started_at > $3::timestamptz and o.event_id <> p.event_id and o.kind <> all ($4::text[])) as "pushesInHour"
    from push_deliveries p join push_devices d on d.id = p.device_id join sessions s on s.id = d.session_id join users u on u.id = p.user_id
      left join push_settings t on t.user_id = p.user_id
    where p.rank = $1 and p.started_at is null and p.outcome is null and p.not_before <= $2::timestamptz order by p.not_before limit $5`,
};

const HOUR_MS = 60 * 60_000;

export async function listPendingPushes(
  db: Executor,
  {
    rank,
    now,
    max,
    defaults,
    paidKinds,
  }: { rank: PushRank; now: Date; max: number; defaults: PushSettings; paidKinds: readonly string[] },
): Promise<PendingPush[]> {
  await db.run(LOCK, [rank === RING_RANK ? RING_LOCK_ID : PUSH_LOCK_ID]);
  const { timeZone, pushesPerHour, isDiscreet } = defaults;
  const since = new Date(now.getTime() - HOUR_MS);
  return db.run<PendingPush>(LIST_PENDING, [
    rank,
    now,
    since,
    UNLIMITED_KINDS,
    max,
    timeZone,
    pushesPerHour,
    isDiscreet,
    paidKinds,
  ]);
}

type PushKey = Pick<PendingPush, 'deviceId' | 'eventId'>;
const toKeyArrays = (pushes: readonly PushKey[]) => [
  pushes.map(({ deviceId }) => deviceId),
  pushes.map(({ eventId }) => eventId),
];
const BY_KEYS =
  'from unnest($1::uuid[], $2::uuid[]) k (device_id, event_id) where p.device_id = k.device_id and p.event_id = k.event_id';

const MARK_STARTED: SqlStatement = {
  name: 'push-begin',
  text: `update push_deliveries p set started_at = $3 ${BY_KEYS}`,
};
const SAVE_OUTCOMES: SqlStatement = {
  name: 'push-end',
  text: `with updated as (
      update push_devices d set last_notified_at = p.started_at from unnest($1::uuid[], $2::uuid[], $3::text[]) k (device_id, event_id, outcome)
        join push_deliveries p on p.device_id = k.device_id and p.event_id = k.event_id where d.id = k.device_id and k.outcome = 'sent'
    )
    update push_deliveries p set outcome = k.outcome from unnest($1::uuid[], $2::uuid[], $3::text[]) k (device_id, event_id, outcome)
    where p.device_id = k.device_id and p.event_id = k.event_id`,
};
const POSTPONE: SqlStatement = {
  name: 'push-again',
  text: `update push_deliveries p set started_at = null, attempts = p.attempts + 1, not_before = $3 ${BY_KEYS}`,
};
const DELETE_DEVICE: SqlStatement = { name: 'push-device-gone', text: 'delete from push_devices where id = $1' };
const FIND_NEXT_DUE: SqlStatement = {
  name: 'push-next',
  text: 'select min(not_before) as at from push_deliveries where rank = $1 and started_at is null and outcome is null',
};
const DELETE_OLD: SqlStatement = { name: 'push-delete-old', text: 'delete from push_deliveries where created_at < $1' };

/** From here on no process sends these pushes again. */
export async function markStarted(db: Executor, pushes: readonly PushKey[], now: Date): Promise<void> {
  if (pushes.length > 0) await db.run(MARK_STARTED, [...toKeyArrays(pushes), now]);
}
export async function saveOutcomes(db: Executor, pushes: readonly (PushKey & { outcome: string })[]): Promise<void> {
  if (pushes.length > 0) await db.run(SAVE_OUTCOMES, [...toKeyArrays(pushes), pushes.map(({ outcome }) => outcome)]);
}
/** Counts the attempt. */
export async function postponePush(db: Executor, push: PushKey, at: Date): Promise<void> {
  await db.run(POSTPONE, [...toKeyArrays([push]), at]);
}
const DELAY: SqlStatement = { name: 'push-wait', text: `update push_deliveries p set not_before = $3 ${BY_KEYS}` };
/** Does not count an attempt. */
export async function delayPushes(db: Executor, pushes: readonly PushKey[], at: Date): Promise<void> {
  if (pushes.length > 0) await db.run(DELAY, [...toKeyArrays(pushes), at]);
}
/** Also deletes the device's pending pushes. */
export async function deleteDevice(db: Executor, id: string): Promise<void> {
  await db.run(DELETE_DEVICE, [id]);
}
export async function findNextDue(db: Executor, rank: PushRank): Promise<Date | null> {
  return (await db.run<{ at: Date | null }>(FIND_NEXT_DUE, [rank]))[0]?.at ?? null;
}
export async function purgePushes(db: Executor, before: Date): Promise<void> {
  await db.run(DELETE_OLD, [before]);
}
