import { randomUUID } from 'node:crypto';
import { message as messageView } from '@stagedoor/contract/messaging/messages.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp, type TestUser } from '../../../../testing/app.ts';
import { requireCleanLedger } from '../../../commerce/deposits/testing.ts';
import { refundSale } from '../../../commerce/sales/index.ts';
import { createPictureFile, makeReadyPicture } from '../../../content/media/testing.ts';
import { createDeposit } from '../../../ledger/ledger/testing.ts';
import { seedMessage } from '../testing.ts';
import { removeViewOnce } from './view-once.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterEach(() => requireCleanLedger(app));
afterAll(() => app.close());

const fund = (fan: TestUser, amountCents: number) => createDeposit(app.ctx.db, fan.id, amountCents);
const balance = async (fan: TestUser) => (await fan.inject('GET', '/api/customer/wallet')).json().available;

async function createConversation() {
  const [creator, fan] = await Promise.all([app.signUp('creator'), app.signUp('customer')]);
  const { conversationId: id } = await seedMessage(
    app.ctx,
    { creatorId: creator.id, fanId: fan.id },
    { from: 'fan', text: 'Hello' },
  );
  return { creator, fan, id };
}
const newest = async (user: TestUser, id: string) =>
  z.parse(messageView, (await user.inject('GET', `/api/message/list/${id}?limit=1`)).json().data[0]);

type Part = { name: string; value: string } | { name: string; fileName: string; content: Buffer };
function form(parts: Part[]) {
  const chunks = parts.flatMap((part) => {
    const head = `--b\r\nContent-Disposition: form-data; name="${part.name}"`;
    return 'content' in part
      ? [
          Buffer.from(`${head}; filename="${part.fileName}"\r\nContent-Type: application/octet-stream\r\n\r\n`),
          part.content,
          Buffer.from('\r\n'),
        ]
      : [Buffer.from(`${head}\r\n\r\n${part.value}\r\n`)];
  });
  return {
    body: Buffer.concat([...chunks, Buffer.from('--b--\r\n')]),
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  };
}
const sendForm = (
  user: TestUser,
  fields: Record<string, string>,
  files: [string, Buffer][],
  path = 'media-message',
) => {
  const { body, headers } = form([
    ...Object.entries(fields).map(([name, value]) => ({ name, value })),
    ...files.map(([fileName, content]) => ({ name: 'file', fileName, content })),
  ]);
  return user.inject('POST', `/api/message/${path}`, body, headers);
};
const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF');
const OGG = Buffer.concat([Buffer.from('OggS\0\x02'), Buffer.alloc(22), Buffer.from('OpusHead'), Buffer.alloc(200)]);

async function sendPaidMessage(price = 12, more: object = {}) {
  const { creator, fan, id } = await createConversation();
  const mediaIds = [
    await makeReadyPicture(app.ctx, creator.id, { hasFiles: true }),
    await makeReadyPicture(app.ctx, creator.id, { hasFiles: true }),
  ];
  const body = { conversationId: id, text: 'For you', price, mediaIds, ...more };
  const sent = (await creator.inject('POST', '/api/message/media', body)).json();
  return { creator, fan, id, mediaIds, messageId: String(sent.data.id), sent: sent.data };
}

