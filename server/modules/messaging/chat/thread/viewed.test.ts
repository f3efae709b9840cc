import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../../testing/app.ts';
import { requireCleanLedger } from '../../../commerce/deposits/testing.ts';
import { makeReadyPicture } from '../../../content/media/testing.ts';
import { createDeposit } from '../../../ledger/ledger/testing.ts';
import { seedMessage } from '../testing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterEach(() => requireCleanLedger(app));
afterAll(() => app.close());

async function sendPaidMessage(price: number, more: object = {}) {
  const [creator, fan] = await Promise.all([app.signUp('creator'), app.signUp('customer')]);
  const ids = { creatorId: creator.id, fanId: fan.id };
  const { conversationId } = await seedMessage(app.ctx, ids, { from: 'fan', text: 'Hello' });
  await createDeposit(app.ctx.db, fan.id, 5_000);
  const mediaId = await makeReadyPicture(app.ctx, creator.id, { hasFiles: true });
  const body = { conversationId, text: 'For you', price, mediaIds: [mediaId], ...more };
  const { data } = (await creator.inject('POST', '/api/message/media', body)).json();
  const id = String(data.id);
  return {
    creator,
    fan,
    conversationId,
    mediaId,
    id,
    buy: () => fan.inject('POST', `/api/message/purchase-chat-media/${id}`),
  };
}

const view = (user: TestUser, id: string) => user.inject('POST', `/api/message/viewed/${id}`);

it('the first view of a purchase is stored and emitted to both sides, and later ones change nothing', async () => {
  const { creator, fan, conversationId, id, buy } = await sendPaidMessage(8);
  const emitted = vi.spyOn(app.ctx.realtime, 'emitToUser');
  const views = () => emitted.mock.calls.filter(([, { name }]) => name === 'VIEWED_CHAT_MEDIA').map(([to]) => to);
  const newest = async (user: TestUser) =>
    (await user.inject('GET', `/api/message/list/${conversationId}?limit=1`)).json().data[0];

  expect((await view(fan, id)).json().code).toBe('FORBIDDEN');
  await buy();
  expect(await newest(fan)).toMatchObject({ isPurchased: true, viewedAt: null });
  const first = app.clock.now().toISOString();
  const responses = await Promise.all([view(fan, id), view(fan, id)]);
  for (const response of responses)
    expect(response.json().data).toMatchObject({ id, viewedAt: first, isRemoved: false });
  app.clock.advance(60_000);
  expect((await view(fan, id)).json().data.viewedAt).toBe(first);
  await vi.waitFor(() => expect(views().toSorted()).toEqual([creator.id, fan.id].toSorted()), { timeout: 30_000 });
  for (const user of [creator, fan])
    expect(await newest(user)).toMatchObject({ viewedAt: first, media: [{ isLocked: false }] });
  emitted.mockRestore();
});

it('only the buyer can mark a purchase as viewed, and no one a free or view-once message', async () => {
  const { creator, id, buy } = await sendPaidMessage(8);
  await buy();
  expect((await view(creator, id)).statusCode).toBe(403);
  expect((await view(await app.signUp('customer'), id)).statusCode).toBe(404);
  const free = await sendPaidMessage(0);
  expect((await view(free.fan, free.id)).statusCode).toBe(404);
  const viewOnce = await sendPaidMessage(8, { isViewOnce: true });
  await viewOnce.buy();
  expect((await view(viewOnce.fan, viewOnce.id)).statusCode).toBe(404);
});

it('view-once media of three minutes are served for twice that time plus one minute', async () => {
  const { fan, mediaId, id } = await sendPaidMessage(0, { isViewOnce: true });
  await app.ctx.db.query.updateTable('media').set({ duration_seconds: 180 }).where('id', '=', mediaId).execute();
  const { data } = (await fan.inject('POST', `/api/message/view-once/${id}/open`)).json();
  const file = async () => (await fan.inject('GET', data.media[0].picture.url)).statusCode;
  app.clock.advance((2 * 180 + 59) * 1_000);
  expect(await file()).toBe(200);
  app.clock.advance(60_000);
  expect(await file()).toBe(404);
});

it('view-once media last no longer when opened again, and closing removes them despite cached access', async () => {
  const { fan, id } = await sendPaidMessage(0, { isViewOnce: true });
  const postAction = (action: 'open' | 'close') => fan.inject('POST', `/api/message/view-once/${id}/${action}`);
  const { data } = (await postAction('open')).json();
  const file = async () => (await fan.inject('GET', data.media[0].picture.url)).statusCode;
  app.clock.advance(50_000);
  expect((await postAction('open')).statusCode).toBe(200);
  expect(await file()).toBe(200);
  app.clock.advance(11_000);
  expect([await file(), (await postAction('open')).json().code]).toEqual([404, 'CONFLICT']);

  const other = await sendPaidMessage(0, { isViewOnce: true });
  const opened = (await other.fan.inject('POST', `/api/message/view-once/${other.id}/open`)).json().data;
  const getOtherStatus = async () => (await other.fan.inject('GET', opened.media[0].picture.url)).statusCode;
  expect(await getOtherStatus()).toBe(200);
  expect((await other.fan.inject('POST', `/api/message/view-once/${other.id}/close`)).statusCode).toBe(200);
  expect(await getOtherStatus()).toBe(404);
});
