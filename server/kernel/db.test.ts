import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { testDatabase } from '../testing/database.ts';
import { askedBy, whoAsks } from './asking.ts';
import { type Database, isDatabaseAway, isUniqueViolation, openDatabase, type Statement } from './db.ts';

let db: Database;
let databaseUrl: string;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await testDatabase();
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

const ADD: Statement = { name: 'test-add', text: 'update counters set value = value + 1 where id = $1' };
const READ: Statement = { name: 'test-read', text: 'select value from counters where id = $1' };
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
    const asked: Promise<unknown>[] = [];
    await expect(
      one.transaction(async (tx) => {
        const fails = sql`select 1 / 0`.execute(tx.query);
        asked.push(...[1, 2, 3].map(() => tx.run(ADD, [1]).catch(() => undefined)));
        await fails;
      }),
    ).rejects.toThrow('division by zero');
    await Promise.all(asked);
    expect(await counted(1)).toBe(before);
  } finally {
    await one.close();
  }
});

test('waiting for a connection, a row lock or a frozen transaction ends with a timeout', async () => {
  const patience = { waitMs: 500, standMs: 3_000 };
  const [one, other] = [1, 2].map(() => openDatabase(databaseUrl, { maxConnections: 1, patience }));
  if (!one || !other) throw new Error('there are two');
  const before = await counted(1);
  const { promise: held, resolve: hold } = Promise.withResolvers<void>();
  const { promise: thaw, resolve: goOn } = Promise.withResolvers<void>();
  try {
    const frozen = one
      .transaction(async (tx) => {
        await tx.run(ADD, [1]);
        hold();
        await thaw;
        await tx.run(ADD, [1]);
      })
      .catch((error: unknown) => error);
    await held;
    const add = () => other.transaction((tx) => tx.run(ADD, [1]));
    const refused = await Promise.all(
      [add(), one.run(READ, [1])].map((asked) => asked.catch((error: unknown) => error)),
    );
    expect(refused.map(isDatabaseAway)).toEqual([true, true]);
    await vi.waitFor(add, { timeout: 30_000 });
    goOn();
    expect(isDatabaseAway(await frozen)).toBe(true);
    expect(await counted(1)).toBe(Number(before) + 1);
    expect(await one.run(READ, [1])).toHaveLength(1);
  } finally {
    goOn();
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
  const twins = ['one', 'other'].map((word) => ({ name: 'test-twins', text: `select '${word}' as word` }));
  await db.transaction(async (tx) => {
    for (const [index, word] of ['one', 'other'].entries())
      expect(await tx.run(twins[index] ?? READ, [])).toEqual([{ word }]);
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
  const cut = failure(client.query('select pg_sleep(20)'));
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
  expect(isDatabaseAway(await cut)).toBe(true);
  expect(isDatabaseAway(await failure(client.query('select 1')))).toBe(true);
  client.release(true);

  const nobody = openDatabase('postgres://nobody@127.0.0.1:1/none');
  expect(isDatabaseAway(await failure(nobody.run({ name: 'one', text: 'select 1' }, [])))).toBe(true);
  expect(isDatabaseAway(await failure(nobody.transaction(async () => undefined)))).toBe(true);
  await nobody.close();

  expect(isDatabaseAway(await failure(db.pool.query('select 1 / 0')))).toBe(false);
  const unnamed = openDatabase('postgres://nobody@db.invalid/none');
  expect(isDatabaseAway(await failure(unnamed.run({ name: 'one', text: 'select 1' }, [])))).toBe(true);
  await unnamed.close();
  const readOnly = db.pool.query('begin read only; create table no (id int); rollback');
  expect(isDatabaseAway(await failure(readOnly))).toBe(true);

  expect(isDatabaseAway(Object.assign(new Error('of something else'), { code: 'ENOENT' }))).toBe(false);
  expect(isDatabaseAway(await failure(fetch('http://127.0.0.1:1/')))).toBe(false);
});

test('status values are inlined so that partial indexes apply, and all other values stay parameters', async () => {
  const of = (state: string) => db.query.selectFrom('cases').select('id').where('state', '=', state);
  expect(of('open').compile()).toMatchObject({
    sql: `select "id" from "cases" where "state" = 'open'`,
    parameters: [],
  });
  for (const hostile of ["open' or true --", 'öffen', '', 'open closed', 'a'.repeat(41)])
    expect(of(hostile).compile()).toMatchObject({
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
    const { rows } = await sql`explain ${of('open').orderBy('due_at').orderBy('id').limit(1)}`.execute(tx.query);
    const { rows: others } = await sql`explain (generic_plan) ${sql.raw(fromAddress.compile().sql)}`.execute(tx.query);
    return [JSON.stringify(rows), JSON.stringify(others)];
  });
  expect(plans[0]).toContain('using cases_open ');
  expect(plans[1]).toContain('cases_of_address');
});

test('statements of one caller that wait for a row use a limited part of the connections and do not affect others', async () => {
  const { promise: held, resolve: hold } = Promise.withResolvers<void>();
  const { promise: freed, resolve: free } = Promise.withResolvers<void>();
  const patience = { waitMs: 1_500, standMs: 10_000 };
  const eight = openDatabase(databaseUrl, { maxConnections: 8, patience });
  const holding = db.transaction(async (tx) => {
    await tx.run(ADD, [1]);
    hold();
    await freed;
  });
  try {
    await held;
    const ada = { userId: 'ada', network: 'home' };
    const ways: (() => Promise<unknown>)[] = [
      () => eight.run(ADD, [1]),
      () => sql`update counters set value = value + 1 where id = 1`.execute(eight.query),
      () => eight.transaction((tx) => tx.run(ADD, [1])),
    ];
    const asked = ways.flatMap((way) => [1, 2, 3].map(() => askedBy(ada, way).catch((error: unknown) => error)));
    await expect.poll(() => eight.pool.totalCount).toBe(2);
    const strangers = [1, 2, 3, 4, 5].map(() =>
      askedBy({ network: 'home' }, () => eight.run(ADD, [1])).catch((error: unknown) => error),
    );
    await expect.poll(() => eight.pool.totalCount).toBe(6);
    expect(eight.pool.waitingCount).toBe(0);
    for (const who of [{ userId: 'eva', network: 'home' }, { network: 'elsewhere' }])
      expect(await askedBy(who, () => eight.run(READ, [2]))).toHaveLength(1);
    expect(await eight.run(READ, [2])).toHaveLength(1);
    expect((await Promise.all([...asked, ...strangers])).map(isDatabaseAway)).toEqual(Array(14).fill(true));
    free();
    await holding;
    const before = Number(await counted(1));
    await Promise.all(ways.flatMap((way) => Array.from({ length: 7 }, () => askedBy(ada, way))));
    expect(await counted(1)).toBe(before + 21);
    const seen = Array.from({ length: 7 }, () =>
      askedBy(ada, () =>
        eight.snapshot(async (read) => [await read.run(READ, [1]), eight.pool.totalCount - eight.pool.idleCount]),
      ),
    );
    for (const [, busy] of await Promise.all(seen)) expect(busy).toBeLessThanOrEqual(2);
  } finally {
    free();
    await eight.close();
  }
});

test('a caller whose connection requests timed out has the full share again', async () => {
  const two = openDatabase(databaseUrl, { maxConnections: 2, patience: { waitMs: 600, standMs: 10_000 } });
  const held = await Promise.all([two.pool.connect(), two.pool.connect()]);
  try {
    const ways: (() => Promise<unknown>)[] = [
      () => two.run(READ, [1]),
      () => sql`select value from counters where id = 1`.execute(two.query),
      () => two.transaction((tx) => tx.run(READ, [1])),
      () => two.snapshot((read) => read.run(READ, [1])),
    ];
    const asked = () => ways.map((way) => askedBy({ userId: 'ada', network: 'home' }, way));
    const late = asked().map((answer) => answer.catch((error: unknown) => error));
    expect((await Promise.all(late)).map(isDatabaseAway)).toEqual(ways.map(() => true));
    for (const client of held.splice(0)) client.release();
    await expect(Promise.all(asked())).resolves.toHaveLength(ways.length);
  } finally {
    for (const client of held) client.release();
    await two.close();
  }
});

test("a query inside a transaction does not wait for the caller's own share", async () => {
  const eight = openDatabase(databaseUrl, { maxConnections: 8, patience: { waitMs: 2_000, standMs: 10_000 } });
  try {
    let within = 0;
    const both = Promise.withResolvers<void>();
    const ask = () =>
      eight.transaction(async (tx) => {
        await tx.run(READ, [1]);
        within += 1;
        if (within === 2) both.resolve();
        await both.promise;
        return eight.run(READ, [2]);
      });
    const answers = await Promise.all([1, 2].map(() => askedBy({ userId: 'ada', network: 'home' }, ask)));
    expect(answers.map((rows) => rows.length)).toEqual([1, 1]);
  } finally {
    await eight.close();
  }
});

test('the commit hook runs without the caller of the transaction', async () => {
  let asker: unknown = 'nobody was told';
  const one = openDatabase(databaseUrl, { maxConnections: 1, onCommit: () => (asker = whoAsks()) });
  try {
    await askedBy({ userId: 'ada', network: 'home' }, () =>
      one.transaction((tx) => tx.emit('account.unblocked', { userId: 'ada', type: 'customer', username: 'ada' })),
    );
    expect(asker).toBeUndefined();
  } finally {
    await one.close();
  }
});