describe('multipart forms', () => {
  it('send a picture once and process it like any other', async () => {
    const { creator, fan, id } = await createConversation();
    const clientId = randomUUID();
    const picture = await createPictureFile({ width: 300, height: 200 });
    const send = () => sendForm(fan, { conversationId: id, clientId, text: ' Look ' }, [['../../me.jpg', picture]]);
    const { data } = z.parse(z.object({ data: messageView }), (await send()).json());
    expect(data).toMatchObject({ type: 'image', text: 'Look', pendingMedia: 1, media: [] });
    expect((await send()).json().data.id).toBe(data.id);
    await app.ctx.db.query
      .updateTable('media')
      .set({
        status: 'ready',
        width: 300,
        height: 200,
        webp_widths: [300],
        jpeg_width: 300,
        finished_at: app.clock.now(),
      })
      .where('owner_id', '=', fan.id)
      .execute();
    expect(await newest(creator, id)).toMatchObject({ pendingMedia: 0, media: [{ kind: 'picture', isLocked: false }] });
    const shared = (await creator.inject('GET', `/api/message/shared-media/${id}?kind=image`)).json().data;
    expect(shared.map((one: { id: string }) => one.id)).toEqual([data.id]);
  });

  it('send documents as safe downloads to the two sides only', async () => {
    const { creator, fan, id } = await createConversation();
    const name = 'Förder "antrag" (1).pdf';
    const sent = await sendForm(fan, { conversationId: id }, [
      [name.replaceAll('"', '%22'), PDF],
      ['page.html.txt', Buffer.from('<script>alert(1)</script>')],
    ]);
    expect(sent.json().data).toMatchObject({
      type: 'document',
      documents: [{ byteSize: PDF.length }, { fileName: 'page.html.txt' }],
    });
    const [, page] = (await newest(creator, id)).documents;
    const response = await creator.inject('GET', page?.url ?? '');
    expect([response.statusCode, response.body]).toEqual([200, '<script>alert(1)</script>']);
    expect(response.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': "attachment; filename*=UTF-8''page.html.txt",
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    });
    for (const user of [await app.signUp('customer'), await app.signUp('creator'), app])
      expect((await user.inject('GET', page?.url ?? '')).statusCode).toBe(404);
    expect((await creator.inject('GET', (page?.url ?? '').replace('tblType=chat', 'tblType=post'))).statusCode).toBe(
      404,
    );
    expect((await creator.inject('GET', (page?.url ?? '').replace('d/', 'd/../o/'))).statusCode).toBe(404);
  });

  it('send voice notes that can be requested in ranges', async () => {
    const { creator, fan, id } = await createConversation();
    const sent = await sendForm(fan, { conversationId: id, durationSeconds: '2.5', waveform: '[0,0.5,1]' }, [
      ['note.ogg', OGG],
    ]);
    expect(sent.json().data).toMatchObject({
      type: 'audio',
      voice: { fileType: 'audio/ogg', durationSeconds: 2.5, waveform: [0, 0.5, 1] },
    });
    const { voice } = await newest(creator, id);
    const part = await creator.inject('GET', voice?.url ?? '', undefined, { range: 'bytes=0-3' });
    expect([part.statusCode, part.body, part.headers['content-type']]).toEqual([206, 'OggS', 'audio/ogg']);
  });

  it.each([
    ['a program', {}, [['run.exe', Buffer.from('MZ')]], 415],
    [
      'a picture that is none',
      {},
      [['x.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0])]],
      415,
    ],
    ['an empty file', {}, [['x.pdf', Buffer.alloc(0)]], 415],
    ['a text as a voice note', { durationSeconds: '3' }, [['x.ogg', Buffer.from('hello')]], 415],
    ['a voice note of an hour', { durationSeconds: '3600' }, [['x.ogg', OGG]], 400],
    ['a document and a voice note', {}, [], 400],
    ['a price from a fan', { price: '5' }, [['x.pdf', PDF]], 403],
    ['a third decimal', { price: '5.555' }, [['x.pdf', PDF]], 400],
    ['a view-once document', { isViewOnce: 'true' }, [['x.pdf', PDF]], 400],
    ['eleven files', {}, Array.from({ length: 11 }, (_, n): [string, Buffer] => [`${n}.pdf`, PDF]), 413],
  ] as [string, Record<string, string>, [string, Buffer][], number][])(
    'refuse %s',
    async (_name, fields, files, status) => {
      const { fan, id } = await createConversation();
      const response = await sendForm(fan, { conversationId: id, ...fields }, files);
      expect([response.statusCode, response.body.includes('stack')]).toEqual([status, false]);
      expect((await newest(fan, id)).text).toBe('Hello');
    },
  );

  it('name the detected type of a file that is not accepted', async () => {
    const { fan, id } = await createConversation();
    const response = await sendForm(fan, { conversationId: id }, [['run.exe', Buffer.from(`MZ${'\x07'.repeat(99)}`)]]);
    expect(response.json().message).toMatch(
      /^run\.exe isn’t supported\. This is a Windows program\. Supported documents: pdf/,
    );
  });

  it('refuse another user’s conversation before any file is stored', async () => {
    const { id } = await createConversation();
    const stranger = await app.signUp('customer');
    expect((await sendForm(stranger, { conversationId: id }, [['x.pdf', PDF]])).statusCode).toBe(404);
    expect(
      await app.ctx.db.query.selectFrom('chat_files').select('id').where('owner_id', '=', stranger.id).execute(),
    ).toEqual([]);
  });
});

describe('paid media', () => {
  it('are previews until bought, and the purchase opens them on both sides for good', async () => {
    const { creator, fan, id, messageId } = await sendPaidMessage();
    await fund(fan, 2_000);
    const before = await fan.inject('GET', `/api/message/list/${id}?limit=1`);
    expect(before.json().data[0]).toMatchObject({
      price: 12,
      isPurchased: false,
      media: [{ isLocked: true, kind: 'picture' }, {}],
    });
    expect(before.body).not.toMatch(/asset\/private|\/m\//);
    const buy = (price?: number, key = randomUUID()) =>
      fan.inject('POST', `/api/message/purchase-chat-media/${messageId}`, price === undefined ? undefined : { price }, {
        'idempotency-key': key,
      });
    for (const another of [11, 13])
      expect((await buy(another)).json()).toMatchObject({ code: 'CONFLICT', message: 'The price is $12.00.' });
    expect(await balance(fan)).toBe(20);
    const key = randomUUID();
    const bought = (await buy(12, key)).json();
    expect(bought).toMatchObject({
      success: true,
      deposit: 8,
      data: { isPurchased: true, media: [{ isLocked: false }, { isLocked: false }] },
    });
    expect((await buy(12, key)).json().transactionId).toBe(bought.transactionId);
    expect((await buy()).json()).toMatchObject({
      message: 'You’ve already unlocked this.',
      deposit: 8,
      transactionId: bought.transactionId,
    });
    expect((await newest(creator, id)).isPurchased).toBe(true);
    expect((await fan.inject('GET', bought.data.media[0].picture.url)).statusCode).toBe(200);
    expect((await creator.inject('DELETE', `/api/message/msg/${id}/${messageId}?isUnsend=true`)).json().code).toBe(
      'CONFLICT',
    );
    await fan.inject('DELETE', `/api/message/conversation/${id}`);
    const list = async () => (await fan.inject('GET', '/api/customer/chat-media-list')).json();
    expect(await list()).toMatchObject({
      totalCount: 1,
      data: [
        {
          price: 12,
          transactionId: bought.transactionId,
          creator: { id: creator.id },
          message: { id: messageId, isPurchased: true },
        },
      ],
    });
    expect((await fan.inject('GET', '/api/customer/chat-media-list?kind=video')).json().data).toEqual([]);
    expect((await fan.inject('DELETE', `/api/customer/chat-media/${messageId}`)).json()).toEqual({ success: true });
    expect((await list()).data).toEqual([]);
    expect((await fan.inject('GET', bought.data.media[0].picture.url)).statusCode).toBe(200);
    const statement = (await fan.inject('GET', '/api/customer/transaction-history')).json().data[0];
    expect(statement).toMatchObject({ type: 'chat', amount: -12, href: '/fan/chat' });
    const earnings = (await creator.inject('GET', '/api/creator/earnings')).json().data[0];
    expect(earnings).toMatchObject({ kind: 'chat', gross: 12, net: 10.8, href: '/creator/chat' });
  });

  it('are charged once when several tabs buy at the same time, and not at all without funds', async () => {
    const { fan, messageId } = await sendPaidMessage();
    const buy = () =>
      fan.inject('POST', `/api/message/purchase-chat-media/${messageId}`, {}, { 'idempotency-key': randomUUID() });
    expect((await buy()).json().code).toBe('INSUFFICIENT_FUNDS');
    await fund(fan, 3_000);
    const responses = await Promise.all(Array.from({ length: 6 }, buy));
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(responses.map(() => 200));
    expect(new Set(responses.map((response) => response.json().transactionId)).size).toBe(1);
    expect(await balance(fan)).toBe(18);
  });

  it('are either bought or unsent when both happen at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { creator, fan, id, messageId } = await sendPaidMessage();
      await fund(fan, 2_000);
      const [bought, unsent] = await Promise.all([
        fan.inject('POST', `/api/message/purchase-chat-media/${messageId}`),
        creator.inject('DELETE', `/api/message/msg/${id}/${messageId}?isUnsend=true`),
      ]);
      expect([bought.statusCode === 200, unsent.statusCode === 200].filter(Boolean)).toHaveLength(1);
      expect(await balance(fan)).toBe(bought.statusCode === 200 ? 8 : 20);
    }
  });

  it('cannot be bought by other users and are locked again after a refund', async () => {
    const { creator, fan, id, messageId } = await sendPaidMessage();
    const stranger = await app.signUp('customer');
    await Promise.all([fund(fan, 2_000), fund(stranger, 2_000)]);
    expect((await stranger.inject('POST', `/api/message/purchase-chat-media/${messageId}`)).statusCode).toBe(404);
    expect((await creator.inject('POST', `/api/message/purchase-chat-media/${messageId}`)).statusCode).toBe(403);
    const { transactionId, data } = (await fan.inject('POST', `/api/message/purchase-chat-media/${messageId}`)).json();
    await app.ctx.db.transaction((tx) =>
      refundSale(tx, { saleId: transactionId, actorId: fan.id, operationId: randomUUID(), at: app.clock.now() }),
    );
    await app.ctx.events.waitUntilIdle();
    app.clock.advance(6_000);
    expect(await newest(fan, id)).toMatchObject({ isPurchased: false, media: [{ isLocked: true }, {}] });
    expect((await fan.inject('GET', data.media[0].picture.url)).statusCode).toBe(404);
  });

  it('can be sent again, but not if they are used in a post, owned by another user or failed', async () => {
    const { creator, id, mediaIds } = await sendPaidMessage();
    const send = (ids: string[], more: object = {}) =>
      creator.inject('POST', '/api/message/media', { conversationId: id, mediaIds: ids, ...more });
    expect((await send(mediaIds, { price: 5 })).statusCode).toBe(200);
    const inPost = await makeReadyPicture(app.ctx, creator.id);
    await creator.inject('POST', '/api/post', { price: 0, media: [{ id: inPost }] });
    expect((await send([inPost])).json().code).toBe('CONFLICT');
    const other = await app.signUp('creator');
    expect((await send([await makeReadyPicture(app.ctx, other.id)])).json().code).toBe('NOT_FOUND');
    expect((await send([randomUUID()])).json().code).toBe('NOT_FOUND');
    expect((await send([inPost, inPost])).json().code).toBe('VALIDATION');
    expect((await creator.inject('POST', '/api/post', { price: 0, media: [{ id: mediaIds[0] }] })).json().code).toBe(
      'CONFLICT',
    );
    for (const price of [1, 201, -5]) expect((await send(mediaIds, { price })).json().code).toBe('VALIDATION');
  });
});

