import type { Message } from '@stagedoor/contract/messaging/messages.ts';
import { describe, expect, test } from 'vitest';
import { ApiError, createNetworkError } from '../../../../platform/api-error.ts';
import { makeMessage } from '../testing.ts';
import { createOutbox, type SendEntry } from './outbox.ts';
import {
  decideRetry,
  findNextEntry,
  getQueueName,
  isStoredForLater,
  listPendingEntries,
  type OutboxEntry,
  type OutboxFile,
} from './queue.ts';
import { createDeviceStore, createMemoryStore } from './store.ts';

let order = 0;
function entry(text: string, change: Partial<OutboxEntry> = {}): OutboxEntry {
  order += 1;
  return {
    clientId: `c-${text}`,
    userId: 'me',
    thread: 'talk',
    target: { kind: 'conversation', id: 'talk' },
    text,
    price: 0,
    isViewOnce: false,
    files: [],
    voice: undefined,
    createdAt: '2026-01-01T00:00:00.000Z',
    order,
    state: 'waiting',
    failure: undefined,
    ...change,
  };
}

function createLocks() {
  const tails = new Map<string, Promise<void>>();
  return (name: string, work: () => Promise<void>): Promise<void> => {
    const result = (tails.get(name) ?? Promise.resolve()).then(work);
    tails.set(
      name,
      result.catch(() => undefined),
    );
    return result;
  };
}

function createTestOutbox(send: SendEntry, { store, lock } = { store: createMemoryStore(), lock: createLocks() }) {
  const sent: string[] = [];
  const timers: (() => void)[] = [];
  const outbox = createOutbox({
    userId: 'me',
    store,
    lock,
    send,
    onSent: ({ text }) => void sent.push(text),
    notifyTabs: () => undefined,
    schedule: (work) => {
      timers.push(work);
      return () => void timers.splice(timers.indexOf(work), 1);
    },
  });
  return { outbox, sent, timers, store, lock };
}

const sendSuccessfully: SendEntry = async ({ clientId, text }) => makeMessage({ clientId, text });
const flushPromises = async () => {
  for (let round = 0; round < 50; round += 1) await Promise.resolve();
};

describe('order and uniqueness', () => {
  test('sends the messages of a thread one after the other in the order they were written', async () => {
    const started: string[] = [];
    const release: (() => void)[] = [];
    const { outbox, sent } = createTestOutbox(async (one) => {
      started.push(one.text);
      await new Promise<void>((resolve) => release.push(resolve));
      return makeMessage({ clientId: one.clientId });
    });
    for (const text of ['one', 'two', 'three']) await outbox.add(entry(text));
    await flushPromises();
    expect(started).toEqual(['one']);
    for (let round = 0; round < 3; round += 1) {
      release.shift()?.();
      await flushPromises();
    }
    expect(sent).toEqual(['one', 'two', 'three']);
    expect(outbox.entries()).toEqual([]);
  });

  test('sends each message once from two tabs', async () => {
    const calls: string[] = [];
    const send: SendEntry = async (one) => {
      calls.push(one.clientId);
      await flushPromises();
      return makeMessage({ clientId: one.clientId });
    };
    const first = createTestOutbox(send);
    const second = createTestOutbox(send, first);
    await first.outbox.add(entry('a'));
    await second.outbox.add(entry('b'));
    await Promise.all([first.outbox.resume(), second.outbox.resume()]);
    for (let round = 0; round < 20; round += 1) await flushPromises();
    expect(calls.toSorted()).toEqual(['c-a', 'c-b']);
  });

  test('sends an unsent message after a reload', async () => {
    const offline = createTestOutbox(async () => {
      throw createNetworkError();
    });
    await offline.outbox.add(entry('kept'));
    await flushPromises();
    expect(offline.outbox.entries()).toMatchObject([{ text: 'kept', state: 'waiting' }]);
    offline.outbox.close();
    const { outbox, sent } = createTestOutbox(sendSuccessfully, offline);
    await outbox.resume();
    await flushPromises();
    expect(sent).toEqual(['kept']);
  });

  test('sends a text while a large video is uploading', () => {
    const film = entry('film', {
      files: [
        {
          key: 'f',
          name: 'f.mp4',
          type: 'video/mp4',
          kind: 'video',
          blob: new Blob([new Uint8Array(11 * 1024 * 1024)]),
          width: 0,
          height: 0,
        },
      ],
    });
    const textEntry = entry('words');
    expect(getQueueName(film)).not.toBe(getQueueName(textEntry));
    expect(findNextEntry([film, textEntry], getQueueName(textEntry))?.text).toBe('words');
  });
});

