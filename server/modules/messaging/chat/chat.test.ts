import { randomUUID } from 'node:crypto';
import { conversation as conversationView, message as messageView } from '@stagedoor/contract/messaging/messages.ts';
import { foldText } from '@stagedoor/contract/shared/fold-text.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createFollow } from '../../content/follows/testing.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';
import { seedMessage } from './testing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const pair = () => Promise.all([app.signUp('creator'), app.signUp('customer')]);
const send = (from: TestUser, body: Record<string, unknown>, key?: string) =>
  from.inject('POST', '/api/message/text', body, key ? { 'idempotency-key': key } : {});
const list = async (user: TestUser, query = '') =>
  z.parse(z.array(conversationView), (await user.inject('GET', `/api/message/conversation-list${query}`)).json().data);
const thread = async (user: TestUser, id: string, query = '') =>
  z.parse(z.array(messageView), (await user.inject('GET', `/api/message/list/${id}${query}`)).json().data);
const unread = async (user: TestUser) => (await user.inject('GET', '/api/message/un-read-count')).json();
const mark = (user: TestUser, conversationId: string, msgIds: string[], status = 'read') =>
  user.inject('POST', '/api/message/status', { conversationId, msgIds, status });

async function createConversation() {
  const [creator, fan] = await pair();
  const { conversationId, messageId } = await seedMessage(
    app.ctx,
    { creatorId: creator.id, fanId: fan.id },
    { from: 'fan', text: 'Hello' },
  );
  return { creator, fan, id: conversationId, first: messageId };
}

