/**
 * Measures the ledger checks: a check of the whole ledger, a check of the entries since the last verification, the
 * sequencer of the log, proofs in the log, and tips while the whole ledger is checked.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { checkLedger, clearDue } from '../server/features/ledger/index.ts';
import { checkNow } from '../server/features/ledger/nightly.ts';
import { sequence } from '../server/features/transparency/index.ts';
import { consistencyProof, inclusionProof, type ReadHash } from '../server/features/transparency/merkle.ts';
import { lastCheckpoint, tilesOf } from '../server/features/transparency/store.ts';
import { hashesOf } from '../server/features/transparency/tiles.ts';
import { systemClock } from '../server/kernel/clock.ts';
import { type Database, openDatabase, runSql } from '../server/kernel/db.ts';
import { createLogger } from '../server/kernel/log.ts';
import { openStorage } from '../server/kernel/open-storage.ts';
import { startChild } from './harness/child.ts';
import { settleDatabase, withDatabase } from './harness/database.ts';
import type { Figure, Result } from './harness/report.ts';
import { exactly, median } from './harness/rounds.ts';
import type { Stage } from './harness/stage.ts';
import { benchConfig } from './servers/config.ts';
import type { ServiceJob, ServiceOutcome } from './servers/service.ts';
import { assertLedger } from './worlds/assert-ledger.ts';
import { fundFans, makeCreators, makeFans } from './worlds/people.ts';
import { makePastSales } from './worlds/sales.ts';

const FANS = 250;
const CREATORS = 200;
const CLIENTS = 4;
const SMALL = 10_000;
const NEW_SALES = 1_000;
const PROOFS = 400;
const DAY_MS = 86_400_000;

const log = createLogger({ level: 'silent', isPretty: false });

/** Milliseconds of one run each. */
type Timed = { full: number; bare: number; since: number; inclusion: number; consistency: number };
type Size = Timed & { entries: number; url: string; leaves: number; leavesASecond: number; bareLeavesASecond: number };

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

async function medianOfRounds(rounds: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await timed(work));
  return median(times);
}

async function requireClean(db: Database, since?: Parameters<typeof checkLedger>[1]): Promise<void> {
  const { isClean, checks } = await checkLedger(db, since);
  if (!isClean)
    throw new Error(`the ledger is wrong: ${JSON.stringify(checks.filter(({ wrong }) => wrong.length > 0))}`);
}

async function makeWorld({ postgres, tell }: Stage, entries: number): Promise<string> {
  tell(`making a ledger of ${entries} entries`);
  const url = await postgres.copy(`check_${entries}`, 'check_empty');
  await withDatabase(url, async (db) => {
    await makePastSales(db, Math.round(entries / 3), FANS, CREATORS);
    await clearDue(db, new Date(Date.now() + 30 * DAY_MS));
  });
  await settleDatabase(url);
  return url;
}

async function measureSequencer(db: Database, url: string, folder: string) {
  const config = benchConfig(url, folder);
  const storage = await openStorage(config.storage);
  let leaves = 0;
  const ms = await timed(async () => {
    leaves = await sequence({ config, db, storage, clock: systemClock, log });
  });
  const bareMs = await timed(() =>
    runSql(
      db,
      `create table bare_leaves as select row_number() over () as position, id, sha256(convert_to(to_jsonb(t)::text, 'UTF8')) as hash from ledger_transactions t`,
    ),
  );
  return { leaves, leavesASecond: (leaves * 1000) / ms, bareLeavesASecond: (leaves * 1000) / bareMs };
}

async function measureProofs(db: Database, size: number, prove: (n: number, read: ReadHash) => Promise<unknown>) {
  const times: number[] = [];
  for (let n = 0; n < PROOFS; n += 1)
    times.push(await timed(() => prove(Math.floor((n * size) / PROOFS), hashesOf(tilesOf(db)))));
  return median(times);
}

async function measure(stage: Stage, entries: number): Promise<Size> {
  const { options, tell } = stage;
  const url = await makeWorld(stage, entries);
  const folder = join(stage.folder, `check_${entries}`);
  await mkdir(folder);
  const db = openDatabase(url, { maxConnections: 4 });
  try {
    const full = await medianOfRounds(options.rounds, () => requireClean(db));
    const bare = await medianOfRounds(options.rounds, () =>
      runSql(db, 'select account_id, side, sum(amount_cents) from ledger_entries group by 1, 2'),
    );
    tell(`${entries}: everything in ${full.toFixed(0)} ms, bare sums in ${bare.toFixed(0)} ms`);
    const night = await checkNow({ db, clock: systemClock, log }, { isFull: true });
    await makePastSales(db, NEW_SALES, FANS, CREATORS, 0);
    const since = await medianOfRounds(options.rounds, () => requireClean(db, { since: night?.proven }));
    tell(`${entries}: what came since in ${since.toFixed(0)} ms`);
    const placed = await measureSequencer(db, url, folder);
    tell(`${entries}: ${placed.leavesASecond.toFixed(0)} rows a second into the log`);
    const size = (await lastCheckpoint(db))?.size ?? 1;
    const inclusion = await measureProofs(db, size, (n, read) => inclusionProof(n, size, read));
    const consistency = await measureProofs(db, size, (n, read) => consistencyProof(n, size, read));
    return { entries, url, full, bare, since, inclusion, consistency, ...placed };
  } finally {
    await db.close();
  }
}

