/** Keeps the unread count, the page title and announcements up to date, with at most one request per second. */
import {
  conversationChanged,
  messageRemoved,
  messageStatusChanged,
  receiveMessage,
} from '@stagedoor/contract/messaging/chat-events.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import { onEvent } from '../../../../platform/socket-events.ts';
import * as texts from '../texts.ts';
import { NO_UNREAD, type UnreadCounts, unreadQuery } from './unread.ts';

const REFETCH_INTERVAL_MS = 1_000;
const EVENTS = [receiveMessage, messageStatusChanged, messageRemoved, conversationChanged];

/**
 * Runs `work` immediately and then at most every `intervalMs`, always including the last call. Returns the call and stop
 * functions.
 */
export function throttleCalls(intervalMs: number, work: () => void, now: () => number = () => performance.now()) {
  let last = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = () => {
    timer = undefined;
    last = now();
    work();
  };
  return {
    call: () => {
      if (timer !== undefined) return;
      const wait = last + intervalMs - now();
      if (wait <= 0) run();
      else timer = setTimeout(run, wait);
    },
    stop: () => clearTimeout(timer),
  };
}

export function subscribeToUnread(client: QueryClient): () => void {
  const refetch = throttleCalls(
    REFETCH_INTERVAL_MS,
    () => void client.refetchQueries({ queryKey: unreadQuery().queryKey }),
  );
  const unsubscribes = EVENTS.map((event) => onEvent(event, refetch.call));
  return () => {
    refetch.stop();
    for (const stop of unsubscribes) stop();
  };
}

export function formatRequestAnnouncement(previousCount: number | undefined, newCount: number): string | undefined {
  if (previousCount === undefined || newCount <= previousCount) return undefined;
  return newCount === 1 ? texts.newMessageRequest : formatText(texts.newMessageRequests, { pendingCount: newCount });
}

function announceRequests(client: QueryClient): () => void {
  const unread = new QueryObserver(client, unreadQuery());
  const statusElement = document.createElement('p');
  statusElement.className = 'sr-only';
  statusElement.setAttribute('role', 'status');
  document.body.append(statusElement);
  let previousCount = unread.getCurrentResult().data?.requestCount;
  const stop = unread.subscribe(({ data }) => {
    if (!data) return;
    const announcement = formatRequestAnnouncement(previousCount, data.requestCount);
    previousCount = data.requestCount;
    if (announcement !== undefined) statusElement.textContent = announcement;
  });
  return () => {
    stop();
    statusElement.remove();
  };
}

export function formatTitle(title: string, { count, isMore }: Pick<UnreadCounts, 'count' | 'isMore'>): string {
  const baseTitle = title.replace(/^\(\d+\+?\) /, '');
  return count > 0 ? `(${count > 99 || isMore ? '99+' : count}) ${baseTitle}` : baseTitle;
}

function syncTitle(client: QueryClient): () => void {
  const unread = new QueryObserver(client, unreadQuery());
  const setTitle = (counts: Pick<UnreadCounts, 'count' | 'isMore'>) => {
    const newTitle = formatTitle(document.title, counts);
    if (document.title !== newTitle) document.title = newTitle;
  };
  const apply = () => setTitle(unread.getCurrentResult().data ?? NO_UNREAD);
  const headObserver = new MutationObserver(apply);
  const stop = unread.subscribe(apply);
  apply();
  headObserver.observe(document.head, { childList: true, subtree: true, characterData: true });
  return () => {
    headObserver.disconnect();
    stop();
    setTitle(NO_UNREAD);
  };
}

export function trackUnread(client: QueryClient): () => void {
  const unsubscribes = [subscribeToUnread(client), syncTitle(client), announceRequests(client)];
  return () => {
    for (const stop of unsubscribes) stop();
  };
}
