import type { Conversation } from '@stagedoor/contract/messaging/messages.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { VirtualizerHandle } from 'virtua';
import { onConnected } from '../../../../platform/socket-events.ts';
import { useOwnZone } from '../../../../ui/own-zone.ts';
import { loadNewer, loadOlder, openAround, openNewest } from '../cache.ts';
import { useChatContext } from '../chat-parts.ts';
import { sendMark } from '../marks.ts';
import type { MessageWindow } from '../model.ts';
import { listPendingEntries } from '../outbox/queue.ts';
import { subscribeToSent, useOutboxEntries } from '../outbox/use-outbox.ts';
import { useCurrentMinute } from '../time-format.ts';
import { type ThreadRow, toThreadRows } from './rows.ts';
import { clearThreadPosition, findThreadPosition, type ThreadPosition, useStoredPosition } from './scroll-position.ts';
import { type ScrollStart, useIsPrepended, useThreadScroll, waitUntilStill } from './use-scroll.ts';

export type ThreadLogProps = {
  /** The conversation's ID, `with:…` or `broadcast`. */
  thread: string;
  window: MessageWindow;
  conversation: Conversation | undefined;
  other: string;
  searchHit: { seq: number; searchText: string } | undefined;
  beginning: ReactNode;
  renderBelow?: ((row: ThreadRow) => ReactNode) | undefined;
  hasMenu?: boolean;
};

/** Loads one page at a time. A failed page is retried when the reader scrolls, after a short pause. */
function usePageLoading(thread: string, beforeInsert: () => Promise<void>) {
  const client = useQueryClient();
  const busy = useRef(new Set<string>());
  const [isLoading, setIsLoading] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  const loadPage = async (direction: 'older' | 'newer', load: typeof loadNewer) => {
    if (busy.current.has(direction)) return;
    busy.current.add(direction);
    setIsLoading(true);
    try {
      await load(client, thread);
      setHasFailed(false);
    } catch {
      setHasFailed(true);
      await new Promise((done) => setTimeout(done, 2_000));
    } finally {
      busy.current.delete(direction);
      setIsLoading(busy.current.size > 0);
    }
  };
  return {
    isLoading,
    hasFailed,
    older: () => void loadPage('older', (...args) => loadOlder(...args, beforeInsert)),
    newer: () => void loadPage('newer', loadNewer),
  };
}

function useReadMarks(rows: readonly ThreadRow[], conversation: Conversation | undefined) {
  const lastSeenIndex = useRef(-1);
  const markRead = () => {
    if (!conversation || document.visibilityState !== 'visible' || !document.hasFocus()) return;
    const last = rows.slice(0, lastSeenIndex.current + 1).findLast(({ message, isOwn }) => message && !isOwn)?.message;
    if (last && last.seq > conversation.ownReadSeq) sendMark(last, 'read');
  };
  const latest = useRef(markRead);
  useEffect(() => {
    latest.current = markRead;
  });
  useEffect(() => {
    const handleReturn = () => latest.current();
    // A mark sent over the old connection may be lost. The listeners that reset the marks must run first.
    const stop = onConnected(() => queueMicrotask(handleReturn));
    addEventListener('focus', handleReturn);
    document.addEventListener('visibilitychange', handleReturn);
    return () => {
      stop();
      removeEventListener('focus', handleReturn);
      document.removeEventListener('visibilitychange', handleReturn);
    };
  }, []);
  return (index: number) => {
    lastSeenIndex.current = index;
    markRead();
  };
}

function useNewCount(rows: readonly ThreadRow[], isAway: boolean): number {
  const lastSeq = rows.findLast(({ message }) => message)?.message?.seq ?? 0;
  const [seqWhenLeft, setSeqWhenLeft] = useState(lastSeq);
  if (!isAway && seqWhenLeft !== lastSeq) setSeqWhenLeft(lastSeq);
  if (!isAway) return 0;
  return rows.filter(({ message, isOwn }) => message && !isOwn && message.seq > seqWhenLeft).length;
}

export function useThreadRows({ thread, window, conversation }: ThreadLogProps): { rows: ThreadRow[]; zone: string } {
  const { viewerId, rendered } = useChatContext();
  const zone = useOwnZone() ?? 'UTC';
  const now = useCurrentMinute(rendered);
  const entries = useOutboxEntries();
  const [readUpTo] = useState(conversation && conversation.unreadCount > 0 ? conversation.ownReadSeq : undefined);
  const { messages, hasNewer } = window;
  const rows = useMemo(() => {
    const arrivedIds = new Set(messages.map(({ clientId }) => clientId));
    const pending = hasNewer ? [] : listPendingEntries(entries, thread, arrivedIds);
    return toThreadRows(messages, pending, { viewerId, now, zone, readUpTo });
  }, [messages, hasNewer, entries, thread, viewerId, now, zone, readUpTo]);
  return { rows, zone };
}

