import { ERRORS } from '@stagedoor/contract/shared/errors.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeVerified } from '../modules/compliance/verification/testing.ts';
import { makeReadyPicture } from '../modules/content/media/testing.ts';
import { makePost } from '../modules/content/posts/testing.ts';
import { SAMPLE_CALL_SETTINGS } from '../modules/messaging/calls/simulation.ts';
import { createTestApp, type HttpMethod, type TestApp, type TestUser } from './app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const HREF = '/creator/profile/verification';
const toClosedMessage = (product: string) =>
  `${product} are available once you’re verified. Submit your documents first.`;

async function expectClosed(response: ReturnType<TestUser['inject']>, product: string, field?: string): Promise<void> {
  const { statusCode, body } = await response;
  const message = toClosedMessage(product);
  expect([statusCode, JSON.parse(body)], product).toEqual([
    ERRORS.NOT_VERIFIED.status,
    { code: 'NOT_VERIFIED', message, href: HREF, ...(field && { error: [{ field, message }] }) },
  ]);
}

async function signUpUnverified() {
  const creator = await app.signUp('creator', { isUnverified: true });
  const createSender =
    (method: HttpMethod, path: string) =>
    (body: object): ReturnType<TestUser['inject']> =>
      creator.inject(method, `/api${path}`, body);
  const picture = async () => ({ id: await makeReadyPicture(app.ctx, creator.id), alt: '' });
  return { creator, ask: createSender, picture };
}

test('posts are refused until the creator is verified, also scheduled or edited ones, and free ones if the operator requires it', async () => {
  const { creator, ask, picture } = await signUpUnverified();
  const { id, alt } = await picture();
  const media = [{ id, alt }];
  const publish = ask('POST', '/post');
  await expectClosed(publish({ price: 5, media }), 'Paid posts', 'price');
  await expectClosed(publish({ price: 0, media }), 'Posts');
  const freeId = await makePost(app.ctx, creator.id, { mediaIds: [id] });
  await expectClosed(ask('PATCH', `/post/${freeId}`)({ price: 5, media }), 'Paid posts', 'price');
  expect((await ask('PATCH', `/post/${freeId}`)({ price: 0, caption: 'Still free', media })).statusCode).toBe(200);
  await expectClosed(ask('PATCH', `/post/${freeId}`)({ price: 0, media: [...media, await picture()] }), 'Posts');
  const paid = await picture();
  const paidId = await makePost(app.ctx, creator.id, { priceCents: 500, mediaIds: [paid.id] });
  await expectClosed(ask('PATCH', `/post/${paidId}`)({ price: 0, media: [paid] }), 'Posts');

  const scheduledAt = new Date(app.clock.now().getTime() + 3_600_000).toISOString();
  const content = { caption: 'Soon', price: 5, media: [await picture()] };
  await expectClosed(ask('POST', '/creator/drafts')({ ...content, scheduledAt }), 'Paid posts', 'price');
  await expectClosed(ask('POST', '/creator/drafts')({ ...content, price: 0, scheduledAt }), 'Posts');
  const draft = (await ask('POST', '/creator/drafts')({ ...content, scheduledAt: null })).json();
  const publishDraft = ask('POST', `/creator/drafts/${draft.id}/publish`);
  await expectClosed(publishDraft({ version: draft.version }), 'Paid posts', 'price');

  await makeVerified(app.ctx, creator.id);
  const sold = await publishDraft({ version: draft.version });
  expect(sold.statusCode, sold.body).toBe(200);
});

test('free posts need no verification if the operator allows that, and the statement on records follows', async () => {
  const readStatement = async (by: TestApp) => {
    const creator = await by.signUp('creator', { isUnverified: true });
    const { body } = await creator.inject('GET', '/api/public/policies/2257');
    const terms = (await creator.inject('GET', '/api/public/terms')).json();
    return { creator, body, isRequired: terms.isVerificationRequiredToPost };
  };
  const strict = await readStatement(app);
  expect(strict.isRequired).toBe(true);
  expect(strict.body).toContain('Before a creator can publish or sell anything');
  const open = await createTestApp({ env: { UNVERIFIED_PUBLIC_POSTS: '1' } });
  try {
    const { creator, body, isRequired } = await readStatement(open);
    expect(isRequired).toBe(false);
    expect(body).toContain('Free posts can be published before.');
    const media = [{ id: await makeReadyPicture(open.ctx, creator.id), alt: '' }];
    const free = await creator.inject('POST', '/api/post', { price: 0, media });
    expect(free.statusCode, free.body).toBe(200);
  } finally {
    await open.close();
  }
});

test('existing paid content continues to sell before verification, also at another price', async () => {
  const { creator, ask, picture } = await signUpUnverified();
  const { id, alt } = await picture();
  const postId = await makePost(app.ctx, creator.id, { priceCents: 500, mediaIds: [id] });
  const changed = await ask('PATCH', `/post/${postId}`)({ price: 7, media: [{ id, alt }] });
  expect([changed.statusCode, changed.json().price]).toEqual([200, 7]);
  const terms = { creator_id: creator.id, video_rate_cents: 200, updated_at: app.clock.now() };
  await app.ctx.db.query.insertInto('call_settings').values(terms).execute();
  expect((await ask('PUT', '/creator/call-settings')({ ...SAMPLE_CALL_SETTINGS, videoRate: 4 })).statusCode).toBe(200);
});

test('paid messages, paid broadcasts and calls are refused until the creator is verified and has signed', async () => {
  const { creator, ask, picture } = await signUpUnverified();
  const fan = await app.signUp('customer');
  const { id } = await picture();
  const message = { mediaIds: [id], price: 5 };
  await expectClosed(ask('POST', '/message/media')({ ...message, receiverId: fan.id }), 'Paid messages', 'price');
  const many = { ...message, audience: 'followers' };
  await expectClosed(ask('POST', '/message/broadcast-media')(many), 'Paid messages', 'price');

  const settings = ask('PUT', '/creator/call-settings');
  await expectClosed(settings(SAMPLE_CALL_SETTINGS), 'Paid calls');
  expect((await settings({ ...SAMPLE_CALL_SETTINGS, isAvailable: false })).statusCode).toBe(200);
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
