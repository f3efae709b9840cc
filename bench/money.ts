/**
 * Compares tips and unlocks, through the service and over HTTP, with pgbench's TPC-B and with a minimal tip, spread
 * over creators and all to one creator.
 */

import { runSql } from '../server/platform/database/db.ts';
import { assertLedger } from './fixtures/assert-ledger.ts';
import { PLAIN_LEDGER } from './fixtures/plain-ledger.ts';
import { listBenchPostIds, makePosts } from './fixtures/posts.ts';
import {
  formatSessionCookie,
  fundFans,
  makeCreators,
  makeFans,
  toBenchUserId,
  toBenchUserIdSql,
} from './fixtures/users.ts';
import { type Child, startChild, startLoader } from './harness/child.ts';
import type { BenchContext } from './harness/context.ts';
import { vacuumDatabase, withDatabase } from './harness/database.ts';
import { measureHttp } from './harness/http.ts';
import { createPgbench, findPgbench } from './harness/pgbench.ts';
import type { BenchResult, Figure } from './harness/report.ts';
import {
  calculateMedianBy,
  calculateRatio,
  formatSamples,
  getCpuRate,
  getRate,
  interleave,
  type LoadSample,
  median,
  type Samples,
} from './harness/rounds.ts';
import type { ServiceJob, ServiceOutcome } from './servers/service.ts';

const FANS = 1000;
const CREATORS = 200;
const CLIENTS = 8;
/** Rows of TPC-B's smallest table. Every transaction updates one of them, so there are far more rows than clients. */
const TPCB_SCALE = 40;

/** Multiplied by the number of fans, this is more first unlocks than a run can make. */
const POSTS = 400;

const tipScript = (creator: string) => `\\set fan random(0, ${FANS - 1})
\\set creator random(0, ${CREATORS - 1})
select transaction_id, balance_cents from sales_charge('tip', ${toBenchUserIdSql('fan', ':fan')}, ${toBenchUserIdSql('creator', creator)}, 100,
  gen_random_uuid(), '\\x0000000000000000000000000000000000000000000000000000000000000000', null, '', 'profile');
`;

type FigurePair<K extends string> = { name: string; ours: K; limit: K; atLeast?: number };

function toFigures<K extends string>(samples: Samples<K>, pairs: readonly FigurePair<K>[]): Figure[] {
  return pairs.map(({ name, ours, limit, atLeast }) => ({
    name,
    ours: formatSamples(samples[ours]),
    limit: formatSamples(samples[limit]),
    ratio: calculateRatio(samples[ours], samples[limit], getRate),
    byCpu: calculateRatio(samples[ours], samples[limit], getCpuRate),
    ...(atLeast && { aim: { atLeast } }),
  }));
}

async function createWorld(url: string): Promise<void> {
  await withDatabase(url, async (db) => {
    await makeFans(db, FANS);
    await makeCreators(db, CREATORS);
    await fundFans(db, FANS);
    await makePosts(db, { creators: CREATORS, posts: POSTS, paidEvery: 1 });
    await runSql(db, PLAIN_LEDGER);
    await runSql(
      db,
      `insert into bench.wallets select ${toBenchUserIdSql('fan', 'n')}, 100000000 from generate_series(0, ${FANS - 1}) as n`,
    );
  });
  await vacuumDatabase(url);
}

async function measureDeferredWork(context: BenchContext, url: string): Promise<number> {
  return withDatabase(url, async (db) => {
    const [before] = (await db.pool.query('select count(*) as count from outbox')).rows;
    const cpuBefore = context.postgres.cpuMs();
    while (((await db.pool.query('select ledger_sum_inflows() as count')).rows[0]?.count ?? 0) > 0);
    await runSql(db, 'delete from outbox');
    return (context.postgres.cpuMs() - cpuBefore) / Math.max(1, Number(before?.count));
  });
}

