/** What was sent with a message goes with it: unsent, its files are served to neither side; nor are any to whose account is blocked. */
import { message as messageView } from '@stagedoor/contract/messages.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { pictureFile } from '../../media/testing.ts';
import { writeDirectly } from '../testing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

async function sendFile(who: TestUser, conversationId: string, name: string, content: Buffer): Promise<string> {
  const form = new FormData();
  form.set('conversationId', conversationId);
  form.set('file', new Blob([new Uint8Array(content)]), name);
  const request = new Request('http://localhost/', { method: 'POST', body: form });
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  const body = Buffer.from(await request.arrayBuffer());
  const sent = await who.inject('POST', '/api/message/media-message', body, headers);
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
])('%s', async (_, name, given) => {
  const file = given ?? (await pictureFile({ width: 200, height: 200 }));
  const [creator, fan] = await Promise.all([app.signUp('creator'), app.signUp('customer')]);
  const people = { creatorId: creator.id, fanId: fan.id };
  const { conversationId } = await writeDirectly(app.ctx, people, { from: 'fan', text: 'Hello' });
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
    // It is not processed here: one of its widths is put in its place.
    const key = `m/${mediaId}/16.webp`;
    if (mediaId) await app.ctx.storage.put(`private/${key}`, file, 'image/webp');
    const url = documents[0]?.url ?? voice?.url ?? `/api/asset/private?fileKey=${key}&tblType=chat`;
    const asked = async (who: TestUser) => {
      // What was found is relied on for some seconds.
      app.clock.advance(5_001);
      return (await who.inject('GET', url)).statusCode;
    };
    expect([await asked(sender), await asked(receiver)]).toEqual([200, 200]);
    // Nor to whoever is blocked, for as long as they are.
    for (const is_blocked of [true, false]) {
      await app.ctx.db.query.updateTable('users').set({ is_blocked }).where('id', '=', sender.id).execute();
      expect(await asked(sender)).toBe(is_blocked ? 404 : 200);
    }
    const path = `/api/message/msg/${conversationId}/${messageId}?isUnsend=true`;
    expect((await sender.inject('DELETE', path)).statusCode).toBe(200);
    // A medium stays its owner's.
    expect([await asked(sender), await asked(receiver)]).toEqual([mediaId ? 200 : 404, 404]);
  }
});
