/**
 * Preserves the scroll position of an infinite list when entries change above it, on return and after a reload. The
 * position is an entry and its distance from the top, so that no heights must be known.
 */

import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { sessionStore } from '../../platform/browser-storage.ts';

export const POSITION_ATTRIBUTE = 'data-place';

type ListPosition = { id: string; top: number };
type SavedPosition = ListPosition & { count: number };

const READING_LINE = 80;
const STEADY_FRAMES = 3;
const MAX_FRAMES = 40;
const USER_SCROLL_EVENTS = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;

const toStorageKey = (locationKey: string, list: string) => `place:${locationKey}:${list}`;

function loadPosition(key: string): SavedPosition | undefined {
  try {
    const saved: unknown = JSON.parse(sessionStore.getItem(key) ?? 'null');
    if (typeof saved !== 'object' || saved === null || !('id' in saved && 'top' in saved && 'count' in saved))
      return undefined;
    const { id, top, count } = saved;
    return typeof id === 'string' && typeof top === 'number' && typeof count === 'number'
      ? { id, top, count }
      : undefined;
  } catch {
    return undefined;
  }
}

function savePosition(key: string, position: SavedPosition | undefined): void {
  if (position) sessionStore.setItem(key, JSON.stringify(position));
  else sessionStore.removeItem(key);
}

/** Returns the entry at the reading line by binary search. */
function findPosition(list: HTMLElement): ListPosition | undefined {
  const entries = list.children;
  let [low, high] = [0, entries.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    const bottom = entries[middle]?.getBoundingClientRect().bottom ?? 0;
    if (bottom > READING_LINE) high = middle;
    else low = middle + 1;
  }
  const entry = entries[low];
  const id = entry?.getAttribute(POSITION_ATTRIBUTE);
  return entry && id ? { id, top: entry.getBoundingClientRect().top } : undefined;
}

function findEntry(list: HTMLElement | null, id: string): Element | undefined {
  return Array.from(list?.children ?? []).find((entry) => entry.getAttribute(POSITION_ATTRIBUTE) === id);
}

/** Scrolls until the entry is at its old position. User scrolling cancels it. Returns the function that cancels it. */
function scrollToEntry(entry: Element, top: number): () => void {
  let [frames, steady, frame] = [0, 0, 0];
  const stop = () => {
    cancelAnimationFrame(frame);
    for (const name of USER_SCROLL_EVENTS) window.removeEventListener(name, stop);
  };
  const step = () => {
    const offset = entry.getBoundingClientRect().top - top;
    steady = Math.abs(offset) < 1 ? steady + 1 : 0;
    if (steady === 0) window.scrollBy({ top: offset, behavior: 'instant' });
    frames += 1;
    if (steady >= STEADY_FRAMES || frames >= MAX_FRAMES) stop();
    else frame = requestAnimationFrame(step);
  };
  for (const name of USER_SCROLL_EVENTS) window.addEventListener(name, stop, { passive: true });
  frame = requestAnimationFrame(step);
  return stop;
}

export type ListPositionOptions = {
  list: RefObject<HTMLElement | null>;
  name: string;
  ids: readonly string[];
  hasMore: boolean;
  isFetching: boolean;
  fetchMore: () => unknown;
};

export function useListPosition({ list, name, ids, hasMore, isFetching, fetchMore }: ListPositionOptions): void {
  const key = toStorageKey(useLocation().key, name);
  const isReturn = useNavigationType() === 'POP';
  const latest = useRef<ListPosition>(undefined);
  const target = useRef<SavedPosition>(undefined);
  const checkedKey = useRef('');
  const stop = useRef<() => void>(undefined);

  const recordPosition = useEffectEvent(() => {
    // While the page is being left, it scrolls to the top once more without the list.
    if (!list.current) return;
    const position = findPosition(list.current);
    latest.current = position;
    if (target.current) return;
    savePosition(key, position && window.scrollY > 0 ? { ...position, count: ids.length } : undefined);
  });
  useEffect(() => {
    let frame = 0;
    const schedule = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => recordPosition());
    };
    schedule();
    window.addEventListener('scroll', schedule, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', schedule);
    };
  }, []);

  // Only for browsers without scroll anchoring. The others keep the position themselves.
  useLayoutEffect(() => {
    const position = latest.current;
    if (!position || ids.length === 0 || window.scrollY <= 0 || CSS.supports('overflow-anchor', 'auto')) return;
    const offset = (findEntry(list.current, position.id)?.getBoundingClientRect().top ?? position.top) - position.top;
    if (Math.abs(offset) >= 1) window.scrollBy({ top: offset, behavior: 'instant' });
  }, [ids, list]);

  const restorePosition = useEffectEvent((count: number, isBusy: boolean): void => {
    if (checkedKey.current !== key) {
      checkedKey.current = key;
      target.current = isReturn ? loadPosition(key) : undefined;
    }
    const position = target.current;
    if (!position) return;
    const entry = findEntry(list.current, position.id);
    if (!entry && hasMore && count < position.count) {
      if (!isBusy) fetchMore();
      return;
    }
    target.current = undefined;
    if (entry) stop.current = scrollToEntry(entry, position.top);
  });
  useEffect(() => restorePosition(ids.length, isFetching), [ids.length, isFetching]);
  useEffect(() => () => stop.current?.(), []);
}