describe('failures', () => {
  test('retries after a lost connection, and marks a refused message as failed without blocking later ones', async () => {
    let isDown = true;
    const { outbox, sent, timers } = createTestOutbox(async (one, context) => {
      if (isDown) throw createNetworkError();
      if (one.text === 'refused') throw new ApiError('FORBIDDEN', 'You are blocked.', { status: 403 });
      return sendSuccessfully(one, context);
    });
    await outbox.add(entry('refused'));
    await outbox.add(entry('after'));
    await flushPromises();
    expect(timers).toHaveLength(1);
    isDown = false;
    timers.shift()?.();
    await flushPromises();
    expect(sent).toEqual(['after']);
    expect(outbox.entries()).toMatchObject([{ text: 'refused', state: 'failed', failure: 'You are blocked.' }]);
    await outbox.retry('c-refused');
    await flushPromises();
    expect(outbox.entries()).toMatchObject([{ state: 'failed' }]);
    await outbox.discard('c-refused');
    expect(outbox.entries()).toEqual([]);
  });

  test('sends a refused message without the file that the user removed, and discards it with its last file', async () => {
    const { outbox, sent } = createTestOutbox(async (one, context) => {
      if (one.files.some(({ name }) => name === 'bad.pdf'))
        throw new ApiError('UNSUPPORTED_TYPE', 'bad.pdf isn’t a valid .pdf file.', { status: 415 });
      return sendSuccessfully(one, context);
    });
    const file = (name: string): OutboxFile => ({
      ...{ key: name, name, type: '', kind: 'document' as const, width: 0, height: 0 },
      blob: new Blob(['x']),
    });
    await outbox.add(entry('papers', { files: [file('good.pdf'), file('bad.pdf')] }));
    await outbox.add(entry('alone', { files: [file('bad.pdf')] }));
    await flushPromises();
    await outbox.removeFile('c-papers', 'bad.pdf');
    expect(outbox.entries()[0]?.files.map(({ name }) => name)).toEqual(['good.pdf']);
    await outbox.removeFile('c-alone', 'bad.pdf');
    await outbox.retry('c-papers');
    await flushPromises();
    expect(sent).toEqual(['papers']);
    expect(outbox.entries()).toEqual([]);
  });

  test('reports an expired session on the waiting message and sends it after login', async () => {
    let isSessionExpired = true;
    const { outbox, sent, timers } = createTestOutbox(async (one, context) => {
      if (isSessionExpired) throw new ApiError('UNAUTHORIZED', 'Log in to continue.', { status: 401 });
      return sendSuccessfully(one, context);
    });
    await outbox.add(entry('mid-talk'));
    await flushPromises();
    expect(outbox.entries()).toMatchObject([
      { state: 'waiting', failure: expect.stringMatching(/^Not sent: your session/) },
    ]);
    isSessionExpired = false;
    timers.shift()?.();
    await flushPromises();
    expect(sent).toEqual(['mid-talk']);
  });

  test('keeps a message that is discarded during sending out of the outbox', async () => {
    const { outbox, sent } = createTestOutbox(
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(createNetworkError()));
        }),
    );
    await outbox.add(entry('gone'));
    await flushPromises();
    await outbox.discard('c-gone');
    await flushPromises();
    expect(outbox.entries()).toEqual([]);
    expect(sent).toEqual([]);
  });

  test("retries a rate-limited message, and fails after the last try with the server's message", () => {
    const rateLimited = new ApiError('RATE_LIMITED', 'Slowly.', { status: 429 });
    expect(decideRetry(rateLimited, 0)).toEqual({ retryMs: 5_000 });
    expect(decideRetry(rateLimited, 12)).toEqual({ failure: 'Slowly.' });
    expect(decideRetry(new ApiError('UNAUTHORIZED', 'Log in.', { status: 401 }), 0)).toEqual({
      retryMs: 1_000,
      notice: 'Not sent: your session expired. We’ll send it when you log in again.',
    });
    expect(decideRetry(createNetworkError(), 100)).toEqual({ retryMs: 30_000 });
    expect(decideRetry(new ApiError('INTERNAL', 'x', { status: 500 }), 0)).toEqual({ retryMs: 1_000 });
    expect(
      decideRetry(new ApiError('VALIDATION', 'x', { status: 400, fields: { text: 'At most 5000 characters' } }), 0),
    ).toEqual({ failure: 'At most 5000 characters' });
  });
});

test('a placeholder disappears when its message arrives', () => {
  const message: Message = makeMessage({ clientId: 'c-x' });
  const waiting = [entry('x'), entry('y')];
  expect(listPendingEntries(waiting, 'talk', new Set([message.clientId])).map(({ text }) => text)).toEqual(['y']);
});

test('a scheduled broadcast is not in its thread until the server has sent it', () => {
  const broadcast = { kind: 'broadcast', audience: 'followers', conversationIds: [], excludeBuyers: false } as const;
  const later = { target: { ...broadcast, scheduledAt: '2026-01-02T00:00:00.000Z' } };
  expect(isStoredForLater(later, { seq: 0 })).toBe(true);
  expect(isStoredForLater(later, { seq: 7 })).toBe(false);
  expect(isStoredForLater({ target: { ...broadcast, scheduledAt: undefined } }, { seq: 7 })).toBe(false);
});

test('entries are stored in memory if reading indexedDB throws', async () => {
  const descriptor = Object.getOwnPropertyDescriptor(globalThis, 'indexedDB');
  Object.defineProperty(globalThis, 'indexedDB', {
    configurable: true,
    get: () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    },
  });
  try {
    const store = createDeviceStore();
    await store.put(entry('kept'));
    expect(await store.listEntries('me')).toMatchObject([{ text: 'kept' }]);
  } finally {
    if (descriptor) Object.defineProperty(globalThis, 'indexedDB', descriptor);
    else Reflect.deleteProperty(globalThis, 'indexedDB');
  }
});

test('messages that wait behind the first one to a user move to the new conversation', async () => {
  const target = { kind: 'user', id: 'p' } as const;
  const { outbox } = createTestOutbox(async () => {
    throw createNetworkError();
  });
  await outbox.add(entry('later', { target, thread: 'with:p' }));
  await outbox.moveThread('with:p', 'talk-1');
  expect(outbox.entries()).toMatchObject([{ thread: 'talk-1', target: { kind: 'conversation', id: 'talk-1' } }]);
});
