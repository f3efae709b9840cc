/** Tests the rules of rows A4 and E12 with a mock socket. */

import { balanceChanged } from '@stagedoor/contract/wallet.ts';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dispatchEvent, onEvent } from './live.ts';
import { askAgain, keepConnected, type Wire } from './socket.ts';

type Listener = (...args: unknown[]) => void;

function standIn() {
  const on = new Map<string, Listener>();
  const any = new Set<Listener>();
  const calls = { connect: 0, disconnect: 0, emitted: [] as unknown[][] };
  const state = { connected: false, recovered: false };
  const wire = {
    get connected() {
      return state.connected;
    },
    get recovered() {
      return state.recovered;
    },
    on: (name: string, listener: Listener) => on.set(name, listener),
    onAny: (listener: Listener) => any.add(listener),
    offAny: (listener: Listener) => any.delete(listener),
    emit: (...sent: unknown[]) => calls.emitted.push(sent),
    connect: () => {
      calls.connect += 1;
    },
    disconnect: () => {
      calls.disconnect += 1;
      state.connected = false;
    },
  };
  const tell = (name: string, said?: unknown) => {
    state.connected = name === 'connect';
    on.get(name)?.(said);
  };
  return { wire: wire as unknown as Wire, any, calls, state, tell };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('after a disconnect it reconnects after 2 s, while the retry counter is 3 or less', () => {
  const { wire, calls, tell } = standIn();
  keepConnected(wire, () => undefined);
  tell('connect');
  for (let round = 1; round <= 6; round += 1) {
    tell('disconnect');
    vi.advanceTimersByTime(1_999);
    expect(calls.connect).toBe(Math.min(round - 1, 4));
    vi.advanceTimersByTime(1);
    expect(calls.connect).toBe(Math.min(round, 4));
  }
  tell('connect');
  tell('disconnect');
  vi.advanceTimersByTime(2_000);
  expect(calls.connect).toBe(5);
});

test('a refused socket retries only after the given delay, and other errors are left to the library', () => {
  const { wire, calls, tell } = standIn();
  const connection = keepConnected(wire, () => undefined);
  tell('disconnect');
  tell('connect_error', Object.assign(new Error('TOO_MANY_SIGNALS'), { data: { retryAfterSeconds: 30 } }));
  vi.advanceTimersByTime(29_999);
  expect(calls.connect).toBe(0);
  vi.advanceTimersByTime(30_001);
  expect(calls.connect).toBe(1);
  vi.advanceTimersByTime(120_000);
  expect(calls.connect).toBe(1);
  tell('connect_error', new Error('timeout'));
  vi.advanceTimersByTime(120_000);
  expect(calls.connect).toBe(1);
  tell('connect_error', Object.assign(new Error('TOO_MANY_SOCKETS'), { data: { retryAfterSeconds: 60 } }));
  connection.close();
  vi.advanceTimersByTime(120_000);
  expect(calls.connect).toBe(1);
});

test('it does not reconnect if the library already has', () => {
  const { wire, calls, tell } = standIn();
  keepConnected(wire, () => undefined);
  tell('connect');
  tell('disconnect');
  tell('connect');
  vi.advanceTimersByTime(5_000);
  expect(calls.connect).toBe(0);
});

test('listeners are bound once, and only an unrecovered reconnect refetches', () => {
  const { wire, any, state, tell } = standIn();
  const refetch = vi.fn();
  const connection = keepConnected(wire, refetch);
  tell('connect');
  expect(refetch).not.toHaveBeenCalled();
  state.recovered = true;
  tell('connect');
  expect(refetch).not.toHaveBeenCalled();
  state.recovered = false;
  tell('connect');
  expect(refetch).toHaveBeenCalledTimes(1);
  expect(any.size).toBe(1);
  connection.close();
  expect(any.size).toBe(0);
});

test('only a connected socket is renewed', () => {
  const { wire, calls, tell } = standIn();
  const connection = keepConnected(wire, () => undefined);
  connection.renew();
  expect(calls).toMatchObject({ connect: 0, disconnect: 0 });
  tell('connect');
  connection.renew();
  expect(calls).toMatchObject({ connect: 1, disconnect: 1 });
});

test('while connected it reports every 30 s whether the user is active', () => {
  const { wire, calls, tell } = standIn();
  let isActive = true;
  let isVisible = true;
  const connection = keepConnected(wire, () => undefined, {
    wasActive: () => isActive,
    isVisible: () => isVisible,
    onAct: () => () => undefined,
  });
  vi.advanceTimersByTime(60_000);
  expect(calls.emitted).toEqual([]);
  tell('connect');
  vi.advanceTimersByTime(30_000);
  isActive = false;
  vi.advanceTimersByTime(30_000);
  isVisible = false;
  vi.advanceTimersByTime(30_000);
  expect(calls.emitted).toEqual([
    ['USER_STATUS_ACTIVITY', { isActive: true }],
    ['USER_STATUS_ACTIVITY', { isActive: false, isVisible: true }],
    ['USER_STATUS_ACTIVITY', { isActive: false }],
  ]);
  expect(connection.send('MESSAGE_TYPING', { a: 1 })).toBe(true);
  tell('disconnect');
  expect(connection.send('MESSAGE_TYPING', { a: 2 })).toBe(false);
  connection.close();
  vi.advanceTimersByTime(60_000);
  expect(calls.emitted).toHaveLength(4);
});

test('a page that becomes hidden or visible, or connects while hidden, reports it at once', () => {
  const { wire, calls, tell } = standIn();
  let isVisible = true;
  const turns = new Set<(hasTurned: boolean) => void>();
  const turn = (isNowVisible: boolean) => {
    isVisible = isNowVisible;
    for (const listener of turns) listener(true);
  };
  keepConnected(wire, () => undefined, {
    wasActive: () => isVisible,
    isVisible: () => isVisible,
    onAct: (listener) => {
      turns.add(listener);
      return () => void turns.delete(listener);
    },
  });
  tell('connect');
  expect(calls.emitted).toEqual([]);
  turn(false);
  turn(true);
  turn(false);
  tell('connect');
  expect(calls.emitted.map(([, payload]) => payload)).toEqual([
    { isActive: false },
    { isActive: true },
    { isActive: false },
    { isActive: false },
  ]);
});

test('the first action after a pause is reported at once, and only once', () => {
  const { wire, calls, tell } = standIn();
  let hasActed = false;
  const acts = new Set<(hasTurned: boolean) => void>();
  const act = () => {
    hasActed = true;
    for (const listener of acts) listener(false);
  };
  const connection = keepConnected(wire, () => undefined, {
    wasActive: () => {
      const was = hasActed;
      hasActed = false;
      return was;
    },
    isVisible: () => true,
    onAct: (listener) => {
      acts.add(listener);
      return () => void acts.delete(listener);
    },
  });
  tell('connect');
  act();
  expect(calls.emitted).toEqual([]);
  vi.advanceTimersByTime(60_000);
  act();
  act();
  expect(calls.emitted.map(([, payload]) => payload)).toEqual([
    { isActive: true },
    { isActive: false, isVisible: true },
    { isActive: true },
  ]);
  connection.close();
  act();
  expect(calls.emitted).toHaveLength(3);
});

test('a closed socket does not reconnect', () => {
  const { wire, calls, tell } = standIn();
  const connection = keepConnected(wire, () => undefined);
  tell('connect');
  connection.close();
  tell('disconnect');
  vi.advanceTimersByTime(10_000);
  expect(calls.connect).toBe(0);
});

test('events reach their listeners until they unsubscribe', () => {
  const heard = vi.fn();
  const stop = onEvent(balanceChanged, heard);
  dispatchEvent('BALANCE_CHANGED', { deposit: 12.5, transactionId: null });
  dispatchEvent('OTHER', { deposit: 1, transactionId: null });
  expect(heard.mock.calls).toEqual([[{ deposit: 12.5, transactionId: null }]]);
  stop();
  dispatchEvent('BALANCE_CHANGED', { deposit: 1, transactionId: null });
  expect(heard).toHaveBeenCalledTimes(1);
});

test('after a lost connection shown queries refetch at once, and other cached queries when they are shown next', async () => {
  vi.useRealTimers();
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  const shown = vi.fn(async () => 'shown');
  const kept = vi.fn(async () => 'kept');
  await client.prefetchQuery({ queryKey: ['kept'], queryFn: kept });
  const stop = new QueryObserver(client, { queryKey: ['shown'], queryFn: shown }).subscribe(() => undefined);
  await expect.poll(() => client.getQueryData(['shown'])).toBe('shown');
  askAgain(client);
  await expect.poll(() => shown.mock.calls.length).toBe(2);
  expect(kept).toHaveBeenCalledTimes(1);
  const stopKept = new QueryObserver(client, { queryKey: ['kept'], queryFn: kept }).subscribe(() => undefined);
  await expect.poll(() => kept.mock.calls.length).toBe(2);
  for (const end of [stop, stopKept]) end();
});
