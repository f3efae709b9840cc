/** Makers for tests, the demo world and benches: posts without the way through HTTP, one by one or a million at once. */
import type { PostType } from '@stagedoor/contract/posts.ts';
import type { Context } from '../../kernel/context.ts';
import { runSql, type Statement } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { claimMedia } from '../media/index.ts';
import { makeReadyPicture } from '../media/testing.ts';
import './events.ts';
import * as store from './store.ts';

const ID_AT: Statement = { name: 'testing-id-at', text: 'select uuidv7($1::timestamptz - clock_timestamp()) as id' };

export type MakePost = {
  caption?: string;
  priceCents?: number;
  /** Ready, unused media of that creator; one stand-in picture is made when absent. */
  mediaIds?: readonly string[];
  alts?: readonly string[];
  /** Its id, and with it its place in lists, follows from this instant. */
  createdAt?: Date;
  /** Off: nobody is told, so that it reaches no timeline. */
  isTold?: boolean;
};

/** Publishes a post; answers its id. */
export async function makePost(ctx: Context, creatorId: string, options: MakePost = {}): Promise<string> {
  const { caption = 'A quiet morning', priceCents = 0, alts = [], createdAt, isTold = true } = options;
  const mediaIds = options.mediaIds ?? [await makeReadyPicture(ctx, creatorId)];
  const at = createdAt ?? ctx.clock.now();
  const id = createdAt
    ? ((await ctx.db.run<{ id: string }>(ID_AT, [createdAt]))[0]?.id ?? newId(ctx.clock))
    : newId(ctx.clock);
  const type: PostType = mediaIds.length > 1 ? 'pictureSet' : 'picture';
  await ctx.db.transaction(async (tx) => {
    await claimMedia(ctx, tx, creatorId, mediaIds, priceCents === 0);
    const media = mediaIds.map((mediaId, index) => ({ id: mediaId, alt: alts[index] ?? '' }));
    await store.insertPost(tx, { id, creatorId, type, caption, priceCents, media, createdAt: at });
    if (!isTold) return;
    const creator = await tx.query
      .selectFrom('users')
      .select('username')
      .where('id', '=', creatorId)
      .executeTakeFirstOrThrow();
    await tx.emit('post.published', {
      postId: id,
      creatorId,
      username: creator.username,
      type,
      createdAt: at.toISOString(),
      priceCents,
    });
  });
  return id;
}

const BULK: Statement[] = [
  {
    name: 'testing-bulk-media',
    text: `with made as materialized (
      select uuidv7($2::timestamptz - clock_timestamp() - n * $4::interval) as post_id, uuidv7() as media_id, $2::timestamptz - n * $4::interval as at,
        case when n % 3 = 0 then 1200 else 0 end as price_cents, c.id as creator_id
      from generate_series($5::int, $6::int) n join unnest($1::uuid[]) with ordinality c (id, place) on (n % $3::int) + 1 = c.place
    ), media_made as (
      insert into media (id, owner_id, status, byte_size, content_type, file_name, width, height, webp_widths, avif_widths, jpeg_width, thumbhash,
          preview_thumbhash, preview_height, is_public, used_at, created_at, finished_at)
        select media_id, creator_id, 'ready', 240000, 'image/jpeg', 'picture.jpg', 1200, 1500, '{96,384,640,1080}', '{96,384,640,1080}', 1080,
          'HBgGBQAHh4h3eHh4iIiIh3dwBwAAAAA=', 'GxgGBQAHh4h3eHh4iIiIh3dwBwAAAAA=', 800, price_cents = 0, at, at, at from made
    )
    insert into bulk_posts select * from made`,
  },
  {
    name: 'testing-bulk-posts',
    text: `insert into posts (id, creator_id, type, caption, price_cents, media_count, media_facts, created_at)
      select b.post_id, b.creator_id, 'picture', 'A quiet morning in the studio, number ' || b.post_id, b.price_cents, 1,
        '[{"alt":"Studies",' || substr(m.facts, 2) || ']', b.at from bulk_posts b join media m on m.id = b.media_id`,
  },
  {
    name: 'testing-bulk-post-media',
    text: `insert into post_media (post_id, position, media_id, alt) select post_id, 0, media_id, 'Studies' from bulk_posts`,
  },
];
const BULK_TABLE =
  'create temporary table bulk_posts (post_id uuid, media_id uuid, at timestamptz, price_cents bigint, creator_id uuid) on commit drop';

/**
 * Publishes `count` posts of one picture each, spread evenly over the creators, `stepMs` apart and ending at `until`, without
 * telling anybody; for benches.
 */
export async function makePosts(
  ctx: Context,
  creatorIds: readonly string[],
  count: number,
  { until = ctx.clock.now(), stepMs = 1000 } = {},
): Promise<void> {
  const batch = 20_000;
  for (let from = 0; from < count; from += batch) {
    const to = Math.min(from + batch, count) - 1;
    await ctx.db.transaction(async (tx) => {
      await runSql(tx, BULK_TABLE);
      const [media, ...rest] = BULK;
      if (media) await tx.run(media, [creatorIds, until, creatorIds.length, `${stepMs} milliseconds`, from, to]);
      for (const statement of rest) await tx.run(statement, []);
    });
  }
  await ctx.db.query
    .updateTable('creators')
    .set((eb) => ({
      post_count: eb
        .selectFrom('posts')
        .whereRef('posts.creator_id', '=', 'creators.user_id')
        .where('removed_at', 'is', null)
        .select(eb.fn.countAll<number>().as('n')),
      media_count: eb
        .selectFrom('posts')
        .whereRef('posts.creator_id', '=', 'creators.user_id')
        .where('removed_at', 'is', null)
        .select(eb.fn.countAll<number>().as('n')),
    }))
    .where('user_id', 'in', [...creatorIds])
    .execute();
}