describe('chat tips', () => {
  it('become messages once, also in a pending request', async () => {
    const [creator, fan] = await Promise.all([app.signUp('creator'), app.signUp('customer')]);
    await fund(fan, 5_000);
    const tip = (amount: number, key = randomUUID()) =>
      fan.inject(
        'POST',
        `/api/tip/customer-send/${creator.id}`,
        { amount, type: 'chat', note: 'Bravo' },
        { 'idempotency-key': key },
      );
    const key = randomUUID();
    await fan.inject('POST', '/api/message/text', { receiverId: creator.id, text: 'May I?' });
    const { transactionId } = (await tip(10, key)).json();
    await tip(10, key);
    await app.ctx.events.waitUntilIdle();
    await app.ctx.events.waitUntilIdle();
    const [request] = (await creator.inject('GET', '/api/message/conversation-list?tab=requests')).json().data;
    expect(request).toMatchObject({
      unreadCount: 2,
      lastMessage: { type: 'tipInfo', tip: { amount: expect.any(Number) } },
    });
    const list = (await creator.inject('GET', `/api/message/list/${request.id}`)).json().data;
    expect(list).toHaveLength(2);
    expect(list[0]).toMatchObject({
      type: 'tipInfo',
      ownerType: 'customer',
      tip: { amount: 10, note: 'Bravo', transactionId },
    });
  });

  it('never exceed the balance, and each successful one becomes a message', async () => {
    const { creator, fan, id } = await createConversation();
    await fund(fan, 2_500);
    const responses = await Promise.all(
      Array.from({ length: 6 }, () =>
        fan.inject('POST', `/api/tip/customer-send/${creator.id}`, { amount: 10, type: 'chat' }),
      ),
    );
    await app.ctx.events.waitUntilIdle();
    await app.ctx.events.waitUntilIdle();
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(2);
    expect(responses.filter((response) => response.json().code === 'INSUFFICIENT_FUNDS')).toHaveLength(4);
    const list = (await fan.inject('GET', `/api/message/list/${id}`)).json().data;
    expect(list.filter(({ type }: { type: string }) => type === 'tipInfo')).toHaveLength(2);
    expect(await balance(fan)).toBe(5);
  });
});

