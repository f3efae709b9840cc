import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestApp, getActor, type TestApp, type TestUser } from '../../../testing/app.ts';
import { refundSale } from '../../commerce/sales/index.ts';
import { account, getBalance } from '../../ledger/ledger/index.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';
import { makeReadyPicture } from '../media/testing.ts';
import { buyPost } from './purchases.ts';
import { releaseFiles } from './release-files.ts';
import { makePost } from './testing.ts';

let test: TestApp;
let creator: TestUser;
let fan: TestUser;

beforeAll(async () => {
  test = await createTestApp();
  await test.app.start();
  creator = await test.signUp('creator');
  fan = await test.signUp('customer');
  await createDeposit(test.ctx.db, fan.id, 10_000);
});
afterAll(() => test.close());

const createPictures = (count: number) =>
  Promise.all(Array.from({ length: count }, () => makeReadyPicture(test.ctx, creator.id, { hasFiles: true })));
const updateMedia = (id: string, media: readonly string[], price = 5) =>
  creator.inject('PATCH', `/api/post/${id}`, { price, media: media.map((mediaId) => ({ id: mediaId })) });
const buy = async (id: string) =>
  expect(
    (await fan.inject('POST', `/api/post/unlock/${id}`, { price: 5 }, { 'idempotency-key': randomUUID() })).statusCode,
  ).toBe(200);
const listPostMedia = async (id: string) =>
  (await fan.inject('GET', `/api/post/${id}`)).json().media.map(({ id: mediaId }: { id: string }) => mediaId);
const getMedia = async (mediaId: string) => (await creator.inject('GET', `/api/creator/media/${mediaId}`)).json();
const listUnused = async (): Promise<string[]> =>
  (await creator.inject('GET', '/api/creator/media?use=unused&limit=50'))
    .json()
    .data.map(({ media }: { media: { id: string } }) => media.id);
const getCounts = async () => {
  const { totalPostCount, totalMediaCount } = (await test.inject('GET', `/api/public/profile/${creator.id}`)).json();
  return { totalPostCount, totalMediaCount };
};

describe('a picture in a published post', () => {
  it('can be replaced while the post is unsold, and returns to the library', async () => {
    const [wrong = '', right = '', second = ''] = await createPictures(3);
    const id = await makePost(test.ctx, creator.id, { priceCents: 500, mediaIds: [wrong] });
    const before = await getCounts();
    const response = await updateMedia(id, [right, second]);
    expect(response.statusCode, response.body).toBe(200);
    expect(response.json()).toMatchObject({
      type: 'pictureSet',
      mediaCount: 2,
      media: [{ id: right }, { id: second }],
    });
    expect(await getCounts()).toEqual({ ...before, totalMediaCount: before.totalMediaCount + 1 });
    expect(await getMedia(wrong)).toMatchObject({ isUsed: false, uses: [] });
    expect(await getMedia(right)).toMatchObject({ isUsed: true });
    expect(await listUnused()).toContain(wrong);
    expect((await creator.inject('GET', '/api/creator/media?type=pictureSet&limit=50')).body).toContain(right);
    expect((await updateMedia(id, [right])).json()).toMatchObject({ type: 'picture', mediaCount: 1 });
    expect((await creator.inject('GET', '/api/creator/media?type=pictureSet&limit=50')).body).not.toContain(right);
  });

  it('is not public any more after it was removed from a free post', async () => {
    const [wrong = '', right = ''] = await createPictures(2);
    const id = await makePost(test.ctx, creator.id, { mediaIds: [wrong] });
    const getStatus = async (mediaId: string) =>
      (await test.inject('GET', `/media/public/m/${mediaId}/640.webp`)).statusCode;
    expect(await getStatus(wrong)).toBe(200);
    expect((await updateMedia(id, [right], 0)).statusCode).toBe(200);
    expect(await getStatus(right)).toBe(200);
    await vi.waitFor(async () => expect(await getStatus(wrong)).toBe(404), 10_000);
  });

  it('cannot be removed once the post is sold, but files can be added', async () => {
    const [bought = '', more = ''] = await createPictures(2);
    const id = await makePost(test.ctx, creator.id, { priceCents: 500, mediaIds: [bought] });
    await buy(id);
    for (const media of [[more], [more, more]])
      expect((await updateMedia(id, media)).json()).toMatchObject({ code: 'VALIDATION', error: [{ field: 'media' }] });
    expect(await listPostMedia(id)).toEqual([bought]);
    expect((await updateMedia(id, [more, bought])).statusCode).toBe(200);
    expect(await listPostMedia(id)).toEqual([more, bought]);
  });

  it('cannot be replaced by a file of another user or of another post', async () => {
    const [mine = '', used = ''] = await createPictures(2);
    const id = await makePost(test.ctx, creator.id, { priceCents: 500, mediaIds: [mine] });
    await makePost(test.ctx, creator.id, { mediaIds: [used] });
    const other = await test.signUp('creator');
    expect((await updateMedia(id, [await makeReadyPicture(test.ctx, other.id)])).statusCode).toBe(404);
    expect((await updateMedia(id, [used])).statusCode).toBe(409);
    expect((await getMedia(mine)).isUsed).toBe(true);
  });
});

