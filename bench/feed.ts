import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureCrowd, FOLLOWERS } from './fixtures/crowd.ts';
import { formatSessionCookie, toBenchUserId } from './fixtures/users.ts';
import { type Child, startChild, startLoader } from './harness/child.ts';
import type { BenchContext } from './harness/context.ts';
import { measureHttp } from './harness/http.ts';
import type { BenchResult, Figure } from './harness/report.ts';
import { calculateRatio, formatSamples, getCpuMs, interleave, type LoadSample } from './harness/rounds.ts';

const CLIENTS = 4;

export async function measureFeed(context: BenchContext): Promise<BenchResult> {
  const { options, postgres, folder, logProgress } = context;
  const large = await ensureCrowd(context, 'large');
  const small = await ensureCrowd(context, 'small');
  const loader = await startLoader();
  const start = async (url: string, name: string, ...pages: string[]) => {
    const dataDir = join(folder, name);
    await mkdir(dataDir, { recursive: true });
    return startChild('servers/product.ts', [url, dataDir, ...pages]);
  };
  const onLarge = await start(large.url, 'feed', 'pages');
  const onSmall = await start(small.url, 'feed-small');
  const thin = await startChild('servers/thin.ts', [large.url]);

  const createVariant =
    (server: Child, path: string, group: keyof typeof FOLLOWERS, extraHeaders = '') =>
    (seconds: number) => {
      const { from, count } = FOLLOWERS[group];
      const numbers = Array.from({ length: count }, (_, n) => from + n);
      const headers = numbers.map((n) =>
        server === thin ? `fan: ${toBenchUserId('fan', n)}` : `${formatSessionCookie(n)}${extraHeaders}`,
      );
      return measureHttp({ loader, postgres }, server, {
        method: 'GET',
        connections: CLIENTS,
        seconds,
        headers,
        paths: [path],
      });
    };
  const feedPath = '/api/feed?limit=20';
  const samples = await interleave(
    options,
    {
      thin: createVariant(thin, '/timeline', 'some'),
      feed: createVariant(onLarge, feedPath, 'some'),
      compressed: createVariant(onLarge, feedPath, 'some', '\r\naccept-encoding: gzip, deflate, br, zstd'),
      fewPosts: createVariant(onSmall, feedPath, 'some'),
      fewFollows: createVariant(onLarge, feedPath, 'few'),
      manyFollows: createVariant(onLarge, feedPath, 'many'),
      page: createVariant(onLarge, '/fan/profile', 'some'),
    },
    logProgress,
  );
  for (const child of [onLarge, onSmall, thin]) await child.stop();
  await loader.stop();
  const figure = (
    name: string,
    ours: readonly LoadSample[],
    limit: readonly LoadSample[],
    atMost?: number,
  ): Figure => ({
    name,
    ours: formatSamples(ours),
    limit: formatSamples(limit),
    ratio: calculateRatio(ours, limit, getCpuMs),
    ...(atMost && { aim: { atMost } }),
  });
  const { few, many } = FOLLOWERS;
  return {
    bench: 'feed',
    reading:
      'CPU per request (Node and PostgreSQL) for twenty posts of a feed. Less is better; 1 is the thin timeline, or no growth.',
    figures: [
      figure('feed of 20 posts, 50 follows ÷ thin stored timeline', samples.feed, samples.thin, 2),
      figure(
        `feed: ${large.posts.toLocaleString('en')} posts ÷ ${small.posts.toLocaleString('en')}`,
        samples.feed,
        samples.fewPosts,
        1.1,
      ),
      figure(
        `feed: ${many.follows.toLocaleString('en')} follows ÷ ${few.follows}`,
        samples.manyFollows,
        samples.fewFollows,
        1.5,
      ),
      figure('feed, compressed ÷ as it is', samples.compressed, samples.feed),
      figure('feed page, rendered for the fan ÷ its data', samples.page, samples.feed),
    ],
    notes: [],
  };
}
