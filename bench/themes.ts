import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PRESETS } from '@stagedoor/contract/theme-presets.ts';
import { runSql } from '../server/kernel/db.ts';
import { startChild, startLoader } from './harness/child.ts';
import { settleDatabase, withDatabase } from './harness/database.ts';
import { measureHttp } from './harness/http.ts';
import type { Figure, Result } from './harness/report.ts';
import { cpuOf, interleave, ratioOf, type Sample, shown } from './harness/rounds.ts';
import type { Stage } from './harness/stage.ts';
import { makeCreators, personId, personIdSql } from './worlds/people.ts';
import { makePosts } from './worlds/posts.ts';

const CLIENTS = 4;
const HEADERS = ['accept: text/html\r\naccept-encoding: gzip, deflate, br, zstd'];
const WARM_SECONDS = 8;
const POSTS_EACH = 6;

/** Even creators stay plain. Each odd one has its own background, so that no cached theme is reused. */
async function makeWorld(stage: Stage, creators: number): Promise<string> {
  const url = await stage.postgres.migrated('themes');
  const [paper] = PRESETS;
  if (!paper) throw new Error('There are no presets.');
  const { background: _, ...rest } = paper.theme;
  await withDatabase(url, async (db) => {
    await makeCreators(db, creators);
    await makePosts(db, { creators, posts: creators * POSTS_EACH, paidEvery: 3 });
    await runSql(
      db,
      `insert into creator_themes (creator_id, revision, published)
         select ${personIdSql('creator', 'n')}, 1, '${JSON.stringify(rest)}'::jsonb
           || jsonb_build_object('background', '#f' || to_hex(n / 512 % 16) || 'f' || to_hex(n / 32 % 16) || 'f' || to_hex(n / 2 % 16))
         from generate_series(1, ${creators - 1}, 2) as n;
       update creators set layout = 'hero', shape = 'box', format = 'row'`,
    );
  });
  await settleDatabase(url);
  return url;
}

export async function themes(stage: Stage): Promise<Result> {
  const { options, postgres, tell } = stage;
  const creators = options.isQuick ? 8_000 : 40_000;
  tell(`making ${creators.toLocaleString('en')} creators, every second with a theme`);
  const url = await makeWorld(stage, creators);
  const dataDir = join(stage.folder, 'themes');
  await mkdir(dataDir, { recursive: true });
  const loader = await startLoader();
  const product = await startChild('servers/product.ts', [url, dataDir, 'pages']);
  const get = (paths: readonly string[]) => {
    let first = 0;
    return async (seconds: number): Promise<Sample> => {
      const sample = await measureHttp({ loader, postgres }, product, {
        method: 'GET',
        connections: CLIENTS,
        seconds,
        headers: HEADERS,
        paths,
        first,
      });
      first += sample.count + CLIENTS;
      return sample;
    };
  };
  const of = (odd: 0 | 1) =>
    Array.from({ length: creators / 2 }, (_, n) => `/profile/${personId('creator', 2 * n + odd)}`);
  const samples = await interleave(
    options,
    {
      plain: get(of(0)),
      themed: get(of(1)),
      plainKept: get(of(0).slice(0, 1)),
      themedKept: get(of(1).slice(0, 1)),
    },
    tell,
    WARM_SECONDS,
  );
  await product.stop();
  await loader.stop();
  const figure = (name: string, ours: readonly Sample[], limit: readonly Sample[]): Figure => ({
    name,
    ours: shown(ours),
    limit: shown(limit),
    ratio: ratioOf(ours, limit, cpuOf),
    aim: { atMost: 1.05 },
  });
  return {
    bench: 'themes',
    reading:
      'CPU a request (node and PostgreSQL) of a visitor’s profile in a theme of its own ÷ one that is plain, with as many posts. Less is better.',
    figures: [
      figure('profile, not kept: themed ÷ plain', samples.themed, samples.plain),
      figure('profile, kept: themed ÷ plain', samples.themedKept, samples.plainKept),
    ],
    notes: [],
  };
}
