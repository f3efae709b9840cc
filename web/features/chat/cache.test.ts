import { viewer } from '@stagedoor/contract/accounts.ts';
import { messageRemoved, receiveMessage } from '@stagedoor/contract/chat-live.ts';
import { expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import type { Transport } from '../../kernel/api.ts';
import { dispatchEvent } from '../../kernel/live.ts';
import { createQueryClient } from '../../kernel/query.ts';
import { viewerQuery } from '../../kernel/session.ts';
import {
  conversationQuery,
  knownConversation,
  listQuery,
  loadOlder,
  takeConversation,
  takeDeleted,
  takeMessage,
  takeRevised,
  threadOfCache,
  threadQuery,
} from './cache.ts';
import { listenForMessages } from './incoming.ts';
import { IDS, makeConversation, makeMessage } from './testing.ts';

const me = z.parse(viewer, {
  id: IDS.me,
  username: 'guest',
  name: 'Guest',
  email: 'guest@example.com',
  type: 'customer',
  avatarUrl: null,
  deposit: 0,
  depositRevision: 0,
  isEmailVerified: true,
  isTwoFactorEnabled: false,
});

function clientOf(transport: Transport) {
  const client = createQueryClient(transport);
  client.setQueryData(viewerQuery().queryKey, me);
  return client;
}

function serve(count: number, forSale: readonly number[]) {
  const bought = new Set<number>();
  const asked: string[] = [];
  const transport: Transport = async ({ query }) => {
    const before = Number(query.before ?? count + 1);
    asked.push(query.before ?? 'newest');
    const seqs = Array.from({ length: count }, (_, index) => count - index).filter((seq) => seq < before);
    const data = seqs.slice(0, 50).map((seq) => {
      const isPurchased = bought.has(seq);
      return makeMessage({ seq, price: forSale.includes(seq) ? 5 : 0, isPurchased, revision: isPurchased ? 1 : 0 });
    });
    return {
      status: 200,
      body: { data, limit: 50, lastSeq: count, ...(seqs.length > 50 && { nextOffset: 'x' }) },
    };
  };
  return { bought, asked, client: clientOf(transport) };
}

test('a refetch requests only the few older pages that contain locked messages', async () => {
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

  asked.length = 0;
  takeMessage(client, makeMessage({ seq: 12, price: 5, isPurchased: true, revision: 1 }));
  await look();
  expect(asked).toEqual(['newest']);
});

test('an older response or event does not overwrite a newer revision, and a refund locks the message again', async () => {
  const { asked, client } = serve(3, [3]);
  await client.fetchQuery(threadQuery(IDS.talk));
  const now = () => threadOfCache(client, IDS.talk)?.messages.at(-1);
  const paid = { seq: 3, price: 5 };
  const ready = { ...paid, isPurchased: true, revision: 2 };
  takeMessage(client, makeMessage(ready));
  takeMessage(client, makeMessage({ ...paid, isPurchased: true, pendingMedia: 1, revision: 1 }));
  expect(now()).toMatchObject({ isPurchased: true, pendingMedia: 0 });
  takeMessage(client, makeMessage({ ...paid, revision: 0 }));
  expect(now()).toMatchObject({ isPurchased: true, pendingMedia: 0 });
  takeMessage(client, makeMessage({ ...paid, isPurchased: false, revision: 3 }));
  takeMessage(client, makeMessage(ready));
  expect(now()).toMatchObject({ isPurchased: false });
  expect(asked).toEqual(['newest']);
});

function held(answers: Record<string, object>) {
  const waiting: { path: string; answer: (body: object | undefined) => void }[] = [];
  const transport: Transport = ({ path }) =>
    new Promise((done) => waiting.push({ path, answer: (body) => done({ status: 200, body }) }));
  const answer = (part: string) =>
    vi.waitFor(
      () => {
        const at = waiting.findIndex(({ path }) => path.includes(part));
        expect(at).toBeGreaterThanOrEqual(0);
        waiting.splice(at, 1)[0]?.answer(answers[part]);
      },
      { timeout: 30_000 },
    );
  return { client: clientOf(transport), answer };
}

test('messages that arrive or are removed while a page loads are merged into it, and removed ones stay gone', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no server')));
  const page = (...seqs: number[]) => ({ data: seqs.map((seq) => makeMessage({ seq })), limit: 50, lastSeq: seqs[0] });
  const { client, answer } = held({ '/message/list/': page(3, 2, 1) });
  const stop = listenForMessages(client, IDS.me, 'fan');
  const asked = client.fetchQuery(threadQuery(IDS.talk));
  const gone = (seq: number) => ({
    conversationId: IDS.talk,
    messageId: makeMessage({ seq }).id,
    revision: 1,
    conversationRevision: 9,
  });
  for (const seq of [4, 5]) dispatchEvent(receiveMessage.name, [makeMessage({ seq })]);
  for (const seq of [5, 2]) dispatchEvent(messageRemoved.name, gone(seq));
  await answer('/message/list/');
  expect((await asked).messages.map(({ seq }) => seq)).toEqual([1, 3, 4]);
  dispatchEvent(receiveMessage.name, [makeMessage({ seq: 5 })]);
  const again = client.fetchQuery({ ...threadQuery(IDS.talk), staleTime: 0 });
  await answer('/message/list/');
  expect((await again).messages.map(({ seq }) => seq)).toEqual([1, 3, 4]);
  stop();
  vi.unstubAllGlobals();
});

test('a loading list includes the changes that arrived meanwhile and leaves out deleted conversations', async () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();
  const one = makeConversation({ revision: 1, lastSeq: 1, lastMessageCreatedAt: at(1) });
  const other = makeConversation({
    lastSeq: 4,
    id: '01890000-0000-7000-8000-00000000000b',
    revision: 4,
    lastMessageCreatedAt: at(2),
  });
  const begun = makeConversation({
    id: '01890000-0000-7000-8000-00000000000c',
    revision: 1,
    lastMessageCreatedAt: at(0),
  });
  const { client, answer } = held({
    '/message/conversation-list': { data: [other, one], limit: 50 },
    [`/message/conversation/${IDS.talk}`]: {
      success: true,
      data: { ...one, revision: 2, lastSeq: 1, unreadCount: 1, lastMessageCreatedAt: at(3) },
      isAllowNote: false,
      note: null,
    },
  });
  const asked = client.fetchQuery(listQuery('chat'));
  takeDeleted(client, other.id, 4);
  takeConversation(client, begun);
  const told = client.fetchQuery(conversationQuery(IDS.talk));
  await answer(`/message/conversation/${IDS.talk}`);
  await told;
  await answer('/message/conversation-list');
  expect((await asked).items).toMatchObject([{ id: one.id, revision: 2, unreadCount: 1 }, { id: begun.id }]);
});

test('a conversation is refetched until it reaches the revision of the event, and not again after that', async () => {
  let revision = 3;
  const asked = vi.fn();
  const client = clientOf(async () => {
    asked();
    const data = makeConversation({ revision });
    revision += 1;
    return { status: 200, body: { success: true, data, isAllowNote: false, note: null } };
  });
  takeConversation(client, makeConversation({ revision: 2 }));
  takeRevised(client, IDS.talk, 4);
  await vi.waitFor(() => expect(knownConversation(client, IDS.talk)?.revision).toBe(4), { timeout: 30_000 });
  takeRevised(client, IDS.talk, 4);
  await new Promise((done) => setTimeout(done, 0));
  expect(asked).toHaveBeenCalledTimes(2);
});
