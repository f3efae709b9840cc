/**
 * The virtualised messages of a thread. Older messages are inserted without a jump, new ones are announced to screen
 * readers, and read marks follow what was visible.
 */

import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import {
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Virtualizer } from 'virtua';
import { TypingIndicator } from '../../../../ui/bubble.tsx';
import { Icon } from '../../../../ui/icon.tsx';
import { useOwnZone } from '../../../../ui/own-zone.ts';
import { formatSpokenMessage } from '../chat-labels.ts';
import * as texts from '../texts.ts';
import { createFirstLayouts, FirstLayoutsContext } from './first-layout.ts';
import { MessageItem } from './message-item.tsx';
import type { ThreadRow } from './rows.ts';
import { useClearPositionOnLeave } from './scroll-position.ts';
import { useTyping } from './typing.ts';
import { isLocked } from './unlock.tsx';
import { ForceLayout } from './use-scroll.ts';
import { type ThreadLogProps, useThreadLog, useThreadRows } from './use-thread.ts';

const STATIC_ROWS = 24;
const MAX_PRESSED = 10;

function Announcer({ rows, other }: { rows: readonly ThreadRow[]; other: string }) {
  const last = rows.findLast(({ message, isOwn }) => message && !isOwn)?.message;
  const [first] = useState(last?.seq ?? 0);
  const isNew = last !== undefined && last.seq > first;
  return (
    <div className="sr-only" role="log" aria-live="polite" aria-label={texts.newMessages}>
      {isNew && <p key={last.id}>{`${other}: ${formatSpokenMessage(last)}`}</p>}
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

function LatestButton({ count, onPress }: { count: number; onPress: () => void }) {
  return (
    <button type="button" className="conv__pill" onClick={onPress}>
      <Icon name="chevron-down" size={18} />
      {count > 0 ? formatText(texts.newMessageCount, { count }) : texts.latest}
    </button>
  );
}

/** The latest messages that were pressed. They may play, and unmounting their rows would stop and reset the players. */
function usePressedMessages(): { pressedIds: readonly string[]; handleClick: (event: MouseEvent) => void } {
  const [pressedIds, setPressedIds] = useState<readonly string[]>([]);
  const handleClick = ({ target }: MouseEvent) => {
    const id = target instanceof Element && target.closest('[data-message]')?.getAttribute('data-message');
    if (id && !pressedIds.includes(id)) setPressedIds([...pressedIds, id].slice(-MAX_PRESSED));
  };
  return { pressedIds, handleClick };
}

function ScrollingLog(props: ThreadLogProps & { rows: ThreadRow[]; zone: string }) {
  const { thread, window, other, searchHit, beginning, renderBelow, hasMenu = true, rows, zone } = props;
  const [startMargin, setStartMargin] = useState(0);
  const { scroller, list, pages, isPrepended, isSettled, handleScroll, isAway, newCount, scrollToLatest } =
    useThreadLog(props, rows, startMargin);
  const isTyping = useTyping(thread);
  const [firstLayouts] = useState(createFirstLayouts);
  const first = !window.hasOlder && beginning;
  const { pressedIds, handleClick } = usePressedMessages();
  // Unmounting the row of an open view-once message would close it for good.
  const mountedRows = rows.flatMap(({ message, isOwn }, at) =>
    message && ((message.isViewOnce && !isOwn) || pressedIds.includes(message.id)) ? [at] : [],
  );
  const newestLocked = rows.findLast(({ message, isOwn }) => message && isLocked(message, isOwn))?.key;
  return (
    <>
      <section
        ref={scroller}
        className="conv__scroll"
        style={isSettled ? undefined : { visibility: 'hidden' }}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard
        tabIndex={0}
        aria-label={formatText(texts.messagesWith, { name: other })}
        data-thread={thread}
        onClickCapture={handleClick}
      >
        <div>
          {first && (
            <Beginning scroller={scroller} onHeight={setStartMargin}>
              {first}
            </Beginning>
          )}
          <ForceLayout scroller={scroller} />
          <FirstLayoutsContext value={firstLayouts}>
            <Virtualizer
              ref={list}
              scrollRef={scroller}
              startMargin={startMargin}
              data={rows}
              shift={isPrepended}
              onScroll={handleScroll}
              bufferSize={400}
              keepMounted={mountedRows}
            >
              {(row) => (
                <MessageItem
                  key={row.key}
                  row={row}
                  zone={zone}
                  other={other}
                  isNewestLocked={row.key === newestLocked}
                  isFound={searchHit !== undefined && row.message?.seq === searchHit.seq}
                  search={searchHit?.searchText}
                  below={renderBelow?.(row)}
                  hasMenu={hasMenu}
                />
              )}
            </Virtualizer>
          </FirstLayoutsContext>
          {isTyping && (
            <div className="msg" data-last="">
              <div className="msg__line">
                <TypingIndicator label={formatText(texts.isTyping, { name: other })} />
              </div>
            </div>
          )}
          <div className="h-2" />
        </div>
      </section>
      {isSettled && isAway && <LatestButton count={newCount} onPress={scrollToLatest} />}
      {(pages.isLoading || pages.hasFailed) && (
        <p className="sr-only" role="status">
          {pages.hasFailed ? texts.olderMessagesError : texts.loadingMessages}
        </p>
      )}
      {!isSettled && <StaticLog rows={rows} zone={zone} other={other} beginning={first} />}
    </>
  );
}

/** The end of the thread as plain rows, for server rendering and until the virtual list has measured its rows. */
function StaticLog({
  rows,
  zone,
  other,
  beginning,
}: {
  rows: readonly ThreadRow[];
  zone: string;
  other: string;
  beginning: ReactNode;
}) {
  return (
    <div className="conv__still" aria-hidden="true" inert>
      {rows.length <= STATIC_ROWS && beginning}
      {rows.slice(-STATIC_ROWS).map((row) => (
        <MessageItem
          key={row.key}
          row={row}
          zone={zone}
          other={other}
          isNewestLocked={false}
          isFound={false}
          search={undefined}
          hasMenu={false}
        />
      ))}
      <div className="mb-auto h-2 flex-none" />
    </div>
  );
}

export function ThreadLog(props: ThreadLogProps) {
  const { rows, zone } = useThreadRows(props);
  const isHydrated = useOwnZone() !== undefined;
  useClearPositionOnLeave(props.thread);
  return (
    <div className="conv__log">
      <Announcer key={props.thread} rows={rows} other={props.other} />
      {isHydrated ? (
        <ScrollingLog key={`${props.thread} ${props.window.epoch}`} {...props} rows={rows} zone={zone} />
      ) : (
        <StaticLog rows={rows} zone={zone} other={props.other} beginning={!props.window.hasOlder && props.beginning} />
      )}
    </div>
  );
}
