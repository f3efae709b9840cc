/** Tests the message tone (row E13). */
import { receiveMessage } from '@stagedoor/contract/messaging/chat-events.ts';
import type { ChatSide, Message } from '@stagedoor/contract/messaging/messages.ts';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dispatchEvent } from '../../../../platform/socket-events.ts';
import { conversationQuery } from '../cache.ts';
import { subscribeToMessages } from '../incoming-messages.ts';
import { IDS, makeConversation, makeMessage } from '../testing.ts';

let notes = 0;
let isSilenced = false;

class FakeAudio {
  state = isSilenced ? 'suspended' : 'running';
  currentTime = 0;
  destination = {};
  resume = () => new Promise<void>(() => undefined);
  createGain = () => ({
    gain: { setValueAtTime: vi.fn(), linearRampToValueAtTime: vi.fn(), exponentialRampToValueAtTime: vi.fn() },
    connect: vi.fn(),
  });
  createOscillator = () => ({
    type: '',
    frequency: { value: 0 },
    connect: (node: unknown) => node,
    start: () => {
      notes += 1;
    },
    stop: vi.fn(),
  });
}

const heldLocks = new Set<string>();
const locks = {
  request: async (name: string, _options: object, work: (lock: object | null) => Promise<void> | undefined) => {
    if (heldLocks.has(name)) return work(null);
    heldLocks.add(name);
    try {
      await work({});
    } finally {
      heldLocks.delete(name);
    }
  },
};

let stop = (): void => undefined;
beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  notes = 0;
  isSilenced = false;
  heldLocks.clear();
  vi.stubGlobal('AudioContext', FakeAudio);
  vi.stubGlobal('navigator', { locks });
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 500 }));
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function startListening(
  muted: { isMutedCustomer?: boolean; isMutedCreator?: boolean } = {},
  side: ChatSide = 'fan',
): void {
  const client = new QueryClient();
  client.setQueryData(conversationQuery(IDS.conversation).queryKey, {
    success: true,
    data: makeConversation(muted),
    isAllowNote: false,
    note: null,
  });
  stop = subscribeToMessages(client, IDS.me, side);
}

async function receive(...messages: Message[]): Promise<number> {
  dispatchEvent(receiveMessage.name, messages);
  await vi.advanceTimersByTimeAsync(2_000);
  return notes;
}

test('the message tone plays once for several messages of the other side that arrive together', async () => {
  startListening();
  expect(await receive(makeMessage({ seq: 1 }), makeMessage({ seq: 2 }), makeMessage({ seq: 3 }))).toBe(2);
  expect(await receive(makeMessage({ seq: 4 }))).toBe(4);
});

test("the message tone does not play for the user's own messages", async () => {
  startListening();
  expect(await receive(makeMessage({ ownerId: IDS.me, ownerType: 'customer' }))).toBe(0);
});

test('a muted conversation is silent only for the side that muted it', async () => {
  startListening({ isMutedCustomer: true });
  expect(await receive(makeMessage())).toBe(0);
  stop();
  startListening({ isMutedCreator: true });
  expect(await receive(makeMessage({ seq: 2 }))).toBe(2);
  stop();
  startListening({ isMutedCreator: true }, 'creator');
  expect(await receive(makeMessage({ seq: 3 }))).toBe(2);
});

test('no second tone plays while this or another tab plays one', async () => {
  startListening();
  dispatchEvent(receiveMessage.name, [makeMessage({ seq: 1 })]);
  await vi.advanceTimersByTimeAsync(100);
  expect(await receive(makeMessage({ seq: 2 }))).toBe(2);
  heldLocks.add('chat-tone');
  expect(await receive(makeMessage({ seq: 3 }))).toBe(2);
});

test('a tone that the browser blocks is not played later', async () => {
  isSilenced = true;
  const toneModule = await import('./tone.ts');
  void toneModule.playMessageTone();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(notes).toBe(0);
  isSilenced = false;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(notes).toBe(0);
});
