/**
 * Lets the back button of a phone close an overlay, with CloseWatcher or else with a history entry whose code loads on
 * demand.
 */
import { useEffect, useRef } from 'react';

interface Watcher {
  onclose: (() => void) | null;
  destroy: () => void;
}

function isWatcher(value: unknown): value is new () => Watcher {
  return typeof value === 'function';
}

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
  // If the code cannot be loaded, back leaves the page as usual.
  void stand().catch(() => undefined);
  return () => {
    isOver = true;
    stop?.();
  };
}

export function useBack(isOpen: boolean, close: () => void): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => (isOpen ? hearBack(() => latest.current()) : undefined), [isOpen]);
}
