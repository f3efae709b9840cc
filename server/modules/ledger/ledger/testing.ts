import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type Database, openDatabase, type Tables } from '../../../platform/database/db.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { checkLedger, creditDeposit } from './index.ts';

export { runLedgerCheckNow } from './nightly-check.ts';

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

export async function createDeposit(
  db: Database,
  fanId: string,
  amountCents: number,
  { feeCents = 0, at }: { feeCents?: number; at?: Date } = {},
): Promise<string> {
  const eventKey = randomUUID();
  const credit = { fanId, amountCents, feeCents, provider: 'ccbill', ref: eventKey, eventKey, ...(at && { at }) };
  return (await db.transaction((tx) => creditDeposit(tx, credit))).transactionId;
}

/** Calculates the latest line and the longest delay of every account again. */
export const RECALCULATE_LINE_TIMES = `update ledger_accounts a set last_line_at = l.last_line_at, max_late_ms = l.max_late_ms
  from (
    select account_id, max(at) as last_line_at,
      coalesce(max(extract(epoch from latest_before - at) * 1000) filter (where latest_before > at), 0)::bigint as max_late_ms
    from (
      select l.account_id, t.occurred_at as at,
        max(t.occurred_at) over (partition by l.account_id order by l.line rows between unbounded preceding and 1 preceding) as latest_before
      from ledger_lines l join ledger_transactions t on t.id = l.transaction_id) lines
    group by account_id) l
  where l.account_id = a.id`;

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

export async function catchErrorCode(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
}
