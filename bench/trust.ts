/**
 * Measures moderation: the admin inbox with many cases ÷ with few, feed and discovery of a fan with many blocked pairs
 * ÷ with few, and the memory of a data export with 10,000 messages and 1,000 pictures.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Child, startChild, startLoader } from './harness/child.ts';
import { settleDatabase } from './harness/database.ts';
import { measureHttp } from './harness/http.ts';
import type { Figure, Result } from './harness/report.ts';
import { cpuOf, exactly, interleave, ratioOf, type Sample, shown } from './harness/rounds.ts';
import type { Stage } from './harness/stage.ts';
import { BROWSER, WARM_SECONDS } from './pages.ts';
import { APART, type Desk, makeApart, makeDesk, OPERATOR_COOKIE } from './worlds/cases.ts';
import { crowd } from './worlds/crowd.ts';
import { makeKeepers } from './worlds/keeper.ts';
import { cookieLine } from './worlds/people.ts';

const CLIENTS = 4;
const FROM_THE_DESK = BROWSER.replace('cross-site', 'same-origin');

async function productOn(stage: Stage, url: string, name: string, hasPages = false): Promise<Child> {
  const dataDir = join(stage.folder, name);
  await mkdir(dataDir, { recursive: true });
  return startChild('servers/product.ts', [url, dataDir, ...(hasPages ? ['pages'] : [])]);
}

type Variants = Record<string, (seconds: number) => Promise<Sample>>;

async function measurePairs(
  stage: Stage,
  variants: Variants,
  pairs: readonly { name: string; large: string; small: string; atMost: number }[],
  warmSeconds?: number,
): Promise<Figure[]> {
  const samples = await interleave(stage.options, variants, stage.tell, warmSeconds);
  return pairs.map(({ name, large, small, atMost }) => {
    const [ours, limit] = [samples[large] ?? [], samples[small] ?? []];
    return { name, ours: shown(ours), limit: shown(limit), ratio: ratioOf(ours, limit, cpuOf), aim: { atMost } };
  });
}

function askedOf({ openCaseId, reference, name, personId }: Desk): Readonly<Record<string, string>> {
  const lists = {
    'the inbox': 'view=open',
    'a queue': 'view=open&queue=reports',
    'nobody’s': 'view=nobodys',
    'what has ended': 'view=closed',
    'a search by name': `q=${name}`,
  };
  const lookUps = {
    'looking up who begins so': name,
    'looking up who holds it': name.slice(1),
    'looking up an address': `${name}%40example.com`,
    'looking up a case by its number': reference,
    'looking up an id, of whatever kind': openCaseId,
  };
  const all = <T extends object>(of: T, asked: (value: string) => string, suffix = '') =>
    Object.fromEntries(Object.entries(of).map(([what, value]) => [`${what}${suffix}`, asked(String(value))]));
  return {
    ...all(lists, (search) => `/admin/cases?${search}`, ', page'),
    ...all(lookUps, (q) => `/admin/search?q=${q}`, ', page'),
    ...all(lists, (search) => `/api/admin/cases?${search}&limit=30`),
    ...all(lookUps, (q) => `/api/admin/search?q=${q}`),
    'counts of the inbox': '/api/admin/case-counts',
    'a case with all that belongs to it': `/api/admin/cases/${openCaseId}`,
    'a person with all that is known of them': `/api/admin/people/${personId}`,
  };
}

async function measureDesk(stage: Stage): Promise<Figure[]> {
  const { options, postgres } = stage;
  const sizes = options.isQuick ? [1_000, 20_000] : [1_000, 1_000_000];
  const desks: Desk[] = [];
  for (const size of sizes) desks.push(await makeDesk(stage, size));
  const [small, large] = desks;
  if (!small || !large) return [];
  const servers: Child[] = [];
  for (const desk of desks) servers.push(await productOn(stage, desk.url, `desk-${desk.cases}`, true));
  const loader = await startLoader();
  const asked = desks.map(askedOf);
  const variants: Variants = {};
  for (const what of Object.keys(asked[0] ?? {}))
    desks.forEach(({ cases }, n) => {
      const [server, path] = [servers[n], asked[n]?.[what]];
      if (!server || !path) return;
      variants[`${what} ${cases}`] = (seconds) =>
        measureHttp({ loader, postgres }, server, {
          method: 'GET',
          paths: [path],
          headers: path.startsWith('/api/') ? [OPERATOR_COOKIE] : [`${FROM_THE_DESK}\r\n${OPERATOR_COOKIE}`],
          connections: CLIENTS,
          seconds,
        });
    });
  const figures = await measurePairs(
    stage,
    variants,
    Object.keys(asked[0] ?? {}).map((what) => ({
      name: `${what}: ${large.cases.toLocaleString('en')} ÷ ${small.cases.toLocaleString('en')} cases and accounts`,
      large: `${what} ${large.cases}`,
      small: `${what} ${small.cases}`,
      atMost: 1.1,
    })),
    WARM_SECONDS,
  );
  for (const child of [...servers, loader]) await child.stop();
  return figures;
}

async function measureApart(stage: Stage): Promise<Figure[]> {
  const { postgres } = stage;
  const world = await crowd(stage, 'large');
  await makeApart(world.url);
  await settleDatabase(world.url);
  const server = await productOn(stage, world.url, 'apart');
  const loader = await startLoader();
  const paths = { feed: '/api/feed?limit=20', discovery: '/api/public/creators?limit=20&sort=recommended' };
  const variants: Variants = {};
  for (const [who, { fan }] of Object.entries(APART))
    for (const [what, path] of Object.entries(paths))
      variants[`${what} ${who}`] = (seconds) =>
        measureHttp({ loader, postgres }, server, {
          method: 'GET',
          paths: [path],
          headers: [cookieLine(fan)],
          connections: CLIENTS,
          seconds,
        });
  const figures = await measurePairs(
    stage,
    variants,
    Object.keys(paths).map((what) => ({
      name: `${what} of somebody who is apart from ${APART.many.count.toLocaleString('en')} ÷ from ${APART.few.count}`,
      large: `${what} many`,
      small: `${what} few`,
      atMost: 1.2,
    })),
  );
  for (const child of [server, loader]) await child.stop();
  return figures;
}

type Written = { ms: number; grownMb: number; mb: number };

async function write(server: Child, cookie: string, tell: Stage['tell']): Promise<Written> {
  const url = `http://127.0.0.1:${server.port}/api/account/archive`;
  const [, value = ''] = cookie.split(': ');
  const before = (await server.usage()).rssMb;
  const begun = performance.now();
  const asked = await fetch(url, { method: 'POST', headers: { cookie: value, origin: 'http://127.0.0.1:4106' } });
  if (!asked.ok) throw new Error(`an archive was refused: ${asked.status} ${await asked.text()}`);
  let peak = before;
  for (;;) {
    peak = Math.max(peak, (await server.usage()).rssMb);
    const answer = await fetch(url, { headers: { cookie: value } });
    const { archive } = (await answer.json()) as { archive: { state: string; bytes: number | null } };
    if (archive.state === 'failed') throw new Error('an archive was not made');
    if (archive.state === 'ready') {
      const written = {
        ms: performance.now() - begun,
        grownMb: Math.max(0, peak - before),
        mb: (archive.bytes ?? 0) / 1e6,
      };
      tell(
        `an archive of ${written.mb.toFixed(0)} MB in ${written.ms.toFixed(0)} ms, ${written.grownMb.toFixed(1)} MB more`,
      );
      return written;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * An existing export is not created again, so each run uses another account. The first runs grow the heap, and the last
 * one counts.
 */
