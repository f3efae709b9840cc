/**
 * The outbox: it stores messages on the device until the server has them, across reloads and lost connections. Messages
 * are sent in order and once. All tabs of a user share it.
 */
import type { Message } from '@stagedoor/contract/messages.ts';
import { afterFailure, type Entry, laneOf, nextIn, threadOf } from './queue.ts';
import type { OutboxStore } from './store.ts';

/** Sends one entry. `note` saves progress that must not be repeated, such as a finished upload. */
export type Send = (
  entry: Entry,
  more: { signal: AbortSignal; progress: (done: number) => void; note: (entry: Entry) => Promise<void> },
) => Promise<Message>;

export interface OutboxParts {
  userId: string;
  store: OutboxStore;
  send: Send;
  /** Called when the server has the message, before the entry leaves the outbox. */
  onSent: (entry: Entry, message: Message) => void;
  lock: (name: string, work: () => Promise<void>) => Promise<void>;
  tell: () => void;
  later: (work: () => void, ms: number) => () => void;
}

export interface Outbox {
  /** All waiting and failed entries. The array stays the same until something changes. */
  entries(): readonly Entry[];
  subscribe(change: () => void): () => void;
  /** Upload progress, 0 to 1. Undefined when nothing is uploading. */
  progressOf(clientId: string): number | undefined;
  add(entry: Entry): Promise<void>;
  retry(clientId: string): Promise<void>;
  discard(clientId: string): Promise<void>;
  /** Moves the entries of a new thread to the conversation that was created for it. */
  rename(thread: string, conversationId: string): Promise<void>;
  wake(): Promise<void>;
  close(): void;
}

export function createOutbox(parts: OutboxParts): Outbox {
  const { userId, store, send, onSent, lock, tell, later } = parts;
  const listeners = new Set<() => void>();
  const progress = new Map<string, number>();
  const running = new Map<string, AbortController>();
  const lanes = new Set<string>();
  const waits = new Map<string, () => void>();
  const tries = new Map<string, number>();
  let kept: readonly Entry[] = [];
  let writes: Promise<void> = Promise.resolve();
  let version = 0;
  let isClosed = false;

  const changed = () => {
    for (const listener of listeners) listener();
  };
  /** Writes run in order, and reads wait for them. */
  function write(work: () => Promise<void>): Promise<void> {
    version += 1;
    const mine = writes.then(work);
    writes = mine.catch(() => undefined);
    return mine;
  }
  async function reload(): Promise<void> {
    for (;;) {
      const pending = writes;
      await pending;
      if (pending !== writes) continue;
      const seen = version;
      const all = await store.all(userId);
      if (seen !== version) continue;
      kept = all.toSorted((one, other) => one.order - other.order);
      return changed();
    }
  }
  async function keep(entry: Entry): Promise<void> {
    kept = [...kept.filter(({ clientId }) => clientId !== entry.clientId), entry].toSorted((a, b) => a.order - b.order);
    changed();
    await write(() => store.put(entry));
    tell();
  }
  async function drop(clientId: string): Promise<void> {
    kept = kept.filter((entry) => entry.clientId !== clientId);
    progress.delete(clientId);
    tries.delete(clientId);
    changed();
    await write(() => store.remove(clientId));
    tell();
  }

  async function sendOne(entry: Entry, lane: string): Promise<boolean> {
    const abort = new AbortController();
    running.set(entry.clientId, abort);
    try {
      const message = await send(entry, {
        signal: abort.signal,
        progress: (done) => {
          progress.set(entry.clientId, done);
          changed();
        },
        note: async (noted) => {
          if (!abort.signal.aborted) await keep(noted);
        },
      });
      onSent(entry, message);
      await drop(entry.clientId);
      return true;
    } catch (error) {
      if (abort.signal.aborted) return !isClosed;
      const count = tries.get(entry.clientId) ?? 0;
      tries.set(entry.clientId, count + 1);
      const next = afterFailure(error, count);
      if ('failure' in next) {
        const known = kept.find(({ clientId }) => clientId === entry.clientId);
        if (known) await keep({ ...known, state: 'failed', failure: next.failure });
        return true;
      }
      const waiting = kept.find(({ clientId }) => clientId === entry.clientId);
      if (waiting && waiting.failure !== next.held) await keep({ ...waiting, failure: next.held });
      waits.get(lane)?.();
      waits.set(
        lane,
        later(() => {
          waits.delete(lane);
          void run(lane);
        }, next.retryMs),
      );
      return false;
    } finally {
      running.delete(entry.clientId);
      if (progress.delete(entry.clientId)) changed();
    }
  }

  /** Sends all entries of a queue. It reads the store after taking the lock, because another tab may have sent them. */
  async function run(lane: string): Promise<void> {
    if (isClosed || lanes.has(lane)) return;
    lanes.add(lane);
    try {
      await lock(`outbox:${userId}:${lane}`, async () => {
        await reload();
        for (let next = nextIn(kept, lane); next && !isClosed; next = nextIn(kept, lane)) {
          if (!(await sendOne(next, lane))) return;
        }
      });
    } finally {
      lanes.delete(lane);
    }
    // Entries may have been added between the last check and the release of the lock.
    if (!waits.has(lane) && nextIn(kept, lane)) void run(lane);
  }

  function runAll(): void {
    for (const cancel of waits.values()) cancel();
    waits.clear();
    for (const lane of new Set(kept.filter(({ state }) => state === 'waiting').map(laneOf))) void run(lane);
  }

  return {
    entries: () => kept,
    subscribe: (change) => {
      listeners.add(change);
      return () => void listeners.delete(change);
    },
    progressOf: (clientId) => progress.get(clientId),
    add: async (entry) => {
      await keep(entry);
      void run(laneOf(entry));
    },
    retry: async (clientId) => {
      const entry = kept.find((each) => each.clientId === clientId);
      if (!entry) return;
      tries.delete(clientId);
      await keep({ ...entry, state: 'waiting', failure: undefined });
      runAll();
    },
    discard: async (clientId) => {
      running.get(clientId)?.abort();
      await drop(clientId);
    },
    rename: async (thread, conversationId) => {
      const target = { kind: 'conversation', id: conversationId } as const;
      for (const entry of kept.filter((each) => each.thread === thread))
        await keep({ ...entry, target, thread: threadOf(target) });
    },
    wake: async () => {
      await reload();
      runAll();
    },
    close: () => {
      isClosed = true;
      for (const cancel of waits.values()) cancel();
      for (const abort of running.values()) abort.abort();
      listeners.clear();
    },
  };
}
