import { ERRORS } from '@stagedoor/contract/atoms/errors.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SETTINGS } from '../features/calls/rehearsal.ts';
import { makeReadyPicture } from '../features/media/testing.ts';
import { makePost } from '../features/posts/testing.ts';
import { makeVerified } from '../features/verification/testing.ts';
import { createTestApp, type Method, type TestApp, type TestUser } from './app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const HREF = '/creator/profile/verification';
const closed = (what: string) => `${what} are available once you’re verified. Submit your documents first.`;

async function expectClosed(answer: ReturnType<TestUser['inject']>, what: string, field?: string): Promise<void> {
  const { statusCode, body } = await answer;
  const message = closed(what);
  expect([statusCode, JSON.parse(body)], what).toEqual([
    ERRORS.NOT_VERIFIED.status,
    { code: 'NOT_VERIFIED', message, href: HREF, ...(field && { error: [{ field, message }] }) },
  ]);
}

async function newcomer() {
  const creator = await app.signUp('creator', { isNewcomer: true });
  const ask =
    (method: Method, path: string) =>
    (body: object): ReturnType<TestUser['inject']> =>
      creator.inject(method, `/api${path}`, body);
  const picture = async () => ({ id: await makeReadyPicture(app.ctx, creator.id), alt: '' });
  return { creator, ask, picture };
}

test('paid posts are refused until the creator is verified, also scheduled or edited ones, while free posts are published', async () => {
  const { creator, ask, picture } = await newcomer();
  const media = [await picture()];
  const publish = ask('POST', '/post');
  await expectClosed(publish({ price: 5, media }), 'Paid posts', 'price');
  const free = await publish({ price: 0, media });
  expect(free.statusCode, free.body).toBe(200);
  await expectClosed(ask('PATCH', `/post/${free.json().id}`)({ price: 5, media }), 'Paid posts', 'price');

  const scheduledAt = new Date(app.clock.now().getTime() + 3_600_000).toISOString();
  const content = { caption: 'Soon', price: 5, media: [await picture()] };
  await expectClosed(ask('POST', '/creator/drafts')({ ...content, scheduledAt }), 'Paid posts', 'price');
  const draft = (await ask('POST', '/creator/drafts')({ ...content, scheduledAt: null })).json();
  const publishDraft = ask('POST', `/creator/drafts/${draft.id}/publish`);
  await expectClosed(publishDraft({ version: draft.version }), 'Paid posts', 'price');

  await makeVerified(app.ctx, creator.id);
  const sold = await publishDraft({ version: draft.version });
  expect(sold.statusCode, sold.body).toBe(200);
});

test('existing paid content continues to sell before verification, also at another price', async () => {
  const { creator, ask, picture } = await newcomer();
  const { id, alt } = await picture();
  const postId = await makePost(app.ctx, creator.id, { priceCents: 500, mediaIds: [id] });
  const changed = await ask('PATCH', `/post/${postId}`)({ price: 7, media: [{ id, alt }] });
  expect([changed.statusCode, changed.json().price]).toEqual([200, 7]);
  const terms = { creator_id: creator.id, video_rate_cents: 200, updated_at: app.clock.now() };
  await app.ctx.db.query.insertInto('call_terms').values(terms).execute();
  expect((await ask('PUT', '/creator/call-settings')({ ...SETTINGS, videoRate: 4 })).statusCode).toBe(200);
});

test('paid messages, paid broadcasts and calls are refused until the creator is verified and has signed', async () => {
  const { creator, ask, picture } = await newcomer();
  const fan = await app.signUp('customer');
  const { id } = await picture();
  const message = { mediaIds: [id], price: 5 };
  await expectClosed(ask('POST', '/message/media')({ ...message, receiverId: fan.id }), 'Paid messages', 'price');
  const many = { ...message, audience: 'followers' };
  await expectClosed(ask('POST', '/message/broadcast-media')(many), 'Paid messages', 'price');

  const settings = ask('PUT', '/creator/call-settings');
  await expectClosed(settings(SETTINGS), 'Paid calls');
  expect((await settings({ ...SETTINGS, isAvailable: false })).statusCode).toBe(200);
  const takeCalls = ask('PUT', '/creator/call-availability');
  await expectClosed(takeCalls({ isAvailable: true }), 'Paid calls');

  await makeVerified(app.ctx, creator.id);
  expect((await takeCalls({ isAvailable: true })).statusCode).toBe(200);
  await app.owner.query
    .updateTable('verifications')
    .set({ agreement_version: '2020-01-01' })
    .where('creator_id', '=', creator.id)
    .execute();
  const unsigned = await ask('POST', '/message/broadcast-media')(many);
  expect([unsigned.statusCode, unsigned.json().message]).toEqual([
    403,
    'Paid messages are available once you’ve signed the latest creator agreement.',
  ]);
});
