/** Restores the scroll position of a thread after a reload. Leaving the thread clears it. */
import { type RefObject, useEffect, useEffectEvent } from 'react';
import type { VirtualizerHandle } from 'virtua';
import type { Row } from './rows.ts';

/** `top`: pixels of the message above the visible area. */
export type Place = { seq: number; top: number };

const keyOf = (thread: string) => `chat-place:${thread}`;

export function placeOf(thread: string): Place | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(thread)) ?? 'null');
    if (typeof kept !== 'object' || kept === null || !('seq' in kept && 'top' in kept)) return undefined;
    const { seq, top } = kept;
    return typeof seq === 'number' && typeof top === 'number' ? { seq, top } : undefined;
  } catch {
    return undefined;
  }
}

function keepPlace(thread: string, place: Place | undefined): void {
  try {
    if (place) sessionStorage.setItem(keyOf(thread), JSON.stringify(place));
    else sessionStorage.removeItem(keyOf(thread));
  } catch {
    // Storage is full or not available. The thread then opens at its end.
  }
}

export function forgetPlace(thread: string): void {
  keepPlace(thread, undefined);
}

/** Clears the position when the thread is left. A reload does not unmount the component, so it keeps the position. */
export function usePlaceWhileOpen(thread: string): void {
  useEffect(() => () => forgetPlace(thread), [thread]);
}

type Scrolled = {
  scroller: RefObject<HTMLElement | null>;
  list: RefObject<VirtualizerHandle | null>;
  /** Pixels above the list. */
  startMargin: number;
  isAtEnd: RefObject<boolean>;
};

export function useKeptPlace(
  thread: string,
  rows: readonly Row[],
  { scroller, list, startMargin, isAtEnd }: Scrolled,
): void {
  const note = useEffectEvent(() => {
    const [element, shown] = [scroller.current, list.current];
    if (!element || !shown) return;
    const at = Math.max(0, shown.findItemIndex(element.scrollTop));
    const row = rows.slice(at).find(({ message }) => message);
    const seq = row?.message?.seq;
    const isGoing = document.visibilityState === 'hidden' && !isAtEnd.current;
    keepPlace(
      thread,
      isGoing && row && seq !== undefined
        ? { seq, top: element.scrollTop - startMargin - shown.getItemOffset(rows.indexOf(row)) }
        : undefined,
    );
  });
  useEffect(() => {
    document.addEventListener('visibilitychange', note);
    return () => document.removeEventListener('visibilitychange', note);
  }, []);
}
