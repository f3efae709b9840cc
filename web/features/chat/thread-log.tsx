/**
 * The messages of a thread. Only what is in sight is in the page. Older ones come in above without a jump, new ones are said
 * to readers, and read marks follow what was really on the screen.
 */
import type { Conversation } from '@stagedoor/contract/messages.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { Typing } from '../../ui/bubble.tsx';
import { Icon } from '../../ui/icon.tsx';
import { loadNewer, loadOlder, openNewest } from './cache.ts';
import { useNow, useZone } from './clock.ts';
import { mark } from './marks.ts';
import { MessageRow } from './message-row.tsx';
import type { Window } from './model.ts';
import { pendingIn } from './outbox-queue.ts';
import { useParts } from './parts.ts';
import { type Row, rowsOf } from './rows.ts';
import { useTyping } from './typing.ts';
import { isLocked } from './unlock.tsx';
import { onSent, useEntries } from './use-outbox.ts';
import { LaidOut, usePrepended, useThreadScroll } from './use-scroll.ts';

const STILL_ROWS = 24;

export type ThreadLogProps = {
  /** The conversation's id, `with:…` or `broadcast`. */
  thread: string;
  window: Window;
  conversation: Conversation | undefined;
  /** The other side's name. */
  other: string;
  /** The message searched for, by its `seq`, and the words. */
  found: { seq: number; words: string } | undefined;
  /** Before the first message. */
  beginning: ReactNode;
  under?: ((row: Row) => ReactNode) | undefined;
  hasActs?: boolean;
};

/** One page at a time; what failed is tried again with the next scrolling, a moment later. */
function usePages(thread: string) {
  const client = useQueryClient();
  const busy = useRef(new Set<string>());
  const [isLoading, setIsLoading] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  const run = async (which: 'older' | 'newer', load: typeof loadOlder) => {
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
  return { isLoading, hasFailed, older: () => void run('older', loadOlder), newer: () => void run('newer', loadNewer) };
}

/** Says to readers what comes in, and nothing that is scrolled past. */
function Announcer({ rows, other }: { rows: readonly Row[]; other: string }) {
  const last = rows.findLast(({ message, isOwn }) => message && !isOwn)?.message;
  const [first] = useState(last?.seq ?? 0);
  const isNew = last !== undefined && last.seq > first;
  return (
    <div className="sr-only" role="log" aria-live="polite" aria-label="New messages">
      {isNew && <p key={last.id}>{`${other}: ${last.text.slice(0, 500) || last.type}`}</p>}
    </div>
  );
}

/** Marks as read what others sent up to a row, while somebody looks at it. */
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
    addEventListener('focus', again);
    document.addEventListener('visibilitychange', again);
    return () => {
      removeEventListener('focus', again);
      document.removeEventListener('visibilitychange', again);
    };
  }, []);
  return (index: number) => {
    seen.current = index;
    read();
  };
}

function Pill({ count, onPress }: { count: number; onPress: () => void }) {
  return (
    <button type="button" className="conv__pill" onClick={onPress}>
      <Icon name="chevron-down" size={18} />
      {count > 0 ? `${count} new` : 'Latest'}
    </button>
  );
}

/** How many of others' came since one left the end. */
function useNewSince(rows: readonly Row[], isAway: boolean): number {
  const lastSeq = rows.findLast(({ message }) => message)?.message?.seq ?? 0;
  const [leftAt, setLeftAt] = useState(lastSeq);
  if (!isAway && leftAt !== lastSeq) setLeftAt(lastSeq);
  if (!isAway) return 0;
  return rows.filter(({ message, isOwn }) => message && !isOwn && message.seq > leftAt).length;
}

function useRows({ thread, window, conversation }: ThreadLogProps): { rows: Row[]; zone: string } {
  const { viewerId, rendered } = useParts();
  const zone = useZone() ?? 'UTC';
  const now = useNow(rendered);
  const entries = useEntries();
  // Where the new ones begin stays while one is here.
  const [newAfter] = useState(conversation && conversation.unreadCount > 0 ? conversation.ownReadSeq : undefined);
  const { messages, hasNewer } = window;
  const rows = useMemo(() => {
    const arrived = new Set(messages.map(({ clientId }) => clientId));
    const pending = hasNewer ? [] : pendingIn(entries, thread, arrived);
    return rowsOf(messages, pending, { viewerId, now, zone, newAfter });
  }, [messages, hasNewer, entries, thread, viewerId, now, zone, newAfter]);
  return { rows, zone };
}

