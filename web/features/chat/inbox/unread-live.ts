/** Keeps the unread count, the page title and announcements up to date, with at most one request per second. */
import {
  conversationChanged,
  messageRemoved,
  messageStatusChanged,
  receiveMessage,
} from '@stagedoor/contract/chat-live.ts';
import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import { isConnected, onConnected, onEvent } from '../../../kernel/live.ts';
import { NOTHING_UNREAD, type Unread, unreadQuery } from './unread.ts';

const AT_MOST_EVERY_MS = 1_000;
const EVENTS = [receiveMessage, messageStatusChanged, messageRemoved, conversationChanged];

/**
 * Runs `work` immediately and then at most every `everyMs`, always including the last call. Returns the call and stop
 * functions.
 */
export function atMostEvery(everyMs: number, work: () => void, now: () => number = () => performance.now()) {
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
      const wait = last + everyMs - now();
      if (wait <= 0) run();
      else timer = setTimeout(run, wait);
    },
    stop: () => clearTimeout(timer),
  };
}

export function listenUnread(client: QueryClient): () => void {
  const refetch = atMostEvery(AT_MOST_EVERY_MS, () => void client.refetchQueries({ queryKey: unreadQuery().queryKey }));
  // Events before the first connection were missed.
  const stops = [...EVENTS.map((event) => onEvent(event, refetch.call)), onConnected(refetch.call)];
  // Events between the connection and the loading of this code were missed too.
  if (isConnected()) refetch.call();
  return () => {
    refetch.stop();
    for (const stop of stops) stop();
  };
}

export function requestWords(before: number | undefined, now: number): string | undefined {
  if (before === undefined || now <= before) return undefined;
  return now === 1 ? 'New message request.' : `New message request. ${now} pending.`;
}

function announceRequests(client: QueryClient): () => void {
  const unread = new QueryObserver(client, unreadQuery());
  const said = document.createElement('p');
  said.className = 'sr-only';
  said.setAttribute('role', 'status');
  document.body.append(said);
  let before = unread.getCurrentResult().data?.requestCount;
  const stop = unread.subscribe(({ data }) => {
    if (!data) return;
    const words = requestWords(before, data.requestCount);
    before = data.requestCount;
    if (words !== undefined) said.textContent = words;
  });
  return () => {
    stop();
    said.remove();
  };
}

export function titleWith(title: string, { count, isMore }: Pick<Unread, 'count' | 'isMore'>): string {
  const plain = title.replace(/^\(\d+\+?\) /, '');
  return count > 0 ? `(${count > 99 || isMore ? '99+' : count}) ${plain}` : plain;
}

function keepTitle(client: QueryClient): () => void {
  const unread = new QueryObserver(client, unreadQuery());
  const set = (counted: Pick<Unread, 'count' | 'isMore'>) => {
    const wanted = titleWith(document.title, counted);
    if (document.title !== wanted) document.title = wanted;
  };
  const apply = () => set(unread.getCurrentResult().data ?? NOTHING_UNREAD);
  const head = new MutationObserver(apply);
  const stop = unread.subscribe(apply);
  apply();
  head.observe(document.head, { childList: true, subtree: true, characterData: true });
  return () => {
    head.disconnect();
    stop();
    set(NOTHING_UNREAD);
  };
}

export function followUnread(client: QueryClient): () => void {
  const stops = [listenUnread(client), keepTitle(client), announceRequests(client)];
  return () => {
    for (const stop of stops) stop();
  };
}
