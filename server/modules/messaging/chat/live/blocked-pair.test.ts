import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../../testing/app.ts';
import { getPresence } from '../../../identity/presence/index.ts';
import { openTab, seedMessage } from '../testing.ts';

let app: TestApp;
let port = 0;
beforeAll(async () => {
  app = await createTestApp();
  await app.app.start();
  port = Number(new URL(await app.app.http.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => app.close());

const until = (check: () => void) => vi.waitFor(check, { timeout: 30_000 });
type Block = (creator: TestUser, fan: TestUser, isBlocked: boolean) => ReturnType<TestUser['inject']>;
const byCreator: Block = (creator, fan, isBlocked) =>
  creator.inject('POST', `/api/message/block-unblock-customer/${fan.id}`, { isBlocked });
const byFan: Block = (creator, fan, isBlocked) =>
  fan.inject('POST', `/api/message/block-unblock-creator/${creator.id}`, { isBlocked });

const createGoal = async (creator: TestUser) => {
  expect((await creator.inject('POST', '/api/creator/tip-goal', { title: 'A new kiln', target: 100 })).statusCode).toBe(
    200,
  );
  await app.ctx.events.waitUntilIdle();
};

it.each([
  ['the creator', byCreator],
  ['the fan', byFan],
])(
  'after a block by %s the creator’s presence disappears for the fan, and returns after the unblock',
  async (_, block) => {
    const [creator, other, fan] = [
      await app.signUp('creator'),
      await app.signUp('creator'),
      await app.signUp('customer'),
    ];
    const pair = { creatorId: creator.id, fanId: fan.id };
    const { conversationId } = await seedMessage(app.ctx, pair, { from: 'fan', text: 'Hello' });
    const listed = async () =>
      (await fan.inject('GET', `/api/message/conversation/${conversationId}`)).json().data.user.status;
    const [creatorTab, fanTab] = [await openTab(port, creator.cookie), await openTab(port, fan.cookie)];
    const online = [{ id: creator.id, userType: 'creator', status: 'online' }];
    await until(() => expect(fanTab.listPayloads('INITIAL_USER_STATUS')).toEqual([online]));
    expect(await listed()).toBe('online');

    expect((await block(creator, fan, true)).statusCode).toBe(200);
    const farewell = { id: creator.id, status: 'offline' };
    await until(() => expect(fanTab.listPayloads('CREATOR_USER_STATUS')).toEqual([farewell]));
    expect(fanTab.listPayloads('CUSTOMER_USER_STATUS')).toEqual([]);
    expect(await listed()).toBe('offline');
    const lateFanTab = await openTab(port, fan.cookie);
    for (const [index, ids] of [[creator.id], [randomUUID()]].entries())
      for (const each of [fanTab, lateFanTab]) {
        each.send('INITIAL_USER_STATUS', { ids });
        const listStatuses = () => each.listPayloads('INITIAL_USER_STATUS').slice(each === fanTab ? 1 : 0);
        await until(() => expect(listStatuses()).toEqual(Array.from({ length: index + 1 }, () => [])));
      }
    // Events about another creator arrive, so the earlier events were not sent to these tabs.
    for (const each of [fanTab, lateFanTab]) each.send('INITIAL_USER_STATUS', { ids: [other.id] });
    await until(() => {
      for (const each of [fanTab, lateFanTab])
        expect(each.listPayloads('INITIAL_USER_STATUS').at(-1)).toMatchObject([{ id: other.id, status: 'offline' }]);
    });
    await createGoal(creator);
    creatorTab.close();
    await until(() => {
      app.clock.advance(1_000);
      expect(getPresence(app.ctx, creator.id)).toBe('offline');
    });
    await createGoal(other);
    await until(() => {
      for (const each of [fanTab, lateFanTab])
        expect(each.listPayloads('TIP_GOAL_CHANGED')).toMatchObject([{ creatorId: other.id }]);
    });
    expect(fanTab.listPayloads('CREATOR_USER_STATUS')).toEqual([farewell]);
    expect(lateFanTab.listPayloads('CREATOR_USER_STATUS')).toEqual([]);

    expect((await block(creator, fan, false)).statusCode).toBe(200);
    await until(() => {
      for (const each of [fanTab, lateFanTab])
        expect(each.listPayloads('INITIAL_USER_STATUS').at(-1)).toMatchObject([{ id: creator.id, status: 'offline' }]);
    });
    const returningCreatorTab = await openTab(port, creator.cookie);
    await until(() => {
      for (const each of [fanTab, lateFanTab])
        expect(each.listPayloads('CREATOR_USER_STATUS').at(-1)).toEqual({ id: creator.id, status: 'online' });
    });
    fanTab.send('INITIAL_USER_STATUS', { ids: [creator.id] });
    await until(() => expect(fanTab.listPayloads('INITIAL_USER_STATUS').at(-1)).toEqual(online));
    expect(await listed()).toBe('online');
    for (const each of [returningCreatorTab, fanTab, lateFanTab]) each.close();
  },
);

it('a block before any message is not noticeable for the fan, neither at its start nor at its end', async () => {
  const [creator, fan] = [await app.signUp('creator'), await app.signUp('customer')];
  await fan.inject('POST', `/api/customer/follow/${creator.id}`, { isFollowed: true });
  await byCreator(creator, fan, true);
  // Earlier, the fan would be notified as a follower that the creator came online.
  const creatorTab = await openTab(port, creator.cookie);
  const fanTab = await openTab(port, fan.cookie);
  fanTab.send('INITIAL_USER_STATUS', { ids: [creator.id] });
  await until(() => expect(fanTab.listPayloads('INITIAL_USER_STATUS')).toEqual([[]]));
  await byCreator(creator, fan, false);
  fanTab.send('INITIAL_USER_STATUS', { ids: [randomUUID()] });
  await until(() => expect(fanTab.listPayloads('INITIAL_USER_STATUS')).toEqual([[], []]));
  expect(fanTab.received.map(({ name }) => name)).toEqual(['INITIAL_USER_STATUS', 'INITIAL_USER_STATUS']);
  fanTab.send('INITIAL_USER_STATUS', { ids: [creator.id] });
  await until(() =>
    expect(fanTab.listPayloads('INITIAL_USER_STATUS').at(-1)).toMatchObject([{ id: creator.id, status: 'online' }]),
  );
  expect(fanTab.received.filter(({ name }) => !name.endsWith('USER_STATUS'))).toEqual([]);
  for (const each of [creatorTab, fanTab]) each.close();
});
