/**
 * The outbox: it stores messages on the device until the server has them, across reloads and lost connections. Messages
 * are sent in order and once. All tabs of a user share it.
 */
import type { Message } from '@stagedoor/contract/messaging/messages.ts';
import { decideRetry, findNextEntry, getQueueName, type OutboxEntry, toThreadKey } from './queue.ts';
import type { OutboxStore } from './store.ts';

/** Sends one entry. `saveProgress` saves progress that must not be repeated, such as a finished upload. */
export type SendEntry = (
  entry: OutboxEntry,
  context: {
    signal: AbortSignal;
    progress: (done: number) => void;
    saveProgress: (entry: OutboxEntry) => Promise<void>;
  },
) => Promise<Message>;

export interface OutboxOptions {
  userId: string;
  store: OutboxStore;
  send: SendEntry;
  /** Called when the server has the message, before the entry leaves the outbox. */
  onSent: (entry: OutboxEntry, message: Message) => void;
  lock: (name: string, work: () => Promise<void>) => Promise<void>;
  notifyTabs: () => void;
  schedule: (work: () => void, ms: number) => () => void;
}

export interface MessageOutbox {
  /** All waiting and failed entries. The array stays the same until something changes. */
  entries(): readonly OutboxEntry[];
  subscribe(change: () => void): () => void;
  /** Upload progress, 0 to 1. Undefined when nothing is uploading. */
  getProgress(clientId: string): number | undefined;
  add(entry: OutboxEntry): Promise<void>;
  retry(clientId: string): Promise<void>;
  discard(clientId: string): Promise<void>;
  /** Removes one file of a message that was not sent. The message is discarded with its last file. */
  removeFile(clientId: string, fileKey: string): Promise<void>;
  /** Moves the entries of a new thread to the conversation that was created for it. */
  moveThread(thread: string, conversationId: string): Promise<void>;
  resume(): Promise<void>;
  close(): void;
}

