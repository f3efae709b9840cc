/**
 * Compares tips and unlocks, through the service and over HTTP, with pgbench's TPC-B and with a minimal tip, spread
 * over creators and all to one creator.
 */

import { runSql } from '../server/kernel/db.ts';
import { type Child, startChild, startLoader } from './harness/child.ts';
import { settleDatabase, withDatabase } from './harness/database.ts';
import { measureHttp } from './harness/http.ts';
import { findPgbench, pgbenchOn } from './harness/pgbench.ts';
import type { Figure, Result } from './harness/report.ts';
import {
  byCpu,
  byRate,
  interleave,
  median,
  medianOf,
  ratioOf,
  type Sample,
  type Samples,
  shown,
} from './harness/rounds.ts';
import type { Stage } from './harness/stage.ts';
import type { ServiceJob, ServiceOutcome } from './servers/service.ts';
import { assertLedger } from './worlds/assert-ledger.ts';
import { cookieLine, fundFans, makeCreators, makeFans, personId, personIdSql } from './worlds/people.ts';
import { PLAIN_LEDGER } from './worlds/plain-ledger.ts';
import { makePosts, postIds } from './worlds/posts.ts';

const FANS = 1000;
const CREATORS = 200;
const CLIENTS = 8;
/** Rows of TPC-B's smallest table. Every transaction updates one of them, so there are far more rows than clients. */
const TPCB_SCALE = 40;

/** Multiplied by the number of fans, this is more first unlocks than a run can make. */
const POSTS = 400;

const tipScript = (creator: string) => `\\set fan random(0, ${FANS - 1})
\\set creator random(0, ${CREATORS - 1})
select transaction_id, balance_cents from sales_charge('tip', ${personIdSql('fan', ':fan')}, ${personIdSql('creator', creator)}, 100,
  gen_random_uuid(), '\\x0000000000000000000000000000000000000000000000000000000000000000', null, '', 'profile');
`;

type Pair<K extends string> = { name: string; ours: K; limit: K; atLeast?: number };

function figuresOf<K extends string>(samples: Samples<K>, pairs: readonly Pair<K>[]): Figure[] {
  return pairs.map(({ name, ours, limit, atLeast }) => ({
    name,
    ours: shown(samples[ours]),
    limit: shown(samples[limit]),
    ratio: ratioOf(samples[ours], samples[limit], byRate),
    byCpu: ratioOf(samples[ours], samples[limit], byCpu),
    ...(atLeast && { aim: { atLeast } }),
  }));
}

async function makeWorld(url: string): Promise<void> {
  await withDatabase(url, async (db) => {
    await makeFans(db, FANS);
    await makeCreators(db, CREATORS);
    await fundFans(db, FANS);
    await makePosts(db, { creators: CREATORS, posts: POSTS, paidEvery: 1 });
    await runSql(db, PLAIN_LEDGER);
    await runSql(
      db,
      `insert into bench.wallets select ${personIdSql('fan', 'n')}, 100000000 from generate_series(0, ${FANS - 1}) as n`,
    );
  });
  await settleDatabase(url);
}

async function laterWork(stage: Stage, url: string): Promise<number> {
  return withDatabase(url, async (db) => {
    const [before] = (await db.pool.query('select count(*) as count from outbox')).rows;
    const cpuBefore = stage.postgres.cpuMs();
    while (((await db.pool.query('select ledger_roll() as count')).rows[0]?.count ?? 0) > 0);
    await runSql(db, 'delete from outbox');
    return (stage.postgres.cpuMs() - cpuBefore) / Math.max(1, Number(before?.count));
  });
}

