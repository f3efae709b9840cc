/** Chat records blocks. Modules that show users to users check them. */
import type { Executor, Statement, Transaction } from '../../kernel/db.ts';
import { manifest } from './manifest.ts';

export const room = manifest;

const SET: Statement = {
  name: 'blocks-set',
  text: 'insert into blocks (fan_id, creator_id, since) values ($1, $2, $3) on conflict do nothing',
};
const END: Statement = { name: 'blocks-end', text: 'delete from blocks where fan_id = $1 and creator_id = $2' };
const FIND: Statement = {
  name: 'blocks-find',
  text: 'select 1 as found from blocks where fan_id = $1 and creator_id = $2',
};

const SOME: Statement = { name: 'blocks-some', text: 'select 1 as found from blocks where creator_id = $1 limit 1' };

const AMONG: Statement = {
  name: 'blocks-among',
  text: 'select creator_id as id from blocks where fan_id = $1 and creator_id = any ($2::uuid[])',
};

type Apart = { fanId: string; creatorId: string; isApart: boolean; at: Date };

export async function setApart(tx: Transaction, { fanId, creatorId, isApart, at }: Apart): Promise<void> {
  if (isApart) await tx.run(SET, [fanId, creatorId, at]);
  else await tx.run(END, [fanId, creatorId]);
}

const FORGET: Statement = {
  name: 'blocks-forget',
  text: 'delete from blocks where fan_id = $1 or creator_id = $1',
};
export async function forgetApart(db: Executor, userId: string): Promise<void> {
  await db.run(FORGET, [userId]);
}

/** Returns whether one of the two has blocked the other. */
export async function areApart(db: Executor, fanId: string, creatorId: string): Promise<boolean> {
  return (await db.run(FIND, [fanId, creatorId])).length > 0;
}

export async function isApart(db: Executor, creatorId: string): Promise<boolean> {
  return (await db.run(SOME, [creatorId])).length > 0;
}

const FANS: Statement = { name: 'blocks-fans', text: 'select fan_id as id from blocks where creator_id = $1' };

export async function fansApart(db: Executor, creatorId: string): Promise<string[]> {
  return (await db.run<{ id: string }>(FANS, [creatorId])).map(({ id }) => id);
}

/** The result has the order of `creatorIds`. */
export async function togetherWith(db: Executor, fanId: string, creatorIds: readonly string[]): Promise<string[]> {
  const rows = await db.run<{ id: string }>(AMONG, [fanId, creatorIds]);
  const gone = new Set(rows.map(({ id }) => id));
  return creatorIds.filter((id) => !gone.has(id));
}

const AROUND: Statement = {
  name: 'blocks-around',
  text: `select count(*)::int as count from (select from blocks where fan_id = $1 union all select from blocks where creator_id = $1 limit $2) b`,
};

/** Counts a user's blocked pairs, up to `most`. */
export async function countApart(db: Executor, userId: string, most: number): Promise<number> {
  const [row] = await db.run<{ count: number }>(AROUND, [userId, most]);
  return row?.count ?? 0;
}

/**
 * An SQL condition for blocked pairs. It looks up once per statement whether the viewer has any block, and then each
 * row by key. A plain EXISTS may make the planner hash all blocks for a page of twenty.
 */
export const apart = (viewer: string, creator: string): string =>
  `(case when (select exists (select from blocks x where x.fan_id = ${viewer})) then coalesce((select true from blocks x where x.fan_id = ${viewer} and x.creator_id = ${creator}), false) else false end)`;

export const creatorsApart = (viewer: string): string =>
  `array(select x.creator_id from blocks x where x.fan_id = ${viewer})`;