/** The window as it scrolls; another window is another one of these. */
function Scrolling(props: ThreadLogProps & { rows: Row[]; zone: string }) {
  const { thread, window, conversation, other, found, beginning, under, hasActs = true, rows, zone } = props;
  const client = useQueryClient();
  const scroller = useRef<HTMLElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const pages = usePages(thread);
  const isTyping = useTyping(thread);
  const reading = useReading(rows, conversation);
  const keys = useMemo(() => rows.map(({ key }) => key), [rows]);
  const isPrepended = usePrepended(keys);
  const [startAt] = useState(() => {
    const target = found ? rows.findIndex(({ message }) => message?.seq === found.seq) : -1;
    const firstNew = rows.findIndex(({ isNewFrom }) => isNewFrom);
    return target >= 0 ? target : firstNew >= 0 ? firstNew : undefined;
  });
  const scroll = useThreadScroll({
    scroller,
    list,
    count: rows.length,
    startAt,
    onOlder: () => window.hasOlder && pages.older(),
    onNewer: () => window.hasNewer && pages.newer(),
    onSeen: reading,
  });
  const newCount = useNewSince(rows, scroll.isAway || window.hasNewer);
  const newestLocked = rows.findLast(({ message, isOwn }) => message && isLocked(message, isOwn))?.key;
  const { look, isSettled, toEnd } = scroll;
  const settle = () => {
    if (scroll.isAtEnd.current) toEnd();
    look();
  };
  const latestLook = useRef(settle);
  useEffect(() => {
    latestLook.current = settle;
  });
  // What came in at the end was on the screen without a scroll.
  const lastKey = keys.at(-1);
  useEffect(() => {
    if (isSettled && lastKey) latestLook.current();
  }, [isSettled, lastKey]);
  const latest = () => {
    if (window.hasNewer) void openNewest(client, thread).catch(() => undefined);
    else toEnd();
  };
  // One's own message brings one to the end.
  const lastRow = rows.at(-1);
  const ownPending = lastRow?.entry?.clientId;
  const toLatest = useRef(latest);
  useEffect(() => {
    toLatest.current = latest;
  });
  useEffect(() => {
    if (ownPending) toLatest.current();
  }, [ownPending]);
  useEffect(
    () =>
      onSent((entry) => {
        if (entry.thread === thread) toLatest.current();
      }),
    [thread],
  );
  const foundSeq = found?.seq;
  const latestKeys = useRef(rows);
  useEffect(() => {
    latestKeys.current = rows;
  });
  // Only when another one is looked for; the rows may change meanwhile.
  useEffect(() => {
    const index = latestKeys.current.findIndex(({ message }) => message?.seq === foundSeq);
    if (foundSeq !== undefined && index >= 0) list.current?.scrollToIndex(index, { align: 'center' });
  }, [foundSeq]);
  return (
    <>
      <section
        ref={scroller}
        className="conv__scroll"
        style={isSettled ? undefined : { visibility: 'hidden' }}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard
        tabIndex={0}
        aria-label={`Messages with ${other}`}
        data-thread={thread}
      >
        <div className="grow" />
        <div>
          {!window.hasOlder && beginning}
          <LaidOut scroller={scroller} />
          <Virtualizer ref={list} scrollRef={scroller} data={rows} shift={isPrepended} onScroll={look} bufferSize={400}>
            {(row) => (
              <MessageRow
                key={row.key}
                row={row}
                zone={zone}
                other={other}
                isNewestLocked={row.key === newestLocked}
                isFound={foundSeq !== undefined && row.message?.seq === foundSeq}
                search={found?.words}
                under={under?.(row)}
                hasActs={hasActs}
              />
            )}
          </Virtualizer>
          {isTyping && (
            <div className="msg" data-last="">
              <div className="msg__line">
                <Typing label={`${other} is typing`} />
              </div>
            </div>
          )}
          <div className="h-2" />
        </div>
      </section>
      {isSettled && (scroll.isAway || window.hasNewer) && <Pill count={newCount} onPress={latest} />}
      {(pages.isLoading || pages.hasFailed) && (
        <p className="sr-only" role="status">
          {pages.hasFailed ? 'Older messages could not be loaded. They are tried again.' : 'Loading messages'}
        </p>
      )}
      {!isSettled && <Still rows={rows} zone={zone} other={other} />}
    </>
  );
}

/** The end of the thread as plain rows: what the server's page shows, and what stands until the scrolling one has its heights. */
function Still({ rows, zone, other }: { rows: readonly Row[]; zone: string; other: string }) {
  return (
    <div className="conv__still" aria-hidden="true" inert>
      {rows.slice(-STILL_ROWS).map((row) => (
        <MessageRow
          key={row.key}
          row={row}
          zone={zone}
          other={other}
          isNewestLocked={false}
          isFound={false}
          search={undefined}
          hasActs={false}
        />
      ))}
      <div className="h-2 flex-none" />
    </div>
  );
}

export function ThreadLog(props: ThreadLogProps) {
  const { rows, zone } = useRows(props);
  const isAlive = useZone() !== undefined;
  return (
    <div className="conv__log">
      <Announcer key={props.thread} rows={rows} other={props.other} />
      {isAlive ? (
        <Scrolling key={`${props.thread} ${props.window.epoch}`} {...props} rows={rows} zone={zone} />
      ) : (
        <Still rows={rows} zone={zone} other={props.other} />
      )}
    </div>
  );
}
