/** Chat records blocks. Modules that show users to users check them. */
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { manifest } from './manifest.ts';

export const featureModule = manifest;

const INSERT_BLOCK: SqlStatement = {
  name: 'blocks-set',
  text: 'insert into blocks (fan_id, creator_id, since) values ($1, $2, $3) on conflict do nothing',
};
const DELETE_BLOCK: SqlStatement = {
  name: 'blocks-end',
  text: 'delete from blocks where fan_id = $1 and creator_id = $2',
};
const FIND_PAIR: SqlStatement = {
  name: 'blocks-find',
  text: 'select 1 as found from blocks where fan_id = $1 and creator_id = $2',
};

const FIND_ANY: SqlStatement = {
  name: 'blocks-find-any',
  text: 'select 1 as found from blocks where creator_id = $1 limit 1',
};

const FIND_AMONG: SqlStatement = {
  name: 'blocks-among',
  text: 'select creator_id as id from blocks where fan_id = $1 and creator_id = any ($2::uuid[])',
};

type BlockChange = { fanId: string; creatorId: string; isBlocked: boolean; at: Date };

export async function setBlock(tx: DbTransaction, { fanId, creatorId, isBlocked, at }: BlockChange): Promise<void> {
  if (isBlocked) await tx.run(INSERT_BLOCK, [fanId, creatorId, at]);
  else await tx.run(DELETE_BLOCK, [fanId, creatorId]);
}

const DELETE_BLOCKS: SqlStatement = {
  name: 'blocks-forget',
  text: 'delete from blocks where fan_id = $1 or creator_id = $1',
};
export async function deleteBlocks(db: Executor, userId: string): Promise<void> {
  await db.run(DELETE_BLOCKS, [userId]);
}

/** Returns whether one of the two has blocked the other. */
export async function isBlockedPair(db: Executor, fanId: string, creatorId: string): Promise<boolean> {
  return (await db.run(FIND_PAIR, [fanId, creatorId])).length > 0;
}

export async function hasBlockedFans(db: Executor, creatorId: string): Promise<boolean> {
  return (await db.run(FIND_ANY, [creatorId])).length > 0;
}

const LIST_FANS: SqlStatement = { name: 'blocks-fans', text: 'select fan_id as id from blocks where creator_id = $1' };

export async function listBlockedFanIds(db: Executor, creatorId: string): Promise<string[]> {
  return (await db.run<{ id: string }>(LIST_FANS, [creatorId])).map(({ id }) => id);
}

/** The result has the order of `creatorIds`. */
export async function filterUnblocked(db: Executor, fanId: string, creatorIds: readonly string[]): Promise<string[]> {
  const rows = await db.run<{ id: string }>(FIND_AMONG, [fanId, creatorIds]);
  const blockedIds = new Set(rows.map(({ id }) => id));
  return creatorIds.filter((id) => !blockedIds.has(id));
}

const COUNT_BLOCKS: SqlStatement = {
  name: 'blocks-count',
  text: `select count(*)::int as count from (select from blocks where fan_id = $1 union all select from blocks where creator_id = $1 limit $2) b`,
};

/** Counts a user's blocked pairs, up to `max`. */
export async function countBlocks(db: Executor, userId: string, max: number): Promise<number> {
  const [row] = await db.run<{ count: number }>(COUNT_BLOCKS, [userId, max]);
  return row?.count ?? 0;
}

/**
 * An SQL condition for blocked pairs. It looks up once per statement whether the viewer has any block, and then each
 * row by key. A plain EXISTS may make the planner hash all blocks for a page of twenty.
 */
export const blockedPairSql = (viewer: string, creator: string): string =>
  `(case when (select exists (select from blocks x where x.fan_id = ${viewer})) then coalesce((select true from blocks x where x.fan_id = ${viewer} and x.creator_id = ${creator}), false) else false end)`;

export const blockedCreatorIdsSql = (viewer: string): string =>
  `array(select x.creator_id from blocks x where x.fan_id = ${viewer})`;
