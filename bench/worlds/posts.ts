import { type Database, runSql } from '../../server/kernel/db.ts';
import { personIdSql } from './people.ts';

export type PostsWorld = {
  creators: number;
  posts: number;
  paidEvery: number;
};

const YEAR_MS = 365 * 24 * 3_600_000;
const CAPTION =
  'Third firing of the ash glaze. The shoulder held this time, and the run stops a finger above the foot, which is where I wanted it. Notes on the recipe below.';

const THUMBHASH = 'HBkSHYSIeHiPiHh8eJd4eTN0EEQG';

/** A UUIDv7 of the n-th of `total` moments of the last year. `kind` distinguishes posts from media. */
function idSql(total: number, n: string, kind: '8' | '9'): string {
  const stepMs = Math.floor(YEAR_MS / total);
  const ms = `(floor(extract(epoch from date_trunc('hour', now())) * 1000)::bigint - ${YEAR_MS} + ${n}::bigint * ${stepMs})`;
  return `(regexp_replace(lpad(to_hex(${ms}), 12, '0'), '^(.{8})', '\\1-') || '-7000-${kind}000-' || lpad(${n}::text, 12, '0'))::uuid`;
}

/**
 * Creates the posts. Triggers and foreign keys are disabled, except while the media are inserted, because the rows are
 * correct by construction.
 */
export async function makePosts(db: Database, { creators, posts, paidEvery }: PostsWorld): Promise<void> {
  await runSql(
    db,
    `create temporary table made as
       select n, ${idSql(posts, 'n', '8')} as id, ${idSql(posts, 'n', '9')} as media, ${personIdSql('creator', `n % ${creators}`)} as creator,
         n % ${paidEvery} = 0 as is_paid from generate_series(0, ${posts - 1}) as n;
     insert into media (id, owner_id, status, byte_size, content_type, width, height, webp_widths, avif_widths, jpeg_width,
         thumbhash, preview_thumbhash, preview_height, is_public, used_at, created_at, finished_at)
       select media, creator, 'ready', 2400000, 'image/jpeg', 3000, 2000, array[96,384,640,1080,1920], array[384,640,1080], 1080,
         '${THUMBHASH}', '${THUMBHASH}', 427, not is_paid, at, at, at
       from made, uuid_extract_timestamp(id) as at;
     set session_replication_role = replica;
     insert into posts (id, creator_id, type, caption, price_cents, media_count, media_facts, like_count, created_at)
       select made.id, creator, 'picture', 'Kiln ' || n || E'\\n${CAPTION}', case when is_paid then 500 else 0 end, 1,
         '[{"alt":"A tall jar with a running glaze",' || substr(m.facts, 2) || ']', n % 97, uuid_extract_timestamp(made.id)
       from made join media m on m.id = made.media;
     insert into post_media (post_id, position, media_id, alt) select id, 0, media, 'A tall jar with a running glaze' from made;
     drop table made;
     set session_replication_role = origin;
     update creators c set post_count = s.posts, media_count = s.posts, last_post_at = s.last
       from (select creator_id, count(*) as posts, max(created_at) as last from posts group by creator_id) s where s.creator_id = c.user_id`,
  );
}

export async function postIds(db: Database, limit: number, isPaid: boolean): Promise<string[]> {
  const { rows } = await db.pool.query<{ id: string }>(
    `select id from posts where (price_cents > 0) = $2 order by id desc limit $1`,
    [limit, isPaid],
  );
  return rows.map(({ id }) => id);
}
