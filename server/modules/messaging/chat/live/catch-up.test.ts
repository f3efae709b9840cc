import { randomUUID } from 'node:crypto';
import type { Message } from '@stagedoor/contract/messaging/messages.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../../testing/app.ts';
import { openRawSocket } from '../../../../testing/raw-socket.ts';
import { writeMessage } from '../outbox/send.ts';
import { openReconnectingClient, openTab, seedMessage } from '../testing.ts';

/** A batch has at most `replayBatch` messages. */
const THREE_BATCHES = 2 * CHAT_LIMITS.replayBatch + 10;

let app: TestApp;
let port = 0;
beforeAll(async () => {
  app = await createTestApp();
  await app.app.start();
  port = Number(new URL(await app.app.http.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => app.close());

const until = (check: () => void) => vi.waitFor(check, { timeout: 30_000, interval: 20 });

async function createConversations(count: number) {
  const fan = await app.signUp('customer');
  const creators = await Promise.all(Array.from({ length: count }, () => app.signUp('creator')));
  const hello = async (creator: TestUser) =>
    (await seedMessage(app.ctx, { creatorId: creator.id, fanId: fan.id }, { from: 'fan', text: 'Hello' })).messageId;
  for (const creator of creators) await hello(creator);
  app.clock.advance(20_000);
  const known = await hello(creators[0] ?? fan);
  await app.ctx.events.waitUntilIdle();
  app.clock.advance(20_000);
  return { fan, creators, known };
}

async function write(
  creators: readonly TestUser[],
  fan: TestUser,
  count: number,
  { text = 'missed', everyMs = 10 } = {},
): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const creator = creators[(n * n) % creators.length] ?? fan;
    app.clock.advance(everyMs);
    const message = { from: 'creator' as const, text: `${text} ${n}` };
    ids.push((await seedMessage(app.ctx, { creatorId: creator.id, fanId: fan.id }, message)).messageId);
  }
  await app.ctx.events.waitUntilIdle();
  return ids;
}

const toIds = (messages: readonly Message[]) => messages.map(({ id }) => id);
function expectBySeq(messages: readonly Message[]): void {
  const latest = new Map<string, number>();
  const seen = new Set<string>();
  for (const { id, conversationId, seq } of messages) {
    if (seen.has(id)) continue;
    seen.add(id);
    expect(seq).toBeGreaterThan(latest.get(conversationId) ?? 0);
    latest.set(conversationId, seq);
  }
}

it('hundreds of missed messages in seven conversations arrive once, in parts, oldest first', async () => {
  const { fan, creators, known } = await createConversations(7);
  const missed = await write(creators, fan, THREE_BATCHES);
  const tab = await openTab(port, fan.cookie, { lastMessageId: known });
  await until(() => expect(tab.listPayloads('RECEIVE_MESSAGE').flat()).toHaveLength(THREE_BATCHES));
  const parts = tab.listPayloads('RECEIVE_MESSAGE');
  expect(parts.flat().map((message) => Object(message).id)).toEqual(missed);
  for (const part of parts) expect(part.length).toBeLessThanOrEqual(CHAT_LIMITS.replayBatch);
  expect(parts.length).toBeGreaterThanOrEqual(3);
  tab.close();
});

it('messages sent during the replay follow it in order and without a gap', async () => {
  const { fan, creators, known } = await createConversations(3);
  const missed = await write(creators, fan, 220);
  const client = openReconnectingClient([port], fan.cookie, known);
  const live: string[] = [];
  // Sent over HTTP, so that they are emitted immediately: before, during and after the replay.
  for (let n = 0; n < 60; n += 1) {
    app.clock.advance(1);
    const creator = creators[n % creators.length] ?? fan;
    const response = await creator.inject('POST', '/api/message/text', { receiverId: fan.id, text: `live ${n}` });
    live.push(response.json().data.id);
  }
  await until(() => expect(new Set(toIds(client.messages())).size).toBeGreaterThanOrEqual(280));
  expectBySeq(client.messages());
  expect([...new Set(toIds(client.messages()))]).toEqual([...missed, ...live]);
  client.close();
});

it('a client that is disconnected after each part receives everything in the end', async () => {
  const { fan, creators, known } = await createConversations(4);
  const missed = await write(creators, fan, 310, { everyMs: 200 });
  const received: Message[] = [];
  let connections = 0;
  while (new Set(toIds(received)).size < missed.length && connections < 20) {
    connections += 1;
    const tab = await openTab(port, fan.cookie, { lastMessageId: received.at(-1)?.id ?? known });
    const first = await vi.waitFor(() => {
      const [part] = tab.listPayloads('RECEIVE_MESSAGE');
      if (!part) throw new Error('nothing came');
      return part as unknown as Message[];
    }, 30_000);
    tab.close();
    await tab.closed;
    // Simulates a disconnect in the middle of a part.
    received.push(...first.slice(0, 150));
  }
  expect([...new Set(toIds(received))]).toEqual(missed);
});

it('long messages come in small parts, and a client that stops reading is disconnected but loses nothing', async () => {
  const { fan, creators, known } = await createConversations(2);
  const missed = await write(creators, fan, 120, { text: 'ü'.repeat(4_900) });
  const raw = await openRawSocket(port, { cookie: fan.cookie, auth: { lastMessageId: known } });
  raw.socket.pause();
  let isCut = false;
  void raw.closed.then(() => {
    isCut = true;
  });
  for (let n = 0; n < 400 && !isCut; n += 1) {
    app.ctx.realtime.relayToUser(fan.id, 'FILLER', 'x'.repeat(200_000));
    // A client that does not read notices the closed connection only when it writes.
    raw.send('3');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(isCut).toBe(true);
  const tab = await openTab(port, fan.cookie, { lastMessageId: known });
  await until(() => expect(toIds(tab.listPayloads('RECEIVE_MESSAGE').flat() as unknown as Message[])).toEqual(missed));
  for (const part of tab.listPayloads('RECEIVE_MESSAGE')) expect(JSON.stringify(part).length).toBeLessThan(300 * 1024);
  tab.close();
});

it('a message with an older timestamp is replayed, too', async () => {
  const { fan, creators, known } = await createConversations(1);
  const [creator] = creators;
  // A tip message is written late and has the timestamp of its sale.
  const { message_id: late } = await writeMessage(app.ctx.db, 1, {
    senderId: fan.id,
    isCreator: false,
    to: { receiverId: creator?.id ?? '' },
    id: known.replace(/^.{13}/, () => {
      const hex = app.clock.now().getTime().toString(16).padStart(12, '0');
      return `${hex.slice(0, 8)}-${hex.slice(8)}`;
    }),
    clientId: randomUUID(),
    type: 'tipInfo',
    text: '',
    priceCents: 0,
    isViewOnce: false,
    details: { transactionId: randomUUID(), amountCents: 500, note: '' },
    at: new Date(app.clock.now().getTime() - 20 * 60_000),
  });
  const [after = ''] = await write(creators, fan, 1);
  const tab = await openTab(port, fan.cookie, { lastMessageId: known });
  await until(() => expect(tab.listPayloads('RECEIVE_MESSAGE').flat()).toMatchObject([{ id: late }, { id: after }]));
  const back = await openTab(port, creator?.cookie, { lastMessageId: known });
  await until(() => expect(back.listPayloads('RECEIVE_MESSAGE').flat()).toMatchObject([{ id: late }, { id: after }]));
  for (const each of [tab, back]) each.close();
});

it('too many missed messages are reported instead of replayed, and new ones still arrive', async () => {
  const { fan, creators, known } = await createConversations(1);
  const [creator] = creators;
  const [sample = ''] = await write(creators, fan, 1);
  await app.ctx.db.pool.query(
    `insert into messages (conversation_id, seq, id, sender_id, client_id, is_from_creator, type, text, created_at)
       select m.conversation_id, m.seq + n, (left(m.id::text, 14) || '7' || right(gen_random_uuid()::text, 21))::uuid, m.sender_id, gen_random_uuid(), true, 'text', 'much', m.created_at
       from messages m, generate_series(1, $2::int) n where m.id = $1`,
    [sample, CHAT_LIMITS.replayMax],
  );
  await app.ctx.db.pool.query(
    'update conversations c set last_seq = (select max(seq) from messages m where m.conversation_id = c.id) where fan_id = $1',
    [fan.id],
  );
  const tab = await openTab(port, fan.cookie, { lastMessageId: known });
  await until(() => expect(tab.listPayloads('MESSAGES_MISSED')).toEqual([{ since: expect.any(String) }]));
  expect(tab.listPayloads('RECEIVE_MESSAGE')).toEqual([]);
  await creator?.inject('POST', '/api/message/text', { receiverId: fan.id, text: 'new' });
  await until(() => expect(tab.listPayloads('RECEIVE_MESSAGE').flat()).toMatchObject([{ text: 'new' }]));
  tab.close();
});
