import type { Conversation } from '@stagedoor/contract/messages.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { VirtualizerHandle } from 'virtua';
import { onConnected } from '../../../kernel/live.ts';
import { loadNewer, loadOlder, openAround, openNewest } from '../cache.ts';
import { useNow, useZone } from '../clock.ts';
import { mark } from '../marks.ts';
import type { Window } from '../model.ts';
import { pendingIn } from '../outbox/queue.ts';
import { onSent, useEntries } from '../outbox/use-outbox.ts';
import { useParts } from '../parts.ts';
import { forgetPlace, type Place, placeOf, useKeptPlace } from './place.ts';
import { type Row, rowsOf } from './rows.ts';
import { type Start, usePrepended, useThreadScroll, whenStill } from './use-scroll.ts';

export type ThreadLogProps = {
  /** The conversation's ID, `with:…` or `broadcast`. */
  thread: string;
  window: Window;
  conversation: Conversation | undefined;
  other: string;
  found: { seq: number; words: string } | undefined;
  beginning: ReactNode;
  under?: ((row: Row) => ReactNode) | undefined;
  hasActs?: boolean;
};

/** Loads one page at a time. A failed page is retried when the reader scrolls, after a short pause. */
function usePages(thread: string, isStill: () => Promise<void>) {
  const client = useQueryClient();
  const busy = useRef(new Set<string>());
  const [isLoading, setIsLoading] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  const run = async (which: 'older' | 'newer', load: typeof loadNewer) => {
    if (busy.current.has(which)) return;
    busy.current.add(which);
    setIsLoading(true);
    try {
      await load(client, thread);
      setHasFailed(false);
    } catch {
      setHasFailed(true);
      await new Promise((done) => setTimeout(done, 2_000));
    } finally {
      busy.current.delete(which);
      setIsLoading(busy.current.size > 0);
    }
  };
  return {
    isLoading,
    hasFailed,
    older: () => void run('older', (...of) => loadOlder(...of, isStill)),
    newer: () => void run('newer', loadNewer),
  };
}

function useReading(rows: readonly Row[], conversation: Conversation | undefined) {
  const seen = useRef(-1);
  const read = () => {
    if (!conversation || document.visibilityState !== 'visible' || !document.hasFocus()) return;
    const last = rows.slice(0, seen.current + 1).findLast(({ message, isOwn }) => message && !isOwn)?.message;
    if (last && last.seq > conversation.ownReadSeq) mark(last, 'read');
  };
  const latest = useRef(read);
  useEffect(() => {
    latest.current = read;
  });
  useEffect(() => {
    const again = () => latest.current();
    // A mark sent over the old connection may be lost. The listeners that reset the marks must run first.
    const stop = onConnected(() => queueMicrotask(again));
    addEventListener('focus', again);
    document.addEventListener('visibilitychange', again);
    return () => {
      stop();
      removeEventListener('focus', again);
      document.removeEventListener('visibilitychange', again);
    };
  }, []);
  return (index: number) => {
    seen.current = index;
    read();
  };
}

function useNewSince(rows: readonly Row[], isAway: boolean): number {
  const lastSeq = rows.findLast(({ message }) => message)?.message?.seq ?? 0;
  const [leftAt, setLeftAt] = useState(lastSeq);
  if (!isAway && leftAt !== lastSeq) setLeftAt(lastSeq);
  if (!isAway) return 0;
  return rows.filter(({ message, isOwn }) => message && !isOwn && message.seq > leftAt).length;
}

export function useRows({ thread, window, conversation }: ThreadLogProps): { rows: Row[]; zone: string } {
  const { viewerId, rendered } = useParts();
  const zone = useZone() ?? 'UTC';
  const now = useNow(rendered);
  const entries = useEntries();
  const [newAfter] = useState(conversation && conversation.unreadCount > 0 ? conversation.ownReadSeq : undefined);
  const { messages, hasNewer } = window;
  const rows = useMemo(() => {
    const arrived = new Set(messages.map(({ clientId }) => clientId));
    const pending = hasNewer ? [] : pendingIn(entries, thread, arrived);
    return rowsOf(messages, pending, { viewerId, now, zone, newAfter });
  }, [messages, hasNewer, entries, thread, viewerId, now, zone, newAfter]);
  return { rows, zone };
}

