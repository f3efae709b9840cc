import { createHash } from 'node:crypto';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import type { listPushDevices } from '@stagedoor/contract/push.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Executor, Statement } from '../../../kernel/db.ts';
import type { Actor } from '../../../kernel/session.ts';

const REMEMBERED = 100;

type Owner = Pick<Actor, 'userId' | 'sessionId'>;
type Row = { id: string; name: string; since: Date; toldAt: Date | null; isThis: boolean };

const LIST: Statement = {
  name: 'push-devices-list',
  text: `select d.id, s.device as name, d.subscribed_at as since, d.told_at as "toldAt", d.session_id = $2 as "isThis"
    from push_devices d join sessions s on s.id = d.session_id
    where d.user_id = $1 and s.expires_at > $3 order by d.session_id = $2 desc, d.subscribed_at desc, d.id desc`,
};
const REMOVE: Statement = {
  name: 'push-devices-remove',
  text: 'delete from push_devices where id = $1 and user_id = $2 returning endpoint',
};
const REMOVE_OTHERS: Statement = {
  name: 'push-devices-remove-others',
  text: 'delete from push_devices where user_id = $1 and session_id <> $2 returning endpoint',
};
const REMEMBER: Statement = {
  name: 'push-devices-remember',
  text: `insert into push_devices_removed (user_id, endpoint_hash, removed_at) select $1, hash, $3 from unnest($2::bytea[]) as t (hash)
    on conflict (user_id, endpoint_hash) do update set removed_at = excluded.removed_at`,
};
const TRIM: Statement = {
  name: 'push-devices-trim-removed',
  text: `delete from push_devices_removed where user_id = $1 and endpoint_hash in (
    select endpoint_hash from push_devices_removed where user_id = $1 order by removed_at desc, endpoint_hash offset $2)`,
};
const IS_REMOVED: Statement = {
  name: 'push-devices-is-removed',
  text: 'select 1 as is_removed from push_devices_removed where user_id = $1 and endpoint_hash = $2',
};
const TAKE_BACK: Statement = {
  name: 'push-devices-take-back',
  text: 'delete from push_devices_removed where user_id = $1 and endpoint_hash = $2',
};

const hashOf = (endpoint: string) => createHash('sha256').update(endpoint).digest();

export async function isRemoved(db: Executor, userId: string, endpoint: string): Promise<boolean> {
  return (await db.run(IS_REMOVED, [userId, hashOf(endpoint)])).length > 0;
}
export async function takeBack(db: Executor, userId: string, endpoint: string): Promise<void> {
  await db.run(TAKE_BACK, [userId, hashOf(endpoint)]);
}

export async function viewDevices(
  ctx: Context,
  { userId, sessionId }: Owner,
): Promise<AnswerOf<typeof listPushDevices>> {
  const rows = await ctx.db.run<Row>(LIST, [userId, sessionId, ctx.clock.now()]);
  const data = rows.map(({ id, name, since, toldAt, isThis }) => ({
    ...{ id, name, isThis, since: since.toISOString() },
    toldAt: toldAt?.toISOString() ?? null,
  }));
  return { data };
}

async function remove(ctx: Context, userId: string, statement: Statement, values: unknown[]): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const gone = await tx.run<{ endpoint: string }>(statement, values);
    await tx.run(REMEMBER, [userId, gone.map(({ endpoint }) => hashOf(endpoint)), ctx.clock.now()]);
    await tx.run(TRIM, [userId, REMEMBERED]);
    return gone.length;
  });
}

/** Throws NOT_FOUND. */
export async function removeDevice(ctx: Context, actor: Owner, id: string): Promise<AnswerOf<typeof listPushDevices>> {
  if ((await remove(ctx, actor.userId, REMOVE, [id, actor.userId])) === 0) throw new AppError('NOT_FOUND');
  return viewDevices(ctx, actor);
}

export async function removeOthers(ctx: Context, actor: Owner): Promise<AnswerOf<typeof listPushDevices>> {
  await remove(ctx, actor.userId, REMOVE_OTHERS, [actor.userId, actor.sessionId]);
  return viewDevices(ctx, actor);
}
