import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Child, startChild, startLoader } from './harness/child.ts';
import { settleDatabase, withDatabase } from './harness/database.ts';
import { measureHttp } from './harness/http.ts';
import type { Figure, Result } from './harness/report.ts';
import { cpuOf, interleave, ratioOf, type Sample, shown } from './harness/rounds.ts';
import type { Stage } from './harness/stage.ts';
import { assertLedger } from './worlds/assert-ledger.ts';
import { cookieLine, fundFans, makeCreators, makeFans, personId } from './worlds/people.ts';
import { makePastSales } from './worlds/sales.ts';

const FANS = 250;
const CREATORS = 200;
const CLIENTS = 4;
const KINDS = ['tip', 'balance', 'statement'] as const;

type Size = { entries: number; database: string; server: Child };

async function open(stage: Stage, entries: number): Promise<Size> {
  const database = `ledger_${entries}`;
  stage.tell(`making a ledger of ${entries} entries`);
  const url = await stage.postgres.copy(database, 'ledger');
  await withDatabase(url, (db) => makePastSales(db, Math.round(entries / 3), FANS, CREATORS));
  await settleDatabase(url);
  const dataDir = join(stage.folder, database);
  await mkdir(dataDir);
  return { entries, database: url, server: await startChild('servers/product.ts', [url, dataDir]) };
}

export async function ledger(stage: Stage): Promise<Result> {
  const { options, postgres, tell } = stage;
  const small = 10_000;
  const large = options.isQuick ? [30_000] : [1_000_000, ...(options.isDeep ? [10_000_000] : [])];
  const empty = await postgres.migrated('ledger');
  await withDatabase(empty, async (db) => {
    await makeFans(db, FANS);
    await makeCreators(db, CREATORS);
    await fundFans(db, FANS);
  });
  const loader = await startLoader();
  const sizes: Size[] = [];
  for (const entries of [small, ...large]) sizes.push(await open(stage, entries));

  const headers = Array.from({ length: FANS }, (_, n) => cookieLine(n));
  const requests = {
    tip: {
      method: 'POST',
      hasKey: true,
      paths: Array.from({ length: CREATORS }, (_, n) => `/api/tip/customer-send/${personId('creator', n)}`),
      body: '{"amount":1,"type":"profile"}',
    },
    balance: { method: 'GET', paths: ['/api/customer/wallet'] },
    statement: { method: 'GET', paths: ['/api/customer/transaction-history?limit=10'] },
  } as const;
  const variants: Record<string, (seconds: number) => Promise<Sample>> = {};
  for (const { entries, server } of sizes)
    for (const kind of KINDS)
      variants[`${kind} ${entries}`] = (seconds) =>
        measureHttp({ loader, postgres }, server, { ...requests[kind], connections: CLIENTS, seconds, headers });
  const samples = await interleave(options, variants, tell);
  for (const { server } of sizes) await server.stop();
  await loader.stop();
  for (const { database } of sizes) await assertLedger(database);

  const figures = large.flatMap((entries) =>
    KINDS.map((kind): Figure => {
      const ours = samples[`${kind} ${entries}`] ?? [];
      const limit = samples[`${kind} ${small}`] ?? [];
      const name = `${kind}: ${entries.toLocaleString('en')} entries ÷ ${small.toLocaleString('en')}`;
      return { name, ours: shown(ours), limit: shown(limit), ratio: ratioOf(ours, limit, cpuOf), aim: { atMost: 1.1 } };
    }),
  );
  return {
    bench: 'ledger',
    reading: `CPU an operation over HTTP with much in the ledger ÷ with little; ${FANS} fans share the entries, so that statements grow with it. Less is better; 1 is no growth.`,
    figures,
    notes: ['The ledgers were checked afterwards: they balance.'],
  };
}
