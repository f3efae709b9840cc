/** The creator's follower count changes in the same transaction. */
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { adjustFollowerCount } from '../../identity/accounts/index.ts';

/** Above this number of followers, posts are merged into feeds at read time instead of being copied. */
export const FAN_OUT_MAX_FOLLOWERS = 10_000;

const CREATOR: SqlStatement = {
  name: 'follows-creator',
  text: `select c.user_id, u.username, u.is_blocked, c.follower_count from creators c join users u on u.id = c.user_id where c.user_id = $1`,
};

export type FollowedCreator = { user_id: string; username: string; is_blocked: boolean; follower_count: number };

export async function findFollowedCreator(db: Executor, id: string): Promise<FollowedCreator | undefined> {
  return (await db.run<FollowedCreator>(CREATOR, [id]))[0];
}

const FOLLOW: SqlStatement = {
  name: 'follows-follow',
  text: 'insert into follows (fan_id, creator_id, created_at, is_timeline_filled) values ($1, $2, $3, false) on conflict do nothing returning 1 as made',
};
const UNFOLLOW: SqlStatement = {
  name: 'follows-unfollow',
  text: 'delete from follows where fan_id = $1 and creator_id = $2 returning 1 as gone',
};
const MARK_FAN_OUT_ON_READ: SqlStatement = {
  name: 'follows-mark-fan-out-on-read',
  text: 'update follows set is_fan_out_on_read = true where fan_id = $1 and creator_id = $2 and exists (select from fan_out_on_read_creators w where w.creator_id = $2)',
};

/** Returns the new number of followers, or undefined if nothing changed. */
export async function writeFollow(
  tx: DbTransaction,
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
  const followers = await adjustFollowerCount(tx, creatorId, isFollowed ? 1 : -1);
  if (isFollowed) await tx.run(MARK_FAN_OUT_ON_READ, [fanId, creatorId]);
  return followers;
}

const MARK_TIMELINE_FILLED: SqlStatement = {
  name: 'follows-timeline-filled',
  text: 'update follows set is_timeline_filled = true where fan_id = $1 and creator_id = $2 and not is_timeline_filled',
};

export async function markTimelineFilled(tx: DbTransaction, fanId: string, creatorId: string): Promise<void> {
  await tx.run(MARK_TIMELINE_FILLED, [fanId, creatorId]);
}

const IS_FAN_OUT_ON_READ: SqlStatement = {
  name: 'follows-is-fan-out-on-read',
  text: 'select 1 as wide from fan_out_on_read_creators where creator_id = $1',
};
const LOCK: SqlStatement = {
  name: 'follows-lock-creator',
  text: 'select follower_count from creators where user_id = $1 for no key update',
};
const INSERT_FAN_OUT_ON_READ: SqlStatement = {
  name: 'follows-enable-fan-out-on-read',
  text: 'insert into fan_out_on_read_creators (creator_id) values ($1) on conflict do nothing',
};
const MARK_ALL_FAN_OUT_ON_READ: SqlStatement = {
  name: 'follows-mark-all',
  text: 'update follows set is_fan_out_on_read = true where creator_id = $1 and not is_fan_out_on_read',
};

export async function isFanOutOnRead(db: Executor, creatorId: string): Promise<boolean> {
  return (await db.run(IS_FAN_OUT_ON_READ, [creatorId])).length > 0;
}

/** Locks the creator's row. */
export async function enableFanOutOnRead(tx: DbTransaction, creatorId: string): Promise<void> {
  await tx.run(LOCK, [creatorId]);
  await tx.run(INSERT_FAN_OUT_ON_READ, [creatorId]);
  await tx.run(MARK_ALL_FAN_OUT_ON_READ, [creatorId]);
}

const FIND_FOLLOWED_AT: SqlStatement = {
  name: 'follows-since',
  text: 'select created_at as "since" from follows where fan_id = $1 and creator_id = $2',
};

export async function findFollowedAt(db: Executor, fanId: string, creatorId: string): Promise<Date | undefined> {
  return (await db.run<{ since: Date }>(FIND_FOLLOWED_AT, [fanId, creatorId]))[0]?.since;
}
