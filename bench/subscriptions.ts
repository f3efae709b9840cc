/**
 * Compares renewals that are all due at once with calls of the SQL function that charges a sale, and the latency of a feed
 * during renewals with that of the same feed on an idle server.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, runSql } from '../server/platform/database/db.ts';
import { assertLedger } from './fixtures/assert-ledger.ts';
import { CROWD_FANS, createCrowd } from './fixtures/crowd.ts';
import { fundFans, makeCreators, makeFans, toBenchUserIdSql } from './fixtures/users.ts';
import { type Child, startChild, startLoader } from './harness/child.ts';
import type { BenchContext } from './harness/context.ts';
import { vacuumDatabase, withDatabase } from './harness/database.ts';
import { startFeedReads } from './harness/feed-reads.ts';
import type { BenchResult, Figure } from './harness/report.ts';
import {
  calculateRatio,
  formatSamples,
  getCpuRate,
  getRate,
  interleave,
  type LoadSample,
  median,
  summarizeRatios,
} from './harness/rounds.ts';
import type { RenewalJob, RenewalOutcome } from './servers/renewals.ts';

const CREATORS = 200;
const SUBSCRIPTIONS_PER_FAN = 10;
const FANS = { quick: 100, full: 2_000 };
const DUE_PER_HOUR = 100_000;

async function makeSubscriptions(
  db: Database,
  { fans, creators, perFan }: { fans: number; creators: number; perFan: number },
): Promise<void> {
  await runSql(
    db,
    `insert into subscription_tiers (id, creator_id, position, name, monthly_cents, subscriber_count, created_at)
       select uuidv7(), ${toBenchUserIdSql('creator', 'n')}, 1, 'Bench', 500, 1000000, now() from generate_series(0, ${creators - 1}) as n;
     insert into subscriptions (id, fan_id, creator_id, tier_id, recurrence, recurrence_count, price_cents, anchor_at, time_zone,
         period_number, paid_until, is_renewing, due_at, started_at, joined_at)
       select uuidv7(), ${toBenchUserIdSql('fan', 'f')}, t.creator_id, t.id, 'monthaly', 1, 500, now() - interval '1 month', 'Europe/Lisbon',
         1, now(), true, now(), now() - interval '1 month', now() - interval '1 month'
       from generate_series(0, ${fans - 1}) as f cross join generate_series(0, ${perFan - 1}) as k
       join subscription_tiers t on t.creator_id = ${toBenchUserIdSql('creator', `(f * 7 + k) % ${creators}`)}`,
  );
}

const POSTPONE_ALL = `update subscriptions set due_at = now() + interval '1 year', paid_until = now() + interval '1 year'`;

/** Makes all subscriptions due as if their periods had just ended. */
async function makeAllDue(db: Database): Promise<void> {
  await runSql(
    db,
    `update subscriptions set due_at = now() - interval '1 minute', paid_until = now() - interval '1 minute',
       anchor_at = now() - interval '1 minute' - period_number * interval '1 month'`,
  );
}

async function measureRun({ postgres }: BenchContext, child: Child, job: RenewalJob): Promise<LoadSample> {
  const before = await child.usage();
  const databaseBefore = postgres.cpuMs();
  const { count, seconds } = await child.request<RenewalOutcome>(job);
  const after = await child.usage();
  const nodeMs = (after.cpuMs - before.cpuMs) / count;
  const databaseMs = (postgres.cpuMs() - databaseBefore) / count;
  return { rate: count / seconds, cpuMs: nodeMs + databaseMs, nodeMs, p50Ms: Number.NaN, p99Ms: Number.NaN, count };
}

