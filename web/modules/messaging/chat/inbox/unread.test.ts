/** Tests the unread count (row E9). */
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { handleConnected, setConnection } from '../../../../platform/socket-events.ts';
import { formatRequestAnnouncement, formatTitle, subscribeToUnread, throttleCalls } from './unread-updates.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('many events cause an immediate request and then one per second, including the last event', () => {
  const onRequest = vi.fn();
  const { call } = throttleCalls(1_000, onRequest, () => Date.now());
  for (let event = 0; event < 50; event += 1) {
    call();
    vi.advanceTimersByTime(50);
  }
  expect(onRequest).toHaveBeenCalledTimes(3);
  vi.advanceTimersByTime(1_000);
  expect(onRequest).toHaveBeenCalledTimes(4);
  vi.advanceTimersByTime(10_000);
  expect(onRequest).toHaveBeenCalledTimes(4);
});

test('the count is requested immediately on an open connection, otherwise on the next connection', () => {
  const client = new QueryClient();
  const onRequest = vi.spyOn(client, 'refetchQueries').mockResolvedValue();
  const setConnected = (isConnected: boolean) =>
    setConnection({ isConnected: () => isConnected, renew: () => undefined, send: () => true });
  setConnected(true);
  subscribeToUnread(client)();
  expect(onRequest).toHaveBeenCalledTimes(1);
  setConnected(false);
  const stop = subscribeToUnread(client);
  expect(onRequest).toHaveBeenCalledTimes(1);
  handleConnected();
  expect(onRequest).toHaveBeenCalledTimes(2);
  stop();
  setConnection(undefined);
});

test('the page title gets and loses the unread count', () => {
  expect(formatTitle('Feed', { count: 3, isMore: false })).toBe('(3) Feed');
  expect(formatTitle('(3) Feed', { count: 120, isMore: false })).toBe('(99+) Feed');
  expect(formatTitle('(99+) Feed', { count: 0, isMore: false })).toBe('Feed');
});

test('a message request is announced when it arrives, not on page load or after an answer', () => {
  expect(formatRequestAnnouncement(undefined, 3)).toBeUndefined();
  expect(formatRequestAnnouncement(0, 1)).toBe('New message request.');
  expect(formatRequestAnnouncement(1, 2)).toBe('New message request. 2 pending.');
  expect(formatRequestAnnouncement(2, 1)).toBeUndefined();
  expect(formatRequestAnnouncement(2, 2)).toBeUndefined();
});
