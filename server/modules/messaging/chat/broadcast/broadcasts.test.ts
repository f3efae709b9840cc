import { randomUUID } from 'node:crypto';
import { broadcast as broadcastView } from '@stagedoor/contract/messaging/broadcasts.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp, type TestUser } from '../../../../testing/app.ts';
import { createFollow } from '../../../content/follows/testing.ts';
import { makeReadyPicture } from '../../../content/media/testing.ts';
import { blockAccount, restrictActivity } from '../../../identity/accounts/index.ts';
import { createDeposit } from '../../../ledger/ledger/testing.ts';
import { seedMessage } from '../testing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const createFans = (count: number) => Promise.all(Array.from({ length: count }, () => app.signUp('customer')));
const follow = async (creator: TestUser, ...followers: TestUser[]) => {
  for (const fan of followers) await createFollow(app.ctx, fan.id, creator.id);
  await app.ctx.events.waitUntilIdle();
};
const fund = (fan: TestUser, amountCents = 10_000) => createDeposit(app.ctx.db, fan.id, amountCents);
const post = (creator: TestUser, body: Record<string, unknown>, path = 'broadcast-text') =>
  creator.inject('POST', `/api/message/${path}`, { audience: 'followers', text: 'Tonight at nine', ...body });
const sendBroadcast = async (creator: TestUser, body: Record<string, unknown> = {}, path?: string) => {
  const response = await post(creator, body, path);
  expect(response.statusCode, response.body).toBe(200);
  await app.ctx.events.waitUntilIdle();
  return z.parse(broadcastView, response.json().data);
};
const getBroadcast = async (creator: TestUser, id: string) =>
  z.parse(broadcastView, (await creator.inject('GET', `/api/message/broadcasts/${id}`)).json());
const inbox = async (fan: TestUser) => (await fan.inject('GET', '/api/message/conversation-list')).json().data;
const texts = async (user: TestUser, id: string): Promise<string[]> =>
  (await user.inject('GET', `/api/message/list/${id}`)).json().data.map(({ text }: { text: string }) => text);
const unread = async (fan: TestUser) => (await fan.inject('GET', '/api/message/un-read-count')).json().count;

