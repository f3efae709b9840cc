/**
 * The scrolling of a thread. It stays at the end while the reader is there, keeps the position while older messages are
 * inserted, and tracks which messages were visible.
 */
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { VirtualizerHandle } from 'virtua';

const END_PX = 60;
const AHEAD_PX = 1_200;

/** True only for the rendering in which rows were inserted before the first, detected by `firstKey` and `count`. */
export function usePrepended(keys: readonly string[]): boolean {
  const [first] = keys;
  const [seen, setSeen] = useState({ first, count: keys.length, isPrepended: false });
  if (seen.first !== first || seen.count !== keys.length) {
    const at = seen.first === undefined ? -1 : keys.indexOf(seen.first);
    setSeen({ first, count: keys.length, isPrepended: at > 0 });
    return at > 0;
  }
  return seen.isPrepended;
}

/**
 * Must be rendered before the list, because effects run in that order. The list moves its scroller by the height of
 * inserted rows, and Chromium limits such a move to the height of the last layout. Reading `scrollHeight` forces a
 * layout.
 */
export function LaidOut({ scroller }: { scroller: RefObject<HTMLElement | null> }): null {
  useLayoutEffect(() => void scroller.current?.scrollHeight);
  return null;
}

/** Touch screens send the click shortly after the finger is lifted, and a second tap may follow. */
const AFTER_PRESS_MS = 400;

/**
 * Tracks whether a finger touches the thread or did a moment ago. The thread does not scroll by itself meanwhile, so
 * that a tap hits its target. `onFree` is called when it may scroll again.
 */
function usePressed(scroller: RefObject<HTMLElement | null>, isPressed: RefObject<boolean>, onFree: () => void): void {
  const free = useEffectEvent(onFree);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const press = () => {
      clearTimeout(timer);
      isPressed.current = true;
    };
    const lift = () => {
      if (!isPressed.current) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        isPressed.current = false;
        free();
      }, AFTER_PRESS_MS);
    };
    element.addEventListener('pointerdown', press);
    for (const name of ['pointerup', 'pointercancel'] as const) addEventListener(name, lift);
    return () => {
      clearTimeout(timer);
      element.removeEventListener('pointerdown', press);
      for (const name of ['pointerup', 'pointercancel'] as const) removeEventListener(name, lift);
    };
  }, [scroller, isPressed]);
}

const NOT_STILL = '[style*="pointer-events: none"], [style*="visibility: hidden"]';

/**
 * Resolves when nothing scrolls and every rendered row is measured, or after 400 ms. Until then the list anchors its
 * end while rows are inserted before the first, and a row below that is measured meanwhile would move the reader.
 */
export async function whenStill(scroller: RefObject<HTMLElement | null>): Promise<void> {
  for (let turn = 0, still = 0; turn < 25 && still < 2; turn += 1) {
    await new Promise((drawn) => setTimeout(drawn, 16));
    still = scroller.current?.querySelector(NOT_STILL) ? 0 : still + 1;
  }
}

/** A row at the centre of the screen, or with `top` of its pixels above it. */
export type Start = { index: number; top?: number };

export type ScrollParts = {
  scroller: RefObject<HTMLElement | null>;
  list: RefObject<VirtualizerHandle | null>;
  count: number;
  start: Start | undefined;
  onOlder: () => void;
  onNewer: () => void;
  onSeen: (index: number) => void;
};

type Position = { top: number; height: number };

function toPosition({ scrollTop: top, scrollHeight: height }: HTMLElement): Position {
  return { top, height };
}

/**
 * Whether the reader scrolled up between two positions. The list also moves its scroller when rows are lower than
 * expected, but then the height changes at the same time.
 */
export function hasScrolledUp(before: Position, after: Position, isByReader: boolean): boolean {
  const isUp = after.top < before.top - 1;
  return isUp && (isByReader || Math.abs(after.height - before.height) <= 1);
}

/** Scrolling follows its input within this time, apart from momentum. */
const INPUT_MS = 500;

function useScrollInput(scroller: RefObject<HTMLElement | null>): () => boolean {
  const lastInput = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const note = () => {
      lastInput.current = performance.now();
    };
    for (const name of ['wheel', 'touchmove', 'keydown'] as const)
      element.addEventListener(name, note, { passive: true });
    return () => {
      for (const name of ['wheel', 'touchmove', 'keydown'] as const) element.removeEventListener(name, note);
    };
  }, [scroller]);
  return () => performance.now() - lastInput.current < INPUT_MS;
}

export function useThreadScroll({ scroller, list, count, start, onOlder, onNewer, onSeen }: ScrollParts) {
  const isAtEnd = useRef(start === undefined);
  const isPressed = useRef(false);
  const last = useRef<Position>({ top: 0, height: 0 });
  const [isAway, setIsAway] = useState(false);
  const [isSettled, setIsSettled] = useState(false);

  const hasInput = useScrollInput(scroller);

  // The start position is found while the list is hidden, because row heights are known only after rendering.
  useLayoutEffect(() => {
    let turns = 0;
    let frame = 0;
    const place = () => {
      const element = scroller.current;
      if (!element) return;
      if (!start) element.scrollTop = element.scrollHeight;
      else if (start.top === undefined) list.current?.scrollToIndex(start.index, { align: 'center' });
      else list.current?.scrollToIndex(start.index, { align: 'start', offset: start.top });
      last.current = toPosition(element);
      turns += 1;
      if (turns < 4) frame = requestAnimationFrame(place);
      else setIsSettled(true);
    };
    place();
    return () => cancelAnimationFrame(frame);
  }, [list, scroller, start]);

  const look = () => {
    const element = scroller.current;
    const rows = list.current;
    if (!element || !rows) return;
    const rest = element.scrollHeight - element.scrollTop - element.clientHeight;
    if (rest < END_PX) isAtEnd.current = true;
    else if (hasScrolledUp(last.current, toPosition(element), isPressed.current || hasInput())) isAtEnd.current = false;
    last.current = toPosition(element);
    setIsAway(rest > element.clientHeight);
    if (element.scrollTop < AHEAD_PX) onOlder();
    if (rest < AHEAD_PX) onNewer();
    if (count > 0) onSeen(Math.min(count - 1, rows.findItemIndex(element.scrollTop + element.clientHeight - 8)));
  };

  const follow = () => {
    const element = scroller.current;
    if (!element || !isAtEnd.current || isPressed.current) return;
    element.scrollTo({ top: element.scrollHeight });
    last.current = toPosition(element);
  };
  usePressed(scroller, isPressed, follow);
  const stick = useEffectEvent(follow);

  useEffect(() => {
    const element = scroller.current;
    const content = element?.lastElementChild;
    if (!element) return;
    const observer = new ResizeObserver(() => stick());
    observer.observe(element);
    if (content) observer.observe(content);
    return () => observer.disconnect();
  }, [scroller]);

  const toEnd = () => {
    const element = scroller.current;
    isAtEnd.current = true;
    element?.scrollTo({ top: element.scrollHeight });
    if (element) last.current = toPosition(element);
  };

  return { isAtEnd, isAway, isSettled, look, follow, toEnd };
}