export async function measureMoney(context: BenchContext): Promise<BenchResult> {
  const { options, postgres, folder, logProgress } = context;
  logProgress('making the test data');
  const url = await postgres.createMigrated('money');
  await createWorld(url);
  const pgbenchResult = findPgbench();
  const loader = await startLoader();
  const product = await startChild('servers/product.ts', [url, folder]);
  const thin = await startChild('servers/thin.ts', [url]);
  const service = await startChild('servers/service.ts', [url, folder]);
  const rig = { loader, postgres };
  const deferredMs: number[] = [];

  const creatorIds = Array.from({ length: CREATORS }, (_, n) => toBenchUserId('creator', n));
  const firstCreatorIds = [toBenchUserId('creator', 0)];
  const load = { method: 'POST', connections: CLIENTS, hasKey: true } as const;
  const cookies = Array.from({ length: FANS }, (_, n) => formatSessionCookie(n));
  const fans = Array.from({ length: FANS }, (_, n) => `fan: ${toBenchUserId('fan', n)}`);
  const createTip = (to: string[]) => (seconds: number) =>
    measureHttp(rig, product, {
      ...load,
      seconds,
      headers: cookies,
      paths: to.map((id) => `/api/tip/customer-send/${id}`),
      body: '{"amount":1,"type":"profile"}',
    });
  const createThinTip = (kind: 'tip' | 'plain', to: string[]) => (seconds: number) =>
    measureHttp(rig, thin, {
      ...load,
      seconds,
      headers: fans,
      paths: to.map((id) => `/${kind}/${id}`),
      body: '{"amount":1}',
    });
  let unlocked = 0;
  const posts = await withDatabase(url, (db) => listBenchPostIds(db, POSTS, true));
  const unlock = async (seconds: number) => {
    const sample = await measureHttp(rig, product, {
      ...load,
      seconds,
      headers: cookies,
      paths: posts.map((id) => `/api/post/unlock/${id}`),
      first: unlocked,
      maxCount: FANS * posts.length - unlocked,
    });
    unlocked += sample.count + CLIENTS;
    return sample;
  };
  const createServiceVariant = (creators: number) => (seconds: number) =>
    measureService(context, service, { seconds, concurrency: CLIENTS, fans: FANS, creators });

  const samples = await interleave(
    options,
    {
      thin: createThinTip('tip', creatorIds),
      http: createTip(creatorIds),
      thinOne: createThinTip('tip', firstCreatorIds),
      httpOne: createTip(firstCreatorIds),
      plain: createThinTip('plain', creatorIds),
      service: createServiceVariant(CREATORS),
      serviceOne: createServiceVariant(1),
      unlock,
    },
    logProgress,
  );
  for (const child of [product, thin, service]) await child.stop();
  await loader.stop();

  const figures = toFigures(samples, [
    { name: 'tip over HTTP ÷ thin tip', ours: 'http', limit: 'thin', atLeast: 0.8 },
    { name: 'tip over HTTP, all to one creator ÷ spread', ours: 'httpOne', limit: 'http', atLeast: 0.8 },
    { name: 'unlock over HTTP ÷ thin tip', ours: 'unlock', limit: 'thin' },
    { name: 'tip through the service ÷ thin tip', ours: 'service', limit: 'thin' },
    { name: 'tip through the service, all to one ÷ spread', ours: 'serviceOne', limit: 'service', atLeast: 0.8 },
    { name: 'tip over HTTP ÷ thin tip on a plain ledger', ours: 'http', limit: 'plain' },
  ]);

  if ('path' in pgbenchResult && !options.isGuard) {
    const pgbench = createPgbench(pgbenchResult.path, postgres, folder);
    logProgress('making TPC-B tables');
    await postgres.createEmpty('tpcb');
    await pgbench.prepare('tpcb', options.isQuick ? CLIENTS : TPCB_SCALE);
    const run = (database: string, script: string) => (seconds: number) =>
      pgbench.measure(database, script, { clients: CLIENTS, seconds });
    const createLedgerVariant = (script: string) => async (seconds: number) => {
      const sample = await run('money', script)(seconds);
      deferredMs.push(await measureDeferredWork(context, url));
      return sample;
    };
    const bare = await interleave(
      options,
      {
        tpcb: run('tpcb', 'tpcb'),
        ledger: createLedgerVariant(tipScript(':creator')),
        ledgerOne: createLedgerVariant(tipScript('0')),
      },
      logProgress,
    );
    figures.unshift(
      ...toFigures(bare, [
        { name: "ledger's tip function ÷ TPC-B, both by pgbench", ours: 'ledger', limit: 'tpcb', atLeast: 0.8 },
        { name: "ledger's tip function, all to one ÷ spread", ours: 'ledgerOne', limit: 'ledger', atLeast: 0.8 },
      ]),
    );
  }
  await assertLedger(url);
  const node = calculateMedianBy(samples.http, (sample) => sample.nodeMs);
  const thinNode = calculateMedianBy(samples.thin, (sample) => sample.nodeMs);
  return {
    bench: 'money',
    reading: `Operations per second and CPU per operation (Node and PostgreSQL together), with ${CLIENTS} clients, ${FANS} fans and ${CREATORS} creators. Every response is durable. More is better; 1 is the limit itself.`,
    figures,
    notes: [
      `Node takes ${node.toFixed(3)} ms of a tip over HTTP (thin: ${thinNode.toFixed(3)} ms); p50 ${calculateMedianBy(samples.http, (sample) => sample.p50Ms).toFixed(1)} ms, p99 ${calculateMedianBy(samples.http, (sample) => sample.p99Ms).toFixed(1)} ms.`,
      ...(deferredMs.length > 0
        ? [
            `Deferred sums and events cost PostgreSQL another ${median(deferredMs).toFixed(3)} ms per tip; over HTTP they are included.`,
          ]
        : []),
      ...('missing' in pgbenchResult ? [pgbenchResult.missing] : []),
      'The ledger was checked afterwards: it balances.',
    ],
  };
}

async function measureService({ postgres }: BenchContext, service: Child, job: ServiceJob): Promise<LoadSample> {
  const before = await service.usage();
  const databaseBefore = postgres.cpuMs();
  const { count, seconds } = await service.request<ServiceOutcome>(job);
  const after = await service.usage();
  const nodeMs = (after.cpuMs - before.cpuMs) / count;
  const databaseMs = (postgres.cpuMs() - databaseBefore) / count;
  return { rate: count / seconds, cpuMs: nodeMs + databaseMs, nodeMs, p50Ms: Number.NaN, p99Ms: Number.NaN, count };
}
