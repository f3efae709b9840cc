import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { assertLedger } from './fixtures/assert-ledger.ts';
import { makePastSales } from './fixtures/sales.ts';
import { formatSessionCookie, fundFans, makeCreators, makeFans, toBenchUserId } from './fixtures/users.ts';
import { type Child, startChild, startLoader } from './harness/child.ts';
import type { BenchContext } from './harness/context.ts';
import { vacuumDatabase, withDatabase } from './harness/database.ts';
import { measureHttp } from './harness/http.ts';
import type { BenchResult, Figure } from './harness/report.ts';
import { calculateRatio, formatSamples, getCpuMs, interleave, type LoadSample } from './harness/rounds.ts';

const FANS = 250;
const CREATORS = 200;
const CLIENTS = 4;
const KINDS = ['tip', 'balance', 'statement'] as const;

type Size = { entries: number; database: string; server: Child };

async function openLedger(context: BenchContext, entries: number): Promise<Size> {
  const database = `ledger_${entries}`;
  context.logProgress(`making a ledger of ${entries} entries`);
  const url = await context.postgres.copy(database, 'ledger');
  await withDatabase(url, (db) => makePastSales(db, Math.round(entries / 3), FANS, CREATORS));
  await vacuumDatabase(url);
  const dataDir = join(context.folder, database);
  await mkdir(dataDir);
  return { entries, database: url, server: await startChild('servers/product.ts', [url, dataDir]) };
}

export async function measureLedger(context: BenchContext): Promise<BenchResult> {
  const { options, postgres, logProgress } = context;
  const small = 10_000;
  const large = options.isQuick ? [30_000] : [1_000_000, ...(options.isDeep ? [10_000_000] : [])];
  const empty = await postgres.createMigrated('ledger');
  await withDatabase(empty, async (db) => {
    await makeFans(db, FANS);
    await makeCreators(db, CREATORS);
    await fundFans(db, FANS);
  });
  const loader = await startLoader();
  const sizes: Size[] = [];
  for (const entries of [small, ...large]) sizes.push(await openLedger(context, entries));

  const headers = Array.from({ length: FANS }, (_, n) => formatSessionCookie(n));
  const requests = {
    tip: {
      method: 'POST',
      hasKey: true,
      paths: Array.from({ length: CREATORS }, (_, n) => `/api/tip/customer-send/${toBenchUserId('creator', n)}`),
      body: '{"amount":1,"type":"profile"}',
    },
    balance: { method: 'GET', paths: ['/api/customer/wallet'] },
    statement: { method: 'GET', paths: ['/api/customer/transaction-history?limit=10'] },
  } as const;
  const variants: Record<string, (seconds: number) => Promise<LoadSample>> = {};
  for (const { entries, server } of sizes)
    for (const kind of KINDS)
      variants[`${kind} ${entries}`] = (seconds) =>
        measureHttp({ loader, postgres }, server, { ...requests[kind], connections: CLIENTS, seconds, headers });
  const samples = await interleave(options, variants, logProgress);
  for (const { server } of sizes) await server.stop();
  await loader.stop();
  for (const { database } of sizes) await assertLedger(database);

  const figures = large.flatMap((entries) =>
    KINDS.map((kind): Figure => {
      const ours = samples[`${kind} ${entries}`] ?? [];
      const limit = samples[`${kind} ${small}`] ?? [];
      const name = `${kind}: ${entries.toLocaleString('en')} entries ÷ ${small.toLocaleString('en')}`;
      return {
        name,
        ours: formatSamples(ours),
        limit: formatSamples(limit),
        ratio: calculateRatio(ours, limit, getCpuMs),
        aim: { atMost: 1.1 },
      };
    }),
  );
  return {
    bench: 'ledger',
    reading: `CPU per operation over HTTP with a large ledger ÷ with a small one; ${FANS} fans share the entries, so that their statements grow too. Less is better; 1 is no growth.`,
    figures,
    notes: ['The ledgers were checked afterwards: they balance.'],
  };
}
