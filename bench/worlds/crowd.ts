/** A platform with users and posts, small or large, for pages and feeds. Each size is created once per run. */
import { runSql } from '../../server/kernel/db.ts';
import { settleDatabase, withDatabase } from '../harness/database.ts';
import type { Stage } from '../harness/stage.ts';
import { makeCreators, makeFans, personIdSql } from './people.ts';
import { makePosts } from './posts.ts';

/** Groups of fans by how many creators they follow. A group has the numbers `from` to `from + count − 1`. */
export const FOLLOWERS = {
  few: { follows: 10, from: 0, count: 50 },
  some: { follows: 50, from: 50, count: 100 },
  many: { follows: 2_000, from: 150, count: 10 },
} as const;
/** The number of past posts that a follow adds to the timeline, as in the feed module. */
const BACKFILL = 200;
const FANS = 160;

export type Crowd = { url: string; posts: number; creators: number; postsPerCreator: number };

const made = new Map<string, Promise<Crowd>>();

async function make(stage: Stage, size: 'small' | 'large'): Promise<Crowd> {
  const isQuick = stage.options.isQuick;
  const posts = size === 'small' ? 1_000 : isQuick ? 20_000 : 1_000_000;
  const authors = size === 'small' ? 50 : isQuick ? 1_000 : 10_000;
  const creators = Math.max(authors, 2_000);
  stage.tell(`making ${posts.toLocaleString('en')} posts of ${authors.toLocaleString('en')} creators`);
  const url = await stage.postgres.migrated(`crowd_${size}`);
  await withDatabase(url, async (db) => {
    await makeFans(db, FANS);
    await makeCreators(db, creators);
    await makePosts(db, { creators: authors, posts, paidEvery: 3 });
    for (const { follows, from, count } of Object.values(FOLLOWERS)) {
      await runSql(
        db,
        `insert into follows (fan_id, creator_id)
           select ${personIdSql('fan', 'f')}, ${personIdSql('creator', `(f * 31 + c) % ${Math.max(follows, Math.min(authors, creators))}`)}
           from generate_series(${from}, ${from + count - 1}) as f, generate_series(0, ${follows - 1}) as c`,
      );
    }
    await runSql(
      db,
      // Without statistics the planner would read all posts for each follow.
      `analyze;
       insert into timelines (fan_id, post_id, creator_id, type)
         select f.fan_id, p.id, p.creator_id, p.type from follows f cross join lateral (
           select id, creator_id, type from posts where creator_id = f.creator_id and removed_at is null order by id desc limit ${BACKFILL}) p
         order by 1, 2;
       update creators c set follower_count = follower_count + f.count
         from (select creator_id, count(*) as count from follows group by creator_id) f where f.creator_id = c.user_id`,
    );
  });
  await settleDatabase(url);
  return { url, posts, creators: authors, postsPerCreator: posts / authors };
}

export function crowd(stage: Stage, size: 'small' | 'large'): Promise<Crowd> {
  const known = made.get(size) ?? make(stage, size);
  made.set(size, known);
  return known;
}
