import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase } from '../../testing/database.ts';
import { findRequester, runAs } from '../http/request-context.ts';
import { type Database, isDatabaseUnavailable, isUniqueViolation, openDatabase, type SqlStatement } from './db.ts';

let db: Database;
let databaseUrl: string;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await createTestDatabase();
  drop = database.drop;
  databaseUrl = database.ownerUrl;
  db = openDatabase(database.ownerUrl);
  await db.pool.query('create table counters (id int primary key, value bigint not null)');
  await db.pool.query('insert into counters values (1, 0), (2, 0)');
});
afterAll(async () => {
  await db.close();
  await drop();
});

const ADD: SqlStatement = { name: 'test-add', text: 'update counters set value = value + 1 where id = $1' };
const READ: SqlStatement = { name: 'test-read', text: 'select value from counters where id = $1' };
const counted = async (id: number) => (await db.run<{ value: number }>(READ, [id]))[0]?.value;

test('a failed transaction changes nothing', async () => {
  const before = await counted(1);
  await expect(
    db.transaction(async (tx) => {
      await tx.run(ADD, [1]);
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(await counted(1)).toBe(before);
});

test('concurrent queries on one connection run in order, and none outlives its transaction', async () => {
  const one = openDatabase(databaseUrl, { maxConnections: 1 });
  try {
    const both = await one.snapshot((read) =>
      Promise.all([1, 2].map(async (id) => (await read.run<{ value: number }>(READ, [id]))[0]?.value)),
    );
    expect(both).toEqual([await counted(1), await counted(2)]);
    const before = await counted(1);
    const queries: Promise<unknown>[] = [];
    await expect(
      one.transaction(async (tx) => {
        const fails = sql`select 1 / 0`.execute(tx.query);
        queries.push(...[1, 2, 3].map(() => tx.run(ADD, [1]).catch(() => undefined)));
        await fails;
      }),
    ).rejects.toThrow('division by zero');
    await Promise.all(queries);
    expect(await counted(1)).toBe(before);
  } finally {
    await one.close();
  }
});

test('waiting for a connection, a row lock or a frozen transaction ends with a timeout', async () => {
  const timeouts = { waitMs: 500, idleTransactionMs: 3_000 };
  const [one, other] = [1, 2].map(() => openDatabase(databaseUrl, { maxConnections: 1, timeouts }));
  if (!one || !other) throw new Error('there are two');
  const before = await counted(1);
  const { promise: locked, resolve: hold } = Promise.withResolvers<void>();
  const { promise: thaw, resolve: resumeFrozen } = Promise.withResolvers<void>();
  try {
    const frozen = one
      .transaction(async (tx) => {
        await tx.run(ADD, [1]);
        hold();
        await thaw;
        await tx.run(ADD, [1]);
      })
      .catch((error: unknown) => error);
    await locked;
    const add = () => other.transaction((tx) => tx.run(ADD, [1]));
    const refused = await Promise.all(
      [add(), one.run(READ, [1])].map((query) => query.catch((error: unknown) => error)),
    );
    expect(refused.map(isDatabaseUnavailable)).toEqual([true, true]);
    await vi.waitFor(add, { timeout: 30_000 });
    resumeFrozen();
    expect(isDatabaseUnavailable(await frozen)).toBe(true);
    expect(await counted(1)).toBe(Number(before) + 1);
    expect(await one.run(READ, [1])).toHaveLength(1);
  } finally {
    resumeFrozen();
    await Promise.all([one.close(), other.close()]);
  }
});

test('two transactions that deadlock are both applied once', async () => {
  const before = [await counted(1), await counted(2)].map(Number);
  let met = 0;
  let open: () => void = () => undefined;
  const bothHoldOne = new Promise<void>((resolve) => {
    open = resolve;
  });
  const lock = (first: number, second: number) =>
    db.transaction(async (tx) => {
      await tx.run(ADD, [first]);
      met += 1;
      if (met === 2) open();
      await bothHoldOne;
      await tx.run(ADD, [second]);
    });
  await Promise.all([lock(1, 2), lock(2, 1)]);
  expect([await counted(1), await counted(2)]).toEqual(before.map((value) => value + 2));
});

test('two statements with the same name do not collide, even on one connection', async () => {
  const sameNamed = ['one', 'other'].map((word) => ({ name: 'test-twins', text: `select '${word}' as word` }));
  await db.transaction(async (tx) => {
    for (const [index, word] of ['one', 'other'].entries())
      expect(await tx.run(sameNamed[index] ?? READ, [])).toEqual([{ word }]);
  });
});

test('int8 is parsed as a number, and an unsafe integer throws', async () => {
  expect((await db.pool.query('select 9007199254740991::int8 as n')).rows[0].n).toBe(Number.MAX_SAFE_INTEGER);
  await expect(db.pool.query('select 9007199254740993::int8 as n')).rejects.toThrow(RangeError);
});

test('a unique violation is distinguished from other errors', async () => {
  const error = await db.pool.query('insert into counters values (1, 0)').catch((thrown: unknown) => thrown);
  expect(isUniqueViolation(error)).toBe(true);
  expect(isUniqueViolation(error, 'counters_pkey')).toBe(true);
  expect(isUniqueViolation(error, 'another')).toBe(false);
  expect(isUniqueViolation(new Error('no'))).toBe(false);
});

test('an unreachable database is distinguished from a refused statement', async () => {
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );
  const client = await db.pool.connect();
  const { pid } = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0] ?? {};
  const cutQuery = failure(client.query('select pg_sleep(20)'));
  await vi.waitFor(
    async () => {
      const { rows } = await db.pool.query('select 1 from pg_stat_activity where pid = $1 and state = $2', [
        pid,
        'active',
      ]);
      expect(rows).toHaveLength(1);
    },
    { timeout: 30_000 },
  );
  await db.pool.query('select pg_terminate_backend($1)', [pid]);
  expect(isDatabaseUnavailable(await cutQuery)).toBe(true);
  expect(isDatabaseUnavailable(await failure(client.query('select 1')))).toBe(true);
  client.release(true);

  const unreachable = openDatabase('postgres://nobody@127.0.0.1:1/none');
  expect(isDatabaseUnavailable(await failure(unreachable.run({ name: 'one', text: 'select 1' }, [])))).toBe(true);
  expect(isDatabaseUnavailable(await failure(unreachable.transaction(async () => undefined)))).toBe(true);
  await unreachable.close();

  expect(isDatabaseUnavailable(await failure(db.pool.query('select 1 / 0')))).toBe(false);
  const unnamed = openDatabase('postgres://nobody@db.invalid/none');
  expect(isDatabaseUnavailable(await failure(unnamed.run({ name: 'one', text: 'select 1' }, [])))).toBe(true);
  await unnamed.close();
  const readOnly = db.pool.query('begin read only; create table no (id int); rollback');
  expect(isDatabaseUnavailable(await failure(readOnly))).toBe(true);

  expect(isDatabaseUnavailable(Object.assign(new Error('of something else'), { code: 'ENOENT' }))).toBe(false);
  expect(isDatabaseUnavailable(await failure(fetch('http://127.0.0.1:1/')))).toBe(false);
});

test('status values are inlined so that partial indexes apply, and all other values stay parameters', async () => {
  const selectByState = (state: string) => db.query.selectFrom('cases').select('id').where('state', '=', state);
  expect(selectByState('open').compile()).toMatchObject({
    sql: `select "id" from "cases" where "state" = 'open'`,
    parameters: [],
  });
  for (const hostile of ["open' or true --", 'öffen', '', 'open closed', 'a'.repeat(41)])
    expect(selectByState(hostile).compile()).toMatchObject({
      sql: 'select "id" from "cases" where "state" = $1',
      parameters: [hostile],
    });
  const among = db.query.selectFrom('cases').select('id').where('state', 'in', ['open', 'waiting']);
  expect(among.compile().sql).toContain(`"state" in ('open', 'waiting')`);
  const named = db.query.selectFrom('users').select('id').where('username', '=', 'open');
  expect(named.compile()).toMatchObject({ parameters: ['open'] });
  const written = db.query.selectFrom('cases').select('id').where('from_email', '=', 'a@example.org');
  const fromAddress = written.where('from_email', '<>', '');
  expect(fromAddress.compile()).toMatchObject({
    sql: `select "id" from "cases" where "from_email" = $1 and "from_email" <> ''`,
    parameters: ['a@example.org'],
  });
  const plans = await db.transaction(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx.query);
    const { rows } = await sql`explain ${selectByState('open').orderBy('due_at').orderBy('id').limit(1)}`.execute(
      tx.query,
    );
    const { rows: others } = await sql`explain (generic_plan) ${sql.raw(fromAddress.compile().sql)}`.execute(tx.query);
    return [JSON.stringify(rows), JSON.stringify(others)];
  });
  expect(plans[0]).toContain('using cases_open ');
  expect(plans[1]).toContain('cases_of_address');
});

