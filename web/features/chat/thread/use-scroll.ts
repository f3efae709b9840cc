/**
 * The scrolling of a thread: it stands at its end while one is there, stays where it is while older ones come in above, and
 * knows what has been on the screen.
 */
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { VirtualizerHandle } from 'virtua';

/** Nearer to the end than this, one is at the end. */
const END_PX = 60;
/** Older ones are asked for this far ahead. */
const AHEAD_PX = 1_200;

/** True only for the rendering in which rows were added before the first. `firstKey` and `count` tell. */
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
 * To be rendered before the list, as effects run in that order: the list moves its scroller by what came in above, and
 * Chromium holds such a move to the height that it last laid out, which is the one before. Asking for the height lays it out.
 */
export function LaidOut({ scroller }: { scroller: RefObject<HTMLElement | null> }): null {
  useLayoutEffect(() => void scroller.current?.scrollHeight);
  return null;
}

/** Touch screens tell of a click a moment after the finger was lifted, and a second tap may follow. */
const AFTER_PRESS_MS = 400;

/**
 * Whether a finger lies on the thread, or did a moment ago: meanwhile the thread does not scroll by itself, so that what is pressed is what
 * was aimed at. `onFree` is called when it may scroll again.
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
 * Once nothing scrolls and every row that is drawn has its height, or 400 ms later: until then the list holds its end in place while rows
 * are added before the first, and a row below that gets its height meanwhile would move the reader.
 */
export async function whenStill(scroller: RefObject<HTMLElement | null>): Promise<void> {
  for (let turn = 0, still = 0; turn < 25 && still < 2; turn += 1) {
    await new Promise((drawn) => setTimeout(drawn, 16));
    still = scroller.current?.querySelector(NOT_STILL) ? 0 : still + 1;
  }
}

/** A row in the middle of the screen, or with so many of its pixels above it. */
export type Start = { index: number; top?: number };

export type ScrollParts = {
  scroller: RefObject<HTMLElement | null>;
  list: RefObject<VirtualizerHandle | null>;
  count: number;
  /** Where to begin; without it, at the end. */
  start: Start | undefined;
  onOlder: () => void;
  onNewer: () => void;
  /** The index of the last row on the screen. */
  onSeen: (index: number) => void;
};

type Position = { top: number; height: number };

function toPosition({ scrollTop: top, scrollHeight: height }: HTMLElement): Position {
  return { top, height };
}

/**
 * Whether the reader scrolled up between two positions. The list also moves its scroller when rows turn out to be lower than expected, but
 * then the height changes at the same time and the reader did nothing.
 */
export function hasScrolledUp(before: Position, after: Position, isByReader: boolean): boolean {
  const isUp = after.top < before.top - 1;
  return isUp && (isByReader || Math.abs(after.height - before.height) <= 1);
}

/** A scroll comes at most this long after the input that caused it, apart from momentum. */
const INPUT_MS = 500;

/** Returns whether the reader used the wheel, a finger or a key on the thread a moment ago. */
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

  // Where it begins: found out while it is hidden, since heights are known only once rows have been drawn.
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
    // Begun once for each window: the caller remounts for another.
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

  /** At the end one stays at the end, whatever grows: a new message, the keyboard. */
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
