/** The outbox's promises: told after the commit and never without it, at least once, and not again to who has heard. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../testing/database.ts';
import { type Database, openDatabase } from './db.ts';
import { createEvents, type Events } from './events.ts';
import { createLogger } from './log.ts';

declare module './events.ts' {
  interface EventMap {
    'test.happened': { number: number };
  }
}

const log = createLogger({ level: 'silent', isPretty: false });
let db: Database;
let drop: () => Promise<void>;
let events: Events;

beforeAll(async () => {
  const database = await testDatabase();
  drop = database.drop;
  db = openDatabase(database.url, { onCommit: () => events.wake() });
});
afterAll(async () => {
  await db.close();
  await drop();
});
beforeEach(async () => {
  await db.pool.query('truncate outbox, reactions_done');
  events = createEvents(() => db, log);
});

afterEach(() => events.stop());

const emit = (number: number) => db.transaction((tx) => tx.emit('test.happened', { number }));
const waiting = async () => (await db.pool.query('select attempts, failure from outbox order by id')).rows;
/** A failed event is due again only later; the test makes it due now. */
const makeDue = () => db.pool.query(`update outbox set not_before = '-infinity'`);

describe('the relay', () => {
  test('tells in order, once', async () => {
    const heard: number[] = [];
    events.on('test.happened', 'collect', ({ payload }) => void heard.push(payload.number));
    for (const number of [1, 2, 3]) await emit(number);
    await events.settle();
    await events.settle();
    expect(heard).toEqual([1, 2, 3]);
    expect(await waiting()).toEqual([]);
  });

  test('what is committed while it works or rests is told without being asked for', async () => {
    const heard: number[] = [];
    events.on('test.happened', 'collect', ({ payload }) => void heard.push(payload.number));
    const numbers = Array.from({ length: 30 }, (_, n) => n);
    for (const number of numbers) await emit(number);
    await expect.poll(() => heard.length, { timeout: 10_000 }).toBe(30);
    expect(heard).toEqual(numbers);
    await expect.poll(waiting, { timeout: 10_000 }).toEqual([]);
  });

  test('what its writer told itself leaves untold, unless somebody else reacts to it', async () => {
    const heard: string[] = [];
    const write = async () => {
      const { rows } = await db.pool.query<{ id: number }>(
        `insert into outbox (type, payload, not_before) values ('test.happened', '{"number":1}', 'infinity') returning id`,
      );
      return rows[0]?.id ?? 0;
    };
    events.on('test.happened', 'live', () => void heard.push('live'));
    expect(events.tellNoMore('test.happened', 'live', await write())).toBe(true);
    await events.settle();
    expect([heard, await waiting()]).toEqual([[], []]);
    events.on('test.happened', 'other', () => void heard.push('other'));
    expect(events.tellNoMore('test.happened', 'live', await write())).toBe(false);
    await expect.poll(waiting).toEqual([]);
    expect(heard).toEqual(['live', 'other']);
  });

  test('a transaction that fails tells nothing', async () => {
    const heard: number[] = [];
    events.on('test.happened', 'collect', ({ payload }) => void heard.push(payload.number));
    await expect(
      db.transaction(async (tx) => {
        await tx.emit('test.happened', { number: 1 });
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await events.settle();
    expect(heard).toEqual([]);
  });

  test('a reaction that failed is tried again; the one that succeeded beside it is not', async () => {
    const heard: string[] = [];
    let isBroken = true;
    events.on('test.happened', 'steady', () => void heard.push('steady'));
    events.on('test.happened', 'shaky', () => {
      if (isBroken) throw new Error('not yet');
      heard.push('shaky');
    });
    await emit(1);
    await events.settle();
    expect(await waiting()).toEqual([{ attempts: 1, failure: 'shaky: not yet' }]);
    isBroken = false;
    await makeDue();
    await events.settle();
    expect(heard).toEqual(['steady', 'shaky']);
    expect(await waiting()).toEqual([]);
  });

  test('one event that fails does not keep the next from being told', async () => {
    const heard: number[] = [];
    events.on('test.happened', 'picky', ({ payload }) => {
      if (payload.number === 1) throw new Error('not this one');
      heard.push(payload.number);
    });
    await emit(1);
    await emit(2);
    await events.settle();
    expect(heard).toEqual([2]);
  });

  test('what a crash left is told by the next process', async () => {
    // Committed by a process that ended before its relay was woken.
    await db.pool.query(`insert into outbox (type, payload) values ('test.happened', '{"number": 1}')`);
    const heard: number[] = [];
    const next = createEvents(() => db, log);
    next.on('test.happened', 'collect', ({ payload }) => void heard.push(payload.number));
    next.start();
    await expect.poll(() => heard).toEqual([1]);
    await next.stop();
  });

  test('two processes share the work', async () => {
    const heard: number[] = [];
    const second = createEvents(() => db, log);
    for (const relay of [events, second])
      relay.on('test.happened', 'collect', ({ payload }) => void heard.push(payload.number));
    const numbers = Array.from({ length: 50 }, (_, index) => index);
    await Promise.all(numbers.map(emit));
    await Promise.all([events.settle(), second.settle()]);
    await events.settle();
    expect(heard.sort((a, b) => a - b)).toEqual(numbers);
  });

  test('a name is taken once', () => {
    events.on('test.happened', 'same', () => undefined);
    expect(() => events.on('test.happened', 'same', () => undefined)).toThrow('twice');
  });
});