describe('a purchase of what the fan saw', () => {
  const fetchBalance = () => getBalance(test.ctx.db, account.wallet(fan.id));
  const viewAsFan = async (id: string): Promise<{ price: number; filesRevision: number }> => {
    const { price, filesRevision } = (await fan.inject('GET', `/api/post/${id}`)).json();
    return { price, filesRevision };
  };
  const unlock = (id: string, body: object, key: string = randomUUID()) =>
    fan.inject('POST', `/api/post/unlock/${id}`, body, { 'idempotency-key': key });
  const changed = { code: 'CONFLICT', message: 'This post has changed. Please review it before you unlock.' };

  it('charges nothing when a file was replaced or removed since', async () => {
    const [first = '', second = '', other = ''] = await createPictures(3);
    const id = await makePost(test.ctx, creator.id, { priceCents: 500, mediaIds: [first, second] });
    const before = await fetchBalance();
    for (const media of [[first, other], [first]]) {
      const seen = await viewAsFan(id);
      expect((await updateMedia(id, media)).statusCode).toBe(200);
      expect((await unlock(id, seen)).json()).toMatchObject(changed);
    }
    expect((await unlock(id, { price: 4, filesRevision: 1 })).json().message).toBe('The price is now $5.00.');
    for (const filesRevision of [0, 1.5, '3', null]) expect((await unlock(id, { filesRevision })).statusCode).toBe(400);
    expect(await fetchBalance()).toBe(before);
    expect((await updateMedia(id, [second])).statusCode, 'it can still be exchanged').toBe(200);
    expect((await unlock(id, await viewAsFan(id))).json()).toMatchObject({ post: { media: [{ id: second }] } });
    expect(await fetchBalance()).toBe(before - 500);
  });

  it('is allowed when files were only added or reordered, or when the client sends no revision', async () => {
    const [first = '', second = '', more = '', left = ''] = await createPictures(4);
    const id = await makePost(test.ctx, creator.id, { priceCents: 500, mediaIds: [first, second] });
    const seen = await viewAsFan(id);
    expect((await updateMedia(id, [second, more, first])).json().filesRevision).toBe(seen.filesRevision);
    expect((await unlock(id, seen)).json()).toMatchObject({ post: { isUnlocked: true, mediaCount: 3 } });
    const withoutRevision = await makePost(test.ctx, creator.id, { priceCents: 500, mediaIds: [left] });
    await updateMedia(withoutRevision, await createPictures(1));
    expect((await unlock(withoutRevision, { price: 5 })).statusCode).toBe(200);
  });

  it('charges nothing when a file is replaced between loading and charging', async () => {
    const [first = '', other = ''] = await createPictures(2);
    const id = await makePost(test.ctx, creator.id, { priceCents: 500, mediaIds: [first] });
    const db: TestApp['ctx']['db'] = {
      ...test.ctx.db,
      transaction: async (work) => {
        expect((await updateMedia(id, [other])).statusCode).toBe(200);
        return test.ctx.db.transaction(work);
      },
    };
    const actor = await getActor(test, fan);
    const before = await fetchBalance();
    const input = { ...(await viewAsFan(id)), operationId: randomUUID() };
    await expect(buyPost({ ...test.ctx, db }, actor, id, input)).rejects.toMatchObject(changed);
    expect(await fetchBalance()).toBe(before);
  });

  it('repeats its first response, even after a refund and a change of the files', async () => {
    const [first = '', other = ''] = await createPictures(2);
    const id = await makePost(test.ctx, creator.id, { priceCents: 500, mediaIds: [first] });
    const [seen, key] = [await viewAsFan(id), randomUUID()];
    const { deposit, transactionId } = (await unlock(id, seen, key)).json();
    const operation = { actorId: creator.id, operationId: randomUUID(), at: test.clock.now() };
    await test.ctx.db.transaction((tx) => refundSale(tx, { saleId: transactionId, ...operation }));
    await test.ctx.events.waitUntilIdle();
    expect((await updateMedia(id, [other])).statusCode).toBe(200);
    const left = await fetchBalance();
    const repeated = (await unlock(id, seen, key)).json();
    expect(repeated).toMatchObject({ deposit, transactionId, post: { isUnlocked: false } });
    expect((await unlock(id, seen)).json()).toMatchObject(changed);
    expect(await fetchBalance()).toBe(left);
  });
});

