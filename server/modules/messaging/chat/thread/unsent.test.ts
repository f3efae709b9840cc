import { message as messageView } from '@stagedoor/contract/messaging/messages.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp, type TestUser } from '../../../../testing/app.ts';
import { createFollow } from '../../../content/follows/testing.ts';
import { createPictureFile, makeReadyPicture } from '../../../content/media/testing.ts';
import { takeDownMessage } from '../moderation.ts';
import { seedMessage } from '../testing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

async function sendFile(user: TestUser, conversationId: string, name: string, content: Buffer): Promise<string> {
  const form = new FormData();
  form.set('conversationId', conversationId);
  form.set('file', new Blob([new Uint8Array(content)]), name);
  const request = new Request('http://localhost/', { method: 'POST', body: form });
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  const body = Buffer.from(await request.arrayBuffer());
  const sent = await user.inject('POST', '/api/message/media-message', body, headers);
  expect(sent.statusCode, sent.body).toBe(200);
  return z.parse(messageView, sent.json().data).id;
}

it.each([
  ['a document', 'a.pdf', Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF')],
  [
    'a voice note',
    'a.ogg',
    Buffer.concat([Buffer.from('OggS\0\x02'), Buffer.alloc(22), Buffer.from('OpusHead'), Buffer.alloc(99)]),
  ],
  ['a picture', 'a.jpg', undefined],
])('%s is not served after its message is unsent, nor to a blocked account', async (_, name, content) => {
  const file = content ?? (await createPictureFile({ width: 200, height: 200 }));
  const [creator, fan] = await Promise.all([app.signUp('creator'), app.signUp('customer')]);
  const pair = { creatorId: creator.id, fanId: fan.id };
  const { conversationId } = await seedMessage(app.ctx, pair, { from: 'fan', text: 'Hello' });
  for (const [sender, receiver] of [
    [fan, creator],
    [creator, fan],
  ] as const) {
    const messageId = await sendFile(sender, conversationId, name, file);
    const list = await receiver.inject('GET', `/api/message/list/${conversationId}?limit=1`);
    const { documents, voice } = z.parse(messageView, list.json().data[0]);
    const { media_id: mediaId } = await app.ctx.db.query
      .selectFrom('chat_attachments')
      .select('media_id')
      .where('holder_id', '=', messageId)
      .executeTakeFirstOrThrow();
    const key = `m/${mediaId}/16.webp`;
    if (mediaId) await app.ctx.storage.put(`private/${key}`, file, 'image/webp');
    const url = documents[0]?.url ?? voice?.url ?? `/api/asset/private?fileKey=${key}&tblType=chat`;
    const getCachedStatus = async (user: TestUser) => (await user.inject('GET', url)).statusCode;
    const getFreshStatus = (user: TestUser) => {
      // Access is cached for five seconds.
      app.clock.advance(5_001);
      return getCachedStatus(user);
    };
    expect([await getFreshStatus(sender), await getFreshStatus(receiver)]).toEqual([200, 200]);
    for (const is_blocked of [true, false]) {
      await app.ctx.db.query.updateTable('users').set({ is_blocked }).where('id', '=', sender.id).execute();
      expect(await getFreshStatus(sender)).toBe(is_blocked ? 404 : 200);
    }
    expect([await getCachedStatus(sender), await getCachedStatus(receiver)]).toEqual([200, 200]);
    const path = `/api/message/msg/${conversationId}/${messageId}?isUnsend=true`;
    expect((await sender.inject('DELETE', path)).statusCode).toBe(200);
    expect([await getCachedStatus(sender), await getCachedStatus(receiver)]).toEqual([mediaId ? 200 : 404, 404]);
  }
});

async function openFor(fan: TestUser, mediaId: string): Promise<() => Promise<number>> {
  const url = `/api/asset/private?fileKey=m/${mediaId}/640.webp&tblType=chat`;
  const load = async () => (await fan.inject('GET', url)).statusCode;
  expect(await load()).toBe(200);
  return load;
}

it('media of a message that an operator took down do not load, even with cached access', async () => {
  const [creator, fan] = await Promise.all([app.signUp('creator'), app.signUp('customer')]);
  const pair = { creatorId: creator.id, fanId: fan.id };
  const { conversationId } = await seedMessage(app.ctx, pair, { from: 'fan', text: 'Hello' });
  const mediaId = await makeReadyPicture(app.ctx, creator.id, { hasFiles: true });
  const body = { conversationId, text: '', price: 0, mediaIds: [mediaId] };
  const { data } = (await creator.inject('POST', '/api/message/media', body)).json();
  const load = await openFor(fan, mediaId);
  const after = await app.ctx.db.transaction((tx) => takeDownMessage(app.ctx, tx, data.id));
  await after();
  expect(await load()).toBe(404);
});

it('media of an unsent broadcast do not load, even with cached access', async () => {
  const [creator, fan] = await Promise.all([app.signUp('creator'), app.signUp('customer')]);
  await createFollow(app.ctx, fan.id, creator.id);
  await app.ctx.events.waitUntilIdle();
  const mediaId = await makeReadyPicture(app.ctx, creator.id, { hasFiles: true });
  const body = { audience: 'followers', text: '', price: 0, mediaIds: [mediaId] };
  const made = await creator.inject('POST', '/api/message/broadcast-media', body);
  expect(made.statusCode, made.body).toBe(200);
  await app.ctx.events.waitUntilIdle();
  await fan.inject('GET', '/api/message/conversation-list');
  const load = await openFor(fan, mediaId);
  expect((await creator.inject('DELETE', `/api/message/broadcasts/${made.json().data.id}`)).statusCode).toBe(200);
  await app.ctx.events.waitUntilIdle();
  expect(await load()).toBe(404);
});
