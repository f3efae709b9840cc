/** Restores the scroll position of a thread after a reload. Leaving the thread clears it. */

import { type RefObject, useEffect, useEffectEvent } from 'react';
import type { VirtualizerHandle } from 'virtua';
import { sessionStore } from '../../../../platform/browser-storage.ts';
import type { ThreadRow } from './rows.ts';

/** `top`: pixels of the message above the visible area. */
export type ThreadPosition = { seq: number; top: number };

const toStorageKey = (thread: string) => `chat-place:${thread}`;

export function findThreadPosition(thread: string): ThreadPosition | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStore.getItem(toStorageKey(thread)) ?? 'null');
    if (typeof stored !== 'object' || stored === null || !('seq' in stored && 'top' in stored)) return undefined;
    const { seq, top } = stored;
    return typeof seq === 'number' && typeof top === 'number' ? { seq, top } : undefined;
  } catch {
    return undefined;
  }
}

function storePosition(thread: string, position: ThreadPosition | undefined): void {
  if (position) sessionStore.setItem(toStorageKey(thread), JSON.stringify(position));
  else sessionStore.removeItem(toStorageKey(thread));
}

export function clearThreadPosition(thread: string): void {
  storePosition(thread, undefined);
}

/** Clears the position when the thread is left. A reload does not unmount the component, so it keeps the position. */
export function useClearPositionOnLeave(thread: string): void {
  useEffect(() => () => clearThreadPosition(thread), [thread]);
}

type ScrollRefs = {
  scroller: RefObject<HTMLElement | null>;
  list: RefObject<VirtualizerHandle | null>;
  /** Pixels above the list. */
  startMargin: number;
  isAtEnd: RefObject<boolean>;
};

export function useStoredPosition(
  thread: string,
  rows: readonly ThreadRow[],
  { scroller, list, startMargin, isAtEnd }: ScrollRefs,
): void {
  const storeCurrentPosition = useEffectEvent(() => {
    const [element, virtualizer] = [scroller.current, list.current];
    if (!element || !virtualizer) return;
    const at = Math.max(0, virtualizer.findItemIndex(element.scrollTop));
    const row = rows.slice(at).find(({ message }) => message);
    const seq = row?.message?.seq;
    const isLeavingPage = document.visibilityState === 'hidden' && !isAtEnd.current;
    storePosition(
      thread,
      isLeavingPage && row && seq !== undefined
        ? { seq, top: element.scrollTop - startMargin - virtualizer.getItemOffset(rows.indexOf(row)) }
        : undefined,
    );
  });
  useEffect(() => {
    document.addEventListener('visibilitychange', storeCurrentPosition);
    return () => document.removeEventListener('visibilitychange', storeCurrentPosition);
  }, []);
}
