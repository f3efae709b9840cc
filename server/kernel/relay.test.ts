import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase, value } from '../testing/database.ts';
import { gate, openProcess, type Process } from '../testing/relays.ts';

const LEASE_MS = 6_000;
const SHORT_LEASE_MS = 2_000;
/** An event that is being emitted stays open in the relay, so that one is held over a renewal of the lease. */
const HELD_MS = { tell: LEASE_MS / 3 + 500, do: 200, everywhere: 200 };

let url: string;
let ownerUrl: string;
let drop: () => Promise<void>;
const processes: Process[] = [];
const children: ChildProcess[] = [];

beforeAll(async () => {
  ({ url, ownerUrl, drop } = await testDatabase());
});
afterAll(() => drop());
beforeEach(async () => {
  const one = open();
  await value(ownerUrl, 'truncate outbox, reactions_due, graphile_worker._private_jobs');
  await one.db.pool.query(`update relay_lease set until = '-infinity'`);
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await Promise.all(processes.splice(0).map((one) => one.stop()));
});

function open(options: Parameters<typeof openProcess>[1] = {}): Process {
  const one = openProcess(url, { leaseMs: LEASE_MS, ...options });
  processes.push(one);
  return one;
}

const soon = { timeout: 30_000, interval: 5 };
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const emit = (from: Process, number: number, subject = 'one') =>
  from.db.transaction((tx) => tx.emit('test.happened', { number, subject }));
const emitOther = (from: Process, number: number) => from.db.transaction((tx) => tx.emit('test.other', { number }));
const waiting = async (one: Process) => (await one.db.pool.query('select id from outbox')).rows.length;
const leader = async (one: Process) =>
  (await one.db.pool.query('select holder from relay_lease where until > now()')).rows[0]?.holder;

type Kind = 'tell' | 'do' | 'everywhere';

describe.each([1, 2])('with %i process(es)', (count) => {
  test.each<Kind>(['tell', 'do', 'everywhere'])(
    'a slow handler (%s) delays nothing else',
    async (slow) => {
      while (processes.length < count) open();
      const all = [...processes];
      const heard = new Map<string, number[]>();
      const held = gate();
      let isHanging = false;
      const note = (kind: string, n: number) => void heard.set(kind, [...(heard.get(kind) ?? []), n]);
      const hang = async (kind: Kind) => {
        if (kind !== slow) return;
        isHanging = true;
        await held.wait;
      };
      for (const [n, { events }] of all.entries()) {
        const ofSubject = ({ subject }: { subject: string }) => `slow:${subject}`;
        events.tell('test.happened', 'slow.tell', ofSubject, async ({ payload }) => {
          if (payload.subject === 'slow') return hang('tell');
          note('same reaction, told', payload.number);
        });
        events.do('test.happened', 'slow.do', { lane: 'quick', subject: ofSubject }, async ({ payload }) => {
          if (payload.subject === 'slow') return hang('do');
          note('same reaction, done', payload.number);
        });
        events.everywhere(
          'test.happened',
          'slow.everywhere',
          () => hang('everywhere'),
          () => undefined,
        );
        events.everywhere(
          'test.happened',
          'quick.everywhere',
          ({ payload }) => note(`same event, heard by ${n}`, payload.number),
          () => undefined,
        );
        events.tell(
          'test.other',
          'tell',
          () => 'other',
          ({ payload }) => note('told', payload.number),
        );
        events.do('test.other', 'do', { lane: 'quick', subject: () => 'other' }, async ({ payload }) =>
          note('done', payload.number),
        );
        events.everywhere(
          'test.other',
          'everywhere',
          ({ payload }) => note(`heard by ${n}`, payload.number),
          () => undefined,
        );
        await all[n]?.start();
      }
      const [first] = all;
      const last = all.at(-1);
      if (!first || !last) throw new Error('no process');
      await emit(first, 0, 'slow');
      await expect.poll(() => isHanging, soon).toBe(true);
      const began = performance.now();
      for (const n of [1, 2, 3]) {
        await emit(last, n, `quick ${n}`);
        await emitOther(first, n);
      }
      const names = ['told', 'done', ...all.keys().map((n) => `heard by ${n}`)];
      const through = () => names.every((name) => heard.get(name)?.length === 3);
      await expect.poll(through, soon).toBe(true);
      await expect.poll(() => heard.get('same reaction, told')?.length, soon).toBe(3);
      await expect.poll(() => heard.get('same reaction, done')?.length, soon).toBe(3);
      await expect.poll(() => heard.get('same event, heard by 0')?.length, soon).toBe(4);
      await sleep(Math.max(0, HELD_MS[slow] - (performance.now() - began)));
      await emitOther(first, 4);
      await expect.poll(() => names.every((name) => heard.get(name)?.includes(4)), soon).toBe(true);
      for (const name of names) expect(heard.get(name)).toEqual([1, 2, 3, 4]);
      held.open();
      await first.events.settle();
    },
    120_000,
  );
});

