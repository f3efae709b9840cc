/** Tests the rules of rows A4 and E12 with a mock socket. */

import { balanceChanged } from '@stagedoor/contract/finance/wallet.ts';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { maintainConnection, refetchAll, type SocketLike } from './socket.ts';
import { dispatchEvent, onEvent } from './socket-events.ts';

type Listener = (...args: unknown[]) => void;

function createMockSocket() {
  const on = new Map<string, Listener>();
  const anyListeners = new Set<Listener>();
  const calls = { connect: 0, disconnect: 0, emitted: [] as unknown[][] };
  const state = { connected: false };
  const socket = {
    get connected() {
      return state.connected;
    },
    on: (name: string, listener: Listener) => on.set(name, listener),
    onAny: (listener: Listener) => anyListeners.add(listener),
    offAny: (listener: Listener) => anyListeners.delete(listener),
    emit: (...sent: unknown[]) => calls.emitted.push(sent),
    connect: () => {
      calls.connect += 1;
    },
    disconnect: () => {
      calls.disconnect += 1;
      state.connected = false;
    },
  };
  const fire = (name: string, payload?: unknown) => {
    state.connected = name === 'connect';
    on.get(name)?.(payload);
  };
  return { socket: socket as unknown as SocketLike, anyListeners, calls, state, fire };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('after a disconnect it reconnects after 2 s, while the retry counter is 3 or less', () => {
  const { socket, calls, fire } = createMockSocket();
  maintainConnection(socket);
  fire('connect');
  for (let round = 1; round <= 6; round += 1) {
    fire('disconnect');
    vi.advanceTimersByTime(1_999);
    expect(calls.connect).toBe(Math.min(round - 1, 4));
    vi.advanceTimersByTime(1);
    expect(calls.connect).toBe(Math.min(round, 4));
  }
  fire('connect');
  fire('disconnect');
  vi.advanceTimersByTime(2_000);
  expect(calls.connect).toBe(5);
});

test('a refused socket retries only after the given delay, and other errors are left to the library', () => {
  const { socket, calls, fire } = createMockSocket();
  const connection = maintainConnection(socket);
  fire('disconnect');
  fire('connect_error', Object.assign(new Error('TOO_MANY_SIGNALS'), { data: { retryAfterSeconds: 30 } }));
  vi.advanceTimersByTime(29_999);
  expect(calls.connect).toBe(0);
  vi.advanceTimersByTime(30_001);
  expect(calls.connect).toBe(1);
  vi.advanceTimersByTime(120_000);
  expect(calls.connect).toBe(1);
  fire('connect_error', new Error('timeout'));
  vi.advanceTimersByTime(120_000);
  expect(calls.connect).toBe(1);
  fire('connect_error', Object.assign(new Error('TOO_MANY_SOCKETS'), { data: { retryAfterSeconds: 60 } }));
  connection.close();
  vi.advanceTimersByTime(120_000);
  expect(calls.connect).toBe(1);
});

test('it does not reconnect if the library already has', () => {
  const { socket, calls, fire } = createMockSocket();
  maintainConnection(socket);
  fire('connect');
  fire('disconnect');
  fire('connect');
  vi.advanceTimersByTime(5_000);
  expect(calls.connect).toBe(0);
});

test('listeners are bound once, however often the socket connects', () => {
  const { socket, anyListeners, fire } = createMockSocket();
  const connection = maintainConnection(socket);
  for (let connects = 0; connects < 3; connects += 1) fire('connect');
  expect(anyListeners.size).toBe(1);
  connection.close();
  expect(anyListeners.size).toBe(0);
});

test('only a connected socket is renewed', () => {
  const { socket, calls, fire } = createMockSocket();
  const connection = maintainConnection(socket);
  connection.renew();
  expect(calls).toMatchObject({ connect: 0, disconnect: 0 });
  fire('connect');
  connection.renew();
  expect(calls).toMatchObject({ connect: 1, disconnect: 1 });
});

test('while connected it reports every 30 s whether the user is active', () => {
  const { socket, calls, fire } = createMockSocket();
  let isActive = true;
  let isVisible = true;
  const connection = maintainConnection(socket, {
    wasActive: () => isActive,
    isVisible: () => isVisible,
    onActivity: () => () => undefined,
  });
  vi.advanceTimersByTime(60_000);
  expect(calls.emitted).toEqual([]);
  fire('connect');
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
  fire('disconnect');
  expect(connection.send('MESSAGE_TYPING', { a: 2 })).toBe(false);
  connection.close();
  vi.advanceTimersByTime(60_000);
  expect(calls.emitted).toHaveLength(4);
});

test('a page that becomes hidden or visible, or connects while hidden, reports it at once', () => {
  const { socket, calls, fire } = createMockSocket();
  let isVisible = true;
  const visibilityListeners = new Set<(hasVisibilityChanged: boolean) => void>();
  const setVisible = (isNext: boolean) => {
    isVisible = isNext;
    for (const listener of visibilityListeners) listener(true);
  };
  maintainConnection(socket, {
    wasActive: () => isVisible,
    isVisible: () => isVisible,
    onActivity: (listener) => {
      visibilityListeners.add(listener);
      return () => void visibilityListeners.delete(listener);
    },
  });
  fire('connect');
  expect(calls.emitted).toEqual([]);
  setVisible(false);
  setVisible(true);
  setVisible(false);
  fire('connect');
  expect(calls.emitted.map(([, payload]) => payload)).toEqual([
    { isActive: false },
    { isActive: true },
    { isActive: false },
    { isActive: false },
  ]);
});

test('the first action after a pause is reported at once, and only once', () => {
  const { socket, calls, fire } = createMockSocket();
  let hasActed = false;
  const activityListeners = new Set<(hasVisibilityChanged: boolean) => void>();
  const simulateAction = () => {
    hasActed = true;
    for (const listener of activityListeners) listener(false);
  };
  const connection = maintainConnection(socket, {
    wasActive: () => {
      const was = hasActed;
      hasActed = false;
      return was;
    },
    isVisible: () => true,
    onActivity: (listener) => {
      activityListeners.add(listener);
      return () => void activityListeners.delete(listener);
    },
  });
  fire('connect');
  simulateAction();
  expect(calls.emitted).toEqual([]);
  vi.advanceTimersByTime(60_000);
  simulateAction();
  simulateAction();
  expect(calls.emitted.map(([, payload]) => payload)).toEqual([
    { isActive: true },
    { isActive: false, isVisible: true },
    { isActive: true },
  ]);
  connection.close();
  simulateAction();
  expect(calls.emitted).toHaveLength(3);
});

test('a closed socket does not reconnect', () => {
  const { socket, calls, fire } = createMockSocket();
  const connection = maintainConnection(socket);
  fire('connect');
  connection.close();
  fire('disconnect');
  vi.advanceTimersByTime(10_000);
  expect(calls.connect).toBe(0);
});

test('events reach their listeners until they unsubscribe', () => {
  const handler = vi.fn();
  const stop = onEvent(balanceChanged, handler);
  dispatchEvent('BALANCE_CHANGED', { deposit: 12.5, transactionId: null });
  dispatchEvent('OTHER', { deposit: 1, transactionId: null });
  expect(handler.mock.calls).toEqual([[{ deposit: 12.5, transactionId: null }]]);
  stop();
  dispatchEvent('BALANCE_CHANGED', { deposit: 1, transactionId: null });
  expect(handler).toHaveBeenCalledTimes(1);
});

test('after a lost connection shown queries refetch at once, and other cached queries when they are shown next', async () => {
  vi.useRealTimers();
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  const shown = vi.fn(async () => 'shown');
  const cached = vi.fn(async () => 'kept');
  await client.prefetchQuery({ queryKey: ['kept'], queryFn: cached });
  const stop = new QueryObserver(client, { queryKey: ['shown'], queryFn: shown }).subscribe(() => undefined);
  await expect.poll(() => client.getQueryData(['shown'])).toBe('shown');
  refetchAll(client);
  await expect.poll(() => shown.mock.calls.length).toBe(2);
  expect(cached).toHaveBeenCalledTimes(1);
  const stopCached = new QueryObserver(client, { queryKey: ['kept'], queryFn: cached }).subscribe(() => undefined);
  await expect.poll(() => cached.mock.calls.length).toBe(2);
  for (const end of [stop, stopCached]) end();
});
