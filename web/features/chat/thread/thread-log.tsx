/**
 * The virtualised messages of a thread. Older messages are inserted without a jump, new ones are announced to screen
 * readers, and read marks follow what was visible.
 */
import { type ReactNode, type RefObject, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { Virtualizer } from 'virtua';
import { Typing } from '../../../ui/bubble.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { useZone } from '../clock.ts';
import { createFirstLayouts, FirstLayoutsContext } from './first-layout.ts';
import { MessageRow } from './message-row.tsx';
import { usePlaceWhileOpen } from './place.ts';
import type { Row } from './rows.ts';
import { useTyping } from './typing.ts';
import { isLocked } from './unlock.tsx';
import { LaidOut } from './use-scroll.ts';
import { type ThreadLogProps, useRows, useScrolling } from './use-thread.ts';

const STILL_ROWS = 24;

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

type BeginningProps = {
  scroller: RefObject<HTMLElement | null>;
  onHeight: (height: number) => void;
  children: ReactNode;
};

/** The content above the first message. The visible messages do not move when it appears with the last older page. */
function Beginning({ scroller, onHeight, children }: BeginningProps) {
  const content = useRef<HTMLDivElement>(null);
  const settle = useEffectEvent((height: number) => {
    scroller.current?.scrollBy(0, height);
    onHeight(height);
  });
  useLayoutEffect(() => settle(content.current?.offsetHeight ?? 0), []);
  return <div ref={content}>{children}</div>;
}

function Pill({ count, onPress }: { count: number; onPress: () => void }) {
  return (
    <button type="button" className="conv__pill" onClick={onPress}>
      <Icon name="chevron-down" size={18} />
      {count > 0 ? `${count} new` : 'Latest'}
    </button>
  );
}

function Scrolling(props: ThreadLogProps & { rows: Row[]; zone: string }) {
  const { thread, window, other, found, beginning, under, hasActs = true, rows, zone } = props;
  const [startMargin, setStartMargin] = useState(0);
  const { scroller, list, pages, isPrepended, isSettled, look, isAway, newCount, toLatest } = useScrolling(
    props,
    rows,
    startMargin,
  );
  const isTyping = useTyping(thread);
  const [firstLayouts] = useState(createFirstLayouts);
  const first = !window.hasOlder && beginning;
  // Unmounting the row of an open view-once message would close it for good.
  const keptRows = rows.flatMap(({ message, isOwn }, at) => (message?.isViewOnce && !isOwn ? [at] : []));
  const newestLocked = rows.findLast(({ message, isOwn }) => message && isLocked(message, isOwn))?.key;
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
        <div>
          {first && (
            <Beginning scroller={scroller} onHeight={setStartMargin}>
              {first}
            </Beginning>
          )}
          <LaidOut scroller={scroller} />
          <FirstLayoutsContext value={firstLayouts}>
            <Virtualizer
              ref={list}
              scrollRef={scroller}
              startMargin={startMargin}
              data={rows}
              shift={isPrepended}
              onScroll={look}
              bufferSize={400}
              keepMounted={keptRows}
            >
              {(row) => (
                <MessageRow
                  key={row.key}
                  row={row}
                  zone={zone}
                  other={other}
                  isNewestLocked={row.key === newestLocked}
                  isFound={found !== undefined && row.message?.seq === found.seq}
                  search={found?.words}
                  under={under?.(row)}
                  hasActs={hasActs}
                />
              )}
            </Virtualizer>
          </FirstLayoutsContext>
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
      {isSettled && isAway && <Pill count={newCount} onPress={toLatest} />}
      {(pages.isLoading || pages.hasFailed) && (
        <p className="sr-only" role="status">
          {pages.hasFailed ? 'Couldn’t load older messages. Retrying…' : 'Loading messages'}
        </p>
      )}
      {!isSettled && <Still rows={rows} zone={zone} other={other} beginning={first} />}
    </>
  );
}

/** The end of the thread as plain rows, for server rendering and until the virtual list has measured its rows. */
function Still({
  rows,
  zone,
  other,
  beginning,
}: {
  rows: readonly Row[];
  zone: string;
  other: string;
  beginning: ReactNode;
}) {
  return (
    <div className="conv__still" aria-hidden="true" inert>
      {rows.length <= STILL_ROWS && beginning}
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
      <div className="mb-auto h-2 flex-none" />
    </div>
  );
}

export function ThreadLog(props: ThreadLogProps) {
  const { rows, zone } = useRows(props);
  const isAlive = useZone() !== undefined;
  usePlaceWhileOpen(props.thread);
  return (
    <div className="conv__log">
      <Announcer key={props.thread} rows={rows} other={props.other} />
      {isAlive ? (
        <Scrolling key={`${props.thread} ${props.window.epoch}`} {...props} rows={rows} zone={zone} />
      ) : (
        <Still rows={rows} zone={zone} other={props.other} beginning={!props.window.hasOlder && props.beginning} />
      )}
    </div>
  );
}