test('200 events of two processes are delivered once, in order per subject', async () => {
  const all = [...processes, open()];
  const heard: { subject: string; number: number }[] = [];
  for (const [n, one] of all.entries()) {
    one.events.tell(
      'test.happened',
      'collect',
      ({ subject }) => subject,
      async ({ payload }) => {
        if (payload.number % 7 === n) await sleep(payload.number % 5);
        heard.push(payload);
      },
    );
    await one.start();
  }
  const subjects = ['a', 'b', 'c', 'd'];
  await Promise.all(
    subjects.map(async (subject, n) => {
      for (const number of numbers(50)) {
        const from = all[(number + n) % 2];
        if (from) await emit(from, number, subject);
      }
    }),
  );
  for (const one of all) await one.events.settle();
  for (const subject of subjects)
    expect(heard.filter((one) => one.subject === subject).map(({ number }) => number)).toEqual(numbers(50));
});

test('the leading process hands over at once when it stops', async () => {
  const [first] = processes;
  if (!first) throw new Error('no process');
  const second = open({ leaseMs: 60_000 });
  const heard: string[] = [];
  for (const [name, one] of Object.entries({ first, second }))
    one.events.tell(
      'test.happened',
      'collect',
      () => 'one',
      ({ payload }) => void heard.push(`${name} ${payload.number}`),
    );
  await second.start();
  await emit(second, 1);
  await expect.poll(() => heard, soon).toEqual(['second 1']);
  await first.start();
  await emit(first, 2);
  await expect.poll(() => heard, soon).toEqual(['second 1', 'second 2']);
  processes.splice(processes.indexOf(second), 1);
  await second.stop();
  await emit(first, 3);
  await expect.poll(() => heard, soon).toEqual(['second 1', 'second 2', 'first 3']);
});

test('a process without sockets does not read the outbox and wakes one that has sockets', async () => {
  const [web] = processes;
  if (!web) throw new Error('no process');
  const worker = open({ isRelay: false });
  const heard: string[] = [];
  const kept: string[] = [];
  for (const [name, one] of Object.entries({ web, worker })) {
    one.events.tell(
      'test.happened',
      'collect',
      () => 'one',
      ({ payload }) => void heard.push(`${name} ${payload.number}`),
    );
    const keep = () => void kept.push(name);
    one.events.everywhere('test.happened', 'keep', keep, keep);
    await one.start();
  }
  await emit(worker, 1);
  await worker.events.settle();
  expect(heard).toEqual(['web 1']);
  await expect.poll(() => kept.toSorted(), soon).toEqual(['web', 'worker']);
});