const ARCHIVES = 3;

async function measureArchive(stage: Stage): Promise<Figure[]> {
  const [messages, pictures] = stage.options.isQuick ? [1_000, 20] : [10_000, 1_000];
  const keepers = await makeKeepers(stage, ARCHIVES, messages, pictures);
  const server = await productOn(stage, keepers.url, 'archive');
  for (const { key, bytes } of keepers.files) {
    const path = join(stage.folder, 'archive', 'media', ...key.split('/'));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  }
  const written: Written[] = [];
  for (const cookie of keepers.cookies) written.push(await write(server, cookie, stage.tell));
  await server.stop();
  const last = written.at(-1);
  if (!last) throw new Error('no archive was written');
  const { ms, grownMb, mb } = last;
  return [
    {
      name: `memory that an archive of ${messages.toLocaleString('en')} messages and ${pictures.toLocaleString('en')} pictures takes while it is written ÷ 32 MB`,
      ours: `${grownMb.toFixed(1)} MB (${mb.toFixed(0)} MB in ${(ms / 1_000).toFixed(1)} s)`,
      limit: '32 MB',
      ratio: exactly(grownMb / 32),
      aim: { atMost: 1 },
    },
  ];
}

export async function trust(stage: Stage): Promise<Result> {
  return {
    bench: 'trust',
    reading:
      'CPU an answer (node and PostgreSQL; a page with its data, or the data alone) with many cases ÷ with few, and of somebody who is apart from many ÷ from few. Less is better; 1 is no growth.',
    figures: [...(await measureDesk(stage)), ...(await measureApart(stage)), ...(await measureArchive(stage))],
    notes: [],
  };
}
