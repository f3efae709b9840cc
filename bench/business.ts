/**
 * Measures how a creator's earnings requests grow with the ledger: dashboard, chart, balance, earnings page, a
 * statement of a year while it is streamed, and the verification of a long journal.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { clearDue } from '../server/modules/ledger/ledger/index.ts';
import { assertLedger } from './fixtures/assert-ledger.ts';
import { writeBenchJournal } from './fixtures/journal.ts';
import { makePastSales } from './fixtures/sales.ts';
import {
  formatSessionCookie,
  fundFans,
  makeCreators,
  makeFans,
  makeSessions,
  toBenchUserId,
} from './fixtures/users.ts';
import { type Child, startChild, startLoader } from './harness/child.ts';
import type { BenchContext } from './harness/context.ts';
import { vacuumDatabase, withDatabase } from './harness/database.ts';
import { measureHttp } from './harness/http.ts';
import type { BenchResult, Figure } from './harness/report.ts';
import { calculateRatio, formatSamples, getCpuMs, interleave, type LoadSample, toRatio } from './harness/rounds.ts';
import type { VerifierJob } from './servers/verifier.ts';

const FANS = 250;
/** Few enough that even in a small ledger each creator has a full first page. */
const CREATORS = 50;
const CLIENTS = 4;
/**
 * Ledgers of all sizes cover the same number of days, so only the sales per day grow. There are no sales on the last
 * day.
 */
const DAYS = 300;
const SMALL = 10_000;
const DAY_MS = 86_400_000;
const formatDay = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);

const PATHS = {
  stats: '/api/creator/stats',
  chart: '/api/creator/chart?period=monthly',
  balance: '/api/creator/balance',
  earnings: '/api/creator/earnings?limit=10&kind=tip',
  statement: `/api/creator/statement?format=csv&from=${formatDay(0)}&to=${formatDay(0)}`,
} as const;
type Kind = keyof typeof PATHS;
const KINDS = Object.keys(PATHS) as Kind[];

type Size = { entries: number; database: string; server: Child; thin: Child };

async function openLedger(context: BenchContext, entries: number, creators: number): Promise<Omit<Size, 'thin'>> {
  const database = `business_${entries}_${creators}`;
  context.logProgress(`making a ledger of ${entries} entries`);
  const url = await context.postgres.copy(database, 'business');
  await withDatabase(url, async (db) => {
    await makePastSales(db, Math.round(entries / 3), FANS, creators, DAYS, 2);
    await clearDue(db, new Date());
  });
  await vacuumDatabase(url);
  const dataDir = join(context.folder, database);
  await mkdir(dataDir);
  return { entries, database: url, server: await startChild('servers/product.ts', [url, dataDir]) };
}

async function measureGrowth(context: BenchContext, sizes: readonly Size[]): Promise<Figure[]> {
  const { options, postgres, logProgress } = context;
  const loader = await startLoader();
  const cookies = Array.from({ length: CREATORS }, (_, n) => formatSessionCookie(n, 'creator'));
  const names = Array.from({ length: CREATORS }, (_, n) => `creator: ${toBenchUserId('creator', n)}`);
  const variants: Record<string, (seconds: number) => Promise<LoadSample>> = {};
  for (const { entries, server, thin } of sizes)
    for (const kind of KINDS) {
      const createVariant = (child: Child, headers: string[], path: string) => (seconds: number) =>
        measureHttp({ loader, postgres }, child, {
          method: 'GET',
          paths: [path],
          headers,
          connections: CLIENTS,
          seconds,
        });
      variants[`${kind} ${entries}`] = createVariant(server, cookies, PATHS[kind]);
      variants[`${kind} ${entries}, bare`] = createVariant(thin, names, `/${kind}`);
    }
  const samples = await interleave(options, variants, logProgress);
  await loader.stop();
  const compareVariants = (name: string, ours: string, limit: string, aim?: Figure['aim']): Figure => {
    const [ownSamples, otherSamples] = [samples[ours] ?? [], samples[limit] ?? []];
    return {
      name,
      ours: formatSamples(ownSamples),
      limit: formatSamples(otherSamples),
      ratio: calculateRatio(ownSamples, otherSamples, getCpuMs),
      ...(aim && { aim }),
    };
  };
  return sizes.flatMap(({ entries }) =>
    KINDS.flatMap((kind) => {
      const label = `${kind} of a creator: ${entries.toLocaleString('en')} entries`;
      const bare = compareVariants(`${label} ÷ bare SQL`, `${kind} ${entries}`, `${kind} ${entries}, bare`);
      const small = SMALL.toLocaleString('en');
      const grown = compareVariants(`${label} ÷ ${small}`, `${kind} ${entries}`, `${kind} ${SMALL}`, { atMost: 1.1 });
      return entries === SMALL ? [bare] : [bare, grown];
    }),
  );
}

type StreamResult = { lines: number; ms: number; grownMb: number };

async function streamStatement(server: Child): Promise<StreamResult> {
  const url = `http://127.0.0.1:${server.port}/api/creator/statement?format=csv&from=${formatDay(DAYS + 1)}&to=${formatDay(0)}`;
  const [, cookie = ''] = formatSessionCookie(0, 'creator').split(': ');
  const before = (await server.usage()).rssMb;
  const started = performance.now();
  const response = await fetch(url, { headers: { cookie } });
  if (!response.ok || !response.body) throw new Error(`a statement was refused: ${response.status}`);
  let [lines, peak, chunks] = [0, before, 0];
  for await (const chunk of response.body) {
    for (const byte of chunk) if (byte === 10) lines += 1;
    chunks += 1;
    if (chunks % 20 === 0) peak = Math.max(peak, (await server.usage()).rssMb);
  }
  return { lines, ms: performance.now() - started, grownMb: Math.max(0, peak - before) };
}