function useSettled(lastKey: string | undefined, isSettled: boolean, settle: () => void): void {
  const latest = useRef(settle);
  useEffect(() => {
    latest.current = settle;
  });
  useEffect(() => {
    if (isSettled && lastKey) latest.current();
  }, [isSettled, lastKey]);
}

/**
 * Scrolls to the end when the user's message starts waiting. `onArrived` is called when it was sent, which may be
 * minutes later.
 */
function useOwn(thread: string, pending: string | undefined, toLatest: () => void, onArrived: () => void): void {
  const latest = useRef({ toLatest, onArrived });
  useEffect(() => {
    latest.current = { toLatest, onArrived };
  });
  useEffect(() => {
    if (pending) latest.current.toLatest();
  }, [pending]);
  useEffect(
    () =>
      onSent((entry) => {
        if (entry.thread === thread) latest.current.onArrived();
      }),
    [thread],
  );
}

/** Scrolls only when the found message changes, not when the rows change. */
function useFound(list: RefObject<VirtualizerHandle | null>, rows: readonly Row[], seq: number | undefined): void {
  const latest = useRef(rows);
  useEffect(() => {
    latest.current = rows;
  });
  useEffect(() => {
    const index = latest.current.findIndex(({ message }) => message?.seq === seq);
    if (seq !== undefined && index >= 0) list.current?.scrollToIndex(index, { align: 'center' });
  }, [list, seq]);
}

function startOf(rows: readonly Row[], found: number | undefined, place: Place | undefined): Start | undefined {
  const at = (seq: number | undefined) => rows.findIndex(({ message }) => seq !== undefined && message?.seq === seq);
  if (at(found) >= 0) return { index: at(found) };
  if (place) return at(place.seq) >= 0 ? { index: at(place.seq), top: place.top } : undefined;
  const firstNew = rows.findIndex(({ isNewFrom }) => isNewFrom);
  return firstNew >= 0 ? { index: firstNew } : undefined;
}

export function useScrolling(
  { thread, window, conversation, found }: ThreadLogProps,
  rows: readonly Row[],
  startMargin: number,
) {
  const client = useQueryClient();
  const scroller = useRef<HTMLElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const pages = usePages(thread, () => whenStill(scroller));
  const reading = useReading(rows, conversation);
  const keys = useMemo(() => rows.map(({ key }) => key), [rows]);
  const isPrepended = usePrepended(keys);
  const [place] = useState(() => placeOf(thread));
  const [start] = useState(() => startOf(rows, found?.seq, place));
  useEffect(() => {
    if (!place) return;
    if (start) forgetPlace(thread);
    // The saved position is older than the loaded page, so a new window is opened around it.
    else void openAround(client, thread, place.seq).catch(() => undefined);
  }, [client, thread, place, start]);
  const scroll = useThreadScroll({
    scroller,
    list,
    count: rows.length,
    start,
    onOlder: () => window.hasOlder && pages.older(),
    onNewer: () => window.hasNewer && pages.newer(),
    onSeen: reading,
  });
  const { isAtEnd, look, isSettled, follow, toEnd } = scroll;
  useKeptPlace(thread, rows, { scroller, list, startMargin, isAtEnd });
  useSettled(keys.at(-1), isSettled, () => {
    follow();
    look();
  });
  const toLatest = () => {
    if (window.hasNewer) void openNewest(client, thread).catch(() => undefined);
    else toEnd();
  };
  useOwn(thread, rows.at(-1)?.entry?.clientId, toLatest, () => (window.hasNewer ? toLatest() : follow()));
  useFound(list, rows, found?.seq);
  const isAway = scroll.isAway || window.hasNewer;
  const newCount = useNewSince(rows, isAway);
  return { scroller, list, pages, isPrepended, isSettled, look, isAway, newCount, toLatest };
}
