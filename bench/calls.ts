/**
 * Measures calls: the time from offer to ringing, the time from acceptance to start, and the cost of metering 10 to
 * 1,000 concurrent calls.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCallers, type Timed } from './harness/callers.ts';
import { type Child, startChild } from './harness/child.ts';
import { withDatabase } from './harness/database.ts';
import type { Figure, Result } from './harness/report.ts';
import { exactly, median } from './harness/rounds.ts';
import type { Stage } from './harness/stage.ts';
import { callers as makeCallers, pairOf } from './worlds/callers.ts';

const CALLS_AT_ONCE = { whole: [10, 100, 1_000], quick: [2, 10, 50] } as const;
/**
 * Running calls and socket sessions are checked once a minute, so a shorter measurement would miss some of the checks.
 */
const MINUTE_S = 60;
const QUICK_S = 5;
const TIMED_A_SECOND = 20;
/** PostgreSQL's processes publish their statistics within a second. */
const SETTLE_MS = 2_000;

type Hall = { stage: Stage; url: string; ours: Child; callers: Awaited<ReturnType<typeof startCallers>> };
/** Per minute. */
type Cost = { cpuMs: number; transactions: number };

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}

function latencyFigures(name: string, ours: readonly number[], thin: readonly number[]): Figure[] {
  const ms = (value: number) => `${value.toFixed(2)} ms`;
  return (
    [
      ['p50', 0.5],
      ['p99', 0.99],
    ] as const
  ).map(([word, share]) => {
    const [mine, other] = [quantile(ours, share), quantile(thin, share)];
    return {
      name: `${name} ÷ POST, INSERT, emit, ${word}`,
      ours: ms(mine),
      limit: ms(other),
      ratio: exactly(mine / other),
    };
  });
}

function transactions(url: string): Promise<number> {
  return withDatabase(url, async (db) => {
    const text = 'select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()';
    const [row] = await db.run<{ count: number }>({ name: 'bench-transactions', text }, []);
    return Number(row?.count ?? 0);
  });
}

async function cost({ ours, stage, url }: Hall, seconds: number): Promise<Cost> {
  // Emits pending events first, so that they do not count in the measurement.
  await ours.ask({ settle: true });
  await sleep(SETTLE_MS);
  const look = async () => {
    const { cpuMs } = await ours.usage();
    return { cpuMs: cpuMs + stage.postgres.cpuMs(), transactions: await transactions(url) };
  };
  const before = await look();
  await sleep(seconds * 1000);
  const after = await look();
  const minutes = seconds / 60;
  return {
    cpuMs: (after.cpuMs - before.cpuMs) / minutes,
    transactions: (after.transactions - before.transactions) / minutes,
  };
}

async function metered(hall: Hall, pairs: number): Promise<Record<'dropped' | 'running', Cost>> {
  const { callers, stage } = hall;
  const seconds = stage.options.isQuick ? QUICK_S : MINUTE_S;
  await callers.drop({ drop: pairs });
  const dropped = await cost(hall, seconds);
  await callers.end();
  await callers.talk({ talk: pairs });
  const running = await cost(hall, seconds);
  await callers.end();
  stage.tell(
    `${pairs} calls: CPU ${running.cpuMs.toFixed(0)} ms, ${running.transactions.toFixed(0)} transactions a minute`,
  );
  return { dropped, running };
}

const many = (pairs: number) => pairs.toLocaleString('en');

type Measured = { pairs: number } & Awaited<ReturnType<typeof metered>>;

function costFigure({ pairs, running, dropped }: Measured): Figure {
  const text = ({ cpuMs }: Cost) => `${(cpuMs / pairs).toFixed(1)} ms`;
  return {
    name: `CPU a call-minute, ${many(pairs)} at once ÷ the same signals dropped`,
    ours: text(running),
    limit: text(dropped),
    ratio: exactly(running.cpuMs / dropped.cpuMs),
  };
}

function growthFigures(costs: readonly Measured[]): Figure[] {
  const [first, last] = [costs[0], costs.at(-1)];
  if (!first || !last) throw new Error('nothing was measured');
  const figure = (name: string, unit: string, pick: (one: Cost) => number): Figure => {
    const one = ({ pairs, running, dropped }: Measured) => (pick(running) - pick(dropped)) / pairs;
    return {
      name: `${name}: ${many(last.pairs)} calls at once ÷ ${many(first.pairs)}`,
      ours: `${one(last).toFixed(1)}${unit}`,
      limit: `${one(first).toFixed(1)}${unit}`,
      ratio: exactly(one(last) / one(first)),
      aim: { atMost: 1.1 },
    };
  };
  return [
    figure('CPU a call-minute', ' ms', ({ cpuMs }) => cpuMs),
    figure('transactions a call-minute', '', (one) => one.transactions),
  ];
}

export async function calls(stage: Stage): Promise<Result> {
  const { options } = stage;
  const counts = options.isQuick ? CALLS_AT_ONCE.quick : CALLS_AT_ONCE.whole;
  const most = Math.max(...counts);
  const url = await makeCallers(stage, most);
  const dataDir = join(stage.folder, 'calls');
  await mkdir(dataDir, { recursive: true });
  const [ours, thin] = [
    await startChild('servers/product.ts', [url, dataDir]),
    await startChild('servers/thin-chat.ts', [url]),
  ];
  const callers = await startCallers();
  const hall: Hall = { stage, url, ours, callers };
  const people = Array.from({ length: most }, (_, n) => pairOf(n));
  await callers.seat({ seat: people, port: ours.port, thinPort: thin.port });
  await callers.time({ time: counts[0] });
  const rounds: Timed[] = [];
  for (let round = 0; round < options.rounds; round += 1)
    rounds.push(await callers.time({ time: options.seconds * TIMED_A_SECOND }));
  const all = (pick: (round: Timed) => number[]) => rounds.flatMap(pick);
  const costs = [];
  for (const pairs of counts) costs.push({ pairs, ...(await metered(hall, pairs)) });
  for (const child of [callers, ours, thin]) await child.stop();
  return {
    bench: 'calls',
    reading:
      'Times one after another; costs by CPU (node and PostgreSQL) and transactions of a call in a minute; growth is of what a call takes beyond its signals, dropped. Less is better; 1 is the thin server, the same signals taken and dropped, or no growth.',
    figures: [
      ...latencyFigures(
        'a call, from offer to ring',
        all(({ ringMs }) => ringMs),
        all(({ thinMs }) => thinMs),
      ),
      ...latencyFigures(
        'a call, from answer to BEGIN_CALL',
        all(({ beginMs }) => beginMs),
        all(({ thinMs }) => thinMs),
      ),
      ...costs.map(costFigure),
      ...growthFigures(costs),
    ],
    notes: [
      `Offer to ring, median: ${median(all(({ ringMs }) => ringMs)).toFixed(2)} ms. Sound and picture go past the server and are not in these figures.`,
    ],
  };
}