describe('sending', () => {
  it('stores a message once per client id, and another text with the same id is a conflict', async () => {
    const { creator, fan, id } = await createConversation();
    const clientId = randomUUID();
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => send(fan, { conversationId: id, text: 'Once', clientId })),
    );
    const ids = new Set(responses.map((response) => response.json().data.id));
    expect(ids.size).toBe(1);
    expect((await send(fan, { conversationId: id, text: 'Once' }, clientId)).json().data).toMatchObject({
      id: [...ids][0],
      clientId,
    });
    expect((await send(fan, { conversationId: id, text: 'Other', clientId })).json().code).toBe('CONFLICT');
    expect(await thread(creator, id)).toHaveLength(2);
    expect((await send(creator, { conversationId: id, text: 'Once', clientId })).statusCode).toBe(200);
  });

  it('numbers concurrent messages of both sides without gaps or duplicates', async () => {
    const { creator, fan, id } = await createConversation();
    const storm = Array.from({ length: 60 }, (_, index) =>
      send(index % 2 ? fan : creator, { conversationId: id, text: `No. ${index}` }),
    );
    expect((await Promise.all(storm)).map(({ statusCode }) => statusCode)).toEqual(storm.map(() => 200));
    const seen: number[] = [];
    let offset = '0';
    for (;;) {
      const page = (await fan.inject('GET', `/api/message/list/${id}?limit=17&offset=${offset}`)).json();
      seen.push(...page.data.map(({ seq }: { seq: number }) => seq));
      if (!page.nextOffset) break;
      offset = page.nextOffset;
    }
    expect(seen).toEqual(Array.from({ length: 61 }, (_, index) => 61 - index));
    expect((await thread(fan, id, '?after=58')).map(({ seq }) => seq)).toEqual([59, 60, 61]);
    expect((await thread(fan, id, '?before=3')).map(({ seq }) => seq)).toEqual([2, 1]);
    expect((await thread(fan, id, '?offset=60')).map(({ seq }) => seq)).toEqual([1]);
  });

  it('starts one conversation when both sides write at the same moment', async () => {
    const [creator, fan] = await pair();
    await createFollow(app.ctx, fan.id, creator.id);
    await app.ctx.events.waitUntilIdle();
    const responses = await Promise.all(
      [1, 2, 3, 4].map((n) =>
        n % 2
          ? send(creator, { receiverId: fan.id, text: `c${n}` })
          : send(fan, { receiverId: creator.id, text: `f${n}` }),
      ),
    );
    const ids = new Set(responses.flatMap((response) => response.json().data?.conversationId ?? []));
    expect(ids.size).toBe(1);
    expect(responses.filter(({ statusCode }) => statusCode === 200).length).toBeGreaterThanOrEqual(3);
  });

  it.each([
    ['emoji, right to left and zalgo', '👩‍👩‍👧‍👦 שלום \u202e abc Z̷̡͙̳a̸̛l̶g̵o'],
    ['markup and links', `<script>alert(1)</script> <img src=x onerror=alert(1)> https://evil.example/?a=1&b=2`],
    ['SQL', `'); drop table messages; --`],
    ['the longest', 'x'.repeat(5_000)],
  ])('stores %s unchanged', async (_name, text) => {
    const { creator, fan, id } = await createConversation();
    expect((await send(fan, { conversationId: id, text })).json().data.text).toBe(text);
    expect((await thread(creator, id))[0]?.text).toBe(text);
  });

  it.each([
    ['nothing', ''],
    ['white space', ' \n\t '],
    ['invisible signs only', '\u200b\u2060\ufeff'],
    ['too much', 'x'.repeat(5_001)],
    ['a NUL', 'a\u0000b'],
    ['half a character', 'a\ud800'],
  ])('refuses %s', async (_name, text) => {
    const { fan, id } = await createConversation();
    expect((await send(fan, { conversationId: id, text })).json().code).toBe('VALIDATION');
  });

  it('refuses oversized texts, no destination, two destinations and other users', async () => {
    const { fan, id, creator } = await createConversation();
    expect((await send(fan, { conversationId: id, text: 'x'.repeat(1_000_000) })).statusCode).toBe(413);
    expect((await send(fan, { text: 'x' })).json().code).toBe('VALIDATION');
    expect((await send(fan, { conversationId: id, receiverId: creator.id, text: 'x' })).json().code).toBe('VALIDATION');
    const [stranger, colleague, operator] = await Promise.all([
      app.signUp('customer'),
      app.signUp('creator'),
      app.signUp('operator'),
    ]);
    for (const user of [stranger, colleague]) {
      const responses = [
        await send(user, { conversationId: id, text: 'x' }),
        await user.inject('GET', `/api/message/list/${id}`),
        await user.inject('GET', `/api/message/conversation/${id}`),
        await user.inject('DELETE', `/api/message/conversation/${id}`),
        await user.inject('GET', `/api/message/search/${id}?q=hello`),
        await mark(user, id, [randomUUID()]),
        await user.inject('PUT', `/api/message/note/${id}`, { note: 'x' }),
        await user.inject('POST', `/api/message/mute-unmute/${id}`, { isMuted: true }),
      ];
      expect(responses.map((response) => response.json().code)).toEqual(responses.map(() => 'NOT_FOUND'));
    }
    expect((await operator.inject('GET', `/api/message/list/${id}`)).statusCode).toBe(403);
    expect((await send(operator, { conversationId: id, text: 'x' })).statusCode).toBe(403);
  });

  it('limits a flood with a message and the seconds to wait', async () => {
    const calm = await createTestApp({ env: { RATE_LIMIT_FACTOR: '1' } });
    const [creator, fan] = await Promise.all([calm.signUp('creator'), calm.signUp('customer')]);
    const { conversationId } = await seedMessage(
      calm.ctx,
      { creatorId: creator.id, fanId: fan.id },
      { from: 'fan', text: 'Hi' },
    );
    const storm = await Promise.all(Array.from({ length: 25 }, (_, n) => send(fan, { conversationId, text: `${n}` })));
    expect(storm.filter(({ statusCode }) => statusCode === 200)).toHaveLength(20);
    const refused = storm.find(({ statusCode }) => statusCode === 429);
    expect(refused?.json()).toEqual({
      code: 'RATE_LIMITED',
      message: 'You’re sending too fast. Wait 10 seconds.',
    });
    expect(refused?.headers['retry-after']).toBe('10');
    calm.clock.advance(10_001);
    expect((await send(fan, { conversationId, text: 'calm' })).statusCode).toBe(200);
    await calm.close();
  });
});

