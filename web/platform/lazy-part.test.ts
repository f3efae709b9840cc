import { afterEach, expect, test, vi } from 'vitest';
import { loadWhenReachable } from './lazy-part.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function mockConnection(isOnline: boolean) {
  const window = new EventTarget();
  const state = { onLine: isOnline };
  vi.stubGlobal('navigator', state);
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
  return {
    reconnect: () => {
      state.onLine = true;
      window.dispatchEvent(new Event('online'));
    },
  };
}

test('loading waits for a connection without a time limit and then retries', async () => {
  vi.useFakeTimers();
  const { reconnect } = mockConnection(false);
  const load = vi.fn(() => (navigator.onLine ? Promise.resolve('code') : Promise.reject(new TypeError('offline'))));
  const loaded = loadWhenReachable(load);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(load).toHaveBeenCalledTimes(1);
  reconnect();
  await expect(loaded).resolves.toBe('code');
});

test('loading keeps retrying while the server is unreachable, although the browser is online', async () => {
  vi.useFakeTimers();
  mockConnection(true);
  let isUp = false;
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('unreachable')));
  const load = vi.fn(() => (isUp ? Promise.resolve('code') : Promise.reject(new TypeError('unreachable'))));
  const loaded = loadWhenReachable(load);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(load.mock.calls.length).toBeGreaterThan(10);
  isUp = true;
  await vi.advanceTimersByTimeAsync(10_000);
  await expect(loaded).resolves.toBe('code');
});

test('loading is retried twice while the server responds, then it rejects', async () => {
  vi.useFakeTimers();
  mockConnection(true);
  vi.stubGlobal('fetch', async () => new Response('{}'));
  const load = vi.fn(() => Promise.reject(new TypeError('not there')));
  const rejection = expect(loadWhenReachable(load)).rejects.toThrow('not there');
  await vi.advanceTimersByTimeAsync(10_000);
  await rejection;
  expect(load).toHaveBeenCalledTimes(3);
});
