/** The creator's follower count changes in the same transaction. */
import type { Executor, Statement, Transaction } from '../../kernel/db.ts';
import { countFollower } from '../accounts/index.ts';

/** Above this number of followers, posts are merged into feeds at read time instead of being copied. */
export const WIDE_FOLLOWERS = 10_000;

const CREATOR: Statement = {
  name: 'follows-creator',
  text: `select c.user_id, u.username, u.is_blocked, c.follower_count from creators c join users u on u.id = c.user_id where c.user_id = $1`,
};

export type Creator = { user_id: string; username: string; is_blocked: boolean; follower_count: number };

export async function findCreator(db: Executor, id: string): Promise<Creator | undefined> {
  return (await db.run<Creator>(CREATOR, [id]))[0];
}

const FOLLOW: Statement = {
  name: 'follows-follow',
  text: 'insert into follows (fan_id, creator_id, created_at, is_settled) values ($1, $2, $3, false) on conflict do nothing returning 1 as made',
};
const UNFOLLOW: Statement = {
  name: 'follows-unfollow',
  text: 'delete from follows where fan_id = $1 and creator_id = $2 returning 1 as gone',
};
const MARK: Statement = {
  name: 'follows-mark-wide',
  text: 'update follows set is_wide = true where fan_id = $1 and creator_id = $2 and exists (select from wide_creators w where w.creator_id = $2)',
};

/** Returns the new number of followers, or undefined if nothing changed. */
export async function setFollow(
  tx: Transaction,
  fanId: string,
  creatorId: string,
  isFollowed: boolean,
  at: Date,
): Promise<number | undefined> {
  const changed = isFollowed
    ? await tx.run(FOLLOW, [fanId, creatorId, at])
    : await tx.run(UNFOLLOW, [fanId, creatorId]);
  if (changed.length === 0) return undefined;
  // This transaction now holds the lock on the creator's row, so that a concurrent switch to merging at read time sees
  // this follow.
  const followers = await countFollower(tx, creatorId, isFollowed ? 1 : -1);
  if (isFollowed) await tx.run(MARK, [fanId, creatorId]);
  return followers;
}

const SETTLED: Statement = {
  name: 'follows-settled',
  text: 'update follows set is_settled = true where fan_id = $1 and creator_id = $2 and not is_settled',
};

export async function markSettled(tx: Transaction, fanId: string, creatorId: string): Promise<void> {
  await tx.run(SETTLED, [fanId, creatorId]);
}

const IS_WIDE: Statement = {
  name: 'follows-is-wide',
  text: 'select 1 as wide from wide_creators where creator_id = $1',
};
const LOCK: Statement = {
  name: 'follows-lock-creator',
  text: 'select follower_count from creators where user_id = $1 for no key update',
};
const WIDEN: Statement = {
  name: 'follows-widen',
  text: 'insert into wide_creators (creator_id) values ($1) on conflict do nothing',
};
const MARK_ALL: Statement = {
  name: 'follows-mark-all',
  text: 'update follows set is_wide = true where creator_id = $1 and not is_wide',
};

export async function isWide(db: Executor, creatorId: string): Promise<boolean> {
  return (await db.run(IS_WIDE, [creatorId])).length > 0;
}

/** Locks the creator's row. */
export async function widen(tx: Transaction, creatorId: string): Promise<void> {
  await tx.run(LOCK, [creatorId]);
  await tx.run(WIDEN, [creatorId]);
  await tx.run(MARK_ALL, [creatorId]);
}

const SINCE: Statement = {
  name: 'follows-since',
  text: 'select created_at as "since" from follows where fan_id = $1 and creator_id = $2',
};

export async function followsSince(db: Executor, fanId: string, creatorId: string): Promise<Date | undefined> {
  return (await db.run<{ since: Date }>(SINCE, [fanId, creatorId]))[0]?.since;
}
