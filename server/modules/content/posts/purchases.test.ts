import { randomUUID } from 'node:crypto';
import { post as postView } from '@stagedoor/contract/content/posts.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import { createTestApp, getActor, type TestApp, type TestUser } from '../../../testing/app.ts';
import { refundSale } from '../../commerce/sales/index.ts';
import { account, getBalance } from '../../ledger/ledger/index.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';
import { checkLedger } from '../../ledger/ledger-checks/index.ts';
import { makeReadyPicture } from '../media/testing.ts';
import { buyPost } from './purchases.ts';
import { makePost } from './testing.ts';

let test: TestApp;
let creator: TestUser;
let fan: TestUser;
let poor: TestUser;

async function createFunds(user: TestUser, cents: number) {
  await createDeposit(test.ctx.db, user.id, cents);
}
const fetchBalance = (user: TestUser) => getBalance(test.ctx.db, account.wallet(user.id));
const unlock = (user: TestUser, id: string, body: object = {}, key: string = randomUUID()) =>
  user.inject('POST', `/api/post/unlock/${id}`, body, { 'idempotency-key': key });

async function refund(saleId: string, grossCents?: number) {
  const operation = { actorId: creator.id, operationId: randomUUID(), at: test.clock.now() };
  await test.ctx.db.transaction((tx) => refundSale(tx, { saleId, ...operation, ...(grossCents && { grossCents }) }));
  await test.ctx.events.waitUntilIdle();
}