async function measureStatements(context: BenchContext, sizes: readonly number[]): Promise<Figure[]> {
  const results: StreamResult[] = [];
  for (const entries of sizes) {
    const { server, database } = await openLedger(context, entries, 1);
    await streamStatement(server);
    await streamStatement(server);
    const result = await streamStatement(server);
    context.logProgress(`${result.lines} lines in ${result.ms.toFixed(0)} ms, ${result.grownMb.toFixed(1)} MB more`);
    results.push(result);
    await server.stop();
    await assertLedger(database);
  }
  const [small, large] = results;
  if (!small || !large) return [];
  const calculateRate = ({ lines, ms }: StreamResult) => (lines * 1_000) / ms;
  const formatLines = ({ lines }: StreamResult) => lines.toLocaleString('en');
  return [
    {
      name: `a year’s statement, lines a second: ${formatLines(large)} ÷ ${formatLines(small)} lines`,
      ours: `${calculateRate(large).toFixed(0)}/s`,
      limit: `${calculateRate(small).toFixed(0)}/s`,
      ratio: toRatio(calculateRate(large) / calculateRate(small)),
      aim: { atLeast: 0.9 },
    },
    {
      name: `memory that a statement of ${formatLines(large)} lines takes while it is streamed ÷ 32 MB`,
      ours: `${large.grownMb.toFixed(1)} MB`,
      limit: '32 MB',
      ratio: toRatio(large.grownMb / 32),
      aim: { atMost: 1 },
    },
  ];
}

async function measureJournals({ folder, logProgress }: BenchContext, sizes: readonly number[]): Promise<Figure[]> {
  const results: { size: number; ms: number; bareMs: number; mb: number }[] = [];
  for (const size of sizes) {
    const file = join(folder, `journal-${size}.json`);
    logProgress(`writing a journal of ${size} lines`);
    await writeBenchJournal(size, file);
    const child = await startChild('servers/verifier.ts');
    const timeJob = async (job: VerifierJob) => {
      const started = performance.now();
      const count = await child.request<number>(job);
      if (count !== size) throw new Error(`${count} of ${size} lines were read`);
      return performance.now() - started;
    };
    const bareMs = await timeJob({ file, isBare: true });
    const ms = await timeJob({ file, isBare: false });
    results.push({ size, ms, bareMs, mb: (await child.usage()).rssMb });
    await child.stop();
  }
  const small = results[0];
  return results.flatMap(({ size, ms, bareMs, mb }): Figure[] => {
    const label = size.toLocaleString('en');
    const formatEach = (value: number, count: number) => `${((value * 1_000) / count).toFixed(1)} µs a line`;
    const bare: Figure = {
      name: `verifying a journal of ${label} lines ÷ parsing and hashing each once`,
      ours: `${(ms / 1_000).toFixed(1)} s, ${mb.toFixed(0)} MB`,
      limit: `${(bareMs / 1_000).toFixed(1)} s`,
      ratio: toRatio(ms / bareMs),
    };
    if (!small || size === small.size) return [bare];
    const name = `verifying a line: of ${label} ÷ of ${small.size.toLocaleString('en')}`;
    const ratio = toRatio(ms / size / (small.ms / small.size));
    // A log of twice the size makes a proof one hash longer.
    return [
      bare,
      { name, ours: formatEach(ms, size), limit: formatEach(small.ms, small.size), ratio, aim: { atMost: 1.5 } },
    ];
  });
}

export async function measureBusiness(context: BenchContext): Promise<BenchResult> {
  const { options, postgres } = context;
  const empty = await postgres.createMigrated('business');
  await withDatabase(empty, async (db) => {
    await makeFans(db, FANS);
    await makeCreators(db, CREATORS);
    await makeSessions(db, 'creator', CREATORS);
    await fundFans(db, FANS);
  });
  const large = options.isQuick ? [30_000] : [1_000_000, ...(options.isDeep ? [10_000_000] : [])];
  const sizes: Size[] = [];
  for (const entries of [SMALL, ...large]) {
    const opened = await openLedger(context, entries, CREATORS);
    sizes.push({ ...opened, thin: await startChild('servers/thin-business.ts', [opened.database]) });
  }
  const growth = await measureGrowth(context, sizes);
  for (const { server, thin } of sizes) for (const child of [server, thin]) await child.stop();
  for (const { database } of sizes) await assertLedger(database);
  const statements = await measureStatements(context, options.isQuick ? [3_000, 15_000] : [30_000, 600_000]);
  const journals = await measureJournals(context, options.isQuick ? [1_000, 4_000] : [10_000, 1_000_000]);
  return {
    bench: 'business',
    reading: `CPU per response to a creator over HTTP with a large ledger ÷ with a small one, and ÷ one prepared statement behind a bare route; ${CREATORS} creators share the sales of ${DAYS} days. The statement is of a day without sales, so it costs only the lookup of the balances. Less is better, except for rates.`,
    figures: [...growth, ...statements, ...journals],
    notes: ['The ledgers were checked afterwards: they balance.'],
  };
}
