import type { Executor, SqlStatement } from '../../../platform/database/db.ts';

const FOLLOWERS: SqlStatement = {
  name: 'earnings-followers',
  text: `select coalesce((select follower_count from creators where user_id = $1), 0) as total,
      count(*) filter (where created_at >= $3) as today, count(*) filter (where created_at < $3) as yesterday,
      count(*) filter (where created_at < $4) as "yesterdaySameTime"
    from follows where creator_id = $1 and created_at >= $2`,
};

export type FollowerCounts = { total: number; today: number; yesterday: number; yesterdaySameTime: number };

const DAY_MS = 24 * 60 * 60 * 1000;

/** Days are in UTC. */
export async function countFollowers(db: Executor, creatorId: string, now: Date): Promise<FollowerCounts> {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const [row] = await db.run<FollowerCounts>(FOLLOWERS, [
    creatorId,
    new Date(today - DAY_MS),
    new Date(today),
    new Date(now.getTime() - DAY_MS),
  ]);
  return row ?? { total: 0, today: 0, yesterday: 0, yesterdaySameTime: 0 };
}
