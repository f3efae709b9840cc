import type { RouteConfigEntry } from '@react-router/dev/routes';
import { viewer } from '@stagedoor/contract/accounts.ts';
import { creatorStats, earningReceived } from '@stagedoor/contract/earnings.ts';
import { balanceChanged } from '@stagedoor/contract/wallet.ts';
import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { dispatchEvent } from '../kernel/live.ts';
import { routeKey } from '../kernel/query.ts';
import { type Listener, lazyListener } from '../kernel/room.ts';
import { viewerQuery } from '../kernel/session.ts';
import { MODULES } from './modules.ts';
import { NAV } from './rooms.ts';
import routes from './routes.ts';

function addressesOf(entries: readonly RouteConfigEntry[], above = ''): string[] {
  return entries.flatMap(({ path, index, children = [] }) => {
    const address = path === undefined ? above : `${above}/${path}`;
    return [...(path !== undefined || index ? [address || '/'] : []), ...addressesOf(children, address)];
  });
}

test('the navigation entries of each role are in the intended order', () => {
  const known = 'Home Feed New Chat Wallet Media Profile Me Settings Console Account';
  const labels = (type: keyof typeof NAV) =>
    NAV[type].flatMap(({ label }) => (known.split(' ').includes(label) ? [label] : [])).join(' ');
  expect(labels('customer')).toBe('Home Feed Chat Wallet Media Me');
  expect(labels('creator')).toBe('Home Feed New Chat Media Profile Settings');
  expect(labels('operator')).toBe('Home Console Account');
});

test('each navigation entry has a unique position, leads to a page, and phones show at most five', () => {
  const pages = addressesOf(routes);
  for (const entries of Object.values(NAV)) {
    for (const { href } of entries) expect(pages, href).toContain(href);
    expect(new Set(entries.map(({ order }) => order)).size).toBe(entries.length);
    expect(entries.filter(({ isRailOnly, isInTopBar }) => !isRailOnly && !isInTopBar).length).toBeLessThanOrEqual(5);
  }
});

const somebody = viewer.parse({
  id: '01890000-0000-7000-8000-000000000000',
  username: 'somebody',
  name: 'Somebody',
  email: 'somebody@example.com',
  type: 'operator',
  avatarUrl: null,
  deposit: 5,
  depositRevision: 1,
  isEmailVerified: true,
  isTwoFactorEnabled: false,
});

test('balance and earnings events update the cache on every page until the listeners stop', () => {
  const client = new QueryClient();
  const asked = vi.spyOn(client, 'invalidateQueries');
  client.setQueryData(['GET /customer/wallet'], {});
  client.setQueryData(viewerQuery().queryKey, somebody);
  const stops = MODULES.flatMap(({ live = [] }) => live.map((begin) => begin(client, somebody)));

  dispatchEvent(balanceChanged.name, { deposit: 12.5, depositRevision: 2 });
  expect(client.getQueryData(viewerQuery().queryKey)).toMatchObject({ deposit: 12.5 });
  expect(client.getQueryState(['GET /customer/wallet'])?.isInvalidated).toBe(true);
  dispatchEvent(earningReceived.name, {});
  expect(asked).toHaveBeenCalledWith({ queryKey: routeKey(creatorStats) });

  for (const stop of stops) stop();
  dispatchEvent(balanceChanged.name, { deposit: 1, depositRevision: 3 });
  expect(client.getQueryData(viewerQuery().queryKey)).toMatchObject({ deposit: 12.5 });
});

test('a lazy listener starts once it is loaded, and never if it was stopped before', async () => {
  vi.useFakeTimers();
  const stop = vi.fn();
  const listen = vi.fn<Listener>(() => stop);
  const client = new QueryClient();
  const never = lazyListener(async () => listen)(client, somebody);
  never();
  const once = lazyListener(async () => listen)(client, somebody);
  expect(listen).not.toHaveBeenCalled();
  await vi.runAllTimersAsync();
  expect(listen).toHaveBeenCalledExactlyOnceWith(client, somebody);
  once();
  expect(stop).toHaveBeenCalledOnce();
  vi.useRealTimers();
});
