/** Uses the real server and the real protocol (Engine.IO 4). */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';
import { makeReadyPicture } from '../media/testing.ts';

let test: TestApp;
let port = 0;
let creator: TestUser;
let fan: TestUser;

beforeAll(async () => {
  test = await createTestApp();
  await test.app.start();
  const address = new URL(await test.app.http.listen({ port: 0, host: '127.0.0.1' }));
  port = Number(address.port);
  [creator, fan] = await Promise.all([test.signUp('creator'), test.signUp('customer')]);
});
afterAll(() => test.close());

async function openTab(cookie = '') {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`, { headers: { cookie } });
  const messages: [string, unknown][] = [];
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('error', () => reject(new Error('no connection')));
    socket.addEventListener('message', ({ data }) => {
      const text = String(data);
      if (text.startsWith('0')) socket.send('40');
      if (text.startsWith('40')) resolve();
      if (text.startsWith('42')) {
        const [name, payload] = JSON.parse(text.slice(2));
        messages.push([name, payload]);
      }
    });
  });
  return { messages, close: () => socket.close() };
}
const getStatus = async () => (await test.inject('GET', `/api/public/profile/${creator.id}`)).json().status;
const listOnline = async () =>
  (await test.inject('GET', '/api/public/creators?sort=online')).json().data.map(({ id }: { id: string }) => id);

it('a creator is online while any of their tabs is open', async () => {
  expect(await getStatus()).toBe('offline');
  const tabs = [await openTab(creator.cookie), await openTab(creator.cookie)];
  expect(await getStatus()).toBe('online');
  expect(await listOnline()).toEqual([]);
  const media = [{ id: await makeReadyPicture(test.ctx, creator.id) }];
  await creator.inject('POST', '/api/post', { price: 0, media });
  expect(await listOnline()).toEqual([creator.id]);
  await fan.inject('POST', `/api/customer/follow/${creator.id}`, { isFollowed: true });
  expect((await fan.inject('GET', '/api/customer/following-counts')).json()).toEqual({
    following: 1,
    online: 1,
    muted: 0,
  });
  tabs[0]?.close();
  expect(await getStatus()).toBe('online');
  tabs[1]?.close();
  await vi.waitFor(
    async () => {
      test.clock.advance(1_000);
      expect(await getStatus()).toBe('offline');
    },
    { timeout: 30_000 },
  );
  expect(await listOnline()).toEqual([]);
});

it('new and removed posts are emitted to everyone, and a purchase to its buyer', async () => {
  await createDeposit(test.ctx.db, fan.id, 1_000);
  const tabs = [await openTab(fan.cookie), await openTab(fan.cookie), await openTab()];
  const media = [{ id: await makeReadyPicture(test.ctx, creator.id) }];
  const { id, createdAt } = (await creator.inject('POST', '/api/post', { price: 5, media })).json();
  await fan.inject('POST', `/api/post/unlock/${id}`, {});
  await creator.inject('DELETE', `/api/post/${id}`);
  const feed = ['PUBLIC_POST_FEED', { id, postUri: [`/post/${id}`], createdAt, creatorId: creator.id }];
  const removed = ['PUBLIC_POST_REMOVE_FROM_FEED', { postId: id }];
  await vi.waitFor(
    () => {
      for (const tab of tabs) expect(tab.messages).toContainEqual(removed);
      for (const tab of tabs.slice(0, 2)) expect(tab.messages).toContainEqual(['POST_UNLOCKED', { postId: id }]);
    },
    { timeout: 30_000 },
  );
  expect(tabs[2]?.messages).toEqual([feed, removed]);
  expect(tabs[0]?.messages).toContainEqual(feed);
  for (const tab of tabs) tab.close();
});
