/**
 * Measures how a creator's earnings requests grow with the ledger: dashboard, chart, balance, earnings page, a
 * statement of a year while it is streamed, and the verification of a long journal.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { clearDue } from '../server/features/ledger/index.ts';
import { type Child, startChild, startLoader } from './harness/child.ts';
import { settleDatabase, withDatabase } from './harness/database.ts';
import { measureHttp } from './harness/http.ts';
import type { Figure, Result } from './harness/report.ts';
import { cpuOf, exactly, interleave, ratioOf, type Sample, shown } from './harness/rounds.ts';
import type { Stage } from './harness/stage.ts';
import type { VerifierJob } from './servers/verifier.ts';
import { assertLedger } from './worlds/assert-ledger.ts';
import { writeJournalOf } from './worlds/journal.ts';
import { cookieLine, fundFans, makeCreators, makeFans, makeSessions, personId } from './worlds/people.ts';
import { makePastSales } from './worlds/sales.ts';

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
const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);

const PATHS = {
  stats: '/api/creator/stats',
  chart: '/api/creator/chart?period=monthly',
  balance: '/api/creator/balance',
  earnings: '/api/creator/earnings?limit=10&kind=tip',
  statement: `/api/creator/statement?format=csv&from=${dayOf(0)}&to=${dayOf(0)}`,
} as const;
type Kind = keyof typeof PATHS;
const KINDS = Object.keys(PATHS) as Kind[];

type Size = { entries: number; database: string; server: Child; thin: Child };

async function open(stage: Stage, entries: number, creators: number): Promise<Omit<Size, 'thin'>> {
  const database = `business_${entries}_${creators}`;
  stage.tell(`making a ledger of ${entries} entries`);
  const url = await stage.postgres.copy(database, 'business');
  await withDatabase(url, async (db) => {
    await makePastSales(db, Math.round(entries / 3), FANS, creators, DAYS, 2);
    await clearDue(db, new Date());
  });
  await settleDatabase(url);
  const dataDir = join(stage.folder, database);
  await mkdir(dataDir);
  return { entries, database: url, server: await startChild('servers/product.ts', [url, dataDir]) };
}

async function measureGrowth(stage: Stage, sizes: readonly Size[]): Promise<Figure[]> {
  const { options, postgres, tell } = stage;
  const loader = await startLoader();
  const cookies = Array.from({ length: CREATORS }, (_, n) => cookieLine(n, 'creator'));
  const names = Array.from({ length: CREATORS }, (_, n) => `creator: ${personId('creator', n)}`);
  const variants: Record<string, (seconds: number) => Promise<Sample>> = {};
  for (const { entries, server, thin } of sizes)
    for (const kind of KINDS) {
      const ask = (child: Child, headers: string[], path: string) => (seconds: number) =>
        measureHttp({ loader, postgres }, child, {
          method: 'GET',
          paths: [path],
          headers,
          connections: CLIENTS,
          seconds,
        });
      variants[`${kind} ${entries}`] = ask(server, cookies, PATHS[kind]);
      variants[`${kind} ${entries}, bare`] = ask(thin, names, `/${kind}`);
    }
  const samples = await interleave(options, variants, tell);
  await loader.stop();
  const beside = (name: string, ours: string, limit: string, aim?: Figure['aim']): Figure => {
    const [own, other] = [samples[ours] ?? [], samples[limit] ?? []];
    return { name, ours: shown(own), limit: shown(other), ratio: ratioOf(own, other, cpuOf), ...(aim && { aim }) };
  };
  return sizes.flatMap(({ entries }) =>
    KINDS.flatMap((kind) => {
      const sized = `${kind} of a creator: ${entries.toLocaleString('en')} entries`;
      const bare = beside(`${sized} ÷ bare SQL`, `${kind} ${entries}`, `${kind} ${entries}, bare`);
      const small = SMALL.toLocaleString('en');
      const grown = beside(`${sized} ÷ ${small}`, `${kind} ${entries}`, `${kind} ${SMALL}`, { atMost: 1.1 });
      return entries === SMALL ? [bare] : [bare, grown];
    }),
  );
}

type Streamed = { lines: number; ms: number; grownMb: number };

async function stream(server: Child): Promise<Streamed> {
  const url = `http://127.0.0.1:${server.port}/api/creator/statement?format=csv&from=${dayOf(DAYS + 1)}&to=${dayOf(0)}`;
  const [, cookie = ''] = cookieLine(0, 'creator').split(': ');
  const before = (await server.usage()).rssMb;
  const begun = performance.now();
  const answer = await fetch(url, { headers: { cookie } });
  if (!answer.ok || !answer.body) throw new Error(`a statement was refused: ${answer.status}`);
  let [lines, peak, chunks] = [0, before, 0];
  for await (const chunk of answer.body) {
    for (const byte of chunk) if (byte === 10) lines += 1;
    chunks += 1;
    if (chunks % 20 === 0) peak = Math.max(peak, (await server.usage()).rssMb);
  }
  return { lines, ms: performance.now() - begun, grownMb: Math.max(0, peak - before) };
}

async function measureStatements(stage: Stage, sizes: readonly number[]): Promise<Figure[]> {
  const read: Streamed[] = [];
  for (const entries of sizes) {
    const { server, database } = await open(stage, entries, 1);
    await stream(server);
    await stream(server);
    const streamed = await stream(server);
    stage.tell(`${streamed.lines} lines in ${streamed.ms.toFixed(0)} ms, ${streamed.grownMb.toFixed(1)} MB more`);
    read.push(streamed);
    await server.stop();
    await assertLedger(database);
  }
  const [small, large] = read;
  if (!small || !large) return [];
  const rate = ({ lines, ms }: Streamed) => (lines * 1_000) / ms;
  const sized = ({ lines }: Streamed) => lines.toLocaleString('en');
  return [
    {
      name: `a year’s statement, lines a second: ${sized(large)} ÷ ${sized(small)} lines`,
      ours: `${rate(large).toFixed(0)}/s`,
      limit: `${rate(small).toFixed(0)}/s`,
      ratio: exactly(rate(large) / rate(small)),
      aim: { atLeast: 0.9 },
    },
    {
      name: `memory that a statement of ${sized(large)} lines takes while it is streamed ÷ 32 MB`,
      ours: `${large.grownMb.toFixed(1)} MB`,
      limit: '32 MB',
      ratio: exactly(large.grownMb / 32),
      aim: { atMost: 1 },
    },
  ];
}

async function measureJournals({ folder, tell }: Stage, sizes: readonly number[]): Promise<Figure[]> {
  const read: { size: number; ms: number; bareMs: number; mb: number }[] = [];
  for (const size of sizes) {
    const file = join(folder, `journal-${size}.json`);
    tell(`writing a journal of ${size} lines`);
    await writeJournalOf(size, file);
    const child = await startChild('servers/verifier.ts');
    const timed = async (job: VerifierJob) => {
      const begun = performance.now();
      const count = await child.ask<number>(job);
      if (count !== size) throw new Error(`${count} of ${size} lines were read`);
      return performance.now() - begun;
    };
    const bareMs = await timed({ file, isBare: true });
    const ms = await timed({ file, isBare: false });
    read.push({ size, ms, bareMs, mb: (await child.usage()).rssMb });
    await child.stop();
  }
  const small = read[0];
  return read.flatMap(({ size, ms, bareMs, mb }): Figure[] => {
    const sized = size.toLocaleString('en');
    const each = (value: number, count: number) => `${((value * 1_000) / count).toFixed(1)} µs a line`;
    const bare: Figure = {
      name: `verifying a journal of ${sized} lines ÷ parsing and hashing each once`,
      ours: `${(ms / 1_000).toFixed(1)} s, ${mb.toFixed(0)} MB`,
      limit: `${(bareMs / 1_000).toFixed(1)} s`,
      ratio: exactly(ms / bareMs),
    };
    if (!small || size === small.size) return [bare];
    const name = `verifying a line: of ${sized} ÷ of ${small.size.toLocaleString('en')}`;
    const ratio = exactly(ms / size / (small.ms / small.size));
    // A log of twice the size makes a proof one hash longer.
    return [bare, { name, ours: each(ms, size), limit: each(small.ms, small.size), ratio, aim: { atMost: 1.5 } }];
  });
}

export async function business(stage: Stage): Promise<Result> {
  const { options, postgres } = stage;
  const empty = await postgres.migrated('business');
  await withDatabase(empty, async (db) => {
    await makeFans(db, FANS);
    await makeCreators(db, CREATORS);
    await makeSessions(db, 'creator', CREATORS);
    await fundFans(db, FANS);
  });
  const large = options.isQuick ? [30_000] : [1_000_000, ...(options.isDeep ? [10_000_000] : [])];
  const sizes: Size[] = [];
  for (const entries of [SMALL, ...large]) {
    const opened = await open(stage, entries, CREATORS);
    sizes.push({ ...opened, thin: await startChild('servers/thin-business.ts', [opened.database]) });
  }
  const growth = await measureGrowth(stage, sizes);
  for (const { server, thin } of sizes) for (const child of [server, thin]) await child.stop();
  for (const { database } of sizes) await assertLedger(database);
  const statements = await measureStatements(stage, options.isQuick ? [3_000, 15_000] : [30_000, 600_000]);
  const journals = await measureJournals(stage, options.isQuick ? [1_000, 4_000] : [10_000, 1_000_000]);
  return {
    bench: 'business',
    reading: `CPU an answer to a creator over HTTP with much in the ledger ÷ with little, and ÷ one prepared statement behind a bare route; ${CREATORS} creators share what was sold on ${DAYS} days. The statement is of a day on which nothing was sold: what it costs is to find its balances. Less is better but for rates.`,
    figures: [...growth, ...statements, ...journals],
    notes: ['The ledgers were checked afterwards: they balance.'],
  };
}
