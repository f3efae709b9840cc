import { conversation as conversationView } from '@stagedoor/contract/messaging/messages.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp, type TestUser } from '../../../../testing/app.ts';
import { createFollow } from '../../../content/follows/testing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const pair = () => Promise.all([app.signUp('creator'), app.signUp('customer')]);
const send = (from: TestUser, body: Record<string, unknown>) => from.inject('POST', '/api/message/text', body);
const list = async (user: TestUser, query = '') =>
  z.parse(z.array(conversationView), (await user.inject('GET', `/api/message/conversation-list${query}`)).json().data);
const unread = async (user: TestUser) => (await user.inject('GET', '/api/message/un-read-count')).json();

describe('a chat request', () => {
  it('is one text until it is answered, and accepting opens the conversation', async () => {
    const [creator, fan] = await pair();
    expect((await fan.inject('GET', `/api/message/conversation-info/${creator.id}`)).json()).toMatchObject({
      conversationId: null,
      canSend: true,
      isRequest: true,
    });
    const sent = (await send(fan, { receiverId: creator.id, text: 'May I ask something?' })).json();
    expect(sent).toMatchObject({
      isUpdateConversation: true,
      data: { type: 'text', status: 'sent', ownerType: 'customer', ownerId: fan.id, seq: 1 },
    });
    const id = sent.data.conversationId;
    const second = await send(fan, { conversationId: id, text: 'Hello?' });
    expect([second.statusCode, second.json().message]).toEqual([403, expect.stringContaining('pending')]);
    expect(await list(creator)).toEqual([]);
    expect(await list(creator, '?tab=requests')).toMatchObject([
      { id, info: { request: 'requested' }, unreadCount: 1 },
    ]);
    expect(await unread(creator)).toEqual({
      count: 0,
      unmutedCount: 0,
      conversationCount: 0,
      isMore: false,
      requestCount: 1,
    });
    expect((await list(fan))[0]?.info).toMatchObject({ canSend: false, refusal: 'waiting', request: 'requested' });
    const accepted = await creator.inject('POST', `/api/message/conversation-response/${fan.id}`, { status: 'accept' });
    expect(accepted.json()).toMatchObject({ success: true, data: { info: { request: 'accept' } } });
    expect((await send(fan, { conversationId: id, text: 'Hello!' })).statusCode).toBe(200);
    expect(await list(creator)).toHaveLength(1);
    expect(await unread(creator)).toMatchObject({ count: 2, requestCount: 0 });
  });

  it('is declined without notice and can be repeated after 30 days', async () => {
    const [creator, fan] = await pair();
    const { conversationId: id } = (await send(fan, { receiverId: creator.id, text: 'Hi' })).json().data;
    const decline = () => creator.inject('POST', `/api/message/conversation-response/${fan.id}`, { status: 'decline' });
    expect((await decline()).json().data.info.request).toBe('decline');
    expect((await decline()).statusCode).toBe(200);
    expect(await list(creator, '?tab=requests')).toEqual([]);
    const [seen] = await list(fan);
    expect(seen?.info).toMatchObject({ request: 'requested', canSend: false, refusal: 'waiting', isBlocked: false });
    expect((await send(fan, { conversationId: id, text: 'Hi?' })).json().message).toMatch(/pending/);
    const monthAgo = new Date(app.clock.now().getTime() - 30 * 86_400_000);
    const declinedAt = (at: Date) =>
      app.ctx.db.query.updateTable('conversations').set({ declined_at: at }).where('id', '=', id).execute();
    await declinedAt(new Date(monthAgo.getTime() + 1));
    expect((await send(fan, { conversationId: id, text: 'Too early' })).statusCode).toBe(403);
    await declinedAt(monthAgo);
    expect((await send(fan, { conversationId: id, text: 'Once more' })).statusCode).toBe(200);
    expect(await list(creator, '?tab=requests')).toHaveLength(1);
    expect((await send(fan, { conversationId: id, text: 'And more' })).statusCode).toBe(403);
    expect((await send(creator, { conversationId: id, text: 'Yes?' })).json().isUpdateConversation).toBe(true);
    expect((await decline()).json().code).toBe('CONFLICT');
  });

  it('is not needed where the creator lets everyone or all followers write', async () => {
    const [creator, fan] = await pair();
    const rule = (name: string) => creator.inject('PUT', '/api/message/settings', { rule: name });
    await rule('followers');
    expect((await send(fan, { receiverId: creator.id, text: 'Hi' })).json().message).toMatch(/followers/);
    expect((await fan.inject('GET', `/api/message/conversation-info/${creator.id}`)).json()).toMatchObject({
      canSend: false,
      refusal: 'followers',
    });
    await createFollow(app.ctx, fan.id, creator.id);
    const { conversationId: id } = (await send(fan, { receiverId: creator.id, text: 'Hi' })).json().data;
    expect((await send(fan, { conversationId: id, text: 'Two' })).statusCode).toBe(200);
    await rule('open');
    const other = await app.signUp('customer');
    expect((await send(other, { receiverId: creator.id, text: 'Hi' })).json().data.seq).toBe(1);
    expect(await list(creator)).toHaveLength(2);
    expect((await creator.inject('GET', '/api/message/settings')).json()).toEqual({ rule: 'open', tierId: null });
  });

  it('can be sent to fifty new creators a day, and only by a fan to a creator', async () => {
    const limited = await createTestApp({ env: { RATE_LIMIT_FACTOR: '0.04' } });
    const fan = await limited.signUp('customer');
    const statusCodes: number[] = [];
    for (let index = 0; index < 3; index += 1) {
      const creator = await limited.signUp('creator');
      // Each request has a new address, so that the general rate limit does not apply.
      const { statusCode } = await limited.app.http.inject({
        method: 'POST',
        url: '/api/message/text',
        payload: { receiverId: creator.id, text: 'Hi' },
        headers: { cookie: fan.cookie },
      });
      statusCodes.push(statusCode);
      limited.clock.advance(61_000);
    }
    await limited.close();
    expect(statusCodes).toEqual([200, 200, 429]);
    const [one, two] = [await app.signUp('customer'), await app.signUp('customer')];
    const [creator, colleague] = [await app.signUp('creator'), await app.signUp('creator')];
    for (const [from, to] of [
      [one, two],
      [creator, colleague],
      [creator, one],
    ] as const)
      expect((await send(from, { receiverId: to.id, text: 'Hi' })).json().code).toBe('NOT_FOUND');
  });
});
