import { broadcast as broadcastView } from '@stagedoor/contract/messaging/broadcasts.ts';
import { BROADCAST_KEY } from '@stagedoor/contract/messaging/messages.ts';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Transport } from '../../../../platform/api.ts';
import { createQueryClient } from '../../../../platform/query.ts';
import { findThread, threadQuery } from '../cache.ts';
import { createTestId, makeMessage } from '../testing.ts';
import { broadcastsQuery } from './queries.ts';
import { applyBroadcast, applyBroadcastProgress } from './refresh.ts';

const ID = createTestId(7);
const toMessage = (seq: number) =>
  makeMessage({ id: ID, seq, conversationId: BROADCAST_KEY, broadcastId: ID, text: 'Tonight' });
const toBroadcast = (status: 'scheduled' | 'sent') =>
  z.parse(broadcastView, {
    id: ID,
    message: toMessage(status === 'sent' ? 1 : 0),
    audience: 'followers',
    tierName: null,
    excludeBuyers: false,
    status,
    createdAt: '2026-01-01T00:00:00.000Z',
    scheduledAt: '2026-01-02T00:00:00.000Z',
    sentAt: null,
    ...{ recipientCount: null, deliveredCount: 0, readCount: 0, purchasedCount: 0, earned: 0 },
  });

/** The creator has the thread open. The server sends the broadcast when the test sets `isSent`. */
async function openBroadcasts() {
  const server = { isSent: false };
  const transport: Transport = async ({ path }) => {
    const isThread = path.includes('/message/list/');
    const data = isThread ? (server.isSent ? [toMessage(1)] : []) : server.isSent ? [] : [toBroadcast('scheduled')];
    return { status: 200, body: { data, limit: 50, lastSeq: server.isSent ? 1 : 0 } };
  };
  const client = createQueryClient(transport);
  await client.fetchQuery(threadQuery(BROADCAST_KEY));
  await client.fetchQuery(broadcastsQuery('scheduled'));
  return { server, client, listTexts: () => findThread(client, BROADCAST_KEY)?.messages.map(({ text }) => text) };
}

test('a scheduled broadcast that is sent now appears in the thread, one that is moved does not', async () => {
  const { client, listTexts } = await openBroadcasts();
  applyBroadcast(client, toBroadcast('scheduled'));
  expect(listTexts()).toEqual([]);
  applyBroadcast(client, toBroadcast('sent'));
  expect(listTexts()).toEqual(['Tonight']);
});

test('a scheduled broadcast that the server sends at its time appears in the thread', async () => {
  const { server, client, listTexts } = await openBroadcasts();
  server.isSent = true;
  applyBroadcastProgress(client, {
    ...{ id: toBroadcast('sent').id, status: 'sent', recipientCount: 3, deliveredCount: 1 },
    ...{ readCount: 0, purchasedCount: 0, earned: toBroadcast('sent').earned },
  });
  await expect.poll(listTexts).toEqual(['Tonight']);
});
