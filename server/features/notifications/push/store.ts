import type { UserType } from '@stagedoor/contract/accounts.ts';
import type { PushSettings } from '@stagedoor/contract/push.ts';
import type { Executor, Statement } from '../../../kernel/db.ts';
import { isApart, isPostShown } from '../sql.ts';
import { HURRIES, MESSAGE, OTHERS, PASSING, type Rank, RING, RING_END, RINGS, rankOf } from './ways.ts';

/**
 * Without this lock two processes could both use the last push under a cap, and a ring could begin while it ends. Rings
 * have no cap, so they have a lock of their own.
 */
const DECIDE: Statement = { name: 'push-decide', text: 'select pg_advisory_xact_lock($1) is null as is_locked' };
const DECIDES = 809_701;
const DECIDES_RINGS = 809_702;

export type Written = { messageId: string; conversationId: string; creatorId: string; fanId: string };

const WRITTEN: Statement = {
  name: 'push-written',
  text: `insert into pushes (device_id, event_id, user_id, kind, tag, rank, by_id, subject_id, created_at, not_before)
    select d.id, m.id, m.fan_id, $5, 'chat-' || m.conversation_id, $6, m.creator_id, m.conversation_id, $7, $7
      from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[]) m (id, conversation_id, creator_id, fan_id)
        join push_devices d on d.user_id = m.fan_id
        join conversations c on c.id = m.conversation_id and not c.is_muted_by_fan
        left join notification_preferences p on p.user_id = m.fan_id and p.key = $5
      where coalesce(p.push, true) on conflict do nothing returning 1 as is_due`,
};

export async function pushWritten(db: Executor, written: readonly Written[], now: Date): Promise<boolean> {
  const rows = await db.run(WRITTEN, [
    written.map(({ messageId }) => messageId),
    written.map(({ conversationId }) => conversationId),
    written.map(({ creatorId }) => creatorId),
    written.map(({ fanId }) => fanId),
    ...[MESSAGE, rankOf(MESSAGE), now],
  ]);
  return rows.length > 0;
}

const BROADCAST: Statement = {
  name: 'push-broadcast',
  text: `insert into pushes (device_id, event_id, user_id, kind, tag, rank, by_id, subject_id, created_at, not_before)
    select d.id, $2::uuid, d.user_id, $4, 'chat-' || coalesce(c.id, $3::uuid), ${OTHERS}, $3::uuid, c.id, $5, $5
      from unnest($1::uuid[]) f (id) join push_devices d on d.user_id = f.id
        left join conversations c on c.creator_id = $3 and c.fan_id = f.id
        left join notification_preferences p on p.user_id = f.id and p.key = $4
      where not coalesce(c.is_muted_by_fan, false) and coalesce(p.push, true) on conflict do nothing returning 1 as is_due`,
};

export async function pushBroadcast(
  db: Executor,
  { fanIds, eventId, creatorId, now }: { fanIds: readonly string[]; eventId: string; creatorId: string; now: Date },
): Promise<boolean> {
  return (await db.run(BROADCAST, [fanIds, eventId, creatorId, MESSAGE, now])).length > 0;
}

const RING_EACH: Statement = {
  name: 'push-rings',
  text: `insert into pushes (device_id, event_id, user_id, kind, tag, rank, by_id, created_at, not_before)
    select d.id, $2::uuid, d.user_id, '${RING}', $2::uuid::text, ${RINGS}, $3::uuid, $4, $4 from push_devices d
      left join notification_preferences p on p.user_id = d.user_id and p.key = 'incomingVideoCall'
      where d.user_id = $1 and coalesce(p.push, true) on conflict do nothing returning 1 as is_due`,
};
/** Cancels the rings that were not sent yet. A ring that was sent is followed by one end push. */
const RING_OVER: Statement = {
  name: 'push-ring-over',
  text: `with kept as (
      update pushes set outcome = 'over' where user_id = $1 and tag = $3 and kind = '${RING}' and begun_at is null and outcome is null
    )
    insert into pushes (device_id, event_id, user_id, kind, tag, rank, by_id, created_at, not_before)
      select r.device_id, $2::uuid, r.user_id, '${RING_END}', r.tag, ${RINGS}, r.by_id, $4, $4 from pushes r
        where r.user_id = $1 and r.tag = $3 and r.kind = '${RING}' and r.begun_at is not null
          and not exists (select from pushes e where e.device_id = r.device_id and e.tag = r.tag and e.kind = '${RING_END}')
      on conflict do nothing returning 1 as is_due`,
};

