/** Tests of the modules that move money. Each test ends with a check of the whole ledger. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { addKind, createDeposit } from '../modules/ledger/ledger/testing.ts';
import { checkLedger } from '../modules/ledger/ledger-checks/index.ts';
import { type Database, openDatabase } from '../platform/database/db.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export type MoneyTest = {
  readonly db: Database;
  /** Connects as the database owner, for statements that the app role may not run. */
  readonly owner: Database;
  readonly url: string;
  isLedgerClean(): Promise<boolean>;
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

/** Sets up a test file with a kind `test` that may move anything. The ledger is checked after each test. */
export function setUpMoneyTest(maxConnections = 12): MoneyTest {
  let database: TestDatabase;
  let db: Database;
  let owner: Database;
  beforeAll(async () => {
    database = await createTestDatabase();
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
    createDeposit(db, fanId, amountCents, { feeCents, ...(at && { at }) });
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
    isLedgerClean: async () => (await checkLedger(db)).isClean,
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
