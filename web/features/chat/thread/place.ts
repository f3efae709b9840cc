/**
 * Where one reads in a thread, over a reload: the message at the top of the screen and how far it stood from there. Whoever leaves the
 * thread begins at its end, or at what is new, the next time.
 */
import { type RefObject, useEffect, useEffectEvent } from 'react';
import type { VirtualizerHandle } from 'virtua';
import type { Row } from './rows.ts';

/** `top`: pixels of the message that are above the screen. */
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
    // Full or forbidden: then one begins at the end.
  }
}

export function forgetPlace(thread: string): void {
  keepPlace(thread, undefined);
}

/** Forgets the place when the thread is left. A reload leaves nothing: it only ends. */
export function usePlaceWhileOpen(thread: string): void {
  useEffect(() => () => forgetPlace(thread), [thread]);
}

type Scrolled = {
  scroller: RefObject<HTMLElement | null>;
  list: RefObject<VirtualizerHandle | null>;
  isAtEnd: RefObject<boolean>;
};

/** Keeps the place when the page may be gone the next moment; at the end there is none to keep. */
export function useKeptPlace(thread: string, rows: readonly Row[], { scroller, list, isAtEnd }: Scrolled): void {
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
        ? { seq, top: element.scrollTop - shown.getItemOffset(rows.indexOf(row)) }
        : undefined,
    );
  });
  useEffect(() => {
    document.addEventListener('visibilitychange', note);
    return () => document.removeEventListener('visibilitychange', note);
  }, []);
}
