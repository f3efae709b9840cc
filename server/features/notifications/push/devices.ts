/** Devices: who is pushed where, as long as the session lasts that subscribed. */
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import { DEVICES_MOST, type subscribeToPush, type unsubscribeFromPush } from '@stagedoor/contract/push.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Statement } from '../../../kernel/db.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Actor } from '../../../kernel/session.ts';
import { areKeys, isPushService } from './services.ts';

/** One after another for each account. */
const LOCK: Statement = {
  name: 'push-devices-lock',
  text: "select pg_advisory_xact_lock(hashtextextended('push-devices ' || $1, 0)) is null as is_locked",
};
/** With what was still to be sent there. */
const LEAVE_OTHERS: Statement = {
  name: 'push-devices-leave-others',
  text: 'delete from push_devices where endpoint = $1 and user_id <> $2',
};
const SUBSCRIBE: Statement = {
  name: 'push-devices-subscribe',
  text: `insert into push_devices as d (id, user_id, session_id, endpoint, p256dh, auth, subscribed_at) values ($1, $2, $3, $4, $5, $6, $7)
    on conflict (endpoint) do update set session_id = excluded.session_id, p256dh = excluded.p256dh, auth = excluded.auth,
      subscribed_at = excluded.subscribed_at where d.user_id = excluded.user_id returning 1 as is_kept`,
};
const KEEP_NEWEST: Statement = {
  name: 'push-devices-keep-newest',
  text: `delete from push_devices where id in (
    select id from push_devices where user_id = $1 order by subscribed_at desc, id desc offset $2)`,
};
const UNSUBSCRIBE: Statement = {
  name: 'push-devices-unsubscribe',
  text: 'delete from push_devices where endpoint = $1 and user_id = $2 returning 1 as gone',
};

/** Answers false for what cannot be pushed to. */
export async function subscribe(
  ctx: Context,
  { userId, sessionId }: Actor,
  { endpoint, keys }: BodyOf<typeof subscribeToPush>,
): Promise<AnswerOf<typeof subscribeToPush>> {
  if (endpoint === undefined || keys === undefined) return { success: false };
  if (!isPushService(endpoint, ctx.config.push.services) || !areKeys(keys)) return { success: false };
  const success = await ctx.db.transaction(async (tx) => {
    await tx.run(LOCK, [userId]);
    await tx.run(LEAVE_OTHERS, [endpoint, userId]);
    const values = [newId(ctx.clock), userId, sessionId, endpoint, keys.p256dh, keys.auth, ctx.clock.now()];
    const kept = await tx.run(SUBSCRIBE, values);
    await tx.run(KEEP_NEWEST, [userId, DEVICES_MOST]);
    return kept.length > 0;
  });
  return { success };
}

export async function unsubscribe(
  ctx: Context,
  { userId }: Actor,
  { endpoint }: BodyOf<typeof unsubscribeFromPush>,
): Promise<AnswerOf<typeof unsubscribeFromPush>> {
  return { success: (await ctx.db.run(UNSUBSCRIBE, [endpoint, userId])).length > 0 };
}