describe('a broadcast to all followers', () => {
  it('is one row when sent, becomes a message for each fan who reads the inbox, and is counted', async () => {
    const creator = await app.signUp('creator');
    const [old, fresh, late, stranger] = await createFans(4);
    if (!old || !fresh || !late || !stranger) throw new Error('no fans');
    await follow(creator, old, fresh);
    const { conversationId } = await seedMessage(
      app.ctx,
      { creatorId: creator.id, fanId: old.id },
      { from: 'fan', text: 'Hi' },
    );
    const made = await sendBroadcast(creator);
    expect(made).toMatchObject({
      status: 'sent',
      audience: 'followers',
      message: { conversationId: 'broadcast', ownerId: creator.id, text: 'Tonight at nine' },
    });
    const rows = await app.ctx.db.query
      .selectFrom('messages')
      .select('id')
      .where('broadcast_id', '=', made.id)
      .execute();
    expect(rows).toEqual([]);
    expect((await getBroadcast(creator, made.id)).recipientCount).toBe(2);

    expect(await unread(old)).toBe(1);
    expect(await unread(old)).toBe(1);
    expect(await inbox(old)).toMatchObject([
      { id: conversationId, unreadCount: 1, lastMessage: { text: 'Tonight at nine', ownerType: 'creator' } },
    ]);
    expect(await texts(old, conversationId)).toEqual(['Tonight at nine', 'Hi']);
    const [newConversation] = await inbox(fresh);
    expect(newConversation).toMatchObject({ info: { request: 'accept', canSend: true }, unreadCount: 1 });
    app.clock.advance(1);
    await follow(creator, late);
    expect([await inbox(late), await inbox(stranger)]).toEqual([[], []]);
    expect((await creator.inject('GET', '/api/message/conversation-list')).json().data).toHaveLength(1);
    expect(await texts(creator, conversationId)).toEqual(['Tonight at nine', 'Hi']);
    const seen = await fresh.inject('GET', `/api/message/list/${newConversation.id}`);
    await fresh.inject('POST', '/api/message/status', {
      conversationId: newConversation.id,
      msgIds: [seen.json().data[0].id],
      status: 'read',
    });
    expect(await getBroadcast(creator, made.id)).toMatchObject({ deliveredCount: 2, readCount: 1, purchasedCount: 0 });
    expect(seen.json().data[0]).toMatchObject({ broadcastId: null, conversationId: newConversation.id });
    expect(
      (await fresh.inject('POST', '/api/message/text', { conversationId: newConversation.id, text: 'I will be there' }))
        .statusCode,
    ).toBe(200);
    expect((await creator.inject('GET', '/api/message/conversation-list')).json().data).toHaveLength(2);
    expect((await creator.inject('GET', '/api/message/list/broadcast')).json().data).toMatchObject([{ id: made.id }]);
    expect((await fresh.inject('GET', '/api/message/list/broadcast')).statusCode).toBe(404);
  });

  it('appears in the right order, also when the creator or the fan writes before the inbox is read', async () => {
    const creator = await app.signUp('creator');
    const [fan] = await createFans(1);
    if (!fan) throw new Error('no fan');
    await follow(creator, fan);
    const { conversationId } = await seedMessage(
      app.ctx,
      { creatorId: creator.id, fanId: fan.id },
      { from: 'fan', text: '1' },
    );
    await sendBroadcast(creator, { text: '2' });
    await fan.inject('POST', '/api/message/text', { conversationId, text: '3' });
    await sendBroadcast(creator, { text: '4' });
    await creator.inject('POST', '/api/message/text', { conversationId, text: '5' });
    await sendBroadcast(creator, { text: '6' });
    expect(await texts(creator, conversationId)).toEqual(['6', '5', '4', '3', '2', '1']);
    expect(await texts(fan, conversationId)).toEqual(['6', '5', '4', '3', '2', '1']);
    expect(await unread(fan)).toBe(4);
  });

  it('is delivered once when many devices read the inbox while broadcasts are sent', async () => {
    const creator = await app.signUp('creator');
    const [fan] = await createFans(1);
    if (!fan) throw new Error('no fan');
    await follow(creator, fan);
    await Promise.all([
      ...Array.from({ length: 8 }, (_, n) => post(creator, { text: `No. ${n}` })),
      ...Array.from({ length: 12 }, () => inbox(fan)),
    ]);
    const [conversation] = await inbox(fan);
    expect((await texts(fan, conversation.id)).toSorted()).toEqual(Array.from({ length: 8 }, (_, n) => `No. ${n}`));
    expect(conversation.unreadCount).toBe(8);
  });

  it('is sent once per client id, and another text with the same id is a conflict', async () => {
    const creator = await app.signUp('creator');
    const clientId = randomUUID();
    const responses = await Promise.all([1, 2, 3].map(() => post(creator, { clientId })));
    expect(new Set(responses.map((response) => response.json().data.id)).size).toBe(1);
    expect((await post(creator, { clientId, text: 'Other' })).json().code).toBe('CONFLICT');
    const rows = await app.ctx.db.query
      .selectFrom('broadcasts')
      .select('seq')
      .where('creator_id', '=', creator.id)
      .execute();
    expect(rows).toEqual([{ seq: 1 }]);
  });
});

