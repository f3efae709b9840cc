/** A kept thread that is asked for again, as after a lost connection: what was bought on another device meanwhile is open. */
import { messageRemoved, receiveMessage } from '@stagedoor/contract/chat-live.ts';
import { expect, test, vi } from 'vitest';
import type { Transport } from '../../kernel/api.ts';
import { connected, dispatchEvent } from '../../kernel/live.ts';
import { createQueryClient } from '../../kernel/query.ts';
import { changeThread, loadOlder, takeRecent, takeTold, threadOfCache, threadQuery } from './cache.ts';
import { listenForMessages } from './incoming.ts';
import { changedMessage } from './model.ts';
import { IDS, makeMessage } from './testing.ts';

/** A thread on a server, with what is for sale in it, and the pages that were asked for. */
function serve(count: number, forSale: readonly number[]) {
  const bought = new Set<number>();
  const asked: string[] = [];
  const transport: Transport = async ({ query }) => {
    const before = Number(query.before ?? count + 1);
    asked.push(query.before ?? 'newest');
    const seqs = Array.from({ length: count }, (_, index) => count - index).filter((seq) => seq < before);
    const data = seqs
      .slice(0, 50)
      .map((seq) => makeMessage({ seq, price: forSale.includes(seq) ? 5 : 0, isPurchased: bought.has(seq) }));
    return { status: 200, body: { data, limit: 50, ...(seqs.length > 50 && { nextOffset: 'x' }) } };
  };
  return { bought, asked, client: createQueryClient(transport) };
}

test('older ones that are locked are asked for once more, in few pages, and nothing else is', async () => {
  const { bought, asked, client } = serve(200, [12, 14, 90, 199]);
  const look = () => client.fetchQuery({ ...threadQuery(IDS.talk), staleTime: 0 });
  const isOpen = (seq: number) =>
    threadOfCache(client, IDS.talk)?.messages.find((message) => message.seq === seq)?.isPurchased;
  await look();
  for (const _ of [1, 2, 3]) await loadOlder(client, IDS.talk);
  for (const seq of [14, 90, 199]) bought.add(seq);
  asked.length = 0;
  await look();
  expect(asked).toEqual(['newest', '91', '15']);
  expect([12, 14, 90, 199].map(isOpen)).toEqual([false, true, true, true]);
  expect(threadOfCache(client, IDS.talk)?.messages.map(({ seq }) => seq)).toEqual(
    Array.from({ length: 200 }, (_, index) => index + 1),
  );

  // What was told live meanwhile needs no asking.
  asked.length = 0;
  const open = makeMessage({ seq: 12, price: 5, isPurchased: true });
  changeThread(client, IDS.talk, (window) => changedMessage(window, open.id, () => open));
  await look();
  expect(asked).toEqual(['newest']);
});

test('an answer that crossed an event takes nothing back: the message is asked for once more', async () => {
  const { bought, asked, client } = serve(3, [3]);
  await client.fetchQuery(threadQuery(IDS.talk));
  const now = () => threadOfCache(client, IDS.talk)?.messages.at(-1);
  const preparing = { seq: 3, price: 5, pendingMedia: 1 };
  // Bought while its file was prepared: each tells what it knew.
  bought.add(3);
  takeTold(client, makeMessage({ seq: 3, price: 5, isPurchased: false }));
  takeTold(client, makeMessage({ ...preparing, isPurchased: true }));
  await expect.poll(now).toMatchObject({ isPurchased: true, pendingMedia: 0 });
  expect(asked).toEqual(['newest', '4']);
  takeTold(client, makeMessage({ seq: 3, price: 5, isPurchased: false }));
  await expect.poll(now).toMatchObject({ isPurchased: true, pendingMedia: 0 });
  // Given back, it is locked, and stays so.
  bought.clear();
  takeTold(client, makeMessage({ seq: 3, price: 5, isPurchased: false }));
  await expect.poll(() => asked.length).toBe(4);
  await expect.poll(now).toMatchObject({ isPurchased: false });
});

test('what arrived on another page is there when the thread opens, but not what was taken back or came before a lost connection', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no server')));
  const { client } = serve(3, []);
  const stop = listenForMessages(client, IDS.me, 'fan');
  const seqs = async () => (await client.fetchQuery({ ...threadQuery(IDS.talk), staleTime: 0 })).messages.at(-1)?.seq;
  const taken = vi.fn();
  dispatchEvent(receiveMessage.name, [makeMessage({ seq: 4 })]);
  dispatchEvent(receiveMessage.name, [makeMessage({ seq: 5 })]);
  dispatchEvent(messageRemoved.name, { conversationId: IDS.talk, messageId: makeMessage({ seq: 5 }).id });
  expect(await seqs()).toBe(4);
  client.clear();
  takeRecent(taken, client);
  expect(taken.mock.calls.map(([{ seq }]) => seq)).toEqual([4]);
  connected();
  expect(await seqs()).toBe(3);
  stop();
  vi.unstubAllGlobals();
});
