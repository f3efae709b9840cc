/** Push devices of users. A device receives pushes while the session that subscribed it lasts. */

import {
  PUSH_DEVICES_MAX,
  type subscribeToPush,
  type unsubscribeFromPush,
} from '@stagedoor/contract/notifications/push.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { createId } from '../../../platform/ids.ts';
import { type RateLimit, requireNotLimited } from '../../../platform/limits/rate-limit.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { toApnsEndpoint } from './apns.ts';
import { forgetRemovedDevice, isRemovedDevice } from './own-devices.ts';
import { areValidKeys, isPushService } from './services.ts';

const LOCK: SqlStatement = {
  name: 'push-devices-lock',
  text: "select pg_advisory_xact_lock(hashtextextended('push-devices ' || $1, 0)) is null as is_locked",
};
const DELETE_OF_OTHER_USERS: SqlStatement = {
  name: 'push-devices-delete-of-other-users',
  text: 'delete from push_devices where endpoint = $1 and user_id <> $2',
};
const SUBSCRIBE: SqlStatement = {
  name: 'push-devices-subscribe',
  text: `insert into push_devices as d (id, user_id, session_id, endpoint, p256dh, auth, subscribed_at) values ($1, $2, $3, $4, $5, $6, $7)
    on conflict (endpoint) do update set session_id = excluded.session_id, p256dh = excluded.p256dh, auth = excluded.auth
      where d.user_id = excluded.user_id returning 1 as is_saved`,
};
const FIND_SAME: SqlStatement = {
  name: 'push-devices-find-same',
  text: `select 1 as is_there from push_devices where endpoint = $1 and user_id = $2 and session_id = $3
    and p256dh is not distinct from $4 and auth is not distinct from $5`,
};
const FIND_OWN: SqlStatement = {
  name: 'push-devices-find-own',
  text: 'select 1 as is_theirs from push_devices where endpoint = $1 and user_id = $2 and session_id = $3',
};
const DELETE_OLDEST: SqlStatement = {
  name: 'push-devices-delete-oldest',
  text: `delete from push_devices where id in (
    select id from push_devices where user_id = $1 order by greatest(subscribed_at, last_notified_at) desc, id desc offset $2)`,
};
const UNSUBSCRIBE: SqlStatement = {
  name: 'push-devices-unsubscribe',
  text: 'delete from push_devices where endpoint = $1 and user_id = $2 returning 1 as gone',
};

export type DeviceHolder = Pick<Actor, 'userId' | 'sessionId'> & { network: string };
type DeviceInput = {
  endpoint: string;
  keys: { p256dh: string; auth: string } | null;
  isRenewal?: boolean | undefined;
  replaces?: string | undefined;
};

/** Devices that can be added in an hour. A household, a school or an office shares one network. */
const ACCOUNT_LIMIT: RateLimit = { name: 'push devices of one account', max: 60, windowMs: 60 * 60_000 };
const NETWORK_LIMIT: RateLimit = { name: 'push devices of one network', max: 600, windowMs: 60 * 60_000 };

/**
 * An endpoint of another account moves to this one. Returns false when nothing was stored, when the user removed the
 * device and the browser renews it by itself, or when the device that it `replaces` is not one of this session. A
 * device that exists already does not count towards the limits.
 */
async function saveDevice(
  ctx: Context,
  holder: DeviceHolder,
  { endpoint, keys, isRenewal = false, replaces }: DeviceInput,
): Promise<boolean> {
  const { userId, sessionId, network } = holder;
  const { p256dh = null, auth = null } = keys ?? {};
  const isKnown = (await ctx.db.run(FIND_SAME, [endpoint, userId, sessionId, p256dh, auth])).length > 0;
  if (isKnown) return true;
  if (isRenewal && (await isRemovedDevice(ctx.db, userId, endpoint))) return false;
  if (replaces !== undefined && (await ctx.db.run(FIND_OWN, [replaces, userId, sessionId])).length === 0) return false;
  requireNotLimited(await ctx.limits.countShared(ACCOUNT_LIMIT, userId));
  requireNotLimited(await ctx.limits.countShared(NETWORK_LIMIT, network));
  return ctx.db.transaction(async (tx) => {
    await tx.run(LOCK, [userId]);
    await forgetRemovedDevice(tx, userId, endpoint);
    await tx.run(DELETE_OF_OTHER_USERS, [endpoint, userId]);
    if (replaces !== undefined && replaces !== endpoint) await tx.run(UNSUBSCRIBE, [replaces, userId]);
    const saved = await tx.run(SUBSCRIBE, [
      createId(ctx.clock),
      userId,
      sessionId,
      endpoint,
      p256dh,
      auth,
      ctx.clock.now(),
    ]);
    await tx.run(DELETE_OLDEST, [userId, PUSH_DEVICES_MAX]);
    return saved.length > 0;
  });
}