const CAN_RING: Statement = {
  name: 'push-can-ring',
  text: `select 1 as can_ring from push_devices d join sessions s on s.id = d.session_id
      left join notification_preferences p on p.user_id = d.user_id and p.key = 'incomingVideoCall'
    where d.user_id = $1 and s.expires_at > $2 and coalesce(p.push, true) limit 1`,
};

export async function canRing(db: Executor, userId: string, now: Date): Promise<boolean> {
  return (await db.run(CAN_RING, [userId, now])).length > 0;
}

type Ring = { creatorId: string; fanId: string; callId: string; now: Date };

export async function pushRing(db: Executor, { creatorId, fanId, callId, now }: Ring): Promise<boolean> {
  return (await db.run(RING_EACH, [creatorId, callId, fanId, now])).length > 0;
}
/** `id` differs from the event's id, because the same event may create the push of a missed call. */
export async function endRing(
  db: Executor,
  { creatorId, callId, id, now }: Omit<Ring, 'fanId'> & { id: string },
): Promise<boolean> {
  await db.run(DECIDE, [DECIDES_RINGS]);
  return (await db.run(RING_OVER, [creatorId, id, callId, now])).length > 0;
}

export type Ready = {
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
  isIn: boolean;
  isRead: boolean;
  /**
   * Its subject no longer exists, or it comes from the other user of a blocked pair and does not concern a purchase.
   */
  isOver: boolean;
  isListed: boolean;
  inHour: number;
} & PushSettings;

const READY: Statement = {
  name: 'push-ready',
  text: `select p.device_id as "deviceId", p.event_id as "eventId", p.user_id as "userId", u.type as "userType", p.kind, p.tag,
      p.by_id as "byId", p.subject_id as "subjectId", p.cents, p.note, p.created_at as "createdAt", p.attempts, d.endpoint, d.p256dh, d.auth,
      s.expires_at > $2::timestamptz and not u.is_blocked as "isIn",
      exists (select from notifications n where n.user_id = p.user_id and n.id = p.event_id and n.read_at is not null)
        or (p.kind = '${MESSAGE}' and p.rank = ${HURRIES} and exists (select from conversations c where c.id = p.subject_id and c.fan_unread = 0)) as "isRead",
      (p.kind = 'newPost' and not ${isPostShown('p.subject_id')}) or (p.kind <> all ($9::text[]) and ${isApart('p.user_id', 'p.by_id')}) as "isOver",
      p.kind = '${MESSAGE}' or not exists (
        select from notification_preferences w where w.user_id = p.user_id and w.key = p.kind and not w.in_app) as "isListed", t.quiet_from as "quietFrom", t.quiet_until as "quietUntil",
      coalesce(t.time_zone, $6) as "timeZone", coalesce(t.pushes_per_hour, $7) as "pushesPerHour", coalesce(t.is_discreet, $8) as "isDiscreet",
      (select count(distinct o.event_id)::int from pushes o where o.user_id = p.user_id and o.created_at > $3::timestamptz - interval '1 day'
        and o.begun_at > $3::timestamptz and o.event_id <> p.event_id and o.kind <> all ($4::text[])) as "inHour"
    from pushes p join push_devices d on d.id = p.device_id join sessions s on s.id = d.session_id join users u on u.id = p.user_id
      left join push_settings t on t.user_id = p.user_id
    where p.rank = $1 and p.begun_at is null and p.outcome is null and p.not_before <= $2::timestamptz order by p.not_before limit $5`,
};

