import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase, value } from '../testing/database.ts';
import { gate, openProcess, type Process } from '../testing/relays.ts';

let url: string;
let ownerUrl: string;
let drop: () => Promise<void>;
let one: Process;

beforeAll(async () => {
  ({ url, ownerUrl, drop } = await testDatabase());
});
afterAll(() => drop());
beforeEach(async () => {
  one = openProcess(url);
  await value(ownerUrl, 'truncate outbox, reactions_due, graphile_worker._private_jobs');
});
afterEach(() => one.stop());

const emit = (number: number, subject = 'one') =>
  one.db.transaction((tx) => tx.emit('test.happened', { number, subject }));
const waiting = async () => (await one.db.pool.query('select attempts, failure from outbox order by id')).rows;
const due = async () =>
  (await one.db.pool.query('select subject, attempts, failure, step from reactions_due order by id')).rows;
async function makeDue(): Promise<void> {
  for (const table of ['outbox', 'reactions_due'])
    await one.db.pool.query(`update ${table} set not_before = '-infinity'`);
  await one.db.pool.query('update graphile_worker._private_jobs set run_at = now()');
}
const same = () => 'one';
/** A slow machine may retry before the test settles, so more than one attempt is accepted. */
const once = expect.toSatisfy((attempts: number) => attempts >= 1);
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('an event for sockets', () => {
  test('is delivered once, in order', async () => {
    const heard: number[] = [];
    one.events.tell('test.happened', 'collect', same, ({ payload }) => void heard.push(payload.number));
    for (const number of [1, 2, 3]) await emit(number);
    await one.events.settle();
    await one.events.settle();
    expect(heard).toEqual([1, 2, 3]);
    expect(await waiting()).toEqual([]);
  });

  test('is delivered without settling, whether the relay works or rests', async () => {
    const heard: number[] = [];
    one.events.tell('test.happened', 'collect', same, ({ payload }) => void heard.push(payload.number));
    for (const number of numbers(30)) await emit(number);
    await expect.poll(() => heard.length, { timeout: 30_000 }).toBe(30);
    expect(heard).toEqual(numbers(30));
    await expect.poll(waiting, { timeout: 30_000 }).toEqual([]);
  });

  test('is not delivered when the transaction fails', async () => {
    const heard: number[] = [];
    one.events.tell('test.happened', 'collect', same, ({ payload }) => void heard.push(payload.number));
    await expect(
      one.db.transaction(async (tx) => {
        await tx.emit('test.happened', { number: 1, subject: 'one' });
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await one.events.settle();
    expect(heard).toEqual([]);
  });

  test('is retried after a failure without repeating handlers that succeeded', async () => {
    const heard: string[] = [];
    let isBroken = true;
    one.events.tell('test.happened', 'steady', same, () => void heard.push('steady'));
    one.events.do('test.happened', 'work', { lane: 'quick', subject: same }, async () => void heard.push('work'));
    const kept = () => void heard.push('kept');
    one.events.everywhere('test.happened', 'kept', kept, kept);
    one.events.tell('test.happened', 'shaky', same, () => {
      if (isBroken) throw new Error('not yet');
      heard.push('shaky');
    });
    await emit(1);
    await one.events.settle();
    expect(await waiting()).toEqual([{ attempts: once, failure: 'shaky: not yet' }]);
    isBroken = false;
    await makeDue();
    await one.events.settle();
    expect(heard.toSorted()).toEqual(['kept', 'shaky', 'steady', 'work']);
    expect(await waiting()).toEqual([]);
  });

  test('does not delay the next event of its subject when it fails', async () => {
    const heard: number[] = [];
    one.events.tell('test.happened', 'picky', same, async ({ payload }) => {
      if (payload.number === 1) throw new Error('not this one');
      heard.push(payload.number);
    });
    await emit(1);
    await emit(2);
    await one.events.settle();
    expect(heard).toEqual([2]);
  });

  test('waits only for earlier events of its subject', async () => {
    const heard: string[] = [];
    const held = gate();
    one.events.tell(
      'test.happened',
      'slow',
      ({ subject }) => subject,
      async ({ payload }) => {
        if (payload.number === 1) await held.wait;
        heard.push(`${payload.subject}${payload.number}`);
      },
    );
    for (const [number, subject] of [
      [1, 'a'],
      [2, 'a'],
      [3, 'b'],
    ] as const)
      await emit(number, subject);
    await expect.poll(() => heard).toEqual(['b3']);
    await expect.poll(async () => (await waiting()).length).toBe(2);
    held.open();
    await one.events.settle();
    expect(heard).toEqual(['b3', 'a1', 'a2']);
    expect(await waiting()).toEqual([]);
  });

  test('is delivered by the next process after a crash', async () => {
    await one.db.pool.query(`insert into outbox (type, payload) values ('test.happened', '{"number": 1}')`);
    const heard: number[] = [];
    one.events.tell('test.happened', 'collect', same, ({ payload }) => void heard.push(payload.number));
    one.events.start();
    await expect.poll(() => heard).toEqual([1]);
  });

  test('refuses a second handler of the same name, of any kind', () => {
    one.events.tell('test.happened', 'same', same, () => undefined);
    const again = () => one.events.do('test.happened', 'same', { lane: 'quick', subject: same }, async () => undefined);
    expect(again).toThrow('twice');
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
    const heard: string[] = [];
    one.events.tell('test.happened', 'live', same, () => void heard.push('live'));
    one.events.hasTold('test.happened', 'live', await write(1));
    await one.events.settle();
    expect([heard, await waiting()]).toEqual([[], []]);
  });

  test('is handled by all other handlers of each kind, but not delivered again', async () => {
    const heard: string[] = [];
    one.events.tell('test.happened', 'live', same, () => void heard.push('live'));
    one.events.tell('test.happened', 'other', same, () => void heard.push('other'));
    one.events.do('test.happened', 'note', { lane: 'quick', subject: same }, async () => void heard.push('note'));
    const drop = () => void heard.push('drop');
    one.events.everywhere('test.happened', 'forget', drop, drop);
    for (const number of [1, 2]) one.events.hasTold('test.happened', 'live', await write(number));
    await expect.poll(waiting).toEqual([]);
    await one.events.settle();
    expect(heard.toSorted()).toEqual(['drop', 'drop', 'note', 'note', 'other', 'other']);
  });
});

describe('an event for a job', () => {
  const ofSubject = { lane: 'quick', subject: ({ subject }: { subject: string }) => subject } as const;

  test('is handled in order per subject and concurrently across subjects', async () => {
    const begun: string[] = [];
    const ended: string[] = [];
    const held = gate();
    one.events.do('test.happened', 'work', ofSubject, async ({ payload: { subject, number } }) => {
      begun.push(`${subject}${number}`);
      if (subject === 'a' && number === 1) await held.wait;
      ended.push(`${subject}${number}`);
    });
    await one.start();
    for (const number of [1, 2, 3]) for (const subject of ['a', 'b', 'c']) await emit(number, subject);
    await expect.poll(() => ended.length, { timeout: 30_000 }).toBe(6);
    await expect.poll(() => begun.filter((name) => name.startsWith('a'))).toEqual(['a1']);
    held.open();
    await one.events.settle();
    for (const subject of ['a', 'b', 'c'])
      expect(ended.filter((name) => name.startsWith(subject))).toEqual([1, 2, 3].map((n) => subject + n));
    expect(await due()).toEqual([]);
  });

  test('may have a subject of any length', async () => {
    const done: number[] = [];
    one.events.do('test.happened', 'work', ofSubject, async ({ payload }) => void done.push(payload.number));
    for (const [number, subject] of ['x'.repeat(5_000), `${'x'.repeat(5_000)}y`, 'short'].entries())
      await emit(number, subject);
    await one.events.settle();
    expect(done.toSorted()).toEqual([0, 1, 2]);
    expect([await waiting(), await due()]).toEqual([[], []]);
  });

  test('keeps its order across event types', async () => {
    const done: string[] = [];
    one.events.do('test.happened', 'first', { lane: 'bulk', subject: same }, async () => void done.push('first'));
    one.events.do('test.other', 'second', { lane: 'bulk', subject: same }, async () => void done.push('second'));
    await emit(1);
    await one.db.transaction((tx) => tx.emit('test.other', { number: 2 }));
    await one.events.settle();
    expect(done).toEqual(['first', 'second']);
  });

  test('resumes at the step that failed', async () => {
    const seen: (string | null)[] = [];
    let isBroken = true;
    one.events.do('test.happened', 'steps', ofSubject, async (_, { from }) => {
      seen.push(from);
      if (from === '2' && isBroken) throw new Error('broke off');
      return from === '3' ? null : String(Number(from ?? '0') + 1);
    });
    await emit(1);
    await one.events.settle();
    const broken = seen.splice(0);
    expect(broken.slice(0, 3)).toEqual([null, '1', '2']);
    expect(broken.slice(3).filter((from) => from !== '2')).toEqual([]);
    expect(await due()).toEqual([{ subject: 'one', attempts: once, failure: 'broke off', step: '2' }]);
    isBroken = false;
    await makeDue();
    await one.events.settle();
    expect(seen).toEqual(['2', '3']);
    expect(await due()).toEqual([]);
  });

  test('is given up after 12 attempts, while later events are handled', async () => {
    const done: number[] = [];
    let tries = 0;
    one.events.do('test.happened', 'work', ofSubject, async ({ payload }) => {
      if (payload.number > 1) return void done.push(payload.number);
      tries += 1;
      throw new Error('never');
    });
    await emit(1);
    await one.events.settle();
    await emit(2);
    await one.events.settle();
    expect(done).toEqual([2]);
    for (let n = 0; n < 15; n += 1) {
      await makeDue();
      await one.events.settle();
    }
    expect(tries).toBe(12);
    expect(await due()).toEqual([{ subject: 'one', attempts: 12, failure: 'never', step: null }]);
    await emit(3);
    await one.events.settle();
    expect(done).toEqual([2, 3]);
  });

  test('is handled in a batch with others, which is retried one by one when it fails', async () => {
    const calls: number[][] = [];
    one.events.doTogether(
      'test.happened',
      'all',
      { lane: 'quick', when: ({ number }) => number !== 5 },
      async (happened) => {
        const found = happened.map(({ payload }) => payload.number);
        calls.push(found);
        if (found.includes(3)) throw new Error('not with this one');
      },
    );
    await one.db.transaction(async (tx) => {
      for (const number of [1, 2, 3, 4, 5]) await tx.emit('test.happened', { number, subject: 'one' });
    });
    await one.events.settle();
    expect(calls.slice(0, 5)).toEqual([[1, 2, 3, 4], [1], [2], [3], [4]]);
    expect(calls.slice(5).filter((found) => found.join() !== '3')).toEqual([]);
    expect(await due()).toMatchObject([{ attempts: once, failure: 'not with this one' }]);
  });

  test('is enqueued once, even if the relay passes it on twice', async () => {
    const done: string[] = [];
    one.events.do('test.happened', 'work', ofSubject, async ({ eventId }) => void done.push(eventId));
    const id = '00000000-0000-7000-8000-000000000001';
    for (let n = 0; n < 2; n += 1)
      await one.db.pool.query(
        `insert into outbox (event_id, type, payload) values ($1, 'test.happened', '{"number": 1, "subject": "one"}')`,
        [id],
      );
    await one.events.settle();
    expect(done).toEqual([id]);
  });

  test('leaves capacity in its queue for others when a handler hangs for many subjects', async () => {
    const held = gate();
    let hanging = 0;
    let isOtherDone = false;
    one.events.do('test.happened', 'hangs', ofSubject, () => {
      hanging += 1;
      return held.wait;
    });
    one.events.do('test.other', 'works', { lane: 'quick', subject: () => 'other' }, async () => {
      isOtherDone = true;
    });
    await one.start();
    for (const number of numbers(12)) await emit(number, `subject ${number}`);
    await expect.poll(() => hanging, { timeout: 30_000 }).toBeGreaterThanOrEqual(3);
    await one.db.transaction((tx) => tx.emit('test.other', { number: 1 }));
    await expect.poll(() => isOtherDone, { timeout: 30_000 }).toBe(true);
    expect(hanging).toBeLessThan(12);
    held.open();
    await one.events.settle();
    expect(hanging).toBe(12);
  });

  test('is not delayed in the money queue by handlers that hang in other queues', async () => {
    const held = gate();
    let hanging = 0;
    let isPaid = false;
    for (const lane of ['quick', 'bulk'] as const)
      for (const name of ['a', 'b', 'c'])
        one.events.do('test.happened', `${lane}.${name}`, { lane, subject: (of) => name + of.subject }, () => {
          hanging += 1;
          return held.wait;
        });
    one.events.do('test.other', 'pays', { lane: 'money', subject: () => 'wallet' }, async () => {
      isPaid = true;
    });
    await one.start();
    for (const number of numbers(8)) await emit(number, `subject ${number}`);
    await expect.poll(() => hanging, { timeout: 30_000 }).toBe(7);
    await one.db.transaction((tx) => tx.emit('test.other', { number: 1 }));
    await expect.poll(() => isPaid).toBe(true);
    expect(hanging).toBe(7);
    held.open();
    await one.events.settle();
    expect(hanging).toBe(48);
  });
});
