/** Unsent drafts per conversation, stored on this device only. */

import { useCallback, useSyncExternalStore } from 'react';
import { localStore } from '../../../../platform/browser-storage.ts';
import { onSignal } from '../../../../platform/signals.ts';
import { DRAFT_PREFIX } from '../../../../platform/storage.ts';

const SAVE_DELAY_MS = 300;
const MAX_STORED_LENGTH = 20_000;
const texts = new Map<string, string>();
const timers = new Map<string, ReturnType<typeof setTimeout>>();
const listeners = new Set<() => void>();

export const toDraftKey = (viewerId: string, thread: string) => `${DRAFT_PREFIX}${viewerId}:${thread}`;

function writeStored(key: string, text: string): void {
  timers.delete(key);
  if (text.trim() === '') localStore.removeItem(key);
  else localStore.setItem(key, text.slice(0, MAX_STORED_LENGTH));
}

export function readDraft(key: string): string {
  const draft = texts.get(key) ?? localStore.getItem(key) ?? '';
  texts.set(key, draft);
  return draft;
}

export function writeDraft(key: string, text: string): void {
  texts.set(key, text);
  clearTimeout(timers.get(key));
  if (text === '') writeStored(key, '');
  else
    timers.set(
      key,
      setTimeout(() => writeStored(key, text), SAVE_DELAY_MS),
    );
  for (const listener of listeners) listener();
}

function flushDrafts(): void {
  for (const [key, timer] of timers) {
    clearTimeout(timer);
    writeStored(key, texts.get(key) ?? '');
  }
}

// A pending draft must not be written after logout.
onSignal('leaving', () => {
  for (const timer of timers.values()) clearTimeout(timer);
  timers.clear();
  texts.clear();
});

function subscribe(listener: () => void): () => void {
  const handleStorage = ({ key, newValue }: StorageEvent) => {
    if (!key?.startsWith(DRAFT_PREFIX) || timers.has(key)) return;
    texts.set(key, newValue ?? '');
    listener();
  };
  listeners.add(listener);
  addEventListener('storage', handleStorage);
  addEventListener('pagehide', flushDrafts);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', handleStorage);
    removeEventListener('pagehide', flushDrafts);
  };
}

/** Returns the text, its setter and its getter, which also works after the composer was left. */
export function useDraft(key: string) {
  const text = useSyncExternalStore(
    subscribe,
    () => readDraft(key),
    () => '',
  );
  const change = useCallback((next: string) => writeDraft(key, next), [key]);
  const getText = useCallback(() => readDraft(key), [key]);
  return [text, change, getText] as const;
}
