/**
 * A phone's back, while something lies over the page: it closes that, and the page stays. Where the browser tells of it
 * (CloseWatcher), it is heard; elsewhere an entry of the history stands in, whose code comes with the first of them.
 */
import { useEffect, useRef } from 'react';

interface Watcher {
  onclose: (() => void) | null;
  destroy: () => void;
}

function isWatcher(value: unknown): value is new () => Watcher {
  return typeof value === 'function';
}

/** Calls `close` when somebody goes back. Answers the function that stops it. */
function hearBack(close: () => void): () => void {
  const Native: unknown = Reflect.get(window, 'CloseWatcher');
  if (isWatcher(Native)) {
    const watcher = new Native();
    watcher.onclose = close;
    return () => watcher.destroy();
  }
  let isOver = false;
  let stop: (() => void) | undefined;
  const stand = async () => {
    const { standIn } = await import('./back-entry.ts');
    if (!isOver) stop = standIn(close);
  };
  // Without a connection back leads off the page, as ever.
  void stand().catch(() => undefined);
  return () => {
    isOver = true;
    stop?.();
  };
}

/** While it `isOpen`, back closes it. */
export function useBack(isOpen: boolean, close: () => void): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => (isOpen ? hearBack(() => latest.current()) : undefined), [isOpen]);
}
