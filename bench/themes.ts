import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { THEME_PRESETS } from '@stagedoor/contract/content/theme-presets.ts';
import { runSql } from '../server/platform/database/db.ts';
import { makePosts } from './fixtures/posts.ts';
import { makeCreators, toBenchUserId, toBenchUserIdSql } from './fixtures/users.ts';
import { startChild, startLoader } from './harness/child.ts';
import type { BenchContext } from './harness/context.ts';
import { vacuumDatabase, withDatabase } from './harness/database.ts';
import { measureHttp } from './harness/http.ts';
import type { BenchResult, Figure } from './harness/report.ts';
import { calculateRatio, formatSamples, getCpuMs, interleave, type LoadSample } from './harness/rounds.ts';

const CLIENTS = 4;
const HEADERS = ['accept: text/html\r\naccept-encoding: gzip, deflate, br, zstd'];
const WARM_SECONDS = 8;
const POSTS_EACH = 6;

/** Even creators stay plain. Each odd one has its own background, so that no cached theme is reused. */
async function createWorld(context: BenchContext, creators: number): Promise<string> {
  const url = await context.postgres.createMigrated('themes');
  const [preset] = THEME_PRESETS;
  if (!preset) throw new Error('There are no presets.');
  const { background: _, ...rest } = preset.theme;
  await withDatabase(url, async (db) => {
    await makeCreators(db, creators);
    await makePosts(db, { creators, posts: creators * POSTS_EACH, paidEvery: 3 });
    await runSql(
      db,
      `insert into creator_themes (creator_id, revision, published)
         select ${toBenchUserIdSql('creator', 'n')}, 1, '${JSON.stringify(rest)}'::jsonb
           || jsonb_build_object('background', '#f' || to_hex(n / 512 % 16) || 'f' || to_hex(n / 32 % 16) || 'f' || to_hex(n / 2 % 16))
         from generate_series(1, ${creators - 1}, 2) as n;
       update creators set layout = 'hero', shape = 'box', format = 'row'`,
    );
  });
  await vacuumDatabase(url);
  return url;
}

export async function measureThemes(context: BenchContext): Promise<BenchResult> {
  const { options, postgres, logProgress } = context;
  const creators = options.isQuick ? 8_000 : 40_000;
  logProgress(`making ${creators.toLocaleString('en')} creators, every second with a theme`);
  const url = await createWorld(context, creators);
  const dataDir = join(context.folder, 'themes');
  await mkdir(dataDir, { recursive: true });
  const loader = await startLoader();
  const product = await startChild('servers/product.ts', [url, dataDir, 'pages']);
  const get = (paths: readonly string[]) => {
    let first = 0;
    return async (seconds: number): Promise<LoadSample> => {
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
  const listPaths = (odd: 0 | 1) =>
    Array.from({ length: creators / 2 }, (_, n) => `/profile/${toBenchUserId('creator', 2 * n + odd)}`);
  const samples = await interleave(
    options,
    {
      plain: get(listPaths(0)),
      themed: get(listPaths(1)),
      plainCached: get(listPaths(0).slice(0, 1)),
      themedCached: get(listPaths(1).slice(0, 1)),
    },
    logProgress,
    WARM_SECONDS,
  );
  await product.stop();
  await loader.stop();
  const figure = (name: string, ours: readonly LoadSample[], limit: readonly LoadSample[]): Figure => ({
    name,
    ours: formatSamples(ours),
    limit: formatSamples(limit),
    ratio: calculateRatio(ours, limit, getCpuMs),
    aim: { atMost: 1.05 },
  });
  return {
    bench: 'themes',
    reading:
      'CPU per request (Node and PostgreSQL) of a visitor’s profile page with a theme ÷ one without a theme and with as many posts. Less is better.',
    figures: [
      figure('profile, not cached: themed ÷ plain', samples.themed, samples.plain),
      figure('profile, cached: themed ÷ plain', samples.themedCached, samples.plainCached),
    ],
    notes: [],
  };
}
