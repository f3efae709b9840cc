import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { makeReadyPicture, publishPost } from '../../content/media/testing.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';
import { seedMessage } from '../../messaging/chat/testing.ts';
import { createDelegatedSession, joinTeam } from '../teams/testing.ts';

const GERMANY = '84.128.1.1';

let app: TestApp;
let creator: TestUser;
beforeAll(async () => {
  app = await createTestApp({ env: { TRUST_PROXY: '127.0.0.1' } });
  creator = await app.signUp('creator');
  const response = await creator.inject('PUT', '/api/creator/geo-blocks', { codes: ['DE'] });
  expect(response.statusCode).toBe(200);
});
afterAll(() => app.close());

const makePicture = () => makeReadyPicture(app.ctx, creator.id, { hasFiles: true });
const listFiles = (picture: string) => [
  `/media/public/m/${picture}/640.webp`,
  `/media/public/p/${picture}/preview.webp`,
];
const inGermany = async (client: Pick<TestUser, 'inject'>, url: string) => {
  const { statusCode, headers } = await client.inject('GET', url, undefined, { 'x-forwarded-for': GERMANY });
  return { status: statusCode, cache: headers['cache-control'] };
};
const listStatuses = async (client: Pick<TestUser, 'inject'>, urls: string[]) =>
  (await Promise.all(urls.map((url) => inGermany(client, url)))).map(({ status }) => status);

test('a creator’s own access does not open files to others in the hidden region', async () => {
  const picture = await makePicture();
  await publishPost(creator, [picture]);
  const files = listFiles(picture);
  expect(await listStatuses(creator, files)).toEqual([200, 200]);
  expect(await listStatuses(app, files)).toEqual([404, 404]);
  expect(await listStatuses(await app.signUp('customer'), files)).toEqual([404, 404]);
  expect(await listStatuses(creator, files)).toEqual([200, 200]);
});

test('a buyer in the hidden region loads the public files of the post, without shared caching', async () => {
  const picture = await makePicture();
  const post = await publishPost(creator, [picture], { price: 5 });
  const [buyer, other] = await Promise.all([app.signUp('customer'), app.signUp('customer')]);
  await createDeposit(app.ctx.db, buyer.id, 5_000);
  const key = { 'idempotency-key': randomUUID() };
  expect((await buyer.inject('POST', `/api/post/unlock/${post}`, { price: 5 }, key)).statusCode).toBe(200);
  const free = { caption: 'For all', price: 0, media: [{ id: picture, alt: '' }] };
  expect((await creator.inject('PATCH', `/api/post/${post}`, free)).statusCode).toBe(200);
  await app.ctx.events.waitUntilIdle();
  const files = listFiles(picture);
  for (const url of files) {
    expect([url, await inGermany(buyer, url)]).toEqual([url, { status: 200, cache: 'private, max-age=300' }]);
    expect([url, (await inGermany(other, url)).status]).toEqual([url, 404]);
  }
  expect(await listStatuses(app, files)).toEqual([404, 404]);
});

test('a team member loads files there while acting for the creator, but not otherwise', async () => {
  const picture = await makePicture();
  await publishPost(creator, [picture]);
  const member = await app.signUp('customer');
  await joinTeam(creator, member, ['posts']);
  const delegated = await createDelegatedSession(app, member, creator.id);
  const files = listFiles(picture);
  expect(await listStatuses(delegated, files)).toEqual([200, 200]);
  expect(await listStatuses(member, files)).toEqual([404, 404]);
});

test('a private file cannot be loaded by a public address, even by a buyer', async () => {
  const picture = await makePicture();
  const post = await publishPost(creator, [picture], { price: 5 });
  const buyer = await app.signUp('customer');
  await createDeposit(app.ctx.db, buyer.id, 5_000);
  const key = { 'idempotency-key': randomUUID() };
  expect((await buyer.inject('POST', `/api/post/unlock/${post}`, { price: 5 }, key)).statusCode).toBe(200);
  expect((await inGermany(buyer, `/media/public/m/${picture}/640.webp`)).status).toBe(404);
});

test('a message file can be loaded there by its buyer only', async () => {
  const fan = await app.signUp('customer');
  await createDeposit(app.ctx.db, fan.id, 5_000);
  const ids = { creatorId: creator.id, fanId: fan.id };
  const { conversationId } = await seedMessage(app.ctx, ids, { from: 'fan', text: 'Hello' });
  const send = async (price: number) => {
    const body = { conversationId, text: 'For you', price, mediaIds: [await makePicture()] };
    return (await creator.inject('POST', '/api/message/media', body)).json().data.id;
  };
  const [free, paid] = [await send(0), await send(5)];
  expect((await fan.inject('POST', `/api/message/purchase-chat-media/${paid}`, { price: 5 })).statusCode).toBe(200);
  const { data } = (await fan.inject('GET', `/api/message/list/${conversationId}`)).json();
  const findFileUrl = (id: string) => data.find((message: { id: string }) => message.id === id).media[0].picture.url;
  expect((await fan.inject('GET', findFileUrl(free))).statusCode).toBe(200);
  expect(await listStatuses(fan, [findFileUrl(free), findFileUrl(paid)])).toEqual([404, 200]);
});

test('avatar and cover are served there to the creator, team, buyers and operators only, without shared caching', async () => {
  const files = ['a', 'c'].map((kind) => `/media/public/${kind}/${creator.id}/0001/384.webp`);
  for (const url of files)
    await app.ctx.storage.put(url.replace('/media/', ''), Buffer.from('a picture'), 'image/webp');
  const [buyer, other] = [await app.signUp('customer'), await app.signUp('customer')];
  await createDeposit(app.ctx.db, buyer.id, 5_000);
  const post = await publishPost(creator, [await makePicture()], { price: 5 });
  const key = { 'idempotency-key': randomUUID() };
  expect((await buyer.inject('POST', `/api/post/unlock/${post}`, { price: 5 }, key)).statusCode).toBe(200);
  await joinTeam(creator, other, ['posts']);
  const delegated = await createDelegatedSession(app, other, creator.id);
  for (const url of files) {
    expect((await app.inject('GET', url)).statusCode).toBe(200);
    expect((await inGermany(app, url)).status).toBe(404);
    expect((await inGermany(await app.signUp('customer'), url)).status).toBe(404);
    for (const viewer of [buyer, delegated])
      expect([url, await inGermany(viewer, url)]).toEqual([url, { status: 200, cache: 'private, max-age=300' }]);
    expect((await inGermany(creator, url)).status).toBe(200);
    expect((await inGermany(await app.signUp('operator'), url)).status).toBe(200);
  }
});