/** Renewals run in another process. The server that answers the feed handles their events. */
async function measureFeedDuringRenewals(context: BenchContext): Promise<Figure> {
  const { options, postgres, logProgress } = context;
  const { url } = await createCrowd(context, 'small', 'subscribed_crowd');
  await withDatabase(url, async (db) => {
    await fundFans(db, CROWD_FANS);
    await makeSubscriptions(db, { fans: CROWD_FANS, creators: CREATORS, perFan: CREATORS });
    await runSql(db, POSTPONE_ALL);
  });
  await vacuumDatabase(url);
  const dataDir = join(context.folder, 'feed-renewals');
  await mkdir(dataDir, { recursive: true });
  const server = await startChild('servers/product.ts', [url, dataDir]);
  const renewals = await startChild('servers/renewals.ts', [url, dataDir]);
  const loader = await startLoader();
  const read = await startFeedReads({ loader, postgres }, server);
  const rounds: { busyMs: number; idleMs: number }[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    await server.request({});
    const idle = await read(options.seconds);
    await withDatabase(url, makeAllDue);
    const job: RenewalJob = { fans: CROWD_FANS, creators: CREATORS, work: 'renewThrottled', seconds: options.seconds };
    const renewing = renewals.request<RenewalOutcome>(job);
    const busy = await read(options.seconds);
    const { count: renewed, seconds } = await renewing;
    await withDatabase(url, (db) => runSql(db, POSTPONE_ALL));
    rounds.push({ busyMs: busy.p99Ms, idleMs: idle.p99Ms });
    logProgress(
      `feed p99 ${busy.p99Ms.toFixed(1)} ms at ${(renewed / seconds).toFixed(0)} renewals a second, ${idle.p99Ms.toFixed(1)} ms idle`,
    );
  }
  for (const child of [server, renewals, loader]) await child.stop();
  await assertLedger(url);
  const format = (pick: (round: (typeof rounds)[number]) => number) => `${median(rounds.map(pick)).toFixed(2)} ms`;
  return {
    name: 'feed p99 while renewals run ÷ idle',
    ours: format(({ busyMs }) => busyMs),
    limit: format(({ idleMs }) => idleMs),
    ratio: summarizeRatios(rounds.map(({ busyMs, idleMs }) => busyMs / idleMs)),
    aim: { atMost: 1.2 },
  };
}

export async function measureSubscriptions(context: BenchContext): Promise<BenchResult> {
  const { options, postgres, folder, logProgress } = context;
  const fans = options.isQuick ? FANS.quick : FANS.full;
  logProgress(`making ${fans * SUBSCRIPTIONS_PER_FAN} subscriptions`);
  const url = await postgres.createMigrated('subscriptions');
  await withDatabase(url, async (db) => {
    await makeFans(db, fans);
    await makeCreators(db, CREATORS);
    await fundFans(db, fans);
    await makeSubscriptions(db, { fans, creators: CREATORS, perFan: SUBSCRIPTIONS_PER_FAN });
  });
  await vacuumDatabase(url);
  const child = await startChild('servers/renewals.ts', [url, folder]);
  const job = { fans, creators: CREATORS };
  const samples = await interleave(
    options,
    {
      charge: (seconds) => measureRun(context, child, { ...job, work: 'charge', seconds }),
      renew: async (seconds) => {
        await withDatabase(url, makeAllDue);
        return measureRun(context, child, { ...job, work: 'renew', seconds });
      },
    },
    logProgress,
  );
  await child.stop();
  await assertLedger(url);
  return {
    bench: 'subscriptions',
    reading:
      'Renewals per second of one job and CPU per renewal (Node and PostgreSQL together), each durable before the next begins: more is better. The p99 of a feed while renewals run: less is better.',
    figures: [
      {
        name: 'renewals, all due at once ÷ bare sales_charge()',
        ours: formatSamples(samples.renew),
        limit: formatSamples(samples.charge),
        ratio: calculateRatio(samples.renew, samples.charge, getRate),
        byCpu: calculateRatio(samples.renew, samples.charge, getCpuRate),
      },
      {
        name: 'renewals, all due at once ÷ 100,000 an hour',
        ours: formatSamples(samples.renew),
        limit: `${(DUE_PER_HOUR / 3_600).toFixed(0)}/s`,
        ratio: summarizeRatios(samples.renew.map((sample) => getRate(sample) / (DUE_PER_HOUR / 3_600))),
        aim: { atLeast: 1 },
      },
      await measureFeedDuringRenewals(context),
    ],
    notes: ['The ledger was checked afterwards: it balances.'],
  };
}
