/**
 * Measures moderation: the admin inbox with many cases ÷ with few, feed and discovery of a fan with many blocked pairs
 * ÷ with few, and the memory of a data export with 10,000 messages and 1,000 pictures.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type AdminWorld,
  BLOCKED_PAIRS,
  createAdminWorld,
  createBlockedPairs,
  OPERATOR_COOKIE,
} from './fixtures/cases.ts';
import { ensureCrowd } from './fixtures/crowd.ts';
import { createExportWorld } from './fixtures/data-export.ts';
import { formatSessionCookie } from './fixtures/users.ts';
import { type Child, startChild, startLoader } from './harness/child.ts';
import type { BenchContext } from './harness/context.ts';
import { vacuumDatabase } from './harness/database.ts';
import { measureHttp } from './harness/http.ts';
import type { BenchResult, Figure } from './harness/report.ts';
import { calculateRatio, formatSamples, getCpuMs, interleave, type LoadSample, toRatio } from './harness/rounds.ts';
import { BROWSER_HEADERS, WARM_SECONDS } from './pages.ts';

const CLIENTS = 4;
const ADMIN_HEADERS = BROWSER_HEADERS.replace('cross-site', 'same-origin');

async function startProduct(context: BenchContext, url: string, name: string, hasPages = false): Promise<Child> {
  const dataDir = join(context.folder, name);
  await mkdir(dataDir, { recursive: true });
  return startChild('servers/product.ts', [url, dataDir, ...(hasPages ? ['pages'] : [])]);
}

type Variants = Record<string, (seconds: number) => Promise<LoadSample>>;

async function measurePairs(
  context: BenchContext,
  variants: Variants,
  pairs: readonly { name: string; large: string; small: string; atMost: number }[],
  warmSeconds?: number,
): Promise<Figure[]> {
  const samples = await interleave(context.options, variants, context.logProgress, warmSeconds);
  return pairs.map(({ name, large, small, atMost }) => {
    const [ours, limit] = [samples[large] ?? [], samples[small] ?? []];
    return {
      name,
      ours: formatSamples(ours),
      limit: formatSamples(limit),
      ratio: calculateRatio(ours, limit, getCpuMs),
      aim: { atMost },
    };
  });
}

function listAdminPaths({ openCaseId, reference, name, userId }: AdminWorld): Readonly<Record<string, string>> {
  const lists = {
    'the inbox': 'view=open',
    'a queue': 'view=open&queue=reports',
    unassigned: 'view=unassigned',
    'what has ended': 'view=closed',
    'a search by name': `q=${name}`,
  };
  const searches = {
    'looking up who begins so': name,
    'looking up who holds it': name.slice(1),
    'looking up an address': `${name}%40example.com`,
    'looking up a case by its number': reference,
    'looking up an id, of whatever kind': openCaseId,
  };
  const toPaths = <T extends object>(entries: T, toPath: (value: string) => string, suffix = '') =>
    Object.fromEntries(Object.entries(entries).map(([label, value]) => [`${label}${suffix}`, toPath(String(value))]));
  return {
    ...toPaths(lists, (search) => `/admin/cases?${search}`, ', page'),
    ...toPaths(searches, (q) => `/admin/search?q=${q}`, ', page'),
    ...toPaths(lists, (search) => `/api/admin/cases?${search}&limit=30`),
    ...toPaths(searches, (q) => `/api/admin/search?q=${q}`),
    'counts of the inbox': '/api/admin/case-counts',
    'a case with all that belongs to it': `/api/admin/cases/${openCaseId}`,
    'a person with all that is known of them': `/api/admin/users/${userId}`,
  };
}

async function measureAdmin(context: BenchContext): Promise<Figure[]> {
  const { options, postgres } = context;
  const sizes = options.isQuick ? [1_000, 20_000] : [1_000, 1_000_000];
  const adminWorlds: AdminWorld[] = [];
  for (const size of sizes) adminWorlds.push(await createAdminWorld(context, size));
  const [small, large] = adminWorlds;
  if (!small || !large) return [];
  const servers: Child[] = [];
  for (const adminWorld of adminWorlds)
    servers.push(await startProduct(context, adminWorld.url, `cases-${adminWorld.cases}`, true));
  const loader = await startLoader();
  const pathsByWorld = adminWorlds.map(listAdminPaths);
  const variants: Variants = {};
  for (const label of Object.keys(pathsByWorld[0] ?? {}))
    adminWorlds.forEach(({ cases }, n) => {
      const [server, path] = [servers[n], pathsByWorld[n]?.[label]];
      if (!server || !path) return;
      variants[`${label} ${cases}`] = (seconds) =>
        measureHttp({ loader, postgres }, server, {
          method: 'GET',
          paths: [path],
          headers: path.startsWith('/api/') ? [OPERATOR_COOKIE] : [`${ADMIN_HEADERS}\r\n${OPERATOR_COOKIE}`],
          connections: CLIENTS,
          seconds,
        });
    });
  const figures = await measurePairs(
    context,
    variants,
    Object.keys(pathsByWorld[0] ?? {}).map((label) => ({
      name: `${label}: ${large.cases.toLocaleString('en')} ÷ ${small.cases.toLocaleString('en')} cases and accounts`,
      large: `${label} ${large.cases}`,
      small: `${label} ${small.cases}`,
      atMost: 1.1,
    })),
    WARM_SECONDS,
  );
  for (const child of [...servers, loader]) await child.stop();
  return figures;
}

async function measureBlockedPairs(context: BenchContext): Promise<Figure[]> {
  const { postgres } = context;
  const world = await ensureCrowd(context, 'large');
  await createBlockedPairs(world.url);
  await vacuumDatabase(world.url);
  const server = await startProduct(context, world.url, 'apart');
  const loader = await startLoader();
  const paths = { feed: '/api/feed?limit=20', discovery: '/api/public/creators?limit=20&sort=recommended' };
  const variants: Variants = {};
  for (const [group, { fan }] of Object.entries(BLOCKED_PAIRS))
    for (const [label, path] of Object.entries(paths))
      variants[`${label} ${group}`] = (seconds) =>
        measureHttp({ loader, postgres }, server, {
          method: 'GET',
          paths: [path],
          headers: [formatSessionCookie(fan)],
          connections: CLIENTS,
          seconds,
        });
  const figures = await measurePairs(
    context,
    variants,
    Object.keys(paths).map((label) => ({
      name: `${label} of a user in ${BLOCKED_PAIRS.many.count.toLocaleString('en')} blocked pairs ÷ in ${BLOCKED_PAIRS.few.count}`,
      large: `${label} many`,
      small: `${label} few`,
      atMost: 1.2,
    })),
  );
  for (const child of [server, loader]) await child.stop();
  return figures;
}

type ExportResult = { ms: number; grownMb: number; mb: number };

async function createExport(
  server: Child,
  cookie: string,
  logProgress: BenchContext['logProgress'],
): Promise<ExportResult> {
  const url = `http://127.0.0.1:${server.port}/api/account/data-export`;
  const [, value = ''] = cookie.split(': ');
  const before = (await server.usage()).rssMb;
  const started = performance.now();
  const response = await fetch(url, { method: 'POST', headers: { cookie: value, origin: 'http://127.0.0.1:4106' } });
  if (!response.ok) throw new Error(`a data export was refused: ${response.status} ${await response.text()}`);
  let peak = before;
  for (;;) {
    peak = Math.max(peak, (await server.usage()).rssMb);
    const statusResponse = await fetch(url, { headers: { cookie: value } });
    const { dataExport } = (await statusResponse.json()) as { dataExport: { state: string; bytes: number | null } };
    if (dataExport.state === 'failed') throw new Error('a data export failed');
    if (dataExport.state === 'ready') {
      const result = {
        ms: performance.now() - started,
        grownMb: Math.max(0, peak - before),
        mb: (dataExport.bytes ?? 0) / 1e6,
      };
      logProgress(
        `a data export of ${result.mb.toFixed(0)} MB in ${result.ms.toFixed(0)} ms, ${result.grownMb.toFixed(1)} MB more`,
      );
      return result;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * An existing export is not created again, so each run uses another account. The first runs grow the heap, and the last
 * one counts.
 */
