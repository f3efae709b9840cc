import { runSql } from '../../server/kernel/db.ts';
import { settleDatabase, withDatabase } from '../harness/database.ts';
import type { Stage } from '../harness/stage.ts';
import { makeCreators, makeFans, personIdSql } from './people.ts';

export type Library = { url: string; small: number; large: number; smallCookie: string; largeCookie: string };

const FIRST = 900;
const token = (n: number) => `bench${String(n).padStart(38, '0')}`;
const cookie = (n: number) => `cookie: sid=${token(n)}; loggedIn=true`;

const PART = 20_000;

const RARE = 20;

/** `rare` of the `count` rows contain the word, each on a page of its own. */
const insert = (creator: number, count: number, rare: number) => `
  insert into media (id, owner_id, kind, status, byte_size, content_type, file_name, title, width, height, duration_seconds,
      webp_widths, jpeg_width, thumbhash, preview_thumbhash, preview_height, finished_at)
    select uuidv7(make_interval(secs => n / 1000.0 - ${count / 1000})), ${personIdSql('creator', String(creator))}, case when n % 5 = 0 then 'video' else 'picture' end, 'ready',
      240000, 'image/jpeg', 'DSC_' || n || '.jpg', 'Studio ' || (n * 7919) % 50021 || case when ${rare > 0} and n % ${Math.floor(count / Math.max(1, rare))} = 3 then ' kiln opening' else '' end, 1200, 1500,
      case when n % 5 = 0 then 90.5 end, '{96,384,640,1080}', 1080, 'HBgGBQAHh4h3eHh4iIiIh3dwBwAAAAA=', 'GxgGBQAHh4h3eHh4iIiIh3dwBwAAAAA=', 800, now()
    from generate_series(1, ${count}) as n`;

/** Creates one creator with a thousand uploads and one with a million. For both, a rare word finds twenty. */
export async function makeLibrary(stage: Stage): Promise<Library> {
  const large = stage.options.isQuick ? 20_000 : 1_000_000;
  const small = 1_000;
  stage.tell(`making ${large.toLocaleString('en')} uploads`);
  const url = await stage.postgres.migrated('library');
  await withDatabase(url, async (db) => {
    await makeFans(db, 1);
    await makeCreators(db, 3);
    await runSql(
      db,
      [FIRST, FIRST + 1, FIRST + 2]
        .map(
          (n, at) => `insert into sessions (user_id, token_hash, device, display_mode, expires_at)
            values (${personIdSql('creator', String(at))}, sha256(convert_to('${token(n)}', 'UTF8')), 'Bench', 'browser', now() + interval '7 days')`,
        )
        .join(';'),
    );
    await runSql(db, insert(0, small, RARE));
    const parts = large / PART;
    const rareBefore = (part: number) => Math.floor((RARE * part) / parts);
    for (let part = 0; part < parts; part += 1)
      await runSql(db, insert(1, PART, rareBefore(part + 1) - rareBefore(part)));
  });
  await settleDatabase(url);
  return { url, small, large, smallCookie: cookie(FIRST), largeCookie: cookie(FIRST + 1) };
}

export const EMPTY_COOKIE = cookie(FIRST + 2);