beforeAll(async () => {
  test = await createTestApp();
  [creator, fan, poor] = await Promise.all([test.signUp('creator'), test.signUp('customer'), test.signUp('customer')]);
  await createFunds(fan, 50_000);
});
afterAll(() => test.close());
afterEach(async () => {
  const { checks } = await checkLedger(test.ctx.db);
  expect(checks.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
});

describe('unlocking', () => {
  it('charges the fan, opens the post and lists the purchase', async () => {
    const mediaId = await makeReadyPicture(test.ctx, creator.id, { hasFiles: true });
    const id = await makePost(test.ctx, creator.id, { priceCents: 1200, mediaIds: [mediaId] });
    const before = await fetchBalance(fan);
    const response = await unlock(fan, id, { price: 12 });
    expect(response.statusCode).toBe(200);
    const { deposit, transactionId, post } = response.json();
    expect(deposit).toBe((before - 1200) / 100);
    expect(z.parse(postView, post)).toMatchObject({
      id,
      isUnlocked: true,
      isPurchased: true,
      paid: 12,
      media: [{ isLocked: false }],
    });
    expect((await fan.inject('GET', `/api/post/${id}`)).json()).toMatchObject({ isUnlocked: true });
    const address = post.media[0].picture.url;
    expect((await fan.inject('GET', address)).statusCode).toBe(200);
    expect((await poor.inject('GET', address)).statusCode).toBe(404);

    const list = (await fan.inject('GET', '/api/customer/post-media-list')).json();
    expect(list.data[0]).toMatchObject({ price: 12, transactionId, post: { id } });
    expect(list.totalCount).toBe(1);

    const price = (usd: number) => creator.inject('PATCH', `/api/post/${id}`, { price: usd, media: [{ id: mediaId }] });
    expect((await price(20)).json()).toMatchObject({ price: 20, paid: null });
    expect((await fan.inject('GET', `/api/post/${id}`)).json().paid).toBe(12);
    expect((await poor.inject('GET', `/api/post/${id}`)).json().paid).toBeNull();
    await price(0);
    const [listed] = (await fan.inject('GET', '/api/customer/post-media-list')).json().data;
    expect(listed.post).toMatchObject({ isPurchased: true, paid: 12 });
    expect((await fan.inject('GET', '/api/customer/post-media-list?type=pictureSet')).json()).toMatchObject({
      data: [],
      totalCount: 0,
    });
    const own = (await creator.inject('GET', '/api/creator/posts')).json().data[0];
    expect(own).toMatchObject({ unlockCount: 1, earned: 10.8, status: 'published' });
  });

  it.each([
    ['dearer', { price: 13 }, 'CONFLICT'],
    ['free', { price: 0 }, 'FORBIDDEN'],
    ['removed', undefined, 'NOT_FOUND'],
  ] as const)('charges nothing when the post became %s between loading and charging', async (_, change, code) => {
    const id = await makePost(test.ctx, creator.id, { priceCents: 1200 });
    const { media } = (await creator.inject('GET', `/api/post/${id}`)).json();
    const db: Context['db'] = {
      ...test.ctx.db,
      transaction: async (work) => {
        const body = { caption: '', media: media.map((item: { id: string }) => ({ id: item.id })), ...change };
        const response = await (change
          ? creator.inject('PATCH', `/api/post/${id}`, body)
          : creator.inject('DELETE', `/api/post/${id}`));
        expect(response.statusCode).toBe(200);
        return test.ctx.db.transaction(work);
      },
    };
    const actor = await getActor(test, fan);
    const before = await fetchBalance(fan);
    const input = { price: undefined, filesRevision: undefined, operationId: randomUUID() };
    await expect(buyPost({ ...test.ctx, db }, actor, id, input)).rejects.toMatchObject({ code });
    expect(await fetchBalance(fan)).toBe(before);
    expect((await fan.inject('GET', '/api/customer/post-media-list')).json().data).not.toContainEqual(
      expect.objectContaining({ post: expect.objectContaining({ id }) }),
    );
  });

  it('charges once for 20 concurrent requests from several tabs', async () => {
    const id = await makePost(test.ctx, creator.id, { priceCents: 700 });
    const before = await fetchBalance(fan);
    const key = randomUUID();
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => unlock(fan, id, {}, index < 5 ? key : randomUUID())),
    );
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(new Set(responses.map((response) => response.json().transactionId)).size).toBe(1);
    expect(before - (await fetchBalance(fan))).toBe(700);
    const later = await unlock(fan, id, { price: 1 });
    expect(later.json()).toMatchObject({
      deposit: (before - 700) / 100,
      transactionId: responses[0]?.json().transactionId,
    });
  });

  it.each([
    ['dearer', { price: 13 }],
    ['free', { price: 0 }],
  ])('repeats the first response to a retry when the post became %s since, also after a refund', async (_, change) => {
    const id = await makePost(test.ctx, creator.id, { priceCents: 1200 });
    const { media } = (await creator.inject('GET', `/api/post/${id}`)).json();
    const key = randomUUID();
    const first = (await unlock(fan, id, { price: 12 }, key)).json();
    const body = { caption: '', media: media.map((item: { id: string }) => ({ id: item.id })), ...change };
    expect((await creator.inject('PATCH', `/api/post/${id}`, body)).statusCode).toBe(200);
    const retry = () => unlock(fan, id, { price: 12 }, key);
    const { deposit, transactionId } = first;
    expect((await retry()).json()).toMatchObject({ deposit, transactionId, post: { isUnlocked: true } });
    const left = await fetchBalance(fan);
    await refund(transactionId);
    const isFree = change.price === 0;
    expect((await retry()).json()).toMatchObject({ deposit, transactionId, post: { isUnlocked: isFree } });
    expect(await fetchBalance(fan)).toBe(left + 1200);
    expect((await unlock(fan, id, { price: 11 }, key)).json().code).toBe(isFree ? 'FORBIDDEN' : 'CONFLICT');
  });

  it('does not show a refunded post as bought to a retry with the old key', async () => {
    const id = await makePost(test.ctx, creator.id, { priceCents: 1200 });
    const key = randomUUID();
    const { transactionId } = (await unlock(fan, id, {}, key)).json();
    await refund(transactionId);
    expect((await unlock(fan, id, {}, key)).json()).toMatchObject({ transactionId, post: { isUnlocked: false } });
  });

  it('gives each of many concurrent buyers their own purchase', async () => {
    const id = await makePost(test.ctx, creator.id, { priceCents: 300 });
    const fans = await Promise.all(Array.from({ length: 10 }, () => test.signUp('customer')));
    for (const each of fans) await createFunds(each, 500);
    const responses = await Promise.all(fans.map((each) => unlock(each, id)));
    expect(responses.every((response) => response.statusCode === 200 && response.json().deposit === 2)).toBe(true);
    const own = (await creator.inject('GET', '/api/creator/posts')).json().data[0];
    expect(own).toMatchObject({ unlockCount: 10, earned: 27 });
  });

  it('accepts an Idempotency-Key that is not a UUID, separately for each user', async () => {
    const [one, other] = [
      await makePost(test.ctx, creator.id, { priceCents: 500 }),
      await makePost(test.ctx, creator.id, { priceCents: 700 }),
    ];
    const rich = await test.signUp('customer');
    await createFunds(rich, 10_000);
    const first = (await unlock(fan, one, {}, 'order-1')).json();
    expect((await unlock(fan, one, {}, 'order-1')).json().transactionId).toBe(first.transactionId);
    expect((await unlock(fan, other, {}, 'order-1')).json()).toMatchObject({ code: 'CONFLICT' });
    expect((await unlock(rich, one, {}, 'order-1')).json()).toMatchObject({ deposit: 95 });
  });

  it('charges nothing when the price differs, funds are too low, or the post is free, removed or unknown', async () => {
    const id = await makePost(test.ctx, creator.id, { priceCents: 500 });
    const before = await fetchBalance(fan);
    expect((await unlock(fan, id, { price: 4.99 })).json()).toMatchObject({
      code: 'CONFLICT',
      message: 'The price is now $5.00.',
    });
    expect((await unlock(poor, id)).json()).toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
    expect((await unlock(poor, id)).statusCode).toBe(402);
    expect((await unlock(fan, await makePost(test.ctx, creator.id))).statusCode).toBe(403);
    expect((await unlock(creator, id)).statusCode).toBe(403);
    expect((await unlock(fan, randomUUID())).statusCode).toBe(404);
    expect((await unlock(fan, 'x')).statusCode).toBe(404);
    expect(
      (await fan.inject('POST', `/api/post/unlock/${id}`, {}, { 'idempotency-key': 'not a uuid' })).statusCode,
    ).toBe(400);
    for (const price of ['5', -1, 5.001, null]) expect((await unlock(fan, id, { price })).statusCode).toBe(400);
    await creator.inject('DELETE', `/api/post/${id}`);
    expect((await unlock(fan, id)).statusCode).toBe(404);
    expect(await fetchBalance(fan)).toBe(before);
    expect((await poor.inject('GET', '/api/customer/post-media-list')).json().totalCount).toBe(0);
  });

  it('refuses a key that paid for another post', async () => {
    const [first, second] = [
      await makePost(test.ctx, creator.id, { priceCents: 500 }),
      await makePost(test.ctx, creator.id, { priceCents: 500 }),
    ];
    const key = randomUUID();
    expect((await unlock(fan, first, {}, key)).statusCode).toBe(200);
    expect((await unlock(fan, second, {}, key)).statusCode).toBe(409);
    expect((await fan.inject('GET', `/api/post/${second}`)).json().isUnlocked).toBe(false);
  });
});