describe('audiences', () => {
  it('reach chosen fans, buyers, active fans, or followers who have not bought', async () => {
    const creator = await app.signUp('creator');
    const [buyer, talker, sleeper, stranger] = await createFans(4);
    if (!buyer || !talker || !sleeper || !stranger) throw new Error('no fans');
    await follow(creator, sleeper);
    app.clock.advance(20 * 86_400_000);
    await fund(buyer);
    await buyer.inject('POST', `/api/tip/customer-send/${creator.id}`, { amount: 5, type: 'profile' });
    await app.ctx.events.waitUntilIdle();
    app.clock.advance(11 * 86_400_000);
    const { conversationId } = await seedMessage(
      app.ctx,
      { creatorId: creator.id, fanId: talker.id },
      { from: 'fan', text: 'Hi' },
    );
    const login = async (user: TestUser) => {
      const response = await app.inject('POST', '/api/auth/login', {
        username: user.username,
        password: user.password,
      });
      return response.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    };
    const sendRequest = async (user: TestUser, method: 'GET' | 'POST', path: string, body?: object) =>
      app.inject(method, path, body, { cookie: await login(user) });
    const reached = async (audience: string, more: object = {}) => {
      const response = await sendRequest(creator, 'POST', '/api/message/broadcast-text', {
        audience,
        text: audience,
        ...more,
      });
      await app.ctx.events.waitUntilIdle();
      const names: string[] = [];
      for (const [name, user] of Object.entries({ buyer, talker, sleeper, stranger })) {
        const list = (await sendRequest(user, 'GET', '/api/message/conversation-list')).json().data;
        if (list[0]?.lastMessage?.text === audience) names.push(name);
      }
      const { recipientCount } = (
        await sendRequest(creator, 'GET', `/api/message/broadcasts/${response.json().data.id}`)
      ).json();
      return [names, recipientCount];
    };
    expect(await reached('followers')).toEqual([['sleeper'], 1]);
    expect(await reached('buyers')).toEqual([['buyer'], 1]);
    expect(await reached('active')).toEqual([['buyer', 'talker'], 2]);
    expect(await reached('chosen', { conversationIds: [conversationId] })).toEqual([['talker'], 1]);
    const groups = (await sendRequest(creator, 'GET', '/api/message/broadcast-audiences')).json().data;
    expect(groups.slice(0, 4)).toEqual([
      { audience: 'followers', count: 1 },
      { audience: 'buyers', count: 1 },
      { audience: 'active', count: 2 },
      { audience: 'notBought', count: 1 },
    ]);
  });

  it('refuse other creators’ conversations and an empty choice, and leave out blocked fans', async () => {
    const [creator, other] = [await app.signUp('creator'), await app.signUp('creator')];
    const [fan] = await createFans(1);
    if (!fan) throw new Error('no fan');
    const { conversationId } = await seedMessage(
      app.ctx,
      { creatorId: other.id, fanId: fan.id },
      { from: 'fan', text: 'Hi' },
    );
    expect((await post(creator, { audience: 'chosen', conversationIds: [conversationId] })).json().code).toBe(
      'NOT_FOUND',
    );
    expect((await post(creator, { audience: 'chosen' })).json().code).toBe('VALIDATION');
    await other.inject('POST', `/api/message/block-unblock-customer/${fan.id}`, { isBlocked: true });
    const made = await sendBroadcast(other, { audience: 'chosen', conversationIds: [conversationId] });
    expect(await texts(fan, conversationId)).toEqual(['Hi']);
    expect((await getBroadcast(other, made.id)).recipientCount).toBe(0);
    await other.inject('POST', `/api/message/block-unblock-customer/${fan.id}`, { isBlocked: false });
    expect(await texts(fan, conversationId)).toEqual(['Hi']);
  });
});

