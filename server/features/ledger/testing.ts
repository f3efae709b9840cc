import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Insertable } from 'kysely';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type Database, openDatabase, type Tables } from '../../kernel/db.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { checkLedger, creditDeposit } from './index.ts';

export { checkNow } from './nightly.ts';

export type MoneyTest = {
  readonly db: Database;
  /** Connects as the database owner, for statements that the app role may not run. */
  readonly owner: Database;
  readonly url: string;
  fan(balanceCents?: number): Promise<string>;
  creator(signedUpAt?: Date): Promise<string>;
  deposit(fanId: string, amountCents: number, feeCents?: number, at?: Date): Promise<string>;
};

async function insertUser(db: Database, type: 'customer' | 'creator'): Promise<string> {
  const id = randomUUID();
  await db.query
    .insertInto('users')
    .values({ id, type, username: id, email: `${id}@example.test`, name: type, password_hash: 'x' })
    .execute();
  return id;
}

export async function makeDeposit(
  db: Database,
  fanId: string,
  amountCents: number,
  { feeCents = 0, at }: { feeCents?: number; at?: Date } = {},
): Promise<string> {
  const eventKey = randomUUID();
  const credit = { fanId, amountCents, feeCents, provider: 'ccbill', ref: eventKey, eventKey, ...(at && { at }) };
  return (await db.transaction((tx) => creditDeposit(tx, credit))).transactionId;
}

export async function linesInTime(): Promise<string> {
  const migration = await readFile(new URL('../../migrations/0253_lines_in_time.sql', import.meta.url), 'utf8');
  const [statement] = /update ledger_accounts[^;]+/.exec(migration) ?? [];
  if (statement === undefined) throw new Error('the migration reckons it no more');
  return statement;
}

export async function addKind(
  owner: Database,
  kind: Omit<Insertable<Tables['ledger_kinds']>, 'title' | 'statement_type'> & {
    title?: string;
    statement_type?: string;
  },
): Promise<void> {
  const row = { title: kind.kind, statement_type: 'other', ...kind };
  await owner.query.insertInto('ledger_kinds').values(row).execute();
}

/** Sets up a test file with a kind `test` that may move anything. The ledger is checked after each test. */
export function moneyTest(maxConnections = 12): MoneyTest {
  let database: TestDatabase;
  let db: Database;
  let owner: Database;
  beforeAll(async () => {
    database = await testDatabase();
    db = openDatabase(database.url, { maxConnections });
    owner = openDatabase(database.ownerUrl, { maxConnections: 2 });
    await addKind(owner, { kind: 'test', debits: ['%'], credits: ['%'] });
  });
  afterEach(async () => {
    const { checks } = await checkLedger(db);
    expect(checks.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
  });
  afterAll(async () => {
    await db.close();
    await owner.close();
    await database.drop();
  });
  const deposit: MoneyTest['deposit'] = (fanId, amountCents, feeCents = 0, at) =>
    makeDeposit(db, fanId, amountCents, { feeCents, ...(at && { at }) });
  return {
    get db() {
      return db;
    },
    get owner() {
      return owner;
    },
    get url() {
      return database.url;
    },
    fan: async (balanceCents = 0) => {
      const id = await insertUser(db, 'customer');
      if (balanceCents > 0) await deposit(id, balanceCents);
      return id;
    },
    creator: async (signedUpAt = new Date('2020-01-01T00:00:00Z')) => {
      const id = await insertUser(db, 'creator');
      await db.query.insertInto('creators').values({ user_id: id, created_at: signedUpAt }).execute();
      return id;
    },
    deposit,
  };
}

export async function refusalOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
}
