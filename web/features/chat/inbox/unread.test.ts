/** Tests the unread count (row E9). */
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connected, setConnection } from '../../../kernel/live.ts';
import { atMostEvery, listenUnread, requestWords, titleWith } from './unread-live.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('many events cause an immediate request and then one per second, including the last event', () => {
  const asked = vi.fn();
  const { call } = atMostEvery(1_000, asked, () => Date.now());
  for (let event = 0; event < 50; event += 1) {
    call();
    vi.advanceTimersByTime(50);
  }
  expect(asked).toHaveBeenCalledTimes(3);
  vi.advanceTimersByTime(1_000);
  expect(asked).toHaveBeenCalledTimes(4);
  vi.advanceTimersByTime(10_000);
  expect(asked).toHaveBeenCalledTimes(4);
});

test('the count is requested immediately on an open connection, otherwise on the next connection', () => {
  const client = new QueryClient();
  const asked = vi.spyOn(client, 'refetchQueries').mockResolvedValue();
  const open = (isConnected: boolean) =>
    setConnection({ isConnected: () => isConnected, renew: () => undefined, send: () => true });
  open(true);
  listenUnread(client)();
  expect(asked).toHaveBeenCalledTimes(1);
  open(false);
  const stop = listenUnread(client);
  expect(asked).toHaveBeenCalledTimes(1);
  connected();
  expect(asked).toHaveBeenCalledTimes(2);
  stop();
  setConnection(undefined);
});

test('the page title gets and loses the unread count', () => {
  expect(titleWith('Feed', { count: 3, isMore: false })).toBe('(3) Feed');
  expect(titleWith('(3) Feed', { count: 120, isMore: false })).toBe('(99+) Feed');
  expect(titleWith('(99+) Feed', { count: 0, isMore: false })).toBe('Feed');
});

test('a message request is announced when it arrives, not on page load or after an answer', () => {
  expect(requestWords(undefined, 3)).toBeUndefined();
  expect(requestWords(0, 1)).toBe('New message request.');
  expect(requestWords(1, 2)).toBe('New message request. 2 pending.');
  expect(requestWords(2, 1)).toBeUndefined();
  expect(requestWords(2, 2)).toBeUndefined();
});
