/**
 * Preserves the scroll position of an infinite list when entries change above it, on return and after a reload. The
 * position is an entry and its distance from the top, so that no heights must be known.
 */
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';

export const PLACE_ATTRIBUTE = 'data-place';

type Place = { id: string; top: number };
type KeptPlace = Place & { count: number };

const READING_LINE = 80;
const STEADY_FRAMES = 3;
const MAX_FRAMES = 40;
const OURS = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;

const keyOf = (locationKey: string, list: string) => `place:${locationKey}:${list}`;

function load(key: string): KeptPlace | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    if (typeof kept !== 'object' || kept === null || !('id' in kept && 'top' in kept && 'count' in kept))
      return undefined;
    const { id, top, count } = kept;
    return typeof id === 'string' && typeof top === 'number' && typeof count === 'number'
      ? { id, top, count }
      : undefined;
  } catch {
    return undefined;
  }
}

function keep(key: string, place: KeptPlace | undefined): void {
  try {
    if (place) sessionStorage.setItem(key, JSON.stringify(place));
    else sessionStorage.removeItem(key);
  } catch {}
}

/** Returns the entry at the reading line by binary search. */
function placeIn(list: HTMLElement): Place | undefined {
  const entries = list.children;
  let [low, high] = [0, entries.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    const bottom = entries[middle]?.getBoundingClientRect().bottom ?? 0;
    if (bottom > READING_LINE) high = middle;
    else low = middle + 1;
  }
  const entry = entries[low];
  const id = entry?.getAttribute(PLACE_ATTRIBUTE);
  return entry && id ? { id, top: entry.getBoundingClientRect().top } : undefined;
}

function entryOf(list: HTMLElement | null, id: string): Element | undefined {
  return Array.from(list?.children ?? []).find((entry) => entry.getAttribute(PLACE_ATTRIBUTE) === id);
}

/** Scrolls until the entry is at its old position. User scrolling cancels it. Returns the function that cancels it. */
function settle(entry: Element, top: number): () => void {
  let [frames, steady, frame] = [0, 0, 0];
  const stop = () => {
    cancelAnimationFrame(frame);
    for (const name of OURS) window.removeEventListener(name, stop);
  };
  const step = () => {
    const away = entry.getBoundingClientRect().top - top;
    steady = Math.abs(away) < 1 ? steady + 1 : 0;
    if (steady === 0) window.scrollBy({ top: away, behavior: 'instant' });
    frames += 1;
    if (steady >= STEADY_FRAMES || frames >= MAX_FRAMES) stop();
    else frame = requestAnimationFrame(step);
  };
  for (const name of OURS) window.addEventListener(name, stop, { passive: true });
  frame = requestAnimationFrame(step);
  return stop;
}

export type PlacedList = {
  list: RefObject<HTMLElement | null>;
  name: string;
  ids: readonly string[];
  hasMore: boolean;
  isFetching: boolean;
  fetchMore: () => unknown;
};

export function usePlace({ list, name, ids, hasMore, isFetching, fetchMore }: PlacedList): void {
  const key = keyOf(useLocation().key, name);
  const isReturn = useNavigationType() === 'POP';
  const latest = useRef<Place>(undefined);
  const wanted = useRef<KeptPlace>(undefined);
  const asked = useRef('');
  const stop = useRef<() => void>(undefined);

  const note = useEffectEvent(() => {
    // While the page is being left, it scrolls to the top once more without the list.
    if (!list.current) return;
    const place = placeIn(list.current);
    latest.current = place;
    if (wanted.current) return;
    keep(key, place && window.scrollY > 0 ? { ...place, count: ids.length } : undefined);
  });
  useEffect(() => {
    let frame = 0;
    const later = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => note());
    };
    later();
    window.addEventListener('scroll', later, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', later);
    };
  }, []);

  // Only for browsers without scroll anchoring. The others keep the position themselves.
  useLayoutEffect(() => {
    const place = latest.current;
    if (!place || ids.length === 0 || window.scrollY <= 0 || CSS.supports('overflow-anchor', 'auto')) return;
    const away = (entryOf(list.current, place.id)?.getBoundingClientRect().top ?? place.top) - place.top;
    if (Math.abs(away) >= 1) window.scrollBy({ top: away, behavior: 'instant' });
  }, [ids, list]);

  const goBack = useEffectEvent((count: number, isBusy: boolean): void => {
    if (asked.current !== key) {
      asked.current = key;
      wanted.current = isReturn ? load(key) : undefined;
    }
    const place = wanted.current;
    if (!place) return;
    const entry = entryOf(list.current, place.id);
    if (!entry && hasMore && count < place.count) {
      if (!isBusy) fetchMore();
      return;
    }
    wanted.current = undefined;
    if (entry) stop.current = settle(entry, place.top);
  });
  useEffect(() => goBack(ids.length, isFetching), [ids.length, isFetching]);
  useEffect(() => () => stop.current?.(), []);
}
