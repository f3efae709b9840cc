/**
 * Measures calls: the time from offer to ringing, the time from acceptance to start, and the cost of metering 10 to
 * 1,000 concurrent calls.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCallers, toPair } from './fixtures/callers.ts';
import { type CallTimings, startCallers } from './harness/callers.ts';
import { type Child, startChild } from './harness/child.ts';
import type { BenchContext } from './harness/context.ts';
import { withDatabase } from './harness/database.ts';
import type { BenchResult, Figure } from './harness/report.ts';
import { median, toRatio } from './harness/rounds.ts';

const CONCURRENT_CALLS = { full: [10, 100, 1_000], quick: [2, 10, 50] } as const;
/**
 * Running calls and socket sessions are checked once a minute, so a shorter measurement would miss some of the checks.
 */
const MINUTE_S = 60;
const QUICK_S = 5;
const CALLS_PER_SECOND = 20;
/** PostgreSQL's processes publish their statistics within a second. */
const SETTLE_MS = 2_000;

type CallSetup = { context: BenchContext; url: string; ours: Child; callers: Awaited<ReturnType<typeof startCallers>> };
/** Per minute. */
type CallCost = { cpuMs: number; transactions: number };

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}

function toLatencyFigures(name: string, ours: readonly number[], thin: readonly number[]): Figure[] {
  const ms = (value: number) => `${value.toFixed(2)} ms`;
  return (
    [
      ['p50', 0.5],
      ['p99', 0.99],
    ] as const
  ).map(([percentile, share]) => {
    const [own, other] = [quantile(ours, share), quantile(thin, share)];
    return {
      name: `${name} ÷ POST, INSERT, emit, ${percentile}`,
      ours: ms(own),
      limit: ms(other),
      ratio: toRatio(own / other),
    };
  });
}

function countTransactions(url: string): Promise<number> {
  return withDatabase(url, async (db) => {
    const text = 'select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()';
    const [row] = await db.run<{ count: number }>({ name: 'bench-transactions', text }, []);
    return Number(row?.count ?? 0);
  });
}

async function measureCost({ ours, context, url }: CallSetup, seconds: number): Promise<CallCost> {
  // Emits pending events first, so that they do not count in the measurement.
  await ours.request({ settle: true });
  await sleep(SETTLE_MS);
  const readUsage = async () => {
    const { cpuMs } = await ours.usage();
    return { cpuMs: cpuMs + context.postgres.cpuMs(), transactions: await countTransactions(url) };
  };
  const before = await readUsage();
  await sleep(seconds * 1000);
  const after = await readUsage();
  const minutes = seconds / 60;
  return {
    cpuMs: (after.cpuMs - before.cpuMs) / minutes,
    transactions: (after.transactions - before.transactions) / minutes,
  };
}

async function measureRunning(setup: CallSetup, pairs: number): Promise<Record<'dropped' | 'running', CallCost>> {
  const { callers, context } = setup;
  const seconds = context.options.isQuick ? QUICK_S : MINUTE_S;
  await callers.drop({ drop: pairs });
  const dropped = await measureCost(setup, seconds);
  await callers.end();
  await callers.talk({ talk: pairs });
  const running = await measureCost(setup, seconds);
  await callers.end();
  context.logProgress(
    `${pairs} calls: CPU ${running.cpuMs.toFixed(0)} ms, ${running.transactions.toFixed(0)} transactions a minute`,
  );
  return { dropped, running };
}

const formatCount = (pairs: number) => pairs.toLocaleString('en');

type MeasuredCalls = { pairs: number } & Awaited<ReturnType<typeof measureRunning>>;

function toCostFigure({ pairs, running, dropped }: MeasuredCalls): Figure {
  const text = ({ cpuMs }: CallCost) => `${(cpuMs / pairs).toFixed(1)} ms`;
  return {
    name: `CPU a call-minute, ${formatCount(pairs)} at once ÷ the same signals dropped`,
    ours: text(running),
    limit: text(dropped),
    ratio: toRatio(running.cpuMs / dropped.cpuMs),
  };
}

function toGrowthFigures(costs: readonly MeasuredCalls[]): Figure[] {
  const [first, last] = [costs[0], costs.at(-1)];
  if (!first || !last) throw new Error('nothing was measured');
  const figure = (name: string, unit: string, pick: (one: CallCost) => number): Figure => {
    const one = ({ pairs, running, dropped }: MeasuredCalls) => (pick(running) - pick(dropped)) / pairs;
    return {
      name: `${name}: ${formatCount(last.pairs)} calls at once ÷ ${formatCount(first.pairs)}`,
      ours: `${one(last).toFixed(1)}${unit}`,
      limit: `${one(first).toFixed(1)}${unit}`,
      ratio: toRatio(one(last) / one(first)),
      aim: { atMost: 1.1 },
    };
  };
  return [
    figure('CPU a call-minute', ' ms', ({ cpuMs }) => cpuMs),
    figure('transactions a call-minute', '', (one) => one.transactions),
  ];
}

export async function measureCalls(context: BenchContext): Promise<BenchResult> {
  const { options } = context;
  const counts = options.isQuick ? CONCURRENT_CALLS.quick : CONCURRENT_CALLS.full;
  const max = Math.max(...counts);
  const url = await createCallers(context, max);
  const dataDir = join(context.folder, 'calls');
  await mkdir(dataDir, { recursive: true });
  const [ours, thin] = [
    await startChild('servers/product.ts', [url, dataDir]),
    await startChild('servers/thin-chat.ts', [url]),
  ];
  const callers = await startCallers();
  const setup: CallSetup = { context, url, ours, callers };
  const allPairs = Array.from({ length: max }, (_, n) => toPair(n));
  await callers.connect({ connect: allPairs, port: ours.port, thinPort: thin.port });
  await callers.time({ time: counts[0] });
  const rounds: CallTimings[] = [];
  for (let round = 0; round < options.rounds; round += 1)
    rounds.push(await callers.time({ time: options.seconds * CALLS_PER_SECOND }));
  const all = (pick: (round: CallTimings) => number[]) => rounds.flatMap(pick);
  const costs = [];
  for (const pairs of counts) costs.push({ pairs, ...(await measureRunning(setup, pairs)) });
  for (const child of [callers, ours, thin]) await child.stop();
  return {
    bench: 'calls',
    reading:
      'Latencies of calls one after another; costs by CPU (Node and PostgreSQL) and transactions per call-minute; growth is that of the cost beyond the same signals dropped. Less is better; 1 is the thin server, the same signals received and dropped, or no growth.',
    figures: [
      ...toLatencyFigures(
        'a call, from offer to ring',
        all(({ ringMs }) => ringMs),
        all(({ thinMs }) => thinMs),
      ),
      ...toLatencyFigures(
        'a call, from answer to BEGIN_CALL',
        all(({ beginMs }) => beginMs),
        all(({ thinMs }) => thinMs),
      ),
      ...costs.map(toCostFigure),
      ...toGrowthFigures(costs),
    ],
    notes: [
      `Offer to ring, median: ${median(all(({ ringMs }) => ringMs)).toFixed(2)} ms. Audio and video do not pass through the server and are not included.`,
    ],
  };
}
