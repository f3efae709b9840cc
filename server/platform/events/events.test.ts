import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, queryValue } from '../../testing/database.ts';
import { createGate, openRelayProcess, type RelayProcess } from '../../testing/relays.ts';

let url: string;
let ownerUrl: string;
let drop: () => Promise<void>;
let one: RelayProcess;

beforeAll(async () => {
  ({ url, ownerUrl, drop } = await createTestDatabase());
});
afterAll(() => drop());
beforeEach(async () => {
  one = openRelayProcess(url);
  await queryValue(ownerUrl, 'truncate outbox, event_jobs, graphile_worker._private_jobs');
});
afterEach(() => one.stop());

const emit = (number: number, subject = 'one') =>
  one.db.transaction((tx) => tx.emit('test.happened', { number, subject }));
const waiting = async () => (await one.db.pool.query('select attempts, failure from outbox order by id')).rows;
const due = async () =>
  (await one.db.pool.query('select subject, attempts, failure, step from event_jobs order by id')).rows;
async function makeAllDue(): Promise<void> {
  for (const table of ['outbox', 'event_jobs']) await one.db.pool.query(`update ${table} set not_before = '-infinity'`);
  await one.db.pool.query('update graphile_worker._private_jobs set run_at = now()');
}
const sameSubject = () => 'one';
/** A slow machine may retry before the test settles, so more than one attempt is accepted. */
const once = expect.toSatisfy((attempts: number) => attempts >= 1);
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('an event for sockets', () => {
  test('is delivered once, in order', async () => {
    const received: number[] = [];
    one.events.addBroadcastHandler(
      'test.happened',
      'collect',
      sameSubject,
      ({ payload }) => void received.push(payload.number),
    );
    for (const number of [1, 2, 3]) await emit(number);
    await one.events.waitUntilIdle();
    await one.events.waitUntilIdle();
    expect(received).toEqual([1, 2, 3]);
    expect(await waiting()).toEqual([]);
  });

  test('is delivered without settling, whether the relay works or rests', async () => {
    const received: number[] = [];
    one.events.addBroadcastHandler(
      'test.happened',
      'collect',
      sameSubject,
      ({ payload }) => void received.push(payload.number),
    );
    for (const number of numbers(30)) await emit(number);
    await expect.poll(() => received.length, { timeout: 30_000 }).toBe(30);
    expect(received).toEqual(numbers(30));
    await expect.poll(waiting, { timeout: 30_000 }).toEqual([]);
  });

  test('is not delivered when the transaction fails', async () => {
    const received: number[] = [];
    one.events.addBroadcastHandler(
      'test.happened',
      'collect',
      sameSubject,
      ({ payload }) => void received.push(payload.number),
    );
    await expect(
      one.db.transaction(async (tx) => {
        await tx.emit('test.happened', { number: 1, subject: 'one' });
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await one.events.waitUntilIdle();
    expect(received).toEqual([]);
  });

  test('is retried after a failure without repeating handlers that succeeded', async () => {
    const received: string[] = [];
    let isBroken = true;
    one.events.addBroadcastHandler('test.happened', 'steady', sameSubject, () => void received.push('steady'));
    one.events.addJobHandler(
      'test.happened',
      'work',
      { queue: 'quick', subject: sameSubject },
      async () => void received.push('work'),
    );
    const refresh = () => void received.push('kept');
    one.events.addLocalHandler('test.happened', 'kept', refresh, refresh);
    one.events.addBroadcastHandler('test.happened', 'shaky', sameSubject, () => {
      if (isBroken) throw new Error('not yet');
      received.push('shaky');
    });
    await emit(1);
    await one.events.waitUntilIdle();
    expect(await waiting()).toEqual([{ attempts: once, failure: 'shaky: not yet' }]);
    isBroken = false;
    await makeAllDue();
    await one.events.waitUntilIdle();
    expect(received.toSorted()).toEqual(['kept', 'shaky', 'steady', 'work']);
    expect(await waiting()).toEqual([]);
  });

  test('does not delay the next event of its subject when it fails', async () => {
    const received: number[] = [];
    one.events.addBroadcastHandler('test.happened', 'picky', sameSubject, async ({ payload }) => {
      if (payload.number === 1) throw new Error('not this one');
      received.push(payload.number);
    });
    await emit(1);
    await emit(2);
    await one.events.waitUntilIdle();
    expect(received).toEqual([2]);
  });

  test('waits only for earlier events of its subject', async () => {
    const received: string[] = [];
    const gateway = createGate();
    one.events.addBroadcastHandler(
      'test.happened',
      'slow',
      ({ subject }) => subject,
      async ({ payload }) => {
        if (payload.number === 1) await gateway.wait;
        received.push(`${payload.subject}${payload.number}`);
      },
    );
    for (const [number, subject] of [
      [1, 'a'],
      [2, 'a'],
      [3, 'b'],
    ] as const)
      await emit(number, subject);
    await expect.poll(() => received).toEqual(['b3']);
    await expect.poll(async () => (await waiting()).length).toBe(2);
    gateway.open();
    await one.events.waitUntilIdle();
    expect(received).toEqual(['b3', 'a1', 'a2']);
    expect(await waiting()).toEqual([]);
  });

  test('is delivered by the next process after a crash', async () => {
    await one.db.pool.query(`insert into outbox (type, payload) values ('test.happened', '{"number": 1}')`);
    const received: number[] = [];
    one.events.addBroadcastHandler(
      'test.happened',
      'collect',
      sameSubject,
      ({ payload }) => void received.push(payload.number),
    );
    one.events.start();
    await expect.poll(() => received).toEqual([1]);
  });

  test('refuses a second handler of the same name, of any kind', () => {
    one.events.addBroadcastHandler('test.happened', 'same', sameSubject, () => undefined);
    const addTwice = () =>
      one.events.addJobHandler(
        'test.happened',
        'same',
        { queue: 'quick', subject: sameSubject },
        async () => undefined,
      );
    expect(addTwice).toThrow('twice');
  });
});

describe('an event that its writer already delivered', () => {
  const write = async (number: number) => {
    const { rows } = await one.db.pool.query<{ id: number }>(
      `insert into outbox (type, payload, not_before) values ('test.happened', $1, 'infinity') returning id`,
      [JSON.stringify({ number, subject: 'one' })],
    );
    return rows[0]?.id ?? 0;
  };

  test('leaves the outbox without being delivered again', async () => {
    const received: string[] = [];
    one.events.addBroadcastHandler('test.happened', 'live', sameSubject, () => void received.push('live'));
    one.events.markHandled('test.happened', 'live', await write(1));
    await one.events.waitUntilIdle();
    expect([received, await waiting()]).toEqual([[], []]);
  });

  test('is handled by all other handlers of each kind, but not delivered again', async () => {
    const received: string[] = [];
    one.events.addBroadcastHandler('test.happened', 'live', sameSubject, () => void received.push('live'));
    one.events.addBroadcastHandler('test.happened', 'other', sameSubject, () => void received.push('other'));
    one.events.addJobHandler(
      'test.happened',
      'note',
      { queue: 'quick', subject: sameSubject },
      async () => void received.push('note'),
    );
    const drop = () => void received.push('drop');
    one.events.addLocalHandler('test.happened', 'forget', drop, drop);
    for (const number of [1, 2]) one.events.markHandled('test.happened', 'live', await write(number));
    await expect.poll(waiting).toEqual([]);
    await one.events.waitUntilIdle();
    expect(received.toSorted()).toEqual(['drop', 'drop', 'note', 'note', 'other', 'other']);
  });
});

describe('an event for a job', () => {
  const bySubject = { queue: 'quick', subject: ({ subject }: { subject: string }) => subject } as const;

  test('is handled in order per subject and concurrently across subjects', async () => {
    const started: string[] = [];
    const ended: string[] = [];
    const gateway = createGate();
    one.events.addJobHandler('test.happened', 'work', bySubject, async ({ payload: { subject, number } }) => {
      started.push(`${subject}${number}`);
      if (subject === 'a' && number === 1) await gateway.wait;
      ended.push(`${subject}${number}`);
    });
    await one.start();
    for (const number of [1, 2, 3]) for (const subject of ['a', 'b', 'c']) await emit(number, subject);
    await expect.poll(() => ended.length, { timeout: 30_000 }).toBe(6);
    await expect.poll(() => started.filter((name) => name.startsWith('a'))).toEqual(['a1']);
    gateway.open();
    await one.events.waitUntilIdle();
    for (const subject of ['a', 'b', 'c'])
      expect(ended.filter((name) => name.startsWith(subject))).toEqual([1, 2, 3].map((n) => subject + n));
    expect(await due()).toEqual([]);
  });

  test('may have a subject of any length', async () => {
    const done: number[] = [];
    one.events.addJobHandler('test.happened', 'work', bySubject, async ({ payload }) => void done.push(payload.number));
    for (const [number, subject] of ['x'.repeat(5_000), `${'x'.repeat(5_000)}y`, 'short'].entries())
      await emit(number, subject);
    await one.events.waitUntilIdle();
    expect(done.toSorted()).toEqual([0, 1, 2]);
    expect([await waiting(), await due()]).toEqual([[], []]);
  });

  test('keeps its order across event types', async () => {
    const done: string[] = [];
    one.events.addJobHandler(
      'test.happened',
      'first',
      { queue: 'bulk', subject: sameSubject },
      async () => void done.push('first'),
    );
    one.events.addJobHandler(
      'test.other',
      'second',
      { queue: 'bulk', subject: sameSubject },
      async () => void done.push('second'),
    );
    await emit(1);
    await one.db.transaction((tx) => tx.emit('test.other', { number: 2 }));
    await one.events.waitUntilIdle();
    expect(done).toEqual(['first', 'second']);
  });

  test('resumes at the step that failed', async () => {
    const seen: (string | null)[] = [];
    let isBroken = true;
    one.events.addJobHandler('test.happened', 'steps', bySubject, async (_, { previous }) => {
      seen.push(previous);
      if (previous === '2' && isBroken) throw new Error('broke off');
      return previous === '3' ? null : String(Number(previous ?? '0') + 1);
    });
    await emit(1);
    await one.events.waitUntilIdle();
    const broken = seen.splice(0);
    expect(broken.slice(0, 3)).toEqual([null, '1', '2']);
    expect(broken.slice(3).filter((from) => from !== '2')).toEqual([]);
    expect(await due()).toEqual([{ subject: 'one', attempts: once, failure: 'broke off', step: '2' }]);
    isBroken = false;
    await makeAllDue();
    await one.events.waitUntilIdle();
    expect(seen).toEqual(['2', '3']);
    expect(await due()).toEqual([]);
  });

  test('is given up after 12 attempts, while later events are handled', async () => {
    const done: number[] = [];
    let tries = 0;
    one.events.addJobHandler('test.happened', 'work', bySubject, async ({ payload }) => {
      if (payload.number > 1) return void done.push(payload.number);
      tries += 1;
      throw new Error('never');
    });
    await emit(1);
    await one.events.waitUntilIdle();
    await emit(2);
    await one.events.waitUntilIdle();
    expect(done).toEqual([2]);
    for (let n = 0; n < 15; n += 1) {
      await makeAllDue();
      await one.events.waitUntilIdle();
    }
    expect(tries).toBe(12);
    expect(await due()).toEqual([{ subject: 'one', attempts: 12, failure: 'never', step: null }]);
    await emit(3);
    await one.events.waitUntilIdle();
    expect(done).toEqual([2, 3]);
  });

  test('is handled in a batch with others, which is retried one by one when it fails', async () => {
    const calls: number[][] = [];
    one.events.addBatchJobHandler(
      'test.happened',
      'all',
      { queue: 'quick', filter: ({ number }) => number !== 5 },
      async (happened) => {
        const batch = happened.map(({ payload }) => payload.number);
        calls.push(batch);
        if (batch.includes(3)) throw new Error('not with this one');
      },
    );
    await one.db.transaction(async (tx) => {
      for (const number of [1, 2, 3, 4, 5]) await tx.emit('test.happened', { number, subject: 'one' });
    });
    await one.events.waitUntilIdle();
    expect(calls.slice(0, 5)).toEqual([[1, 2, 3, 4], [1], [2], [3], [4]]);
    expect(calls.slice(5).filter((batch) => batch.join() !== '3')).toEqual([]);
    expect(await due()).toMatchObject([{ attempts: once, failure: 'not with this one' }]);
  });

  test('is enqueued once, even if the relay passes it on twice', async () => {
    const done: string[] = [];
    one.events.addJobHandler('test.happened', 'work', bySubject, async ({ eventId }) => void done.push(eventId));
    const id = '00000000-0000-7000-8000-000000000001';
    for (let n = 0; n < 2; n += 1)
      await one.db.pool.query(
        `insert into outbox (event_id, type, payload) values ($1, 'test.happened', '{"number": 1, "subject": "one"}')`,
        [id],
      );
    await one.events.waitUntilIdle();
    expect(done).toEqual([id]);
  });

  test('leaves capacity in its queue for others when a handler hangs for many subjects', async () => {
    const gateway = createGate();
    let hangingCount = 0;
    let isOtherDone = false;
    one.events.addJobHandler('test.happened', 'hangs', bySubject, () => {
      hangingCount += 1;
      return gateway.wait;
    });
    one.events.addJobHandler('test.other', 'works', { queue: 'quick', subject: () => 'other' }, async () => {
      isOtherDone = true;
    });
    await one.start();
    for (const number of numbers(12)) await emit(number, `subject ${number}`);
    await expect.poll(() => hangingCount, { timeout: 30_000 }).toBeGreaterThanOrEqual(3);
    await one.db.transaction((tx) => tx.emit('test.other', { number: 1 }));
    await expect.poll(() => isOtherDone, { timeout: 30_000 }).toBe(true);
    expect(hangingCount).toBeLessThan(12);
    gateway.open();
    await one.events.waitUntilIdle();
    expect(hangingCount).toBe(12);
  });

  test('is not delayed in the money queue by handlers that hang in other queues', async () => {
    const gateway = createGate();
    let hangingCount = 0;
    let isPaid = false;
    for (const queue of ['quick', 'bulk'] as const)
      for (const name of ['a', 'b', 'c'])
        one.events.addJobHandler(
          'test.happened',
          `${queue}.${name}`,
          { queue, subject: (payload) => name + payload.subject },
          () => {
            hangingCount += 1;
            return gateway.wait;
          },
        );
    one.events.addJobHandler('test.other', 'pays', { queue: 'money', subject: () => 'wallet' }, async () => {
      isPaid = true;
    });
    await one.start();
    for (const number of numbers(8)) await emit(number, `subject ${number}`);
    await expect.poll(() => hangingCount, { timeout: 30_000 }).toBe(7);
    await one.db.transaction((tx) => tx.emit('test.other', { number: 1 }));
    await expect.poll(() => isPaid).toBe(true);
    expect(hangingCount).toBe(7);
    gateway.open();
    await one.events.waitUntilIdle();
    expect(hangingCount).toBe(48);
  });
});