describe('delivered and read marks', () => {
  it('only rise, change the unread count and cannot be forged', async () => {
    const { creator, fan, id, first } = await createConversation();
    const own = (await send(creator, { conversationId: id, text: 'Good evening' })).json().data;
    expect((await list(fan))[0]).toMatchObject({ unreadCount: 1, lastMessage: { text: 'Good evening' } });
    const elsewhere = await createConversation();
    await mark(creator, id, [own.id, randomUUID(), elsewhere.first]);
    expect((await list(creator))[0]).toMatchObject({ unreadCount: 1, ownReadSeq: 0 });
    await mark(fan, id, [own.id], 'delivered');
    expect((await thread(creator, id))[0]?.status).toBe('delivered');
    await mark(fan, id, [own.id]);
    await mark(fan, id, [own.id], 'delivered');
    expect((await thread(creator, id))[0]?.status).toBe('read');
    expect(await unread(fan)).toMatchObject({ count: 0 });
    await mark(creator, id, [first]);
    expect((await thread(fan, id)).find((message) => message.id === first)?.status).toBe('read');
    expect((await mark(fan, id, [own.id], 'failed')).statusCode).toBe(400);
  });

  it('leave later messages counted as unread', async () => {
    const { creator, fan, id } = await createConversation();
    const ids: string[] = [];
    for (const text of ['1', '2', '3']) ids.push((await send(creator, { conversationId: id, text })).json().data.id);
    await mark(fan, id, [ids[0] ?? '']);
    expect((await list(fan, '?tab=unread'))[0]).toMatchObject({ unreadCount: 2 });
    expect(await unread(fan)).toEqual({
      count: 2,
      unmutedCount: 2,
      conversationCount: 1,
      isMore: false,
      requestCount: 0,
    });
    await mark(fan, id, [ids[2] ?? '']);
    expect(await list(fan, '?tab=unread')).toEqual([]);
  });
});

describe('blocking', () => {
  it('stops messages and chat tips both ways, and only the user who blocked can unblock', async () => {
    const { creator, fan, id } = await createConversation();
    await createDeposit(app.ctx.db, fan.id, 5_000);
    const block = (isBlocked?: boolean) =>
      creator.inject(
        'POST',
        `/api/message/block-unblock-customer/${fan.id}`,
        isBlocked === undefined ? undefined : { isBlocked },
      );
    expect((await block()).json()).toEqual({ success: true, isBlocked: true });
    expect((await block(true)).json().isBlocked).toBe(true);
    for (const user of [creator, fan]) {
      const response = await send(user, { conversationId: id, text: 'x' });
      expect([response.statusCode, response.json().message]).toEqual([403, 'You can’t message this person.']);
    }
    const tip = () => fan.inject('POST', `/api/tip/customer-send/${creator.id}`, { amount: 5, type: 'chat' });
    expect((await tip()).statusCode).toBe(403);
    expect((await list(fan))[0]).toMatchObject({ isBlocked: true, info: { isBlockedByMe: false, refusal: 'blocked' } });
    expect(
      (await fan.inject('POST', `/api/message/block-unblock-creator/${creator.id}`, { isBlocked: true })).json()
        .isBlocked,
    ).toBe(true);
    expect((await block(false)).json().isBlocked).toBe(false);
    expect((await send(creator, { conversationId: id, text: 'x' })).statusCode).toBe(403);
    await fan.inject('POST', `/api/message/block-unblock-creator/${creator.id}`);
    expect((await send(creator, { conversationId: id, text: 'x' })).statusCode).toBe(200);
    expect((await tip()).statusCode).toBe(200);
  });
});