test('statements of one caller that wait for a row use a limited part of the connections and do not affect others', async () => {
  const { promise: locked, resolve: hold } = Promise.withResolvers<void>();
  const { promise: freed, resolve: free } = Promise.withResolvers<void>();
  const timeouts = { waitMs: 1_500, idleTransactionMs: 10_000 };
  const eightConnections = openDatabase(databaseUrl, { maxConnections: 8, timeouts });
  const lockingTransaction = db.transaction(async (tx) => {
    await tx.run(ADD, [1]);
    hold();
    await freed;
  });
  try {
    await locked;
    const ada = { userId: 'ada', network: 'home' };
    const queryKinds: (() => Promise<unknown>)[] = [
      () => eightConnections.run(ADD, [1]),
      () => sql`update counters set value = value + 1 where id = 1`.execute(eightConnections.query),
      () => eightConnections.transaction((tx) => tx.run(ADD, [1])),
    ];
    const queries = queryKinds.flatMap((query) =>
      [1, 2, 3].map(() => runAs(ada, query).catch((error: unknown) => error)),
    );
    await expect.poll(() => eightConnections.pool.totalCount).toBe(2);
    const anonymousQueries = [1, 2, 3, 4, 5].map(() =>
      runAs({ network: 'home' }, () => eightConnections.run(ADD, [1])).catch((error: unknown) => error),
    );
    await expect.poll(() => eightConnections.pool.totalCount).toBe(6);
    expect(eightConnections.pool.waitingCount).toBe(0);
    for (const requester of [{ userId: 'eva', network: 'home' }, { network: 'elsewhere' }])
      expect(await runAs(requester, () => eightConnections.run(READ, [2]))).toHaveLength(1);
    expect(await eightConnections.run(READ, [2])).toHaveLength(1);
    expect((await Promise.all([...queries, ...anonymousQueries])).map(isDatabaseUnavailable)).toEqual(
      Array(14).fill(true),
    );
    free();
    await lockingTransaction;
    const before = Number(await counted(1));
    await Promise.all(queryKinds.flatMap((query) => Array.from({ length: 7 }, () => runAs(ada, query))));
    expect(await counted(1)).toBe(before + 21);
    const seen = Array.from({ length: 7 }, () =>
      runAs(ada, () =>
        eightConnections.snapshot(async (read) => [
          await read.run(READ, [1]),
          eightConnections.pool.totalCount - eightConnections.pool.idleCount,
        ]),
      ),
    );
    for (const [, busy] of await Promise.all(seen)) expect(busy).toBeLessThanOrEqual(2);
  } finally {
    free();
    await eightConnections.close();
  }
});

