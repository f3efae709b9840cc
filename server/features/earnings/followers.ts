import type { Executor, Statement } from '../../kernel/db.ts';

const FOLLOWERS: Statement = {
  name: 'earnings-followers',
  text: `select coalesce((select follower_count from creators where user_id = $1), 0) as total,
      count(*) filter (where created_at >= $3) as today, count(*) filter (where created_at < $3) as yesterday,
      count(*) filter (where created_at < $4) as "yesterdayByNow"
    from follows where creator_id = $1 and created_at >= $2`,
};

export type Followers = { total: number; today: number; yesterday: number; yesterdayByNow: number };

const DAY_MS = 24 * 60 * 60 * 1000;

/** Days are in UTC. */
export async function countFollowers(db: Executor, creatorId: string, now: Date): Promise<Followers> {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const [row] = await db.run<Followers>(FOLLOWERS, [
    creatorId,
    new Date(today - DAY_MS),
    new Date(today),
    new Date(now.getTime() - DAY_MS),
  ]);
  return row ?? { total: 0, today: 0, yesterday: 0, yesterdayByNow: 0 };
}