const HOUR_MS = 60 * 60_000;

export async function readReady(
  db: Executor,
  {
    rank,
    now,
    most,
    usual,
    paid,
  }: { rank: Rank; now: Date; most: number; usual: PushSettings; paid: readonly string[] },
): Promise<Ready[]> {
  await db.run(DECIDE, [rank === RINGS ? DECIDES_RINGS : DECIDES]);
  const { timeZone, pushesPerHour, isDiscreet } = usual;
  const since = new Date(now.getTime() - HOUR_MS);
  return db.run<Ready>(READY, [rank, now, since, PASSING, most, timeZone, pushesPerHour, isDiscreet, paid]);
}

type Key = Pick<Ready, 'deviceId' | 'eventId'>;
const keysOf = (pushes: readonly Key[]) => [
  pushes.map(({ deviceId }) => deviceId),
  pushes.map(({ eventId }) => eventId),
];
const OF_KEYS =
  'from unnest($1::uuid[], $2::uuid[]) k (device_id, event_id) where p.device_id = k.device_id and p.event_id = k.event_id';

const BEGIN: Statement = { name: 'push-begin', text: `update pushes p set begun_at = $3 ${OF_KEYS}` };
const END: Statement = {
  name: 'push-end',
  text: `with told as (
      update push_devices d set told_at = p.begun_at from unnest($1::uuid[], $2::uuid[], $3::text[]) k (device_id, event_id, outcome)
        join pushes p on p.device_id = k.device_id and p.event_id = k.event_id where d.id = k.device_id and k.outcome = 'sent'
    )
    update pushes p set outcome = k.outcome from unnest($1::uuid[], $2::uuid[], $3::text[]) k (device_id, event_id, outcome)
    where p.device_id = k.device_id and p.event_id = k.event_id`,
};
const AGAIN: Statement = {
  name: 'push-again',
  text: `update pushes p set begun_at = null, attempts = p.attempts + 1, not_before = $3 ${OF_KEYS}`,
};
const FORGET_DEVICE: Statement = { name: 'push-device-gone', text: 'delete from push_devices where id = $1' };
const NEXT: Statement = {
  name: 'push-next',
  text: 'select min(not_before) as at from pushes where rank = $1 and begun_at is null and outcome is null',
};
const FORGET: Statement = { name: 'push-forget', text: 'delete from pushes where created_at < $1' };

/** From here on no process sends these pushes again. */
export async function begin(db: Executor, pushes: readonly Key[], now: Date): Promise<void> {
  if (pushes.length > 0) await db.run(BEGIN, [...keysOf(pushes), now]);
}
export async function end(db: Executor, pushes: readonly (Key & { outcome: string })[]): Promise<void> {
  if (pushes.length > 0) await db.run(END, [...keysOf(pushes), pushes.map(({ outcome }) => outcome)]);
}
/** Counts the attempt. */
export async function putOff(db: Executor, push: Key, at: Date): Promise<void> {
  await db.run(AGAIN, [...keysOf([push]), at]);
}
const WAIT: Statement = { name: 'push-wait', text: `update pushes p set not_before = $3 ${OF_KEYS}` };
/** Does not count an attempt. */
export async function wait(db: Executor, pushes: readonly Key[], at: Date): Promise<void> {
  if (pushes.length > 0) await db.run(WAIT, [...keysOf(pushes), at]);
}
/** Also deletes the device's pending pushes. */
export async function forgetDevice(db: Executor, id: string): Promise<void> {
  await db.run(FORGET_DEVICE, [id]);
}
export async function nextDue(db: Executor, rank: Rank): Promise<Date | null> {
  return (await db.run<{ at: Date | null }>(NEXT, [rank]))[0]?.at ?? null;
}
export async function forgetPushes(db: Executor, before: Date): Promise<void> {
  await db.run(FORGET, [before]);
}