describe('paid broadcast media', () => {
  it('are bought by each fan separately, counted, and not sent again to fans who own them', async () => {
    const creator = await app.signUp('creator');
    const [buyer, looker] = await createFans(2);
    if (!buyer || !looker) throw new Error('no fans');
    await follow(creator, buyer, looker);
    await fund(buyer);
    const mediaIds = [await makeReadyPicture(app.ctx, creator.id, { hasFiles: true })];
    const made = await sendBroadcast(creator, { mediaIds, price: 12 }, 'broadcast-media');
    expect(made.message).toMatchObject({ type: 'image', price: 12, media: [{ isLocked: false }] });
    const findLastMessage = async (fan: TestUser) => {
      const [conversation] = await inbox(fan);
      return (await fan.inject('GET', `/api/message/list/${conversation.id}`)).json().data[0];
    };
    const locked = await findLastMessage(buyer);
    expect(locked).toMatchObject({ isPurchased: false, media: [{ isLocked: true }] });
    expect(JSON.stringify(locked)).not.toMatch(/asset\/private/);
    const bought = (await buyer.inject('POST', `/api/message/purchase-chat-media/${locked.id}`, { price: 12 })).json();
    const { url } = bought.data.media[0].picture;
    expect((await buyer.inject('GET', url)).statusCode).toBe(200);
    expect((await looker.inject('GET', url)).statusCode).toBe(404);
    expect(await findLastMessage(looker)).toMatchObject({ media: [{ isLocked: true }] });
    await app.ctx.events.waitUntilIdle();
    expect(await getBroadcast(creator, made.id)).toMatchObject({ purchasedCount: 1, earned: 10.8, deliveredCount: 2 });
    expect(
      (await creator.inject('GET', `/api/message/broadcast-audiences?mediaIds=${mediaIds}`)).json().data[3],
    ).toEqual({
      audience: 'notBought',
      count: 1,
    });

    const cheaper = await sendBroadcast(
      creator,
      { mediaIds, price: 8, audience: 'notBought', text: 'Cheaper' },
      'broadcast-media',
    );
    expect((await findLastMessage(looker)).text).toBe('Cheaper');
    expect((await findLastMessage(buyer)).text).not.toBe('Cheaper');
    expect((await getBroadcast(creator, cheaper.id)).recipientCount).toBe(1);
  });
});

describe('a scheduled or unsent broadcast', () => {
  it('can be moved, sent now or canceled while it is scheduled', async () => {
    const creator = await app.signUp('creator');
    const [fan] = await createFans(1);
    if (!fan) throw new Error('no fan');
    await follow(creator, fan);
    const at = (minutes: number) => new Date(app.clock.now().getTime() + minutes * 60_000).toISOString();
    expect((await post(creator, { scheduledAt: at(-1) })).json().code).toBe('VALIDATION');
    const [first, second, third] = [
      await sendBroadcast(creator, { scheduledAt: at(10), text: 'first' }),
      await sendBroadcast(creator, { scheduledAt: at(5), text: 'second' }),
      await sendBroadcast(creator, { scheduledAt: at(7), text: 'third' }),
    ];
    const scheduled = async () =>
      (await creator.inject('GET', '/api/message/broadcasts?status=scheduled'))
        .json()
        .data.map(({ message }: { message: { text: string } }) => message.text);
    expect(await scheduled()).toEqual(['second', 'third', 'first']);
    expect(await inbox(fan)).toEqual([]);
    const change = (id: string, scheduledAt: string | null) =>
      creator.inject('PATCH', `/api/message/broadcasts/${id}`, { scheduledAt });
    expect((await change(first.id, at(1))).json().status).toBe('scheduled');
    expect((await change(second.id, null)).json()).toMatchObject({
      status: 'sent',
      sentAt: app.clock.now().toISOString(),
    });
    expect((await change(second.id, null)).json().code).toBe('CONFLICT');
    expect((await creator.inject('DELETE', `/api/message/broadcasts/${third.id}`)).json().status).toBe('cancelled');
    expect((await change(third.id, null)).json().code).toBe('CONFLICT');
    expect(await scheduled()).toEqual(['first']);
    const stranger = await app.signUp('creator');
    expect((await stranger.inject('DELETE', `/api/message/broadcasts/${first.id}`)).statusCode).toBe(404);
    expect((await inbox(fan))[0].lastMessage.text).toBe('second');
    const due = await app.ctx.db.query
      .selectFrom('broadcasts')
      .select('state')
      .where('id', '=', first.id)
      .executeTakeFirstOrThrow();
    expect(due.state).toBe('scheduled');
  });

  it('is removed from fans who neither read nor bought it, and not delivered any more', async () => {
    const creator = await app.signUp('creator');
    const [reader, looker, absent, talker] = await createFans(4);
    if (!reader || !looker || !absent || !talker) throw new Error('no fans');
    await follow(creator, reader, looker, absent, talker);
    const { conversationId } = await seedMessage(
      app.ctx,
      { creatorId: creator.id, fanId: talker.id },
      { from: 'creator', text: 'Hi' },
    );
    const made = await sendBroadcast(creator);
    const [read] = await inbox(reader);
    await reader.inject('POST', '/api/message/status', {
      conversationId: read.id,
      msgIds: [read.lastMessage.id],
      status: 'read',
    });
    await inbox(looker);
    await inbox(talker);
    expect((await creator.inject('DELETE', `/api/message/broadcasts/${made.id}`)).json().status).toBe('unsent');
    await app.ctx.events.waitUntilIdle();
    expect(await texts(reader, read.id)).toEqual(['Tonight at nine']);
    expect([await inbox(looker), await unread(looker), await inbox(absent)]).toEqual([[], 0, []]);
    expect(await inbox(talker)).toMatchObject([{ id: conversationId, unreadCount: 1, lastMessage: { text: 'Hi' } }]);
    expect(await getBroadcast(creator, made.id)).toMatchObject({ status: 'unsent', deliveredCount: 1, readCount: 1 });
  });
});

