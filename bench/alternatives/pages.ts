/** Pages rendered with only the routes of their branch, compared with React Router's whole table. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureCrowd, FOLLOWERS } from '../fixtures/crowd.ts';
import { listBenchPostIds } from '../fixtures/posts.ts';
import { formatSessionCookie, toBenchUserId } from '../fixtures/users.ts';
import { type Child, startChild } from '../harness/child.ts';
import type { BenchContext } from '../harness/context.ts';
import { withDatabase } from '../harness/database.ts';
import type { Figure } from '../harness/report.ts';
import { calculateRatio, formatSamples, getCpuMs, interleave, type LoadSample } from '../harness/rounds.ts';
import type { MatchJob, RegisterRouterPageJob, RenderJob } from '../servers/router.ts';

const createVariant =
  (server: Child, job: Omit<RenderJob, 'seconds'> | Omit<MatchJob, 'seconds'>) =>
  async (seconds: number): Promise<LoadSample> => {
    const before = await server.usage();
    const count = await server.request<number>({ ...job, seconds });
    const cpuMs = ((await server.usage()).cpuMs - before.cpuMs) / count;
    return { rate: count / seconds, cpuMs, nodeMs: cpuMs, p50Ms: 0, p99Ms: 0, count };
  };

export async function measurePageAlternatives(context: BenchContext): Promise<Figure[]> {
  const { options, folder, logProgress } = context;
  const { url } = await ensureCrowd(context, 'small');
  const dataDir = join(folder, 'page-alternatives');
  await mkdir(dataDir, { recursive: true });
  const product = await startChild('servers/product.ts', [url, dataDir]);
  const server = await startChild('servers/router.ts');
  const [post = ''] = await withDatabase(url, (db) => listBenchPostIds(db, 1, false));
  const cookie = formatSessionCookie(FOLLOWERS.some.from).replace('cookie: ', '');
  const pages = {
    home: { path: '/', cookie: undefined },
    profile: { path: `/profile/${toBenchUserId('creator', 0)}`, cookie: undefined },
    post: { path: `/post/${post}`, cookie: undefined },
    feed: { path: '/fan/feed', cookie },
  };
  const runs: Record<string, (seconds: number) => Promise<LoadSample>> = {};
  for (const [name, page] of Object.entries(pages)) {
    await server.request({ register: name, port: product.port, ...page } satisfies RegisterRouterPageJob);
    runs[`${name}, branch`] = createVariant(server, { render: name, isWhole: false });
    runs[`${name}, whole`] = createVariant(server, { render: name, isWhole: true });
  }
  const match = Object.values(pages).map(({ path }) => path);
  runs['match, branch'] = createVariant(server, { match, isWhole: false });
  runs['match, whole'] = createVariant(server, { match, isWhole: true });
  const samples = await interleave(options, runs, logProgress);
  for (const child of [server, product]) await child.stop();
  const figure = (name: string, title: string, aim?: Figure['aim']): Figure => {
    const [branch = [], whole = []] = [samples[`${name}, branch`], samples[`${name}, whole`]];
    const ratio = calculateRatio(branch, whole, getCpuMs);
    return { name: title, ours: formatSamples(branch), limit: formatSamples(whole), ratio, ...(aim && { aim }) };
  };
  return [
    figure('match', 'matching an address: leaves of its first segment ÷ React Router’s whole table', { atMost: 0.5 }),
    ...Object.keys(pages).map((name) =>
      figure(
        name,
        `${name} with prepared data: routes of its branch ÷ React Router’s whole table`,
        // In the much larger page of a fan, the difference is within the noise.
        name === 'feed' ? undefined : { atMost: 0.95 },
      ),
    ),
  ];
}