describe('in-memory caches', () => {
  test('are invalidated once in every process', async () => {
    const all = [...processes, open(), open()];
    const heard = all.map((): number[] => []);
    for (const [n, one] of all.entries()) {
      one.events.everywhere(
        'test.happened',
        'forget',
        ({ payload }) => void heard[n]?.push(payload.number),
        () => void heard[n]?.push(-1),
      );
      await one.start();
    }
    for (const number of numbers(20)) {
      const from = all[number % 3];
      if (from) await emit(from, number);
    }
    await expect.poll(() => heard, soon).toEqual(all.map(() => numbers(20)));
  });

  test('are dropped when events may be missed, after a lost connection or an oversized event', async () => {
    const all = [...processes, open()];
    const heard = all.map((): string[] => []);
    for (const [n, one] of all.entries()) {
      one.events.everywhere(
        'test.happened',
        'forget',
        ({ payload }) => void heard[n]?.push(String(payload.number)),
        () => void heard[n]?.push('all'),
      );
      await one.start();
    }
    const [first] = all;
    if (!first) throw new Error('no process');
    await emit(first, 1, 'x'.repeat(9_000));
    await expect.poll(() => heard.map((one) => one.join()).toSorted(), soon).toEqual(['1', 'all']);
    for (const one of heard) one.length = 0;
    const { rowCount } = await first.db.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'stagedoor-channel' and datname = current_database()`,
    );
    expect(rowCount).toBe(2);
    await expect.poll(() => heard, soon).toEqual([['all'], ['all']]);
    await emit(first, 2);
    await expect
      .poll(() => heard, soon)
      .toEqual([
        ['all', '2'],
        ['all', '2'],
      ]);
  });
});

describe('a relaying process', () => {
  async function child(): Promise<{ child: ChildProcess; said: string[] }> {
    const script = fileURLToPath(new URL('../testing/relaying.ts', import.meta.url));
    const started = spawn(process.execPath, [script, url, String(SHORT_LEASE_MS)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(started);
    const said: string[] = [];
    createInterface({ input: started.stdout }).on('line', (line) => said.push(line));
    await expect.poll(() => said, soon).toContain('ready');
    return { child: started, said };
  }

  async function heir(): Promise<{ one: Process; heard: string[] }> {
    const [one] = processes;
    if (!one) throw new Error('no process');
    const heard: string[] = [];
    one.events.tell(
      'test.happened',
      'say',
      ({ subject }) => subject,
      ({ payload }) => void heard.push(`${payload.subject} ${payload.number}`),
    );
    await one.start();
    return { one, heard };
  }

  test('is replaced after its lease when it is killed, and events stay in order', async () => {
    const killed = await child();
    const { one, heard } = await heir();
    expect(await leader(one)).toEqual(expect.any(String));
    await one.db.transaction(async (tx) => {
      for (const number of [1, 2, 3]) await tx.emit('test.happened', { number, subject: 'stuck' });
    });
    await expect.poll(() => killed.said, soon).toContain('stuck 1');
    const began = performance.now();
    killed.child.kill('SIGKILL');
    await expect.poll(() => heard, soon).toEqual(['stuck 1', 'stuck 2', 'stuck 3']);
    expect(performance.now() - began).toBeGreaterThan(SHORT_LEASE_MS / 4);
    await expect.poll(() => waiting(one), soon).toBe(0);
  });

  test('is replaced when it is frozen, and delivers nothing late when it wakes up', async () => {
    const frozen = await child();
    const { one, heard } = await heir();
    await one.db.transaction(async (tx) => {
      for (const number of [1, 2, 3]) await tx.emit('test.happened', { number, subject: 'stuck' });
    });
    await expect.poll(() => frozen.said, soon).toContain('stuck 1');
    frozen.child.kill('SIGSTOP');
    await expect.poll(() => heard, soon).toEqual(['stuck 1', 'stuck 2', 'stuck 3']);
    frozen.child.kill('SIGCONT');
    await emit(one, 4, 'later');
    await expect.poll(() => [...heard, ...frozen.said], soon).toContain('later 4');
    await sleep(SHORT_LEASE_MS);
    expect(heard).toEqual(['stuck 1', 'stuck 2', 'stuck 3', 'later 4']);
    expect(frozen.said).toEqual(['ready', 'stuck 1']);
    expect(await waiting(one)).toBe(0);
  });
});