async function measureTips({ options, folder, tell }: Stage, { url, entries }: Size): Promise<Figure> {
  const service = await startChild('servers/service.ts', [url, join(folder, `check_${entries}`)]);
  const job: ServiceJob = { seconds: options.seconds, concurrency: CLIENTS, fans: FANS, creators: CREATORS };
  const tips = async () => {
    const { count, seconds } = await service.ask<ServiceOutcome>(job);
    return count / seconds;
  };
  const [alone, beside]: [number[], number[]] = [[], []];
  await withDatabase(url, async (db) => {
    await tips();
    for (let round = 0; round < options.rounds; round += 1) {
      alone.push(await tips());
      let isOver = false;
      const checking = (async () => {
        while (!isOver) await checkLedger(db, { isGentle: true });
      })();
      beside.push(await tips());
      isOver = true;
      await checking;
    }
  });
  await service.stop();
  const ratios = beside.map((rate, round) => rate / (alone[round] ?? Number.NaN));
  tell(`tips alone ${median(alone).toFixed(0)}/s, beside the check ${median(beside).toFixed(0)}/s`);
  return {
    name: `tips while ${entries.toLocaleString('en')} entries are checked ÷ alone`,
    ours: `${median(beside).toFixed(0)}/s`,
    limit: `${median(alone).toFixed(0)}/s`,
    ratio: { value: median(ratios), low: Math.min(...ratios), high: Math.max(...ratios) },
    aim: { atLeast: 0.8 },
  };
}

const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} ms`;

function figuresOf(sizes: readonly Size[]): Figure[] {
  const [small] = sizes;
  if (!small) return [];
  const sized = (size: Size) => size.entries.toLocaleString('en');
  const beside = (name: string, ours: number, limit: number): Figure => ({
    name,
    ours: ms(ours),
    limit: ms(limit),
    ratio: exactly(ours / limit),
  });
  return [
    ...sizes.flatMap((size): Figure[] => [
      beside(`every sum of ${sized(size)} entries ÷ bare sums by account`, size.full, size.bare),
      { ...beside(`what came since ÷ every sum of ${sized(size)} entries`, size.since, size.full) },
      {
        name: `rows into the log, ${size.leaves.toLocaleString('en')} leaves ÷ bare hashes`,
        ours: `${size.leavesASecond.toFixed(0)}/s`,
        limit: `${size.bareLeavesASecond.toFixed(0)}/s`,
        ratio: exactly(size.leavesASecond / size.bareLeavesASecond),
      },
    ]),
    ...sizes.slice(1).flatMap((size): Figure[] => [
      {
        ...beside(`what came since: ${sized(size)} entries ÷ ${sized(small)}`, size.since, small.since),
        aim: { atMost: 3 },
      },
      {
        ...beside(`proof of a place: ${sized(size)} entries ÷ ${sized(small)}`, size.inclusion, small.inclusion),
        aim: { atMost: 3 },
      },
      {
        ...beside(
          `proof that it continues: ${sized(size)} entries ÷ ${sized(small)}`,
          size.consistency,
          small.consistency,
        ),
        aim: { atMost: 3 },
      },
    ]),
  ];
}

export async function check(stage: Stage): Promise<Result> {
  const { options, postgres } = stage;
  const empty = await postgres.migrated('check_empty');
  await withDatabase(empty, async (db) => {
    await makeFans(db, FANS);
    await makeCreators(db, CREATORS);
    await fundFans(db, FANS);
  });
  const sizes: Size[] = [];
  for (const entries of [SMALL, ...(options.isQuick ? [] : [1_000_000]), ...(options.isDeep ? [10_000_000] : [])])
    sizes.push(await measure(stage, entries));
  const largest = sizes.at(-1);
  const tips = largest ? [await measureTips(stage, largest)] : [];
  for (const { url } of sizes) await assertLedger(url);
  const proofs = sizes.map(
    ({ leaves, inclusion, consistency }) =>
      `Of ${leaves.toLocaleString('en')} leaves, a place is proven in ${ms(inclusion)}, and that the log continues in ${ms(consistency)} (p50).`,
  );
  return {
    bench: 'check',
    reading: `Time of one proof. A check of what came since looks at ${NEW_SALES.toLocaleString('en')} new sales, all accounts and all that is open; most of the past has cleared. Less is better for times, more for rates.`,
    figures: [...figuresOf(sizes), ...tips],
    notes: [...proofs, 'The ledgers were checked afterwards: they balance.'],
  };
}