export function createOutbox(options: OutboxOptions): MessageOutbox {
  const { userId, store, send, onSent, lock, notifyTabs, schedule } = options;
  const listeners = new Set<() => void>();
  const progress = new Map<string, number>();
  const running = new Map<string, AbortController>();
  const activeQueues = new Set<string>();
  const retryCancels = new Map<string, () => void>();
  const tryCounts = new Map<string, number>();
  let stored: readonly OutboxEntry[] = [];
  let writes: Promise<void> = Promise.resolve();
  let version = 0;
  let isClosed = false;

  const notifyListeners = () => {
    for (const listener of listeners) listener();
  };
  /** Writes run in order, and reads wait for them. */
  function enqueueWrite(work: () => Promise<void>): Promise<void> {
    version += 1;
    const result = writes.then(work);
    writes = result.catch(() => undefined);
    return result;
  }
  async function reload(): Promise<void> {
    for (;;) {
      const pending = writes;
      await pending;
      if (pending !== writes) continue;
      const versionBefore = version;
      const all = await store.listEntries(userId);
      if (versionBefore !== version) continue;
      stored = all.toSorted((one, other) => one.order - other.order);
      return notifyListeners();
    }
  }
  async function saveEntry(entry: OutboxEntry): Promise<void> {
    stored = [...stored.filter(({ clientId }) => clientId !== entry.clientId), entry].toSorted(
      (a, b) => a.order - b.order,
    );
    notifyListeners();
    await enqueueWrite(() => store.put(entry));
    notifyTabs();
  }
  async function removeEntry(clientId: string): Promise<void> {
    stored = stored.filter((entry) => entry.clientId !== clientId);
    progress.delete(clientId);
    tryCounts.delete(clientId);
    notifyListeners();
    await enqueueWrite(() => store.remove(clientId));
    notifyTabs();
  }

  async function sendOne(entry: OutboxEntry, queue: string): Promise<boolean> {
    const controller = new AbortController();
    running.set(entry.clientId, controller);
    try {
      const message = await send(entry, {
        signal: controller.signal,
        progress: (done) => {
          progress.set(entry.clientId, done);
          notifyListeners();
        },
        saveProgress: async (updated) => {
          if (!controller.signal.aborted) await saveEntry(updated);
        },
      });
      onSent(entry, message);
      await removeEntry(entry.clientId);
      return true;
    } catch (error) {
      if (controller.signal.aborted) return !isClosed;
      const count = tryCounts.get(entry.clientId) ?? 0;
      tryCounts.set(entry.clientId, count + 1);
      const next = decideRetry(error, count);
      if ('failure' in next) {
        const current = stored.find(({ clientId }) => clientId === entry.clientId);
        if (current) await saveEntry({ ...current, state: 'failed', failure: next.failure });
        return true;
      }
      const waitingEntry = stored.find(({ clientId }) => clientId === entry.clientId);
      if (waitingEntry && waitingEntry.failure !== next.notice)
        await saveEntry({ ...waitingEntry, failure: next.notice });
      retryCancels.get(queue)?.();
      retryCancels.set(
        queue,
        schedule(() => {
          retryCancels.delete(queue);
          void runQueue(queue);
        }, next.retryMs),
      );
      return false;
    } finally {
      running.delete(entry.clientId);
      if (progress.delete(entry.clientId)) notifyListeners();
    }
  }

  /** Sends all entries of a queue. It reads the store after taking the lock, because another tab may have sent them. */
  async function runQueue(queue: string): Promise<void> {
    if (isClosed || activeQueues.has(queue)) return;
    activeQueues.add(queue);
    try {
      await lock(`outbox:${userId}:${queue}`, async () => {
        await reload();
        for (let next = findNextEntry(stored, queue); next && !isClosed; next = findNextEntry(stored, queue)) {
          if (!(await sendOne(next, queue))) return;
        }
      });
    } finally {
      activeQueues.delete(queue);
    }
    // Entries may have been added between the last check and the release of the lock.
    if (!retryCancels.has(queue) && findNextEntry(stored, queue)) void runQueue(queue);
  }

  function runAll(): void {
    for (const cancel of retryCancels.values()) cancel();
    retryCancels.clear();
    for (const queue of new Set(stored.filter(({ state }) => state === 'waiting').map(getQueueName)))
      void runQueue(queue);
  }

  return {
    entries: () => stored,
    subscribe: (change) => {
      listeners.add(change);
      return () => void listeners.delete(change);
    },
    getProgress: (clientId) => progress.get(clientId),
    add: async (entry) => {
      await saveEntry(entry);
      void runQueue(getQueueName(entry));
    },
    retry: async (clientId) => {
      const entry = stored.find((each) => each.clientId === clientId);
      if (!entry) return;
      tryCounts.delete(clientId);
      await saveEntry({ ...entry, state: 'waiting', failure: undefined });
      runAll();
    },
    discard: async (clientId) => {
      running.get(clientId)?.abort();
      await removeEntry(clientId);
    },
    removeFile: async (clientId, fileKey) => {
      const entry = stored.find((each) => each.clientId === clientId);
      if (entry?.state !== 'failed') return;
      const files = entry.files.filter(({ key }) => key !== fileKey);
      if (files.length === 0) await removeEntry(clientId);
      else await saveEntry({ ...entry, files });
    },
    moveThread: async (thread, conversationId) => {
      const target = { kind: 'conversation', id: conversationId } as const;
      for (const entry of stored.filter((each) => each.thread === thread))
        await saveEntry({ ...entry, target, thread: toThreadKey(target) });
    },
    resume: async () => {
      await reload();
      runAll();
    },
    close: () => {
      isClosed = true;
      for (const cancel of retryCancels.values()) cancel();
      for (const controller of running.values()) controller.abort();
      listeners.clear();
    },
  };
}