describe('a bought post', () => {
  it('stays open with its files after a price increase and after its removal', async () => {
    test.clock.advance(1_000);
    const mediaId = await makeReadyPicture(test.ctx, creator.id, { hasFiles: true });
    const id = await makePost(test.ctx, creator.id, { priceCents: 500, mediaIds: [mediaId] });
    const address = (await unlock(fan, id)).json().post.media[0].picture.url;
    await creator.inject('PATCH', `/api/post/${id}`, { price: 50, media: [{ id: mediaId }] });
    expect((await fan.inject('GET', `/api/post/${id}`)).json()).toMatchObject({ price: 50, isUnlocked: true });
    await creator.inject('DELETE', `/api/post/${id}`);
    expect((await fan.inject('GET', `/api/post/${id}`)).json()).toMatchObject({ isUnlocked: true });
    expect((await fan.inject('GET', address)).statusCode).toBe(200);
    expect((await poor.inject('GET', `/api/post/${id}`)).statusCode).toBe(404);
    expect((await fan.inject('GET', '/api/customer/post-media-list')).json().data[0].post.id).toBe(id);
  });

  it('can be hidden from the list and still opens', async () => {
    const id = await makePost(test.ctx, creator.id, { priceCents: 500 });
    expect((await fan.inject('DELETE', `/api/customer/post-media/${id}`)).statusCode).toBe(404);
    await unlock(fan, id);
    const before = (await fan.inject('GET', '/api/customer/post-media-list')).json().totalCount;
    for (let times = 0; times < 2; times += 1)
      expect((await fan.inject('DELETE', `/api/customer/post-media/${id}`)).json()).toEqual({ success: true });
    const list = (await fan.inject('GET', '/api/customer/post-media-list?limit=50')).json();
    expect(list.totalCount).toBe(before - 1);
    expect(list.data.map(({ post }: { post: { id: string } }) => post.id)).not.toContain(id);
    expect((await fan.inject('GET', `/api/post/${id}`)).json().isUnlocked).toBe(true);
  });

  it('is locked again after a refund, and the creator’s earnings are reversed', async () => {
    const mediaId = await makeReadyPicture(test.ctx, creator.id, { hasFiles: true });
    const id = await makePost(test.ctx, creator.id, { priceCents: 1000, mediaIds: [mediaId] });
    const { transactionId, post } = (await unlock(fan, id)).json();
    const getTotals = async () => (await creator.inject('GET', '/api/creator/posts')).json().data[0];
    await refund(transactionId, 400);
    expect(await getTotals()).toMatchObject({ unlockCount: 1, earned: 5.4 });
    expect((await fan.inject('GET', `/api/post/${id}`)).json()).toMatchObject({ isUnlocked: true });
    await refund(transactionId);
    expect((await fan.inject('GET', `/api/post/${id}`)).json()).toMatchObject({
      isUnlocked: false,
      isPurchased: false,
      paid: null,
    });
    expect((await fan.inject('GET', post.media[0].picture.url)).statusCode).toBe(404);
    expect(await getTotals()).toMatchObject({ unlockCount: 0, earned: 0 });

    expect((await unlock(fan, id)).json().transactionId).not.toBe(transactionId);
    expect((await fan.inject('GET', `/api/post/${id}`)).json()).toMatchObject({ isUnlocked: true, isPurchased: true });
    expect(await getTotals()).toMatchObject({ unlockCount: 1, earned: 9 });
  });

  it('can be bought again at the very moment its sale is refunded', async () => {
    const id = await makePost(test.ctx, creator.id, { priceCents: 1000 });
    const first = (await unlock(fan, id)).json().transactionId;
    const [, again] = await Promise.all([refund(first), unlock(fan, id)]);
    expect(again.statusCode).toBe(200);
    const last = (await unlock(fan, id)).json();
    await test.ctx.events.waitUntilIdle();
    expect(last.transactionId).not.toBe(first);
    expect((await fan.inject('GET', `/api/post/${id}`)).json().isUnlocked).toBe(true);
  });

  it('is listed page by page', async () => {
    const buyer = await test.signUp('customer');
    await createFunds(buyer, 10_000);
    const ids: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      test.clock.advance(1_000);
      const id = await makePost(test.ctx, creator.id, { priceCents: 300 });
      await unlock(buyer, id);
      ids.unshift(id);
    }
    const first = (await buyer.inject('GET', '/api/customer/post-media-list?limit=5')).json();
    const second = (
      await buyer.inject('GET', `/api/customer/post-media-list?limit=5&offset=${first.nextOffset}`)
    ).json();
    const third = (await buyer.inject('GET', '/api/customer/post-media-list?limit=5&offset=10')).json();
    expect([...first.data, ...second.data, ...third.data].map(({ post }: { post: { id: string } }) => post.id)).toEqual(
      ids,
    );
    expect(third.nextOffset).toBeUndefined();
  });
});