test('a caller whose connection requests timed out has the full share again', async () => {
  const twoConnections = openDatabase(databaseUrl, {
    maxConnections: 2,
    timeouts: { waitMs: 600, idleTransactionMs: 10_000 },
  });
  const locked = await Promise.all([twoConnections.pool.connect(), twoConnections.pool.connect()]);
  try {
    const queryKinds: (() => Promise<unknown>)[] = [
      () => twoConnections.run(READ, [1]),
      () => sql`select value from counters where id = 1`.execute(twoConnections.query),
      () => twoConnections.transaction((tx) => tx.run(READ, [1])),
      () => twoConnections.snapshot((read) => read.run(READ, [1])),
    ];
    const startQueries = () => queryKinds.map((query) => runAs({ userId: 'ada', network: 'home' }, query));
    const late = startQueries().map((answer) => answer.catch((error: unknown) => error));
    expect((await Promise.all(late)).map(isDatabaseUnavailable)).toEqual(queryKinds.map(() => true));
    for (const client of locked.splice(0)) client.release();
    await expect(Promise.all(startQueries())).resolves.toHaveLength(queryKinds.length);
  } finally {
    for (const client of locked) client.release();
    await twoConnections.close();
  }
});

test("a query inside a transaction does not wait for the caller's own share", async () => {
  const eightConnections = openDatabase(databaseUrl, {
    maxConnections: 8,
    timeouts: { waitMs: 2_000, idleTransactionMs: 10_000 },
  });
  try {
    let entered = 0;
    const both = Promise.withResolvers<void>();
    const readTwice = () =>
      eightConnections.transaction(async (tx) => {
        await tx.run(READ, [1]);
        entered += 1;
        if (entered === 2) both.resolve();
        await both.promise;
        return eightConnections.run(READ, [2]);
      });
    const answers = await Promise.all([1, 2].map(() => runAs({ userId: 'ada', network: 'home' }, readTwice)));
    expect(answers.map((rows) => rows.length)).toEqual([1, 1]);
  } finally {
    await eightConnections.close();
  }
});

test('the commit hook runs without the caller of the transaction', async () => {
  let requester: unknown = 'nobody was told';
  const one = openDatabase(databaseUrl, { maxConnections: 1, onCommit: () => (requester = findRequester()) });
  try {
    await runAs({ userId: 'ada', network: 'home' }, () =>
      one.transaction((tx) => tx.emit('account.unblocked', { userId: 'ada', type: 'customer', username: 'ada' })),
    );
    expect(requester).toBeUndefined();
  } finally {
    await one.close();
  }
});