describe('a user’s own view', () => {
  it('shows notes to their author only, and fans have none by default', async () => {
    const { creator, fan, id } = await createConversation();
    await creator.inject('PUT', `/api/message/note/${id}`, { note: ' Likes blue ' });
    const getConversation = async (user: TestUser) =>
      (await user.inject('GET', `/api/message/conversation/${id}`)).json();
    expect(await getConversation(creator)).toMatchObject({ success: true, isAllowNote: true, note: 'Likes blue' });
    expect(await getConversation(fan)).toMatchObject({ isAllowNote: false, note: null });
    expect(JSON.stringify(await getConversation(fan))).not.toContain('Likes blue');
    expect((await fan.inject('PUT', `/api/message/note/${id}`, { note: 'x' })).statusCode).toBe(403);
  });

  it('allows notes of fans when the operator enables them', async () => {
    const allowing = await createTestApp({ env: { CHAT_FAN_NOTES: 'true' } });
    const [creator, fan] = [await allowing.signUp('creator'), await allowing.signUp('customer')];
    const { conversationId: id } = await seedMessage(
      allowing.ctx,
      { creatorId: creator.id, fanId: fan.id },
      { from: 'fan', text: 'Hello' },
    );
    const getConversation = async (user: TestUser) =>
      (await user.inject('GET', `/api/message/conversation/${id}`)).json();
    for (const [user, note] of [
      [creator, 'Likes blue'],
      [fan, 'Mine'],
    ] as const)
      expect((await user.inject('PUT', `/api/message/note/${id}`, { note })).statusCode).toBe(200);
    expect(await getConversation(fan)).toMatchObject({ isAllowNote: true, note: 'Mine' });
    expect((await getConversation(creator)).note).toBe('Likes blue');
    await allowing.close();
  });

  it('hides muting from the other side, and muted messages still count as unread', async () => {
    const { creator, fan, id } = await createConversation();
    await fan.inject('POST', `/api/message/mute-unmute/${id}`, { isMuted: true });
    await send(creator, { conversationId: id, text: 'x' });
    expect((await list(fan))[0]).toMatchObject({ isMutedCustomer: true, isMutedCreator: false, unreadCount: 1 });
    expect((await list(creator))[0]).toMatchObject({ isMutedCustomer: false, isMutedCreator: false });
  });

  it('loses a deleted conversation until a new message arrives', async () => {
    const { creator, fan, id } = await createConversation();
    expect((await fan.inject('DELETE', `/api/message/conversation/${id}`)).json()).toEqual({ success: true });
    expect([await list(fan), await thread(fan, id), (await unread(fan)).count]).toEqual([[], [], 0]);
    expect(await thread(creator, id)).toHaveLength(1);
    await send(creator, { conversationId: id, text: 'Still there?' });
    expect((await thread(fan, id)).map(({ text }) => text)).toEqual(['Still there?']);
    expect(await list(fan)).toMatchObject([{ id, unreadCount: 1 }]);
  });

  it('hides a deleted message for one side, and an unsent unread message for both', async () => {
    const { creator, fan, id, first } = await createConversation();
    const remove = (user: TestUser, messageId: string, query = '') =>
      user.inject('DELETE', `/api/message/msg/${id}/${messageId}${query}`);
    expect((await remove(creator, first)).json()).toEqual({ success: true });
    expect(await thread(creator, id)).toEqual([]);
    expect((await list(creator))[0]).toMatchObject({ unreadCount: 0, lastMessage: null });
    expect(await thread(fan, id)).toHaveLength(1);
    const second = (await send(fan, { conversationId: id, text: 'Oops' })).json().data;
    expect((await remove(creator, second.id, '?isUnsend=true')).statusCode).toBe(404);
    expect((await remove(fan, second.id, '?isUnsend=true')).statusCode).toBe(200);
    expect((await remove(fan, second.id, '?isUnsend=true')).statusCode).toBe(404);
    expect((await list(creator))[0]?.unreadCount).toBe(0);
    const third = (await send(fan, { conversationId: id, text: 'Read me' })).json().data;
    await mark(creator, id, [third.id]);
    expect((await remove(fan, third.id, '?isUnsend=true')).json().code).toBe('CONFLICT');
    expect((await remove(fan, third.id.replace(/.$/, third.id.endsWith('0') ? '1' : '0'))).statusCode).toBe(404);
    const row = await app.ctx.db.query
      .selectFrom('messages')
      .select(['text', 'unsent_at'])
      .where('id', '=', second.id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ text: '', unsent_at: app.clock.now() });
  });

  it('compares texts in searches as the browser does, which highlights what was found', async () => {
    const names = [
      'Łukasz Øystein Straße ısparta İzmir Þór Ægir Œuvre Đorđe Ħal ŋ ƒ Ɓ Ɗ Ƙ Ə ɛ ɔ',
      'Don’t – “stop” ‘it’',
    ];
    const { rows } = await sql<{
      folded: string;
    }>`select unaccent_lower(word) as folded from unnest(${names}::text[]) word`.execute(app.ctx.db.query);
    expect(rows.map(({ folded }) => folded)).toEqual(names.map(foldText));
  });

  it('finds text regardless of accents and case and takes % literally', async () => {
    const { creator, fan, id } = await createConversation();
    for (const text of ['Ça va à Lisboa?', '100% sure', 'nothing']) await send(creator, { conversationId: id, text });
    const find = async (q: string) =>
      (await fan.inject('GET', `/api/message/search/${id}?q=${encodeURIComponent(q)}`))
        .json()
        .data.map(({ text }: { text: string }) => text);
    expect(await find('ca VA')).toEqual(['Ça va à Lisboa?']);
    expect(await find('0%')).toEqual(['100% sure']);
    expect(await find('%%')).toEqual([]);
    for (const text of ['Στην ΟΔΟΣ', '山田花子です']) await send(creator, { conversationId: id, text });
    expect(await find('οδος')).toEqual(['Στην ΟΔΟΣ']);
    for (const q of ['花子', '花']) expect([q, await find(q)]).toEqual([q, ['山田花子です']]);
    for (const [text, q] of [
      ['مُحَمَّد', 'محمد'],
      ['שָׁלוֹם', 'שלום'],
    ] as const) {
      await send(creator, { conversationId: id, text });
      expect([await find(q), await find(text)]).toEqual([[text], [text]]);
    }
    expect((await fan.inject('GET', `/api/message/search/${id}?q=a`)).statusCode).toBe(400);
    expect((await list(fan, `?search=${creator.username.slice(0, 6)}`)).map((conversation) => conversation.id)).toEqual(
      [id],
    );
    expect(await list(fan, '?search=nobody')).toEqual([]);
    await app.owner.query.updateTable('users').set({ name: '山田 花子 ΟΔΟΣ' }).where('id', '=', creator.id).execute();
    for (const name of ['花子', '山田花子', 'οδος'])
      expect([name, (await list(fan, `?search=${encodeURIComponent(name)}`)).map((one) => one.id)]).toEqual([
        name,
        [id],
      ]);
  });

  it('lists conversations page by page in the order of activity', async () => {
    const fan = await app.signUp('customer');
    const ids: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      const creator = await app.signUp('creator');
      app.clock.advance(index % 3 ? 1000 : 0);
      ids.push(
        (await seedMessage(app.ctx, { creatorId: creator.id, fanId: fan.id }, { from: 'creator', text: `${index}` }))
          .conversationId,
      );
    }
    const seen: string[] = [];
    let offset = '0';
    for (;;) {
      const page = (await fan.inject('GET', `/api/message/conversation-list?limit=5&offset=${offset}`)).json();
      seen.push(...page.data.map((conversation: { id: string }) => conversation.id));
      if (!page.nextOffset) break;
      offset = page.nextOffset;
    }
    expect(new Set(seen).size).toBe(12);
    expect(seen).toEqual(ids.toReversed());
    expect((await fan.inject('GET', '/api/message/conversation-list?offset=cQUFBQUFBQUE')).statusCode).toBe(400);
  });
});
