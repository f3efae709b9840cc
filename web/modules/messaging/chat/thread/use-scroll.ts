/**
 * The scrolling of a thread. It stays at the end while the reader is there, keeps the position while older messages are
 * inserted, and tracks which messages were visible.
 */
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { VirtualizerHandle } from 'virtua';

const END_PX = 60;
const PRELOAD_PX = 1_200;

/** True only for the rendering in which rows were inserted before the first, detected by the first key and the count. */
export function useIsPrepended(keys: readonly string[]): boolean {
  const [first] = keys;
  const [previous, setPrevious] = useState({ first, count: keys.length, isPrepended: false });
  if (previous.first !== first || previous.count !== keys.length) {
    const at = previous.first === undefined ? -1 : keys.indexOf(previous.first);
    setPrevious({ first, count: keys.length, isPrepended: at > 0 });
    return at > 0;
  }
  return previous.isPrepended;
}

/**
 * Must be rendered before the list, because effects run in that order. The list moves its scroller by the height of
 * inserted rows, and Chromium limits such a move to the height of the last layout. Reading `scrollHeight` forces a
 * layout.
 */
export function ForceLayout({ scroller }: { scroller: RefObject<HTMLElement | null> }): null {
  useLayoutEffect(() => void scroller.current?.scrollHeight);
  return null;
}

/** Touch screens send the click shortly after the finger is lifted, and a second tap may follow. */
const AFTER_PRESS_MS = 400;

/**
 * Tracks whether a finger touches the thread or did a moment ago. The thread does not scroll by itself meanwhile, so
 * that a tap hits its target. `onFree` is called when it may scroll again.
 */
function usePressTracking(
  scroller: RefObject<HTMLElement | null>,
  isPressed: RefObject<boolean>,
  onFree: () => void,
): void {
  const notifyFree = useEffectEvent(onFree);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const startPress = () => {
      clearTimeout(timer);
      isPressed.current = true;
    };
    const endPress = () => {
      if (!isPressed.current) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        isPressed.current = false;
        notifyFree();
      }, AFTER_PRESS_MS);
    };
    element.addEventListener('pointerdown', startPress);
    for (const name of ['pointerup', 'pointercancel'] as const) addEventListener(name, endPress);
    return () => {
      clearTimeout(timer);
      element.removeEventListener('pointerdown', startPress);
      for (const name of ['pointerup', 'pointercancel'] as const) removeEventListener(name, endPress);
    };
  }, [scroller, isPressed]);
}

const MOVING_SELECTOR = '[style*="pointer-events: none"], [style*="visibility: hidden"]';

/**
 * Resolves when nothing scrolls and every rendered row is measured, or after 400 ms. Until then the list anchors its
 * end while rows are inserted before the first, and a row below that is measured meanwhile would move the reader.
 */
export async function waitUntilStill(scroller: RefObject<HTMLElement | null>): Promise<void> {
  for (let attempt = 0, stillFrames = 0; attempt < 25 && stillFrames < 2; attempt += 1) {
    await new Promise((done) => setTimeout(done, 16));
    stillFrames = scroller.current?.querySelector(MOVING_SELECTOR) ? 0 : stillFrames + 1;
  }
}

/** A row at the centre of the screen, or with `top` of its pixels above it. */
export type ScrollStart = { index: number; top?: number };

export type ThreadScrollOptions = {
  scroller: RefObject<HTMLElement | null>;
  list: RefObject<VirtualizerHandle | null>;
  count: number;
  start: ScrollStart | undefined;
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

/** Scrolling follows its input within this time, except for momentum. */
const INPUT_MS = 500;

function useScrollInput(scroller: RefObject<HTMLElement | null>): () => boolean {
  const lastInput = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const noteInput = () => {
      lastInput.current = performance.now();
    };
    for (const name of ['wheel', 'touchmove', 'keydown'] as const)
      element.addEventListener(name, noteInput, { passive: true });
    return () => {
      for (const name of ['wheel', 'touchmove', 'keydown'] as const) element.removeEventListener(name, noteInput);
    };
  }, [scroller]);
  return () => performance.now() - lastInput.current < INPUT_MS;
}

export function useThreadScroll({ scroller, list, count, start, onOlder, onNewer, onSeen }: ThreadScrollOptions) {
  const isAtEnd = useRef(start === undefined);
  const isPressed = useRef(false);
  const isPostponed = useRef(false);
  const lastPosition = useRef<Position>({ top: 0, height: 0 });
  const [isAway, setIsAway] = useState(false);
  const [isSettled, setIsSettled] = useState(false);

  const hasInput = useScrollInput(scroller);

  // The start position is found while the list is hidden, because row heights are known only after rendering.
  useLayoutEffect(() => {
    let frameCount = 0;
    let frame = 0;
    const scrollToStart = () => {
      const element = scroller.current;
      if (!element) return;
      if (!start) element.scrollTop = element.scrollHeight;
      else if (start.top === undefined) list.current?.scrollToIndex(start.index, { align: 'center' });
      else list.current?.scrollToIndex(start.index, { align: 'start', offset: start.top });
      lastPosition.current = toPosition(element);
      frameCount += 1;
      if (frameCount < 4) frame = requestAnimationFrame(scrollToStart);
      else setIsSettled(true);
    };
    scrollToStart();
    return () => cancelAnimationFrame(frame);
  }, [list, scroller, start]);

  const handleScroll = () => {
    const element = scroller.current;
    const rows = list.current;
    if (!element || !rows) return;
    const distanceToEnd = element.scrollHeight - element.scrollTop - element.clientHeight;
    if (distanceToEnd < END_PX) isAtEnd.current = true;
    else if (hasScrolledUp(lastPosition.current, toPosition(element), isPressed.current || hasInput()))
      isAtEnd.current = false;
    lastPosition.current = toPosition(element);
    setIsAway(distanceToEnd > element.clientHeight);
    if (element.scrollTop < PRELOAD_PX) onOlder();
    if (distanceToEnd < PRELOAD_PX) onNewer();
    if (count > 0) onSeen(Math.min(count - 1, rows.findItemIndex(element.scrollTop + element.clientHeight - 8)));
  };

  const scrollIfAtEnd = () => {
    const element = scroller.current;
    if (!element || !isAtEnd.current) return;
    isPostponed.current = isPressed.current;
    if (isPressed.current) return;
    element.scrollTo({ top: element.scrollHeight });
    lastPosition.current = toPosition(element);
  };
  usePressTracking(scroller, isPressed, () => isPostponed.current && scrollIfAtEnd());
  const topEdge = useRef<number>(undefined);
  const handleResize = useEffectEvent((element: HTMLElement) => {
    const { top } = element.getBoundingClientRect();
    const movedPx = top - (topEdge.current ?? top);
    topEdge.current = top;
    if (isAtEnd.current) scrollIfAtEnd();
    // The messages stay in place when a bar above the thread appears or disappears.
    else if (movedPx !== 0) element.scrollBy({ top: movedPx, behavior: 'instant' });
  });

  useEffect(() => {
    const element = scroller.current;
    const content = element?.lastElementChild;
    if (!element) return;
    const observer = new ResizeObserver(() => handleResize(element));
    observer.observe(element);
    if (content) observer.observe(content);
    return () => observer.disconnect();
  }, [scroller]);

  const scrollToEnd = () => {
    const element = scroller.current;
    isAtEnd.current = true;
    element?.scrollTo({ top: element.scrollHeight });
    if (element) lastPosition.current = toPosition(element);
  };

  return { isAtEnd, isAway, isSettled, handleScroll, scrollIfAtEnd, scrollToEnd };
}