/**
 * Stores a device of Safari's legacy push by its token. Returns false for an invalid token and when that push is not
 * configured.
 */
export async function saveSafariDevice(
  ctx: Context,
  holder: DeviceHolder,
  { deviceToken, isRenewal }: { deviceToken: string; isRenewal?: boolean | undefined },
): Promise<boolean> {
  const { safari } = ctx.config.push;
  const endpoint = safari && toApnsEndpoint(safari, deviceToken);
  return endpoint !== undefined && saveDevice(ctx, holder, { endpoint, keys: null, isRenewal });
}

/** Returns why nothing can be stored. It contains no more of the endpoint than its host, because the rest is secret. */
function findRefusalReason(
  { config }: Pick<Context, 'config'>,
  { endpoint, keys, deviceToken }: BodyOf<typeof subscribeToPush>,
): string | undefined {
  if (deviceToken !== undefined) {
    if (!config.push.safari) return 'older Safari push is not configured (SAFARI_PUSH_ID)';
    return toApnsEndpoint(config.push.safari, deviceToken) ? undefined : 'the device token of Safari is malformed';
  }
  if (endpoint === undefined || keys === undefined) return 'the endpoint or the keys are missing';
  if (!isPushService(endpoint, config.push.allowedOrigins)) {
    const host = URL.canParse(endpoint) ? new URL(endpoint).host : 'not an address';
    return `the endpoint is not of a known push service: ${host} (PUSH_ALLOWED_ORIGINS)`;
  }
  return areValidKeys(keys) ? undefined : 'the keys are not those of a browser (RFC 8291)';
}

const NOT_STORED = 'the user removed this device, or it replaces one of another session';

/** Returns also the reason of a refusal, which the log has, and in development a header of the response. */
export async function subscribeDevice(
  ctx: Context,
  holder: DeviceHolder,
  body: BodyOf<typeof subscribeToPush>,
): Promise<{ success: boolean; refusalReason: string | undefined }> {
  const reason = findRefusalReason(ctx, body);
  const success = reason === undefined && (await saveSubscription(ctx, holder, body));
  if (success) return { success, refusalReason: undefined };
  const refusalReason = reason ?? NOT_STORED;
  ctx.log.info({ userId: holder.userId, reason: refusalReason }, 'a push subscription was refused');
  return { success, refusalReason };
}

async function saveSubscription(
  ctx: Context,
  holder: DeviceHolder,
  { endpoint, keys, deviceToken, isRenewal, replaces }: BodyOf<typeof subscribeToPush>,
): Promise<boolean> {
  if (deviceToken !== undefined) return saveSafariDevice(ctx, holder, { deviceToken, isRenewal });
  return (
    endpoint !== undefined && keys !== undefined && saveDevice(ctx, holder, { endpoint, keys, isRenewal, replaces })
  );
}

async function deleteDevice(ctx: Context, { userId }: Pick<Actor, 'userId'>, endpoint: string): Promise<boolean> {
  return (await ctx.db.run(UNSUBSCRIBE, [endpoint, userId])).length > 0;
}

export async function deleteSafariDevice(
  ctx: Context,
  holder: Pick<Actor, 'userId'>,
  deviceToken: string,
): Promise<boolean> {
  const { safari } = ctx.config.push;
  const endpoint = safari && toApnsEndpoint(safari, deviceToken);
  return endpoint !== undefined && deleteDevice(ctx, holder, endpoint);
}

export async function unsubscribeDevice(
  ctx: Context,
  actor: Actor,
  { endpoint, deviceToken }: BodyOf<typeof unsubscribeFromPush>,
): Promise<ResponseInputOf<typeof unsubscribeFromPush>> {
  if (deviceToken !== undefined) return { success: await deleteSafariDevice(ctx, actor, deviceToken) };
  return { success: endpoint !== undefined && (await deleteDevice(ctx, actor, endpoint)) };
}
