/** Tests the unread count (row E9). */
import { receiveMessage } from '@stagedoor/contract/messaging/chat-events.ts';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dispatchEvent } from '../../../../platform/socket-events.ts';
import { unreadQuery } from './unread.ts';
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

test('the count is requested after events until it is stopped', () => {
  const client = new QueryClient();
  const onRequest = vi.spyOn(client, 'refetchQueries').mockResolvedValue();
  const stop = subscribeToUnread(client);
  expect(onRequest).not.toHaveBeenCalled();
  dispatchEvent(receiveMessage.name, []);
  expect(onRequest).toHaveBeenCalledExactlyOnceWith({ queryKey: unreadQuery().queryKey });
  stop();
  dispatchEvent(receiveMessage.name, []);
  vi.advanceTimersByTime(5_000);
  expect(onRequest).toHaveBeenCalledTimes(1);
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
