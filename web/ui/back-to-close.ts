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

function onBack(close: () => void): () => void {
  const Native: unknown = Reflect.get(window, 'CloseWatcher');
  if (isWatcher(Native)) {
    const watcher = new Native();
    watcher.onclose = close;
    return () => watcher.destroy();
  }
  let isStopped = false;
  let stop: (() => void) | undefined;
  const push = async () => {
    const { pushCloseEntry } = await import('./history-entry.ts');
    if (!isStopped) stop = pushCloseEntry(close);
  };
  // If the code cannot be loaded, back leaves the page as usual.
  void push().catch(() => undefined);
  return () => {
    isStopped = true;
    stop?.();
  };
}

export function useBackToClose(isOpen: boolean, close: () => void): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => (isOpen ? onBack(() => latest.current()) : undefined), [isOpen]);
}
