import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Child, startChild, startLoader } from './harness/child.ts';
import { measureHttp } from './harness/http.ts';
import type { Figure, Result } from './harness/report.ts';
import { cpuOf, interleave, ratioOf, type Sample, shown } from './harness/rounds.ts';
import type { Stage } from './harness/stage.ts';
import { crowd, FOLLOWERS } from './worlds/crowd.ts';
import { cookieLine, personId } from './worlds/people.ts';

const CLIENTS = 4;

export async function feed(stage: Stage): Promise<Result> {
  const { options, postgres, folder, tell } = stage;
  const large = await crowd(stage, 'large');
  const small = await crowd(stage, 'small');
  const loader = await startLoader();
  const start = async (url: string, name: string, ...pages: string[]) => {
    const dataDir = join(folder, name);
    await mkdir(dataDir, { recursive: true });
    return startChild('servers/product.ts', [url, dataDir, ...pages]);
  };
  const onLarge = await start(large.url, 'feed', 'pages');
  const onSmall = await start(small.url, 'feed-small');
  const thin = await startChild('servers/thin.ts', [large.url]);

  const read =
    (server: Child, path: string, who: keyof typeof FOLLOWERS, more = '') =>
    (seconds: number) => {
      const { from, count } = FOLLOWERS[who];
      const numbers = Array.from({ length: count }, (_, n) => from + n);
      const headers = numbers.map((n) => (server === thin ? `fan: ${personId('fan', n)}` : `${cookieLine(n)}${more}`));
      return measureHttp({ loader, postgres }, server, {
        method: 'GET',
        connections: CLIENTS,
        seconds,
        headers,
        paths: [path],
      });
    };
  const call = '/api/feed?limit=20';
  const samples = await interleave(
    options,
    {
      thin: read(thin, '/timeline', 'some'),
      feed: read(onLarge, call, 'some'),
      compressed: read(onLarge, call, 'some', '\r\naccept-encoding: gzip, deflate, br, zstd'),
      fewPosts: read(onSmall, call, 'some'),
      fewFollows: read(onLarge, call, 'few'),
      manyFollows: read(onLarge, call, 'many'),
      page: read(onLarge, '/fan/profile', 'some'),
    },
    tell,
  );
  for (const child of [onLarge, onSmall, thin]) await child.stop();
  await loader.stop();
  const figure = (name: string, ours: readonly Sample[], limit: readonly Sample[], atMost?: number): Figure => ({
    name,
    ours: shown(ours),
    limit: shown(limit),
    ratio: ratioOf(ours, limit, cpuOf),
    ...(atMost && { aim: { atMost } }),
  });
  const { few, many } = FOLLOWERS;
  return {
    bench: 'feed',
    reading:
      'CPU a request (node and PostgreSQL) of twenty posts of a feed. Less is better; 1 is the thin timeline itself, or no growth.',
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