const EXPORTS = 3;

async function measureExport(context: BenchContext): Promise<Figure[]> {
  const [messages, pictures] = context.options.isQuick ? [1_000, 20] : [10_000, 1_000];
  const exportWorld = await createExportWorld(context, EXPORTS, messages, pictures);
  const server = await startProduct(context, exportWorld.url, 'archive');
  for (const { key, bytes } of exportWorld.files) {
    const path = join(context.folder, 'archive', 'media', ...key.split('/'));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  }
  const results: ExportResult[] = [];
  for (const cookie of exportWorld.cookies) results.push(await createExport(server, cookie, context.logProgress));
  await server.stop();
  const last = results.at(-1);
  if (!last) throw new Error('no data export was written');
  const { ms, grownMb, mb } = last;
  return [
    {
      name: `memory that an archive of ${messages.toLocaleString('en')} messages and ${pictures.toLocaleString('en')} pictures takes while it is written ÷ 32 MB`,
      ours: `${grownMb.toFixed(1)} MB (${mb.toFixed(0)} MB in ${(ms / 1_000).toFixed(1)} s)`,
      limit: '32 MB',
      ratio: toRatio(grownMb / 32),
      aim: { atMost: 1 },
    },
  ];
}

export async function measureModeration(context: BenchContext): Promise<BenchResult> {
  return {
    bench: 'moderation',
    reading:
      'CPU per response (Node and PostgreSQL; a page with its data, or the data alone) with many cases ÷ with few, and for a fan with many blocked creators ÷ with few. Less is better; 1 is no growth.',
    figures: [
      ...(await measureAdmin(context)),
      ...(await measureBlockedPairs(context)),
      ...(await measureExport(context)),
    ],
    notes: [],
  };
}
