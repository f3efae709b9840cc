import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { makeReadyPicture, publishPost } from '../../content/media/testing.ts';
import { openTab, type TestTab } from '../../messaging/chat/testing.ts';
import { createGeoBlockIndex, createReloader } from './block-index.ts';

const GERMANY = '84.128.1.1';
const AMERICA = '17.0.0.1';

let app: TestApp;
let port = 0;
let creator: TestUser;
let fan: TestUser;
const tabs: TestTab[] = [];
beforeAll(async () => {
  app = await createTestApp({ env: { TRUST_PROXY: '127.0.0.1' } });
  await app.app.start();
  port = Number(new URL(await app.app.http.listen({ port: 0, host: '127.0.0.1' })).port);
});
beforeEach(async () => {
  [creator, fan] = await Promise.all([app.signUp('creator'), app.signUp('customer')]);
});
afterAll(async () => {
  for (const tab of tabs) tab.close();
  await app.close();
});

async function open(address: string, cookie = ''): Promise<TestTab> {
  const tab = await openTab(port, cookie, undefined, address);
  tabs.push(tab);
  return tab;
}
const post = async (by: TestUser) => publishPost(by, [await makeReadyPicture(app.ctx, by.id, { hasFiles: true })]);
const hide = async (codes: string[]) => {
  expect((await creator.inject('PUT', '/api/creator/geo-blocks', { codes })).statusCode).toBe(200);
  await app.ctx.events.waitUntilIdle();
};
async function listReceivers(...openTabs: TestTab[]): Promise<boolean[]> {
  const lastCreator = await app.signUp('creator');
  // Different subjects are delivered concurrently, so earlier posts must reach every socket before the last one.
  await app.ctx.events.waitUntilIdle();
  await post(lastCreator);
  const ids = (tab: TestTab) => tab.listPayloads('PUBLIC_POST_FEED').map(({ creatorId }) => creatorId);
  await expect.poll(() => openTabs.every((tab) => ids(tab).includes(lastCreator.id)), { timeout: 30_000 }).toBe(true);
  await app.ctx.events.waitUntilIdle();
  return openTabs.map((tab) => ids(tab).includes(creator.id));
}

test('a new post reaches visible regions and the creator’s own sockets only', async () => {
  const germanTabs = [await open(GERMANY), await open(GERMANY, fan.cookie), await open(GERMANY, creator.cookie)];
  const americanTabs = [await open(AMERICA), await open(AMERICA, fan.cookie)];
  await hide(['DE']);
  await post(creator);
  expect(await listReceivers(...germanTabs, ...americanTabs)).toEqual([false, false, true, true, true]);
  await hide([]);
  await post(creator);
  expect(await listReceivers(...germanTabs)).toEqual([true, true, true]);
});

test('a new post does not reach the other side of a blocked pair', async () => {
  const [blockedTab, other] = [await open(AMERICA, fan.cookie), await open(AMERICA)];
  const block = `/api/message/block-unblock-creator/${creator.id}`;
  expect((await fan.inject('POST', block, { isBlocked: true })).statusCode).toBe(200);
  await post(creator);
  expect(await listReceivers(blockedTab, other)).toEqual([false, true]);
});

test('the removal of a post reaches only sockets that could see the post', async () => {
  const [hiddenTab, blockedTab, other] = [await open(GERMANY), await open(AMERICA, fan.cookie), await open(AMERICA)];
  await hide(['DE']);
  const block = `/api/message/block-unblock-creator/${creator.id}`;
  expect((await fan.inject('POST', block, { isBlocked: true })).statusCode).toBe(200);
  const id = await post(creator);
  expect((await creator.inject('DELETE', `/api/post/${id}`)).statusCode).toBe(200);
  expect(await listReceivers(hiddenTab, blockedTab, other)).toEqual([false, false, true]);
  const listRemovedIds = (tab: TestTab) => tab.listPayloads('PUBLIC_POST_REMOVE_FROM_FEED').map(({ postId }) => postId);
  await expect.poll(() => listRemovedIds(other)).toEqual([id]);
  expect([hiddenTab, blockedTab].map(listRemovedIds)).toEqual([[], []]);
});

test('a watched creator appears offline once hidden in the socket’s region, and sends no more updates there', async () => {
  const [here, there] = [await open(GERMANY, fan.cookie), await open(AMERICA, fan.cookie)];
  const statuses = (tab: TestTab) =>
    tab
      .listPayloads('CREATOR_USER_STATUS')
      .filter(({ id }) => id === creator.id)
      .map(({ status }) => status);
  for (const tab of [here, there]) {
    tab.send('INITIAL_USER_STATUS', { ids: [creator.id] });
    await expect
      .poll(() => tab.listPayloads('INITIAL_USER_STATUS').flat())
      .toContainEqual(expect.objectContaining({ id: creator.id }));
  }
  await hide(['DE']);
  await expect.poll(() => statuses(here)).toEqual(['offline']);
  await open(AMERICA, creator.cookie);
  await expect.poll(() => statuses(there)).toContain('online');
  expect(statuses(here)).toEqual(['offline']);
  const before = here.listPayloads('INITIAL_USER_STATUS').length;
  here.send('INITIAL_USER_STATUS', { ids: [creator.id] });
  await expect.poll(() => here.listPayloads('INITIAL_USER_STATUS').length).toBe(before + 1);
  expect(here.listPayloads('INITIAL_USER_STATUS').at(-1)).toEqual([]);
});

test('a failed reload is retried after about a second', async () => {
  const index = createGeoBlockIndex(app.ctx);
  let isBroken = true;
  const failures: unknown[] = [];
  const reloader = createReloader(
    async () => {
      if (isBroken) throw new Error('the database is away');
      await index.reload();
    },
    (error) => void failures.push(error),
  );
  await hide(['FR']);
  await reloader.run();
  expect([failures.length, index.isIdle()]).toEqual([1, true]);
  isBroken = false;
  await expect.poll(() => index.findBlocks({ country: 'FR', state: undefined })?.ids.has(creator.id)).toBe(true);
  reloader.stop();
});

test('a change without an event is loaded once a server listens', async () => {
  const other = await createTestApp({ env: { TRUST_PROXY: '127.0.0.1' } });
  const hiddenCreator = await other.signUp('creator');
  const readStatus = async () => {
    const url = `/api/public/profile/${hiddenCreator.id}`;
    return (await other.inject('GET', url, undefined, { 'x-forwarded-for': GERMANY })).statusCode;
  };
  expect(await readStatus()).toBe(200);
  await other.owner.query.insertInto('geo_blocks').values({ creator_id: hiddenCreator.id, code: 'DE' }).execute();
  expect(await readStatus()).toBe(200);
  await other.app.http.listen({ port: 0, host: '127.0.0.1' });
  await expect.poll(readStatus).toBe(404);
  await other.close();
});