describe('a removed post', () => {
  const removed = async () => (await creator.inject('GET', '/api/creator/posts?status=removed&limit=50')).body;

  it('releases its files when it is unsold, so that they can be published again', async () => {
    const media = await createPictures(2);
    const id = await makePost(test.ctx, creator.id, { priceCents: 500, mediaIds: media });
    const before = await getCounts();
    expect((await creator.inject('DELETE', `/api/post/${id}`)).statusCode).toBe(200);
    await vi.waitFor(async () => expect(await listUnused()).toEqual(expect.arrayContaining(media)), 30_000);
    expect(await getCounts()).toEqual({
      totalPostCount: before.totalPostCount - 1,
      totalMediaCount: before.totalMediaCount - 2,
    });
    expect((await creator.inject('GET', `/api/post/${id}`)).statusCode).toBe(404);
    expect(await removed()).not.toContain(id);
    const sameMedia = { price: 0, media: media.map((mediaId) => ({ id: mediaId })) };
    const response = await creator.inject('POST', '/api/post', sameMedia, { 'idempotency-key': randomUUID() });
    expect(response.statusCode, response.body).toBe(200);
  });

  it('keeps its files for its buyers, also for a purchase that commits during the removal', async () => {
    const [first = '', second = ''] = await createPictures(2);
    const sold = await makePost(test.ctx, creator.id, { priceCents: 500, mediaIds: [first] });
    const contested = await makePost(test.ctx, creator.id, { priceCents: 500, mediaIds: [second] });
    await buy(sold);
    await creator.inject('DELETE', `/api/post/${sold}`);
    const { promise: paid, resolve: pay } = Promise.withResolvers<void>();
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    const sale = test.ctx.db.transaction(async (tx) => {
      const purchase = { transaction_id: randomUUID(), fan_id: fan.id, post_id: contested, price_cents: 500 };
      await tx.query
        .insertInto('post_purchases')
        .values({ ...purchase, net_cents: 400, purchased_at: test.clock.now() })
        .execute();
      start();
      await paid;
    });
    await started;
    await creator.inject('DELETE', `/api/post/${contested}`);
    let checks = 0;
    const run: TestApp['ctx']['db']['run'] = (statement, values) => {
      if (statement.name === 'posts-transactions-over') checks += 1;
      return test.ctx.db.run(statement, values);
    };
    const releasing = releaseFiles({ ...test.ctx, db: { ...test.ctx.db, run } }, contested);
    await vi.waitFor(() => expect(checks, 'it waits for the sale').toBeGreaterThan(1), 30_000);
    pay();
    await Promise.all([sale, releasing]);
    expect(await listUnused()).not.toContain(first);
    expect(await listUnused()).not.toContain(second);
    expect(await listPostMedia(sold)).toEqual([first]);
    expect(await removed()).toContain(sold);
  });
});
