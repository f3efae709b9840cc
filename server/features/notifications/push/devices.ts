/** Push devices of users. A device receives pushes while the session that subscribed it lasts. */
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import { DEVICES_MOST, type subscribeToPush, type unsubscribeFromPush } from '@stagedoor/contract/push.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Statement } from '../../../kernel/db.ts';
import { newId } from '../../../kernel/ids.ts';
import { type Limit, refuseIfLate } from '../../../kernel/limits.ts';
import type { Actor } from '../../../kernel/session.ts';
import { endpointOf } from './apns.ts';
import { isRemoved, takeBack } from './own-devices.ts';
import { areKeys, isPushService } from './services.ts';

const LOCK: Statement = {
  name: 'push-devices-lock',
  text: "select pg_advisory_xact_lock(hashtextextended('push-devices ' || $1, 0)) is null as is_locked",
};
const LEAVE_OTHERS: Statement = {
  name: 'push-devices-leave-others',
  text: 'delete from push_devices where endpoint = $1 and user_id <> $2',
};
const SUBSCRIBE: Statement = {
  name: 'push-devices-subscribe',
  text: `insert into push_devices as d (id, user_id, session_id, endpoint, p256dh, auth, subscribed_at) values ($1, $2, $3, $4, $5, $6, $7)
    on conflict (endpoint) do update set session_id = excluded.session_id, p256dh = excluded.p256dh, auth = excluded.auth
      where d.user_id = excluded.user_id returning 1 as is_kept`,
};
const IS_THERE: Statement = {
  name: 'push-devices-is-there',
  text: `select 1 as is_there from push_devices where endpoint = $1 and user_id = $2 and session_id = $3
    and p256dh is not distinct from $4 and auth is not distinct from $5`,
};
const IS_THEIRS: Statement = {
  name: 'push-devices-is-theirs',
  text: 'select 1 as is_theirs from push_devices where endpoint = $1 and user_id = $2 and session_id = $3',
};
const KEEP_NEWEST: Statement = {
  name: 'push-devices-keep-newest',
  text: `delete from push_devices where id in (
    select id from push_devices where user_id = $1 order by greatest(subscribed_at, told_at) desc, id desc offset $2)`,
};
const UNSUBSCRIBE: Statement = {
  name: 'push-devices-unsubscribe',
  text: 'delete from push_devices where endpoint = $1 and user_id = $2 returning 1 as gone',
};

export type Holder = Pick<Actor, 'userId' | 'sessionId'> & { network: string };
type Kept = {
  endpoint: string;
  keys: { p256dh: string; auth: string } | null;
  isRenewal?: boolean | undefined;
  replaces?: string | undefined;
};

/** Devices that can be added in an hour. A household, a school or an office shares one network. */
const ADDED_BY_ACCOUNT = 60;
const ADDED_BY_NETWORK = 600;

const allowed = ({ config }: Context, whose: string, most: number): Limit => ({
  name: `push devices of one ${whose}`,
  max: Math.ceil(most * config.rateFactor),
  windowMs: 60 * 60_000,
});

/**
 * An endpoint of another account moves to this one. Returns false when nothing was stored, when the user removed the
 * device and the browser renews it by itself, or when the device that it `replaces` is not one of this session. A
 * device that exists already does not count towards the limits.
 */
async function keep(
  ctx: Context,
  holder: Holder,
  { endpoint, keys, isRenewal = false, replaces }: Kept,
): Promise<boolean> {
  const { userId, sessionId, network } = holder;
  const { p256dh = null, auth = null } = keys ?? {};
  const isThere = (await ctx.db.run(IS_THERE, [endpoint, userId, sessionId, p256dh, auth])).length > 0;
  if (isThere) return true;
  if (isRenewal && (await isRemoved(ctx.db, userId, endpoint))) return false;
  if (replaces !== undefined && (await ctx.db.run(IS_THEIRS, [replaces, userId, sessionId])).length === 0) return false;
  refuseIfLate(await ctx.limits.countShared(allowed(ctx, 'account', ADDED_BY_ACCOUNT), userId));
  refuseIfLate(await ctx.limits.countShared(allowed(ctx, 'network', ADDED_BY_NETWORK), network));
  return ctx.db.transaction(async (tx) => {
    await tx.run(LOCK, [userId]);
    await takeBack(tx, userId, endpoint);
    await tx.run(LEAVE_OTHERS, [endpoint, userId]);
    if (replaces !== undefined && replaces !== endpoint) await tx.run(UNSUBSCRIBE, [replaces, userId]);
    const kept = await tx.run(SUBSCRIBE, [
      newId(ctx.clock),
      userId,
      sessionId,
      endpoint,
      p256dh,
      auth,
      ctx.clock.now(),
    ]);
    await tx.run(KEEP_NEWEST, [userId, DEVICES_MOST]);
    return kept.length > 0;
  });
}

/**
 * Stores a device of Safari's legacy push by its token. Returns false for an invalid token and when that push is not
 * configured.
 */
export async function keepSafari(
  ctx: Context,
  holder: Holder,
  { deviceToken, isRenewal }: { deviceToken: string; isRenewal?: boolean | undefined },
): Promise<boolean> {
  const { safari } = ctx.config.push;
  const endpoint = safari && endpointOf(safari, deviceToken);
  return endpoint !== undefined && keep(ctx, holder, { endpoint, keys: null, isRenewal });
}

export async function subscribe(
  ctx: Context,
  holder: Holder,
  { endpoint, keys, deviceToken, isRenewal, replaces }: BodyOf<typeof subscribeToPush>,
): Promise<AnswerOf<typeof subscribeToPush>> {
  if (deviceToken !== undefined) return { success: await keepSafari(ctx, holder, { deviceToken, isRenewal }) };
  if (endpoint === undefined || keys === undefined) return { success: false };
  if (!isPushService(endpoint, ctx.config.push.services) || !areKeys(keys)) return { success: false };
  return { success: await keep(ctx, holder, { endpoint, keys, isRenewal, replaces }) };
}

async function forget(ctx: Context, { userId }: Pick<Actor, 'userId'>, endpoint: string): Promise<boolean> {
  return (await ctx.db.run(UNSUBSCRIBE, [endpoint, userId])).length > 0;
}

export async function forgetSafari(ctx: Context, holder: Pick<Actor, 'userId'>, deviceToken: string): Promise<boolean> {
  const { safari } = ctx.config.push;
  const endpoint = safari && endpointOf(safari, deviceToken);
  return endpoint !== undefined && forget(ctx, holder, endpoint);
}

export async function unsubscribe(
  ctx: Context,
  actor: Actor,
  { endpoint, deviceToken }: BodyOf<typeof unsubscribeFromPush>,
): Promise<AnswerOf<typeof unsubscribeFromPush>> {
  if (deviceToken !== undefined) return { success: await forgetSafari(ctx, actor, deviceToken) };
  return { success: endpoint !== undefined && (await forget(ctx, actor, endpoint)) };
}
