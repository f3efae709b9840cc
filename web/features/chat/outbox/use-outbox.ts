import type { Message } from '@stagedoor/contract/messages.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { onConnected } from '../../../kernel/live.ts';
import { onSignal } from '../../../kernel/signals.ts';
import { useStake } from '../../../kernel/unsaved.ts';
import { takeArrived } from '../live.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import type { Entry } from './queue.ts';
import { sendEntry } from './send.ts';
import { deviceStore } from './store.ts';

type SentListener = (entry: Entry, message: Message) => void;
const sentListeners = new Set<SentListener>();

export function onSent(listener: SentListener): () => void {
  sentListeners.add(listener);
  return () => void sentListeners.delete(listener);
}

/** Serialises tabs where the browser supports locks. Elsewhere the client ID prevents duplicates. */
async function lock(name: string, work: () => Promise<void>): Promise<void> {
  if (!navigator.locks) return work();
  await navigator.locks.request(name, work);
}

function openOutbox(client: QueryClient, userId: string): Outbox {
  const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('chat-outbox');
  const outbox = createOutbox({
    userId,
    store: deviceStore(),
    send: sendEntry,
    onSent: (entry, message) => {
      if (entry.target.kind === 'person') void outbox.rename(entry.thread, message.conversationId);
      takeArrived(client, message);
      for (const listener of sentListeners) listener(entry, message);
    },
    lock,
    tell: () => channel?.postMessage(userId),
    later: (work, ms) => {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
  });
  const wake = () => void outbox.wake();
  const seen = () => document.visibilityState === 'visible' && wake();
  const stop = onConnected(wake);
  const stopLeaving = onSignal('leaving', () => outbox.close());
  channel?.addEventListener('message', wake);
  addEventListener('online', wake);
  document.addEventListener('visibilitychange', seen);
  wake();
  return {
    ...outbox,
    close: () => {
      stop();
      stopLeaving();
      channel?.close();
      removeEventListener('online', wake);
      document.removeEventListener('visibilitychange', seen);
      outbox.close();
    },
  };
}

let current: Outbox | undefined;
const openListeners = new Set<() => void>();

function setCurrent(outbox: Outbox | undefined): void {
  current = outbox;
  for (const listener of openListeners) listener();
}

function onOpened(listener: () => void): () => void {
  openListeners.add(listener);
  return () => void openListeners.delete(listener);
}

export function useOpenOutbox(viewerId: string): void {
  const client = useQueryClient();
  useEffect(() => {
    const opened = openOutbox(client, viewerId);
    setCurrent(opened);
    return () => {
      opened.close();
      setCurrent(undefined);
    };
  }, [client, viewerId]);
  const isWaiting = useEntries().some(({ state }) => state === 'waiting');
  // The entries are stored on the device, so the browser does not warn. They count as unsaved, so that the app does not
  // leave the page by itself.
  useStake(isWaiting, true);
}

const NOTHING: readonly Entry[] = [];
const never = () => () => undefined;

export function useOutbox(): Outbox | undefined {
  return useSyncExternalStore(
    onOpened,
    () => current,
    () => undefined,
  );
}

export function useEntries(): readonly Entry[] {
  const outbox = useOutbox();
  return useSyncExternalStore(outbox?.subscribe ?? never, outbox?.entries ?? (() => NOTHING), () => NOTHING);
}

/** Upload progress, 0 to 1. */
export function useProgress(clientId: string): number | undefined {
  const outbox = useOutbox();
  return useSyncExternalStore(
    outbox?.subscribe ?? never,
    () => outbox?.progressOf(clientId),
    () => undefined,
  );
}
