import type { Message } from '@stagedoor/contract/messages.ts';
import { describe, expect, test } from 'vitest';
import { ApiError, networkError } from '../../../kernel/api-error.ts';
import { makeMessage } from '../testing.ts';
import { createOutbox, type Send } from './outbox.ts';
import { afterFailure, type Entry, laneOf, nextIn, pendingIn } from './queue.ts';
import { memoryStore } from './store.ts';

let order = 0;
function entry(text: string, change: Partial<Entry> = {}): Entry {
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

function makeLocks() {
  const tails = new Map<string, Promise<void>>();
  return (name: string, work: () => Promise<void>): Promise<void> => {
    const mine = (tails.get(name) ?? Promise.resolve()).then(work);
    tails.set(
      name,
      mine.catch(() => undefined),
    );
    return mine;
  };
}

function setUp(send: Send, { store, lock } = { store: memoryStore(), lock: makeLocks() }) {
  const sent: string[] = [];
  const timers: (() => void)[] = [];
  const outbox = createOutbox({
    userId: 'me',
    store,
    lock,
    send,
    onSent: ({ text }) => void sent.push(text),
    tell: () => undefined,
    later: (work) => {
      timers.push(work);
      return () => void timers.splice(timers.indexOf(work), 1);
    },
  });
  return { outbox, sent, timers, store, lock };
}

const arrives: Send = async ({ clientId, text }) => makeMessage({ clientId, text });
const settle = async () => {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
};

describe('order and uniqueness', () => {
  test('sends the messages of a thread one after the other in the order they were written', async () => {
    const begun: string[] = [];
    const release: (() => void)[] = [];
    const { outbox, sent } = setUp(async (one) => {
      begun.push(one.text);
      await new Promise<void>((resolve) => release.push(resolve));
      return makeMessage({ clientId: one.clientId });
    });
    for (const text of ['one', 'two', 'three']) await outbox.add(entry(text));
    await settle();
    expect(begun).toEqual(['one']);
    for (let turn = 0; turn < 3; turn += 1) {
      release.shift()?.();
      await settle();
    }
    expect(sent).toEqual(['one', 'two', 'three']);
    expect(outbox.entries()).toEqual([]);
  });

  test('sends each message once from two tabs', async () => {
    const calls: string[] = [];
    const send: Send = async (one) => {
      calls.push(one.clientId);
      await settle();
      return makeMessage({ clientId: one.clientId });
    };
    const first = setUp(send);
    const second = setUp(send, first);
    await first.outbox.add(entry('a'));
    await second.outbox.add(entry('b'));
    await Promise.all([first.outbox.wake(), second.outbox.wake()]);
    for (let turn = 0; turn < 20; turn += 1) await settle();
    expect(calls.toSorted()).toEqual(['c-a', 'c-b']);
  });

  test('sends an unsent message after a reload', async () => {
    const offline = setUp(async () => {
      throw networkError();
    });
    await offline.outbox.add(entry('kept'));
    await settle();
    expect(offline.outbox.entries()).toMatchObject([{ text: 'kept', state: 'waiting' }]);
    offline.outbox.close();
    const { outbox, sent } = setUp(arrives, offline);
    await outbox.wake();
    await settle();
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
    const words = entry('words');
    expect(laneOf(film)).not.toBe(laneOf(words));
    expect(nextIn([film, words], laneOf(words))?.text).toBe('words');
  });
});

describe('failures', () => {
  test('retries after a lost connection, and marks a refused message as failed without blocking later ones', async () => {
    let isDown = true;
    const { outbox, sent, timers } = setUp(async (one, more) => {
      if (isDown) throw networkError();
      if (one.text === 'refused') throw new ApiError('FORBIDDEN', 'You are blocked.', { status: 403 });
      return arrives(one, more);
    });
    await outbox.add(entry('refused'));
    await outbox.add(entry('after'));
    await settle();
    expect(timers).toHaveLength(1);
    isDown = false;
    timers.shift()?.();
    await settle();
    expect(sent).toEqual(['after']);
    expect(outbox.entries()).toMatchObject([{ text: 'refused', state: 'failed', failure: 'You are blocked.' }]);
    await outbox.retry('c-refused');
    await settle();
    expect(outbox.entries()).toMatchObject([{ state: 'failed' }]);
    await outbox.discard('c-refused');
    expect(outbox.entries()).toEqual([]);
  });

  test('reports an expired session on the waiting message and sends it after login', async () => {
    let hasEnded = true;
    const { outbox, sent, timers } = setUp(async (one, more) => {
      if (hasEnded) throw new ApiError('UNAUTHORIZED', 'Log in to continue.', { status: 401 });
      return arrives(one, more);
    });
    await outbox.add(entry('mid-talk'));
    await settle();
    expect(outbox.entries()).toMatchObject([
      { state: 'waiting', failure: expect.stringMatching(/^Not sent: your session/) },
    ]);
    hasEnded = false;
    timers.shift()?.();
    await settle();
    expect(sent).toEqual(['mid-talk']);
  });

  test('keeps a message that is discarded during sending out of the outbox', async () => {
    const { outbox, sent } = setUp(
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(networkError()));
        }),
    );
    await outbox.add(entry('gone'));
    await settle();
    await outbox.discard('c-gone');
    await settle();
    expect(outbox.entries()).toEqual([]);
    expect(sent).toEqual([]);
  });

  test("retries a rate-limited message, and fails after the last try with the server's message", () => {
    const limited = new ApiError('RATE_LIMITED', 'Slowly.', { status: 429 });
    expect(afterFailure(limited, 0)).toEqual({ retryMs: 5_000 });
    expect(afterFailure(limited, 12)).toEqual({ failure: 'Slowly.' });
    expect(afterFailure(new ApiError('UNAUTHORIZED', 'Log in.', { status: 401 }), 0)).toEqual({
      retryMs: 1_000,
      held: 'Not sent: your session expired. We’ll send it when you log in again.',
    });
    expect(afterFailure(networkError(), 100)).toEqual({ retryMs: 30_000 });
    expect(afterFailure(new ApiError('INTERNAL', 'x', { status: 500 }), 0)).toEqual({ retryMs: 1_000 });
    expect(
      afterFailure(new ApiError('VALIDATION', 'x', { status: 400, fields: { text: 'At most 5000 characters' } }), 0),
    ).toEqual({ failure: 'At most 5000 characters' });
  });
});

test('a placeholder disappears when its message arrives', () => {
  const message: Message = makeMessage({ clientId: 'c-x' });
  const waiting = [entry('x'), entry('y')];
  expect(pendingIn(waiting, 'talk', new Set([message.clientId])).map(({ text }) => text)).toEqual(['y']);
});

test('messages that wait behind the first one to a user move to the new conversation', async () => {
  const to = { kind: 'person', id: 'p' } as const;
  const { outbox } = setUp(async () => {
    throw networkError();
  });
  await outbox.add(entry('later', { target: to, thread: 'with:p' }));
  await outbox.rename('with:p', 'talk-1');
  expect(outbox.entries()).toMatchObject([{ thread: 'talk-1', target: { kind: 'conversation', id: 'talk-1' } }]);
});
