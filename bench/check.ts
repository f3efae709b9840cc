/**
 * Measures the ledger checks: a check of the whole ledger, a check of the entries since the last verification, the
 * sequencer of the log, proofs in the log, and tips while the whole ledger is checked.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { clearDue } from '../server/modules/ledger/ledger/index.ts';
import { checkLedger, runLedgerCheckNow } from '../server/modules/ledger/ledger-checks/index.ts';
import { sequenceRows } from '../server/modules/trust/transparency-log/index.ts';
import {
  buildConsistencyProof,
  buildInclusionProof,
  type ReadHash,
} from '../server/modules/trust/transparency-log/merkle.ts';
import { createTileReader, findLastCheckpoint } from '../server/modules/trust/transparency-log/store.ts';
import { createHashReader } from '../server/modules/trust/transparency-log/tiles.ts';
import { systemClock } from '../server/platform/clock.ts';
import { type Database, openDatabase, runSql } from '../server/platform/database/db.ts';
import { createLogger } from '../server/platform/log.ts';
import { openStorage } from '../server/platform/storage/open-storage.ts';
import { assertLedger } from './fixtures/assert-ledger.ts';
import { makePastSales } from './fixtures/sales.ts';
import { fundFans, makeCreators, makeFans } from './fixtures/users.ts';
import { startChild } from './harness/child.ts';
import type { BenchContext } from './harness/context.ts';
import { vacuumDatabase, withDatabase } from './harness/database.ts';
import type { BenchResult, Figure } from './harness/report.ts';
import { median, toRatio } from './harness/rounds.ts';
import { createBenchConfig } from './servers/config.ts';
import type { ServiceJob, ServiceOutcome } from './servers/service.ts';

const FANS = 250;
const CREATORS = 200;
const CLIENTS = 4;
const SMALL = 10_000;
const NEW_SALES = 1_000;
const PROOFS = 400;
const DAY_MS = 86_400_000;

const log = createLogger({ level: 'silent', isPretty: false });

/** Milliseconds of one run each. */
type CheckTimes = { full: number; bare: number; since: number; inclusion: number; consistency: number };
type Size = CheckTimes & {
  entries: number;
  url: string;
  leaves: number;
  leavesASecond: number;
  bareLeavesASecond: number;
};

async function timeRun(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function medianOfRounds(rounds: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await timeRun(work));
  return median(times);
}

async function requireClean(db: Database, since?: Parameters<typeof checkLedger>[1]): Promise<void> {
  const { isClean, checks } = await checkLedger(db, since);
  if (!isClean)
    throw new Error(`the ledger is wrong: ${JSON.stringify(checks.filter(({ wrong }) => wrong.length > 0))}`);
}

async function createLedger({ postgres, logProgress }: BenchContext, entries: number): Promise<string> {
  logProgress(`making a ledger of ${entries} entries`);
  const url = await postgres.copy(`check_${entries}`, 'check_empty');
  await withDatabase(url, async (db) => {
    await makePastSales(db, Math.round(entries / 3), FANS, CREATORS);
    await clearDue(db, new Date(Date.now() + 30 * DAY_MS));
  });
  await vacuumDatabase(url);
  return url;
}