describe('private files', () => {
  it('are served only to owner and buyer, however they are requested', async () => {
    const mediaId = await makeReadyPicture(test.ctx, creator.id, { hasFiles: true });
    const id = await makePost(test.ctx, creator.id, { priceCents: 500, mediaIds: [mediaId] });
    await unlock(fan, id);
    const otherCreator = await test.signUp('creator');
    const blocked = await test.signUp('customer');
    await test.ctx.db.query.updateTable('users').set({ is_blocked: true }).where('id', '=', blocked.id).execute();
    test.ctx.sessions.invalidate({ userIds: [blocked.id] });
    const fetchWithoutType = (user: { inject: TestApp['inject'] }) =>
      user.inject('GET', `/api/asset/private?fileKey=m/${mediaId}/640.webp`);
    const fetchFile = (user: { inject: TestApp['inject'] }, key = `m/${mediaId}/640.webp`, tblType = 'post') =>
      user.inject('GET', `/api/asset/private?fileKey=${encodeURIComponent(key)}&tblType=${tblType}`);
    for (const [user, status] of [
      [test, 404],
      [poor, 404],
      [otherCreator, 404],
      [blocked, 404],
      [fan, 200],
      [creator, 200],
    ] as const) {
      expect((await fetchFile(user)).statusCode).toBe(status);
      expect((await fetchWithoutType(user)).statusCode, 'by whatever right there is').toBe(status);
    }
    expect((await fetchFile(fan, undefined, 'chat')).statusCode).toBe(404);
    for (const key of [
      `o/${mediaId}`,
      `m/${mediaId}/original`,
      `m/${mediaId}/../../o/${mediaId}`,
      `private/m/${mediaId}/640.webp`,
      `m/${mediaId}/777.webp`,
      `m/${mediaId}/640.svg`,
      '../secrets/session',
      '',
    ]) {
      expect((await fetchFile(creator, key)).statusCode).toBe(404);
    }
    for (const path of [
      `/media/public/m/${mediaId}/640.webp`,
      `/media/public/private/m/${mediaId}/640.webp`,
      `/media/public/p/${mediaId}/../../../private/m/${mediaId}/640.webp`,
      `/media/public/%2e%2e/private/o/${mediaId}`,
    ]) {
      expect((await fan.inject('GET', path)).statusCode).toBe(404);
    }
    expect((await fan.inject('GET', '/api/asset/private?fileKey[]=x&fileKey=y&tblType=post')).statusCode).toBe(404);
  });

  it('have a content type, validators and ranges', async () => {
    const mediaId = await makeReadyPicture(test.ctx, creator.id, { hasFiles: true });
    const url = `/api/asset/private?fileKey=m/${mediaId}/640.webp&tblType=media`;
    const whole = await creator.inject('GET', url);
    const size = whole.rawPayload.length;
    expect(whole.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=300',
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      'content-length': String(size),
    });
    const etag = String(whole.headers.etag);
    expect((await creator.inject('GET', url, undefined, { 'if-none-match': etag })).statusCode).toBe(304);
    const range = async (value: string, more: Record<string, string> = {}) => {
      const response = await creator.inject('GET', url, undefined, { range: value, ...more });
      return [response.statusCode, response.headers['content-range'], response.rawPayload.length];
    };
    expect(await range('bytes=2-5')).toEqual([206, `bytes 2-5/${size}`, 4]);
    expect(await range('bytes=-3')).toEqual([206, `bytes ${size - 3}-${size - 1}/${size}`, 3]);
    expect(await range(`bytes=5-${size + 900}`)).toEqual([206, `bytes 5-${size - 1}/${size}`, size - 5]);
    expect(await range(`bytes=${size}-`)).toEqual([416, `bytes */${size}`, 0]);
    expect(await range('bytes=0-1,4-5')).toEqual([200, undefined, size]);
    expect(await range('bytes=9-3')).toEqual([200, undefined, size]);
    expect(await range('bytes=2-5', { 'if-range': '"other"' })).toEqual([200, undefined, size]);
    const head = await test.app.http.inject({ method: 'HEAD', url, headers: { cookie: creator.cookie } });
    expect([head.statusCode, head.headers['content-length'], head.rawPayload.length]).toEqual([200, String(size), 0]);
  });
});
