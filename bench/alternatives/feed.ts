/**
 * A feed whose posts are cached as JSON, compared with a feed that presents and serializes each post anew. The
 * difference is measured alone and added to the cost of the request, because the product has no switch for it.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { getFeed } from '@stagedoor/contract/content/feed.ts';
import { listFeedPosts } from '../../server/modules/content/feed/store.ts';
import { hydratePost, type StoredPost } from '../../server/modules/content/posts/hydrate.ts';
import { presentPost } from '../../server/modules/content/posts/present.ts';
import { serializePost } from '../../server/modules/content/posts/serialize.ts';
import { LAST_ID } from '../../server/platform/database/pagination.ts';
import { createPageSerializer } from '../../server/platform/http/preserialized.ts';
import { toSerializer } from '../../server/platform/http/response-serializer.ts';
import { ensureCrowd, FOLLOWERS } from '../fixtures/crowd.ts';
import { formatSessionCookie, toBenchUserId } from '../fixtures/users.ts';
import { startChild, startLoader } from '../harness/child.ts';
import type { BenchContext } from '../harness/context.ts';
import { withDatabase } from '../harness/database.ts';
import { measureHttp } from '../harness/http.ts';
import { measureLoop } from '../harness/loop.ts';
import type { Figure } from '../harness/report.ts';
import { calculateMedianBy, getCpuMs, interleave, summarizeRatios } from '../harness/rounds.ts';

const CLIENTS = 4;
const LIMIT = 20;
const toFan = (n: number) => FOLLOWERS.some.from + n;

async function listFeeds(url: string): Promise<StoredPost[][]> {
  return withDatabase(url, async (db) => {
    const page = { before: LAST_ID, type: null, skip: 0, limit: LIMIT };
    const feeds: StoredPost[][] = [];
    for (let n = 0; n < FOLLOWERS.some.count; n += 1)
      feeds.push(await listFeedPosts(db, toBenchUserId('fan', toFan(n)), page));
    return feeds;
  });
}

export async function measureFeedAlternative(context: BenchContext): Promise<Figure[]> {
  const { options, postgres, folder, logProgress } = context;
  const { url } = await ensureCrowd(context, 'small');
  const dataDir = join(folder, 'feed-alternative');
  await mkdir(dataDir, { recursive: true });
  const loader = await startLoader();
  const product = await startChild('servers/product.ts', [url, dataDir]);
  const feeds = await listFeeds(url);
  const serializePage = createPageSerializer(toSerializer(getFeed.response));
  let next = 0;
  const repeat = (toItem: (row: StoredPost) => unknown) => (seconds: number) =>
    measureLoop(() => {
      next += 1;
      return serializePage({ data: (feeds[next % feeds.length] ?? []).map(toItem), limit: LIMIT });
    }, seconds);
  const headers = Array.from({ length: FOLLOWERS.some.count }, (_, n) => formatSessionCookie(toFan(n)));
  const job = { method: 'GET', connections: CLIENTS, headers, paths: [`/api/feed?limit=${LIMIT}`] } as const;
  const samples = await interleave(
    options,
    {
      request: (seconds) => measureHttp({ loader, postgres }, product, { ...job, seconds }),
      cached: repeat(serializePost),
      presented: repeat((row) => presentPost(hydratePost(row))),
    },
    logProgress,
  );
  await product.stop();
  await loader.stop();
  const costs = samples.request.map(({ cpuMs }, round) => {
    const saved = (samples.presented[round]?.cpuMs ?? Number.NaN) - (samples.cached[round]?.cpuMs ?? Number.NaN);
    return { ours: cpuMs, limit: cpuMs + saved };
  });
  const cpuMs = calculateMedianBy(samples.request, getCpuMs);
  const savedMs = calculateMedianBy(samples.presented, getCpuMs) - calculateMedianBy(samples.cached, getCpuMs);
  return [
    {
      name: `feed of ${LIMIT} posts: posts cached as JSON ÷ serialized anew`,
      ours: `${cpuMs.toFixed(2)} ms`,
      limit: `${(cpuMs + savedMs).toFixed(2)} ms`,
      ratio: summarizeRatios(costs.map(({ ours, limit }) => ours / limit)),
      aim: { atMost: 0.95 },
    },
  ];
}