function useAfterNewRow(lastKey: string | undefined, isSettled: boolean, onNewRow: () => void): void {
  const latest = useRef(onNewRow);
  useEffect(() => {
    latest.current = onNewRow;
  });
  useEffect(() => {
    if (isSettled && lastKey) latest.current();
  }, [isSettled, lastKey]);
}

/**
 * Scrolls to the end when the user's message starts waiting. `onArrived` is called when it was sent, which may be
 * minutes later.
 */
function useFollowOwnMessage(
  thread: string,
  pending: string | undefined,
  scrollToLatest: () => void,
  onArrived: () => void,
): void {
  const latest = useRef({ scrollToLatest, onArrived });
  useEffect(() => {
    latest.current = { scrollToLatest, onArrived };
  });
  useEffect(() => {
    if (pending) latest.current.scrollToLatest();
  }, [pending]);
  useEffect(
    () =>
      subscribeToSent((entry) => {
        if (entry.thread === thread) latest.current.onArrived();
      }),
    [thread],
  );
}

/** Scrolls only when the found message changes, not when the rows change. */
function useScrollToHit(
  list: RefObject<VirtualizerHandle | null>,
  rows: readonly ThreadRow[],
  seq: number | undefined,
): void {
  const latest = useRef(rows);
  useEffect(() => {
    latest.current = rows;
  });
  useEffect(() => {
    const index = latest.current.findIndex(({ message }) => message?.seq === seq);
    if (seq !== undefined && index >= 0) list.current?.scrollToIndex(index, { align: 'center' });
  }, [list, seq]);
}

function findScrollStart(
  rows: readonly ThreadRow[],
  hitSeq: number | undefined,
  savedPosition: ThreadPosition | undefined,
): ScrollStart | undefined {
  const findIndex = (seq: number | undefined) =>
    rows.findIndex(({ message }) => seq !== undefined && message?.seq === seq);
  if (findIndex(hitSeq) >= 0) return { index: findIndex(hitSeq) };
  if (savedPosition)
    return findIndex(savedPosition.seq) >= 0
      ? { index: findIndex(savedPosition.seq), top: savedPosition.top }
      : undefined;
  const firstUnread = rows.findIndex(({ isFirstUnread }) => isFirstUnread);
  return firstUnread >= 0 ? { index: firstUnread } : undefined;
}

export function useThreadLog(
  { thread, window, conversation, searchHit }: ThreadLogProps,
  rows: readonly ThreadRow[],
  startMargin: number,
) {
  const client = useQueryClient();
  const scroller = useRef<HTMLElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const pages = usePageLoading(thread, () => waitUntilStill(scroller));
  const handleSeen = useReadMarks(rows, conversation);
  const keys = useMemo(() => rows.map(({ key }) => key), [rows]);
  const isPrepended = useIsPrepended(keys);
  const [savedPosition] = useState(() => findThreadPosition(thread));
  const [start] = useState(() => findScrollStart(rows, searchHit?.seq, savedPosition));
  useEffect(() => {
    if (!savedPosition) return;
    if (start) clearThreadPosition(thread);
    // The saved position is older than the loaded page, so a new window is opened around it.
    else void openAround(client, thread, savedPosition.seq).catch(() => undefined);
  }, [client, thread, savedPosition, start]);
  const scroll = useThreadScroll({
    scroller,
    list,
    count: rows.length,
    start,
    onOlder: () => window.hasOlder && pages.older(),
    onNewer: () => window.hasNewer && pages.newer(),
    onSeen: handleSeen,
  });
  const { isAtEnd, handleScroll, isSettled, scrollIfAtEnd, scrollToEnd } = scroll;
  useStoredPosition(thread, rows, { scroller, list, startMargin, isAtEnd });
  useAfterNewRow(keys.at(-1), isSettled, () => {
    scrollIfAtEnd();
    handleScroll();
  });
  const scrollToLatest = () => {
    if (window.hasNewer) void openNewest(client, thread).catch(() => undefined);
    else scrollToEnd();
  };
  useFollowOwnMessage(thread, rows.at(-1)?.entry?.clientId, scrollToLatest, () =>
    window.hasNewer ? scrollToLatest() : scrollIfAtEnd(),
  );
  useScrollToHit(list, rows, searchHit?.seq);
  const isAway = scroll.isAway || window.hasNewer;
  const newCount = useNewCount(rows, isAway);
  return { scroller, list, pages, isPrepended, isSettled, handleScroll, isAway, newCount, scrollToLatest };
}
