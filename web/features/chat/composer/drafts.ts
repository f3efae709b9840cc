/** Unsent drafts per conversation, stored on this device only. */
import { useCallback, useSyncExternalStore } from 'react';
import { onSignal } from '../../../kernel/signals.ts';
import { DRAFT_PREFIX } from '../../../kernel/storage.ts';

const KEEP_MS = 300;
const MAX_KEPT = 20_000;
const texts = new Map<string, string>();
const timers = new Map<string, ReturnType<typeof setTimeout>>();
const listeners = new Set<() => void>();

const keyOf = (viewerId: string, thread: string) => `${DRAFT_PREFIX}${viewerId}:${thread}`;

function stored(key: string): string {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

function store(key: string, text: string): void {
  timers.delete(key);
  try {
    if (text.trim() === '') localStorage.removeItem(key);
    else localStorage.setItem(key, text.slice(0, MAX_KEPT));
  } catch {
    // If storage is full or not available, the draft exists only in the input.
  }
}

function read(key: string): string {
  const known = texts.get(key) ?? stored(key);
  texts.set(key, known);
  return known;
}

function write(key: string, text: string): void {
  texts.set(key, text);
  clearTimeout(timers.get(key));
  if (text === '') store(key, '');
  else
    timers.set(
      key,
      setTimeout(() => store(key, text), KEEP_MS),
    );
  for (const listener of listeners) listener();
}

function keepAll(): void {
  for (const [key, timer] of timers) {
    clearTimeout(timer);
    store(key, texts.get(key) ?? '');
  }
}

// A pending draft must not be written after logout.
onSignal('leaving', () => {
  for (const timer of timers.values()) clearTimeout(timer);
  timers.clear();
  texts.clear();
});

function subscribe(listener: () => void): () => void {
  const other = ({ key, newValue }: StorageEvent) => {
    if (!key?.startsWith(DRAFT_PREFIX) || timers.has(key)) return;
    texts.set(key, newValue ?? '');
    listener();
  };
  listeners.add(listener);
  addEventListener('storage', other);
  addEventListener('pagehide', keepAll);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', other);
    removeEventListener('pagehide', keepAll);
  };
}

export function useDraft(viewerId: string, thread: string) {
  const key = keyOf(viewerId, thread);
  const text = useSyncExternalStore(
    subscribe,
    () => read(key),
    () => '',
  );
  const change = useCallback((next: string) => write(key, next), [key]);
  return [text, change] as const;
}
