import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, queryValue } from '../../testing/database.ts';
import { createGate, openRelayProcess, type RelayProcess } from '../../testing/relays.ts';

const LEASE_MS = 6_000;
const SHORT_LEASE_MS = 2_000;
/** An event that is being emitted stays open in the relay, so that one is held over a renewal of the lease. */
const WAIT_MS = { broadcast: LEASE_MS / 3 + 500, job: 200, local: 200 };

let url: string;
let ownerUrl: string;
let drop: () => Promise<void>;
const processes: RelayProcess[] = [];
const children: ChildProcess[] = [];

beforeAll(async () => {
  ({ url, ownerUrl, drop } = await createTestDatabase());
});
afterAll(() => drop());
beforeEach(async () => {
  const one = open();
  await queryValue(ownerUrl, 'truncate outbox, event_jobs, graphile_worker._private_jobs');
  await one.db.pool.query(`update relay_lease set until = '-infinity'`);
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await Promise.all(processes.splice(0).map((one) => one.stop()));
});

function open(options: Parameters<typeof openRelayProcess>[1] = {}): RelayProcess {
  const one = openRelayProcess(url, { leaseMs: LEASE_MS, ...options });
  processes.push(one);
  return one;
}

const soon = { timeout: 30_000, interval: 5 };
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const emit = (from: RelayProcess, number: number, subject = 'one') =>
  from.db.transaction((tx) => tx.emit('test.happened', { number, subject }));
const emitOther = (from: RelayProcess, number: number) =>
  from.db.transaction((tx) => tx.emit('test.other', { number }));
const waiting = async (one: RelayProcess) => (await one.db.pool.query('select id from outbox')).rows.length;
const leader = async (one: RelayProcess) =>
  (await one.db.pool.query('select holder from relay_lease where until > now()')).rows[0]?.holder;

type Kind = 'broadcast' | 'job' | 'local';

describe.each([1, 2])('with %i process(es)', (count) => {
  test.each<Kind>(['broadcast', 'job', 'local'])(
    'a slow handler (%s) delays nothing else',
    async (slow) => {
      while (processes.length < count) open();
      const all = [...processes];
      const received = new Map<string, number[]>();
      const handlerGate = createGate();
      let isWaiting = false;
      const note = (kind: string, n: number) => void received.set(kind, [...(received.get(kind) ?? []), n]);
      const waitIfSlow = async (kind: Kind) => {
        if (kind !== slow) return;
        isWaiting = true;
        await handlerGate.wait;
      };
      for (const [n, { events }] of all.entries()) {
        const bySubject = ({ subject }: { subject: string }) => `slow:${subject}`;
        events.addBroadcastHandler('test.happened', 'slow.broadcast', bySubject, async ({ payload }) => {
          if (payload.subject === 'slow') return waitIfSlow('broadcast');
          note('same handler, delivered', payload.number);
        });
        events.addJobHandler(
          'test.happened',
          'slow.job',
          { queue: 'quick', subject: bySubject },
          async ({ payload }) => {
            if (payload.subject === 'slow') return waitIfSlow('job');
            note('same handler, done', payload.number);
          },
        );
        events.addLocalHandler(
          'test.happened',
          'slow.local',
          () => waitIfSlow('local'),
          () => undefined,
        );
        events.addLocalHandler(
          'test.happened',
          'quick.local',
          ({ payload }) => note(`same event, received by ${n}`, payload.number),
          () => undefined,
        );
        events.addBroadcastHandler(
          'test.other',
          'broadcast',
          () => 'other',
          ({ payload }) => note('delivered', payload.number),
        );
        events.addJobHandler('test.other', 'job', { queue: 'quick', subject: () => 'other' }, async ({ payload }) =>
          note('done', payload.number),
        );
        events.addLocalHandler(
          'test.other',
          'local',
          ({ payload }) => note(`received by ${n}`, payload.number),
          () => undefined,
        );
        await all[n]?.start();
      }
      const [first] = all;
      const last = all.at(-1);
      if (!first || !last) throw new Error('no process');
      await emit(first, 0, 'slow');
      await expect.poll(() => isWaiting, soon).toBe(true);
      const began = performance.now();
      for (const n of [1, 2, 3]) {
        await emit(last, n, `quick ${n}`);
        await emitOther(first, n);
      }
      const names = ['delivered', 'done', ...all.keys().map((n) => `received by ${n}`)];
      const isComplete = () => names.every((name) => received.get(name)?.length === 3);
      await expect.poll(isComplete, soon).toBe(true);
      await expect.poll(() => received.get('same handler, delivered')?.length, soon).toBe(3);
      await expect.poll(() => received.get('same handler, done')?.length, soon).toBe(3);
      await expect.poll(() => received.get('same event, received by 0')?.length, soon).toBe(4);
      await sleep(Math.max(0, WAIT_MS[slow] - (performance.now() - began)));
      await emitOther(first, 4);
      await expect.poll(() => names.every((name) => received.get(name)?.includes(4)), soon).toBe(true);
      for (const name of names) expect(received.get(name)).toEqual([1, 2, 3, 4]);
      handlerGate.open();
      await first.events.waitUntilIdle();
    },
    120_000,
  );
});