describe('view-once media', () => {
  const call = (user: TestUser, messageId: string, action: string) =>
    user.inject('POST', `/api/message/view-once/${messageId}/${action}`);

  it('open once for the receiver and close for good, and the message remains', async () => {
    const { creator, fan, id, messageId } = await sendPaidMessage(0, { isViewOnce: true });
    expect(await newest(fan, id)).toMatchObject({ isViewOnce: true, viewedAt: null, media: [{ isLocked: true }, {}] });
    expect((await call(creator, messageId, 'open')).statusCode).toBe(404);
    expect((await call(fan, messageId, 'close')).json().code).toBe('CONFLICT');
    const open = (await call(fan, messageId, 'open')).json().data;
    expect(open).toMatchObject({ viewedAt: app.clock.now().toISOString(), media: [{ isLocked: false }, {}] });
    expect((await call(fan, messageId, 'open')).statusCode).toBe(200);
    const { url } = open.media[0].picture;
    const file = await fan.inject('GET', url);
    expect([file.statusCode, file.headers['cache-control']]).toEqual([200, 'private, no-cache']);
    expect((await call(fan, messageId, 'close')).json().data).toMatchObject({ isRemoved: true, media: [] });
    expect((await call(fan, messageId, 'close')).statusCode).toBe(200);
    expect((await call(fan, messageId, 'open')).json().code).toBe('CONFLICT');
    expect((await fan.inject('GET', url)).statusCode).toBe(404);
    for (const user of [creator, fan])
      expect(await newest(user, id)).toMatchObject({ isRemoved: true, media: [], viewedAt: expect.any(String) });
  });

  it('must be bought first, are shown as bought, and close one minute after playback', async () => {
    const { fan, id, messageId } = await sendPaidMessage(5, { isViewOnce: true });
    expect((await call(fan, messageId, 'open')).statusCode).toBe(403);
    await fund(fan, 1_000);
    await fan.inject('POST', `/api/message/purchase-chat-media/${messageId}`);
    expect(await newest(fan, id)).toMatchObject({ isPurchased: true, media: [{ isLocked: true }, {}] });
    const open = (await call(fan, messageId, 'open')).json().data;
    app.clock.advance(66_000);
    expect((await fan.inject('GET', open.media[0].picture.url)).statusCode).toBe(404);
    expect((await call(fan, messageId, 'open')).json().code).toBe('CONFLICT');
    await removeViewOnce(app.ctx, messageId);
    expect(await newest(fan, id)).toMatchObject({ isRemoved: true });
  });
});