async function measureSequencer(db: Database, url: string, folder: string) {
  const config = createBenchConfig(url, folder);
  const storage = await openStorage(config.storage);
  let leaves = 0;
  const ms = await timeRun(async () => {
    leaves = await sequenceRows({ config, db, storage, clock: systemClock, log });
  });
  const bareMs = await timeRun(() =>
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
    times.push(await timeRun(() => prove(Math.floor((n * size) / PROOFS), createHashReader(createTileReader(db)))));
  return median(times);
}

async function measureSize(context: BenchContext, entries: number): Promise<Size> {
  const { options, logProgress } = context;
  const url = await createLedger(context, entries);
  const folder = join(context.folder, `check_${entries}`);
  await mkdir(folder);
  const db = openDatabase(url, { maxConnections: 4 });
  try {
    const full = await medianOfRounds(options.rounds, () => requireClean(db));
    const bare = await medianOfRounds(options.rounds, () =>
      runSql(db, 'select account_id, side, sum(amount_cents) from ledger_entries group by 1, 2'),
    );
    logProgress(`${entries}: everything in ${full.toFixed(0)} ms, bare sums in ${bare.toFixed(0)} ms`);
    const night = await runLedgerCheckNow({ db, clock: systemClock, log }, { isFull: true });
    await makePastSales(db, NEW_SALES, FANS, CREATORS, 0);
    const since = await medianOfRounds(options.rounds, () => requireClean(db, { since: night?.verifiedState }));
    logProgress(`${entries}: entries since the last check in ${since.toFixed(0)} ms`);
    const logged = await measureSequencer(db, url, folder);
    logProgress(`${entries}: ${logged.leavesASecond.toFixed(0)} rows a second into the log`);
    const size = (await findLastCheckpoint(db))?.size ?? 1;
    const inclusion = await measureProofs(db, size, (n, read) => buildInclusionProof(n, size, read));
    const consistency = await measureProofs(db, size, (n, read) => buildConsistencyProof(n, size, read));
    return { entries, url, full, bare, since, inclusion, consistency, ...logged };
  } finally {
    await db.close();
  }
}

async function measureTips({ options, folder, logProgress }: BenchContext, { url, entries }: Size): Promise<Figure> {
  const service = await startChild('servers/service.ts', [url, join(folder, `check_${entries}`)]);
  const job: ServiceJob = { seconds: options.seconds, concurrency: CLIENTS, fans: FANS, creators: CREATORS };
  const measureRate = async () => {
    const { count, seconds } = await service.request<ServiceOutcome>(job);
    return count / seconds;
  };
  const [alone, duringCheck]: [number[], number[]] = [[], []];
  await withDatabase(url, async (db) => {
    await measureRate();
    for (let round = 0; round < options.rounds; round += 1) {
      alone.push(await measureRate());
      let isOver = false;
      const checking = (async () => {
        while (!isOver) await checkLedger(db, { isGentle: true });
      })();
      duringCheck.push(await measureRate());
      isOver = true;
      await checking;
    }
  });
  await service.stop();
  const ratios = duringCheck.map((rate, round) => rate / (alone[round] ?? Number.NaN));
  logProgress(`tips alone ${median(alone).toFixed(0)}/s, during the check ${median(duringCheck).toFixed(0)}/s`);
  return {
    name: `tips while ${entries.toLocaleString('en')} entries are checked ÷ alone`,
    ours: `${median(duringCheck).toFixed(0)}/s`,
    limit: `${median(alone).toFixed(0)}/s`,
    ratio: { value: median(ratios), low: Math.min(...ratios), high: Math.max(...ratios) },
    aim: { atLeast: 0.8 },
  };
}

const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} ms`;

function toFigures(sizes: readonly Size[]): Figure[] {
  const [small] = sizes;
  if (!small) return [];
  const formatEntries = (size: Size) => size.entries.toLocaleString('en');
  const toFigure = (name: string, ours: number, limit: number): Figure => ({
    name,
    ours: ms(ours),
    limit: ms(limit),
    ratio: toRatio(ours / limit),
  });
  return [
    ...sizes.flatMap((size): Figure[] => [
      toFigure(`every sum of ${formatEntries(size)} entries ÷ bare sums by account`, size.full, size.bare),
      { ...toFigure(`what came since ÷ every sum of ${formatEntries(size)} entries`, size.since, size.full) },
      {
        name: `rows into the log, ${size.leaves.toLocaleString('en')} leaves ÷ bare hashes`,
        ours: `${size.leavesASecond.toFixed(0)}/s`,
        limit: `${size.bareLeavesASecond.toFixed(0)}/s`,
        ratio: toRatio(size.leavesASecond / size.bareLeavesASecond),
      },
    ]),
    ...sizes.slice(1).flatMap((size): Figure[] => [
      {
        ...toFigure(
          `what came since: ${formatEntries(size)} entries ÷ ${formatEntries(small)}`,
          size.since,
          small.since,
        ),
        aim: { atMost: 3 },
      },
      {
        ...toFigure(
          `inclusion proof: ${formatEntries(size)} entries ÷ ${formatEntries(small)}`,
          size.inclusion,
          small.inclusion,
        ),
        aim: { atMost: 3 },
      },
      {
        ...toFigure(
          `consistency proof: ${formatEntries(size)} entries ÷ ${formatEntries(small)}`,
          size.consistency,
          small.consistency,
        ),
        aim: { atMost: 3 },
      },
    ]),
  ];
}

export async function measureLedgerCheck(context: BenchContext): Promise<BenchResult> {
  const { options, postgres } = context;
  const empty = await postgres.createMigrated('check_empty');
  await withDatabase(empty, async (db) => {
    await makeFans(db, FANS);
    await makeCreators(db, CREATORS);
    await fundFans(db, FANS);
  });
  const sizes: Size[] = [];
  for (const entries of [SMALL, ...(options.isQuick ? [] : [1_000_000]), ...(options.isDeep ? [10_000_000] : [])])
    sizes.push(await measureSize(context, entries));
  const largest = sizes.at(-1);
  const tips = largest ? [await measureTips(context, largest)] : [];
  for (const { url } of sizes) await assertLedger(url);
  const proofs = sizes.map(
    ({ leaves, inclusion, consistency }) =>
      `${leaves.toLocaleString('en')} leaves: an inclusion proof takes ${ms(inclusion)}, a consistency proof ${ms(consistency)} (p50).`,
  );
  return {
    bench: 'check',
    reading: `Time of one check or proof. A check of what came since covers ${NEW_SALES.toLocaleString('en')} new sales, all accounts and everything that is open; most past sales have cleared. Less is better for times, more for rates.`,
    figures: [...toFigures(sizes), ...tips],
    notes: [...proofs, 'The ledgers were checked afterwards: they balance.'],
  };
}