test('200 events of two processes are delivered once, in order per subject', async () => {
  const all = [...processes, open()];
  const received: { subject: string; number: number }[] = [];
  for (const [n, one] of all.entries()) {
    one.events.addBroadcastHandler(
      'test.happened',
      'collect',
      ({ subject }) => subject,
      async ({ payload }) => {
        if (payload.number % 7 === n) await sleep(payload.number % 5);
        received.push(payload);
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
  for (const one of all) await one.events.waitUntilIdle();
  for (const subject of subjects)
    expect(received.filter((one) => one.subject === subject).map(({ number }) => number)).toEqual(numbers(50));
});

test('the leading process hands over at once when it stops', async () => {
  const [first] = processes;
  if (!first) throw new Error('no process');
  const second = open({ leaseMs: 60_000 });
  const received: string[] = [];
  for (const [name, one] of Object.entries({ first, second }))
    one.events.addBroadcastHandler(
      'test.happened',
      'collect',
      () => 'one',
      ({ payload }) => void received.push(`${name} ${payload.number}`),
    );
  await second.start();
  await emit(second, 1);
  await expect.poll(() => received, soon).toEqual(['second 1']);
  await first.start();
  await emit(first, 2);
  await expect.poll(() => received, soon).toEqual(['second 1', 'second 2']);
  processes.splice(processes.indexOf(second), 1);
  await second.stop();
  await emit(first, 3);
  await expect.poll(() => received, soon).toEqual(['second 1', 'second 2', 'first 3']);
});

test('a process without sockets does not read the outbox and wakes one that has sockets', async () => {
  const [web] = processes;
  if (!web) throw new Error('no process');
  const worker = open({ isRelay: false });
  const received: string[] = [];
  const refreshed: string[] = [];
  for (const [name, one] of Object.entries({ web, worker })) {
    one.events.addBroadcastHandler(
      'test.happened',
      'collect',
      () => 'one',
      ({ payload }) => void received.push(`${name} ${payload.number}`),
    );
    const refresh = () => void refreshed.push(name);
    one.events.addLocalHandler('test.happened', 'keep', refresh, refresh);
    await one.start();
  }
  await emit(worker, 1);
  await worker.events.waitUntilIdle();
  expect(received).toEqual(['web 1']);
  await expect.poll(() => refreshed.toSorted(), soon).toEqual(['web', 'worker']);
});

describe('in-memory caches', () => {
  test('are invalidated once in every process', async () => {
    const all = [...processes, open(), open()];
    const received = all.map((): number[] => []);
    for (const [n, one] of all.entries()) {
      one.events.addLocalHandler(
        'test.happened',
        'forget',
        ({ payload }) => void received[n]?.push(payload.number),
        () => void received[n]?.push(-1),
      );
      await one.start();
    }
    for (const number of numbers(20)) {
      const from = all[number % 3];
      if (from) await emit(from, number);
    }
    await expect.poll(() => received, soon).toEqual(all.map(() => numbers(20)));
  });

  test('are dropped when events may be missed, after a lost connection or an oversized event', async () => {
    const all = [...processes, open()];
    const received = all.map((): string[] => []);
    for (const [n, one] of all.entries()) {
      one.events.addLocalHandler(
        'test.happened',
        'forget',
        ({ payload }) => void received[n]?.push(String(payload.number)),
        () => void received[n]?.push('all'),
      );
      await one.start();
    }
    const [first] = all;
    if (!first) throw new Error('no process');
    await emit(first, 1, 'x'.repeat(9_000));
    await expect.poll(() => received.map((one) => one.join()).toSorted(), soon).toEqual(['1', 'all']);
    for (const one of received) one.length = 0;
    const { rowCount } = await first.db.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'stagedoor-channel' and datname = current_database()`,
    );
    expect(rowCount).toBe(2);
    await expect.poll(() => received, soon).toEqual([['all'], ['all']]);
    await emit(first, 2);
    await expect
      .poll(() => received, soon)
      .toEqual([
        ['all', '2'],
        ['all', '2'],
      ]);
  });
});

describe('a relaying process', () => {
  async function child(): Promise<{ child: ChildProcess; lines: string[] }> {
    const script = fileURLToPath(new URL('../../testing/relaying.ts', import.meta.url));
    const started = spawn(process.execPath, [script, url, String(SHORT_LEASE_MS)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(started);
    const lines: string[] = [];
    createInterface({ input: started.stdout }).on('line', (line) => lines.push(line));
    await expect.poll(() => lines, soon).toContain('ready');
    return { child: started, lines };
  }

  async function startSuccessor(): Promise<{ one: RelayProcess; received: string[] }> {
    const [one] = processes;
    if (!one) throw new Error('no process');
    const received: string[] = [];
    one.events.addBroadcastHandler(
      'test.happened',
      'say',
      ({ subject }) => subject,
      ({ payload }) => void received.push(`${payload.subject} ${payload.number}`),
    );
    await one.start();
    return { one, received };
  }

  test('is replaced after its lease when it is killed, and events stay in order', async () => {
    const killed = await child();
    const { one, received } = await startSuccessor();
    expect(await leader(one)).toEqual(expect.any(String));
    await one.db.transaction(async (tx) => {
      for (const number of [1, 2, 3]) await tx.emit('test.happened', { number, subject: 'stuck' });
    });
    await expect.poll(() => killed.lines, soon).toContain('stuck 1');
    const began = performance.now();
    killed.child.kill('SIGKILL');
    await expect.poll(() => received, soon).toEqual(['stuck 1', 'stuck 2', 'stuck 3']);
    expect(performance.now() - began).toBeGreaterThan(SHORT_LEASE_MS / 4);
    await expect.poll(() => waiting(one), soon).toBe(0);
  });

  test('is replaced when it is frozen, and delivers nothing late when it wakes up', async () => {
    const frozen = await child();
    const { one, received } = await startSuccessor();
    await one.db.transaction(async (tx) => {
      for (const number of [1, 2, 3]) await tx.emit('test.happened', { number, subject: 'stuck' });
    });
    await expect.poll(() => frozen.lines, soon).toContain('stuck 1');
    frozen.child.kill('SIGSTOP');
    await expect.poll(() => received, soon).toEqual(['stuck 1', 'stuck 2', 'stuck 3']);
    frozen.child.kill('SIGCONT');
    await emit(one, 4, 'later');
    await expect.poll(() => [...received, ...frozen.lines], soon).toContain('later 4');
    await sleep(SHORT_LEASE_MS);
    expect(received).toEqual(['stuck 1', 'stuck 2', 'stuck 3', 'later 4']);
    expect(frozen.lines).toEqual(['ready', 'stuck 1']);
    expect(await waiting(one)).toBe(0);
  });
});
