import { createHash } from 'node:crypto';
import type { listPushDevices } from '@stagedoor/contract/notifications/push.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import type { Actor } from '../../../platform/security/session.ts';

const MAX_REMEMBERED = 100;

type DeviceOwner = Pick<Actor, 'userId' | 'sessionId'>;
type DeviceRow = { id: string; name: string; since: Date; lastPushedAt: Date | null; isCurrent: boolean };

const LIST: SqlStatement = {
  name: 'push-devices-list',
  text: `select d.id, s.device as name, d.subscribed_at as since, d.last_notified_at as "lastPushedAt", d.session_id = $2 as "isCurrent"
    from push_devices d join sessions s on s.id = d.session_id
    where d.user_id = $1 and s.expires_at > $3 order by d.session_id = $2 desc, d.subscribed_at desc, d.id desc`,
};
const REMOVE: SqlStatement = {
  name: 'push-devices-remove',
  text: 'delete from push_devices where id = $1 and user_id = $2 returning endpoint',
};
const REMOVE_OTHERS: SqlStatement = {
  name: 'push-devices-remove-others',
  text: 'delete from push_devices where user_id = $1 and session_id <> $2 returning endpoint',
};
const SAVE_REMOVED: SqlStatement = {
  name: 'push-devices-remember',
  text: `insert into removed_push_devices (user_id, endpoint_hash, removed_at) select $1, hash, $3 from unnest($2::bytea[]) as t (hash)
    on conflict (user_id, endpoint_hash) do update set removed_at = excluded.removed_at`,
};
const TRIM_REMOVED: SqlStatement = {
  name: 'push-devices-trim-removed',
  text: `delete from removed_push_devices where user_id = $1 and endpoint_hash in (
    select endpoint_hash from removed_push_devices where user_id = $1 order by removed_at desc, endpoint_hash offset $2)`,
};
const IS_REMOVED: SqlStatement = {
  name: 'push-devices-is-removed',
  text: 'select 1 as is_removed from removed_push_devices where user_id = $1 and endpoint_hash = $2',
};
const FORGET_REMOVED: SqlStatement = {
  name: 'push-devices-forget-removed',
  text: 'delete from removed_push_devices where user_id = $1 and endpoint_hash = $2',
};

const hashEndpoint = (endpoint: string) => createHash('sha256').update(endpoint).digest();

export async function isRemovedDevice(db: Executor, userId: string, endpoint: string): Promise<boolean> {
  return (await db.run(IS_REMOVED, [userId, hashEndpoint(endpoint)])).length > 0;
}
export async function forgetRemovedDevice(db: Executor, userId: string, endpoint: string): Promise<void> {
  await db.run(FORGET_REMOVED, [userId, hashEndpoint(endpoint)]);
}

export async function viewDevices(
  ctx: Context,
  { userId, sessionId }: DeviceOwner,
): Promise<ResponseInputOf<typeof listPushDevices>> {
  const rows = await ctx.db.run<DeviceRow>(LIST, [userId, sessionId, ctx.clock.now()]);
  const data = rows.map(({ id, name, since, lastPushedAt, isCurrent }) => ({
    ...{ id, name, isCurrent, since: since.toISOString() },
    lastPushedAt: lastPushedAt?.toISOString() ?? null,
  }));
  return { data };
}

async function removeDevices(
  ctx: Context,
  userId: string,
  statement: SqlStatement,
  values: unknown[],
): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const removed = await tx.run<{ endpoint: string }>(statement, values);
    await tx.run(SAVE_REMOVED, [userId, removed.map(({ endpoint }) => hashEndpoint(endpoint)), ctx.clock.now()]);
    await tx.run(TRIM_REMOVED, [userId, MAX_REMEMBERED]);
    return removed.length;
  });
}

/** Throws NOT_FOUND. */
export async function removeDevice(
  ctx: Context,
  actor: DeviceOwner,
  id: string,
): Promise<ResponseInputOf<typeof listPushDevices>> {
  if ((await removeDevices(ctx, actor.userId, REMOVE, [id, actor.userId])) === 0) throw new AppError('NOT_FOUND');
  return viewDevices(ctx, actor);
}

export async function removeOtherDevices(
  ctx: Context,
  actor: DeviceOwner,
): Promise<ResponseInputOf<typeof listPushDevices>> {
  await removeDevices(ctx, actor.userId, REMOVE_OTHERS, [actor.userId, actor.sessionId]);
  return viewDevices(ctx, actor);
}
