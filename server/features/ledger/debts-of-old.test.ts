/** Tests the migration that assigns old chargeback losses to the fans who caused them. */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../kernel/db.ts';
import { migrate, readSchemaFiles, schemaFolders } from '../../kernel/migrate.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { checkLedger, standingOf } from './index.ts';

let database: TestDatabase;
let db: Database;
let folder: string;
beforeAll(async () => {
  database = await testDatabase();
  db = openDatabase(database.ownerUrl, { maxConnections: 2 });
  folder = mkdtempSync(join(tmpdir(), 'debts-'));
  await db.pool.query('drop schema public cascade; create schema public');
  for (const { name } of readSchemaFiles().migrations)
    if (name < '0045') symlinkSync(join(schemaFolders.migrations, name), join(folder, name));
  await migrate(database.ownerUrl, { folders: { migrations: folder } });
});
afterAll(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
  await database.drop();
});

const post = async (kind: string, legs: Record<string, number>, reverses: string | null = null): Promise<string> => {
  const { rows } = await db.pool.query<{ transaction_id: string }>(
    'select transaction_id from ledger_post($1, $2, $3::bigint[], p_reverses => $4)',
    [kind, Object.keys(legs), Object.values(legs), reverses],
  );
  return rows[0]?.transaction_id ?? '';
};

async function oldDebtor(name: string, lossCents: number, laterCents: number): Promise<string> {
  const { rows } = await db.pool.query<{ id: string }>(
    `insert into users (type, username, email, name, password_hash, is_spending_blocked) values ('customer', $1::text, $2, $1::text, 'x', true) returning id`,
    [name, `${name}@example.test`],
  );
  const id = rows[0]?.id ?? '';
  const wallet = `liab:fan:${id}:wallet`;
  const deposit = await post('deposit', { 'asset:processor:ccbill:clearing': 5_000, [wallet]: -5_000 });
  if (lossCents > 0) await post('hold', { [wallet]: lossCents, [`liab:fan:${id}:call_hold`]: -lossCents });
  await post(
    'deposit_chargeback',
    { [wallet]: 5_000 - lossCents, 'exp:chargeback_loss': lossCents, 'asset:processor:ccbill:clearing': -5_000 },
    deposit,
  );
  await db.pool.query('update ledger_accounts set is_frozen = $2 where code = $1', [wallet, lossCents > 0]);
  if (laterCents > 0) await post('deposit', { 'asset:processor:ccbill:clearing': laterCents, [wallet]: -laterCents });
  return id;
}

it('the debt migration assigns each loss to its fan, repays what it can and leaves other blocks in place', async () => {
  const [owing, partly, able, other] = [
    await oldDebtor('owing', 4_500, 0),
    await oldDebtor('partly', 4_500, 1_000),
    await oldDebtor('able', 300, 1_000),
    await oldDebtor('other', 0, 100),
  ];
  await migrate(database.ownerUrl);
  const standing = async (id: string) => {
    const { balanceCents, owedCents, isBlocked, isForDebt } = await standingOf(db, id);
    return [balanceCents, owedCents, isBlocked, isForDebt];
  };
  expect(await standing(owing)).toEqual([0, 4_500, true, true]);
  expect(await standing(partly)).toEqual([0, 3_500, true, true]);
  expect(await standing(able)).toEqual([700, 0, false, false]);
  expect(await standing(other)).toEqual([100, 0, true, false]);
  const { rows } = await db.pool.query(`select ledger_balance('exp:chargeback_loss') as loss`);
  expect(rows).toEqual([{ loss: 0 }]);
  const wrong = (await checkLedger(db)).checks.filter((check) => check.wrong.length > 0);
  expect(wrong.map(({ name }) => name)).toEqual([expect.stringContaining('the held balance of each fan')]);
});