export async function money(stage: Stage): Promise<Result> {
  const { options, postgres, folder, tell } = stage;
  tell('making a world');
  const url = await postgres.migrated('money');
  await makeWorld(url);
  const found = findPgbench();
  const loader = await startLoader();
  const product = await startChild('servers/product.ts', [url, folder]);
  const thin = await startChild('servers/thin.ts', [url]);
  const service = await startChild('servers/service.ts', [url, folder]);
  const rig = { loader, postgres };
  const later: number[] = [];

  const everyone = Array.from({ length: CREATORS }, (_, n) => personId('creator', n));
  const one = [personId('creator', 0)];
  const load = { method: 'POST', connections: CLIENTS, hasKey: true } as const;
  const cookies = Array.from({ length: FANS }, (_, n) => cookieLine(n));
  const fans = Array.from({ length: FANS }, (_, n) => `fan: ${personId('fan', n)}`);
  const tip = (to: string[]) => (seconds: number) =>
    measureHttp(rig, product, {
      ...load,
      seconds,
      headers: cookies,
      paths: to.map((id) => `/api/tip/customer-send/${id}`),
      body: '{"amount":1,"type":"profile"}',
    });
  const thinTip = (kind: 'tip' | 'plain', to: string[]) => (seconds: number) =>
    measureHttp(rig, thin, {
      ...load,
      seconds,
      headers: fans,
      paths: to.map((id) => `/${kind}/${id}`),
      body: '{"amount":1}',
    });
  let unlocked = 0;
  const posts = await withDatabase(url, (db) => postIds(db, POSTS, true));
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
  const serve = (creators: number) => (seconds: number) =>
    measureService(stage, service, { seconds, concurrency: CLIENTS, fans: FANS, creators });

  const samples = await interleave(
    options,
    {
      thin: thinTip('tip', everyone),
      http: tip(everyone),
      thinOne: thinTip('tip', one),
      httpOne: tip(one),
      plain: thinTip('plain', everyone),
      service: serve(CREATORS),
      serviceOne: serve(1),
      unlock,
    },
    tell,
  );
  for (const child of [product, thin, service]) await child.stop();
  await loader.stop();

  const figures = figuresOf(samples, [
    { name: 'tip over HTTP ÷ thin tip', ours: 'http', limit: 'thin', atLeast: 0.8 },
    { name: 'tip over HTTP, all to one creator ÷ spread', ours: 'httpOne', limit: 'http', atLeast: 0.8 },
    { name: 'unlock over HTTP ÷ thin tip', ours: 'unlock', limit: 'thin' },
    { name: 'tip through the service ÷ thin tip', ours: 'service', limit: 'thin' },
    { name: 'tip through the service, all to one ÷ spread', ours: 'serviceOne', limit: 'service', atLeast: 0.8 },
    { name: 'tip over HTTP ÷ thin tip on a plain ledger', ours: 'http', limit: 'plain' },
  ]);

  if ('path' in found) {
    const pgbench = pgbenchOn(found.path, postgres, folder);
    tell('making TPC-B tables');
    await postgres.empty('tpcb');
    await pgbench.prepare('tpcb', options.isQuick ? CLIENTS : TPCB_SCALE);
    const run = (database: string, script: string) => (seconds: number) =>
      pgbench.measure(database, script, { clients: CLIENTS, seconds });
    const ledger = (script: string) => async (seconds: number) => {
      const sample = await run('money', script)(seconds);
      later.push(await laterWork(stage, url));
      return sample;
    };
    const bare = await interleave(
      options,
      { tpcb: run('tpcb', 'tpcb'), ledger: ledger(tipScript(':creator')), ledgerOne: ledger(tipScript('0')) },
      tell,
    );
    figures.unshift(
      ...figuresOf(bare, [
        { name: "ledger's tip function ÷ TPC-B, both by pgbench", ours: 'ledger', limit: 'tpcb', atLeast: 0.8 },
        { name: "ledger's tip function, all to one ÷ spread", ours: 'ledgerOne', limit: 'ledger', atLeast: 0.8 },
      ]),
    );
  }
  await assertLedger(url);
  const node = medianOf(samples.http, (sample) => sample.nodeMs);
  const thinNode = medianOf(samples.thin, (sample) => sample.nodeMs);
  return {
    bench: 'money',
    reading: `Each figure is operations a second and CPU an operation (node and PostgreSQL together), with ${CLIENTS} clients, ${FANS} fans and ${CREATORS} creators, every answer durable. More is better; 1 is the limit itself.`,
    figures,
    notes: [
      `Of a tip over HTTP, node takes ${node.toFixed(3)} ms (thin: ${thinNode.toFixed(3)} ms); p50 ${medianOf(samples.http, (sample) => sample.p50Ms).toFixed(1)} ms, p99 ${medianOf(samples.http, (sample) => sample.p99Ms).toFixed(1)} ms.`,
      ...(later.length > 0
        ? [
            `Summing up and telling later costs PostgreSQL another ${median(later).toFixed(3)} ms a tip; over HTTP it is included.`,
          ]
        : []),
      ...('missing' in found ? [found.missing] : []),
      'The ledger was checked afterwards: it balances.',
    ],
  };
}

async function measureService({ postgres }: Stage, service: Child, job: ServiceJob): Promise<Sample> {
  const before = await service.usage();
  const databaseBefore = postgres.cpuMs();
  const { count, seconds } = await service.ask<ServiceOutcome>(job);
  const after = await service.usage();
  const nodeMs = (after.cpuMs - before.cpuMs) / count;
  const databaseMs = (postgres.cpuMs() - databaseBefore) / count;
  return { rate: count / seconds, cpuMs: nodeMs + databaseMs, nodeMs, p50Ms: Number.NaN, p99Ms: Number.NaN, count };
}
