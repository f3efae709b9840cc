import type { Message } from '@stagedoor/contract/messaging/messages.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { tryOpenChannel } from '../../../../platform/broadcast-channel.ts';
import { onSignal } from '../../../../platform/signals.ts';
import { onConnected } from '../../../../platform/socket-events.ts';
import { useUnsavedChanges } from '../../../../platform/unsaved.ts';
import { applyArrivedMessage } from '../socket-events.ts';
import { createOutbox, type MessageOutbox } from './outbox.ts';
import { isStoredForLater, type OutboxEntry } from './queue.ts';
import { sendEntry } from './send.ts';
import { createDeviceStore } from './store.ts';

type SentListener = (entry: OutboxEntry, message: Message) => void;
const sentListeners = new Set<SentListener>();

export function subscribeToSent(listener: SentListener): () => void {
  sentListeners.add(listener);
  return () => void sentListeners.delete(listener);
}

/** Serialises tabs where the browser allows locks. Elsewhere the client ID prevents duplicates. */
async function lock(name: string, work: () => Promise<void>): Promise<void> {
  if (!navigator.locks) return work();
  let hasStarted = false;
  try {
    await navigator.locks.request(name, () => {
      hasStarted = true;
      return work();
    });
  } catch (error) {
    // A browser that forbids storage may refuse locks too.
    if (hasStarted) throw error;
    await work();
  }
}

function openOutbox(client: QueryClient, userId: string): MessageOutbox {
  const channel = tryOpenChannel('chat-outbox');
  const outbox = createOutbox({
    userId,
    store: createDeviceStore(),
    send: sendEntry,
    onSent: (entry, message) => {
      if (entry.target.kind === 'user') void outbox.moveThread(entry.thread, message.conversationId);
      if (!isStoredForLater(entry, message)) applyArrivedMessage(client, message);
      for (const listener of sentListeners) listener(entry, message);
    },
    lock,
    notifyTabs: () => channel?.postMessage(userId),
    schedule: (work, ms) => {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
  });
  const resume = () => void outbox.resume();
  const handleVisibility = () => document.visibilityState === 'visible' && resume();
  const stop = onConnected(resume);
  channel?.addEventListener('message', resume);
  addEventListener('online', resume);
  document.addEventListener('visibilitychange', handleVisibility);
  resume();
  return {
    ...outbox,
    close: () => {
      stop();
      channel?.close();
      removeEventListener('online', resume);
      document.removeEventListener('visibilitychange', handleVisibility);
      outbox.close();
    },
  };
}

type OpenedOutbox = { client: QueryClient; userId: string; outbox: MessageOutbox };
let opened: OpenedOutbox | undefined;
const openListeners = new Set<() => void>();

/** The outbox stays open when the chat is left, so that messages that wait or upload are still sent. */
function setUser(client: QueryClient, userId: string): void {
  if (opened?.client === client && opened.userId === userId) return;
  opened?.outbox.close();
  opened = { client, userId, outbox: openOutbox(client, userId) };
  for (const listener of openListeners) listener();
}

onSignal('leaving', () => {
  opened?.outbox.close();
  opened = undefined;
});

function subscribeToOpened(listener: () => void): () => void {
  openListeners.add(listener);
  return () => void openListeners.delete(listener);
}

export function useOpenOutbox(viewerId: string): void {
  const client = useQueryClient();
  useEffect(() => setUser(client, viewerId), [client, viewerId]);
  const isWaiting = useOutboxEntries().some(({ state }) => state === 'waiting');
  // The entries are stored on the device, so the browser does not warn. They count as unsaved, so that the app does not
  // leave the page by itself.
  useUnsavedChanges(isWaiting, true);
}

const NO_ENTRIES: readonly OutboxEntry[] = [];
const subscribeNever = () => () => undefined;

export function useOutbox(): MessageOutbox | undefined {
  return useSyncExternalStore(
    subscribeToOpened,
    () => opened?.outbox,
    () => undefined,
  );
}

export function useOutboxEntries(): readonly OutboxEntry[] {
  const outbox = useOutbox();
  return useSyncExternalStore(
    outbox?.subscribe ?? subscribeNever,
    outbox?.entries ?? (() => NO_ENTRIES),
    () => NO_ENTRIES,
  );
}

/** Upload progress, 0 to 1. */
export function useUploadProgress(clientId: string): number | undefined {
  const outbox = useOutbox();
  return useSyncExternalStore(
    outbox?.subscribe ?? subscribeNever,
    () => outbox?.getProgress(clientId),
    () => undefined,
  );
}
