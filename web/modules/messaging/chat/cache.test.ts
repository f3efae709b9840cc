import { viewer } from '@stagedoor/contract/identity/accounts.ts';
import { messageRemoved, receiveMessage } from '@stagedoor/contract/messaging/chat-events.ts';
import { expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import type { Transport } from '../../../platform/api.ts';
import { createQueryClient } from '../../../platform/query.ts';
import { viewerQuery } from '../../../platform/session.ts';
import { dispatchEvent } from '../../../platform/socket-events.ts';
import {
  applyConversation,
  applyDeletion,
  applyMessage,
  applyRevision,
  conversationListQuery,
  conversationQuery,
  findKnownConversation,
  findThread,
  loadOlder,
  threadQuery,
} from './cache.ts';
import { subscribeToMessages } from './incoming-messages.ts';
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

function createClient(transport: Transport) {
  const client = createQueryClient(transport);
  client.setQueryData(viewerQuery().queryKey, me);
  return client;
}

function serveMessages(count: number, forSale: readonly number[]) {
  const bought = new Set<number>();
  const requests: string[] = [];
  const transport: Transport = async ({ query }) => {
    const before = Number(query.before ?? count + 1);
    requests.push(query.before ?? 'newest');
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
  return { bought, requests, client: createClient(transport) };
}

test('a refetch requests only the few older pages that contain locked messages', async () => {
  const { bought, requests, client } = serveMessages(200, [12, 14, 90, 199]);
  const refetch = () => client.fetchQuery({ ...threadQuery(IDS.conversation), staleTime: 0 });
  const isOpen = (seq: number) =>
    findThread(client, IDS.conversation)?.messages.find((message) => message.seq === seq)?.isPurchased;
  await refetch();
  for (const _ of [1, 2, 3]) await loadOlder(client, IDS.conversation);
  for (const seq of [14, 90, 199]) bought.add(seq);
  requests.length = 0;
  await refetch();
  expect(requests).toEqual(['newest', '91', '15']);
  expect([12, 14, 90, 199].map(isOpen)).toEqual([false, true, true, true]);
  expect(findThread(client, IDS.conversation)?.messages.map(({ seq }) => seq)).toEqual(
    Array.from({ length: 200 }, (_, index) => index + 1),
  );

  requests.length = 0;
  applyMessage(client, makeMessage({ seq: 12, price: 5, isPurchased: true, revision: 1 }));
  await refetch();
  expect(requests).toEqual(['newest']);
});

test('an older response or event does not overwrite a newer revision, and a refund locks the message again', async () => {
  const { requests, client } = serveMessages(3, [3]);
  await client.fetchQuery(threadQuery(IDS.conversation));
  const getLast = () => findThread(client, IDS.conversation)?.messages.at(-1);
  const paid = { seq: 3, price: 5 };
  const ready = { ...paid, isPurchased: true, revision: 2 };
  applyMessage(client, makeMessage(ready));
  applyMessage(client, makeMessage({ ...paid, isPurchased: true, pendingMedia: 1, revision: 1 }));
  expect(getLast()).toMatchObject({ isPurchased: true, pendingMedia: 0 });
  applyMessage(client, makeMessage({ ...paid, revision: 0 }));
  expect(getLast()).toMatchObject({ isPurchased: true, pendingMedia: 0 });
  applyMessage(client, makeMessage({ ...paid, isPurchased: false, revision: 3 }));
  applyMessage(client, makeMessage(ready));
  expect(getLast()).toMatchObject({ isPurchased: false });
  expect(requests).toEqual(['newest']);
});

function holdResponses(responses: Record<string, object>) {
  const waiting: { path: string; respond: (body: object | undefined) => void }[] = [];
  const transport: Transport = ({ path }) =>
    new Promise((done) => waiting.push({ path, respond: (body) => done({ status: 200, body }) }));
  const respond = (part: string) =>
    vi.waitFor(
      () => {
        const at = waiting.findIndex(({ path }) => path.includes(part));
        expect(at).toBeGreaterThanOrEqual(0);
        waiting.splice(at, 1)[0]?.respond(responses[part]);
      },
      { timeout: 30_000 },
    );
  return { client: createClient(transport), respond };
}

test('messages that arrive or are removed while a page loads are merged into it, and removed ones stay gone', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no server')));
  const page = (...seqs: number[]) => ({ data: seqs.map((seq) => makeMessage({ seq })), limit: 50, lastSeq: seqs[0] });
  const { client, respond } = holdResponses({ '/message/list/': page(3, 2, 1) });
  const stop = subscribeToMessages(client, IDS.me, 'fan');
  const pendingFetch = client.fetchQuery(threadQuery(IDS.conversation));
  const toRemoval = (seq: number) => ({
    conversationId: IDS.conversation,
    messageId: makeMessage({ seq }).id,
    revision: 1,
    conversationRevision: 9,
  });
  for (const seq of [4, 5]) dispatchEvent(receiveMessage.name, [makeMessage({ seq })]);
  for (const seq of [5, 2]) dispatchEvent(messageRemoved.name, toRemoval(seq));
  await respond('/message/list/');
  expect((await pendingFetch).messages.map(({ seq }) => seq)).toEqual([1, 3, 4]);
  dispatchEvent(receiveMessage.name, [makeMessage({ seq: 5 })]);
  const secondFetch = client.fetchQuery({ ...threadQuery(IDS.conversation), staleTime: 0 });
  await respond('/message/list/');
  expect((await secondFetch).messages.map(({ seq }) => seq)).toEqual([1, 3, 4]);
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
  const newConversation = makeConversation({
    id: '01890000-0000-7000-8000-00000000000c',
    revision: 1,
    lastMessageCreatedAt: at(0),
  });
  const { client, respond } = holdResponses({
    '/message/conversation-list': { data: [other, one], limit: 50 },
    [`/message/conversation/${IDS.conversation}`]: {
      success: true,
      data: { ...one, revision: 2, lastSeq: 1, unreadCount: 1, lastMessageCreatedAt: at(3) },
      isAllowNote: false,
      note: null,
    },
  });
  const pendingFetch = client.fetchQuery(conversationListQuery('chat'));
  applyDeletion(client, other.id, 4);
  applyConversation(client, newConversation);
  const conversationFetch = client.fetchQuery(conversationQuery(IDS.conversation));
  await respond(`/message/conversation/${IDS.conversation}`);
  await conversationFetch;
  await respond('/message/conversation-list');
  expect((await pendingFetch).items).toMatchObject([
    { id: one.id, revision: 2, unreadCount: 1 },
    { id: newConversation.id },
  ]);
});

test('a conversation is refetched until it reaches the revision of the event, and not again after that', async () => {
  let revision = 3;
  const onRequest = vi.fn();
  const client = createClient(async () => {
    onRequest();
    const data = makeConversation({ revision });
    revision += 1;
    return { status: 200, body: { success: true, data, isAllowNote: false, note: null } };
  });
  applyConversation(client, makeConversation({ revision: 2 }));
  applyRevision(client, IDS.conversation, 4);
  await vi.waitFor(() => expect(findKnownConversation(client, IDS.conversation)?.revision).toBe(4), {
    timeout: 30_000,
  });
  applyRevision(client, IDS.conversation, 4);
  await new Promise((done) => setTimeout(done, 0));
  expect(onRequest).toHaveBeenCalledTimes(2);
});