it('the job sends due broadcasts despite clock differences, but no moved, canceled or restricted ones', async () => {
  // Jobs run by the database's clock, which is one minute ahead here.
  app.clock.set(new Date(Date.now() - 60_000));
  const creator = await app.signUp('creator');
  const [quiet, blocked] = [await app.signUp('creator'), await app.signUp('creator')];
  const [fan] = await createFans(1);
  if (!fan) throw new Error('no fan');
  for (const author of [creator, quiet, blocked]) await follow(author, fan);
  const at = (ms: number) => new Date(app.clock.now().getTime() + ms).toISOString();
  const due = await sendBroadcast(creator, { scheduledAt: at(2_000), text: 'due' });
  const moved = await sendBroadcast(creator, { scheduledAt: at(2_000), text: 'moved' });
  const cancelled = await sendBroadcast(creator, { scheduledAt: at(2_000), text: 'cancelled' });
  const refused = [
    await sendBroadcast(quiet, { scheduledAt: at(2_000), text: 'restricted' }),
    await sendBroadcast(blocked, { scheduledAt: at(2_000), text: 'blocked' }),
  ].map(({ id }) => id);
  await app.ctx.db.transaction((tx) =>
    restrictActivity(tx, quiet.id, 'chat', new Date(app.clock.now().getTime() + 86_400_000)),
  );
  await blockAccount(app.ctx, blocked.id, 'Spam');
  await creator.inject('PATCH', `/api/message/broadcasts/${moved.id}`, { scheduledAt: at(3_600_000) });
  await creator.inject('DELETE', `/api/message/broadcasts/${cancelled.id}`);
  const runAt = async () => {
    const text = 'select run_at from graphile_worker.jobs where key = $1';
    const { rows } = await app.ctx.db.pool.query(text, [`broadcast.send:${due.id}`]);
    return rows[0]?.run_at.getTime() ?? 0;
  };
  const scheduledRunAt = await runAt();
  await app.ctx.jobs.start();
  // By this process's clock the job ran too early, so it is scheduled again.
  await expect.poll(runAt, { timeout: 30_000 }).toBeGreaterThan(scheduledRunAt);
  expect((await getBroadcast(creator, due.id)).status).toBe('scheduled');
  app.clock.advance(2_000);
  await expect.poll(async () => (await getBroadcast(creator, due.id)).status, { timeout: 30_000 }).toBe('sent');
  const states = async () =>
    (await app.ctx.db.query.selectFrom('broadcasts').select('state').where('id', 'in', refused).execute()).map(
      ({ state }) => state,
    );
  await expect.poll(states, { timeout: 30_000 }).toEqual(['cancelled', 'cancelled']);
  await app.ctx.events.waitUntilIdle();
  expect((await inbox(fan)).map(({ lastMessage }: { lastMessage: { text: string } }) => lastMessage.text)).toEqual([
    'due',
  ]);
  expect(await getBroadcast(creator, due.id)).toMatchObject({ recipientCount: 1, deliveredCount: 1 });
  expect([(await getBroadcast(creator, moved.id)).status, (await getBroadcast(creator, cancelled.id)).status]).toEqual([
    'scheduled',
    'cancelled',
  ]);
});
