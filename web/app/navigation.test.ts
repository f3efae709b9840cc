import type { RouteConfigEntry } from '@react-router/dev/routes';
import { earningReceived, getCreatorStats } from '@stagedoor/contract/finance/earnings.ts';
import { balanceChanged } from '@stagedoor/contract/finance/wallet.ts';
import { viewer } from '@stagedoor/contract/identity/accounts.ts';
import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { createLazyListener, type LiveListener, waitForListeners } from '../platform/module.ts';
import { routeKey } from '../platform/query.ts';
import { viewerQuery } from '../platform/session.ts';
import { dispatchEvent } from '../platform/socket-events.ts';
import { MODULES } from './modules.ts';
import { NAV } from './navigation.ts';
import routes from './routes.ts';

function listAddresses(entries: readonly RouteConfigEntry[], parentAddress = ''): string[] {
  return entries.flatMap(({ path, index, children = [] }) => {
    const address = path === undefined ? parentAddress : `${parentAddress}/${path}`;
    return [...(path !== undefined || index ? [address || '/'] : []), ...listAddresses(children, address)];
  });
}

test('the navigation entries of each role are in the intended order', () => {
  const knownLabels = 'Home Feed New Chat Wallet Media Profile Me Settings Console Account';
  const labels = (type: keyof typeof NAV) =>
    NAV[type].flatMap(({ label }) => (knownLabels.split(' ').includes(label) ? [label] : [])).join(' ');
  expect(labels('customer')).toBe('Home Feed Chat Wallet Media Me');
  expect(labels('creator')).toBe('Home Feed New Chat Media Profile Settings');
  expect(labels('operator')).toBe('Home Console Account');
});

test('each navigation entry has a unique position, leads to a page, and phones show at most five', () => {
  const pages = listAddresses(routes);
  for (const entries of Object.values(NAV)) {
    for (const { href } of entries) expect(pages, href).toContain(href);
    expect(new Set(entries.map(({ order }) => order)).size).toBe(entries.length);
    expect(entries.filter(({ isRailOnly, isInTopBar }) => !isRailOnly && !isInTopBar).length).toBeLessThanOrEqual(5);
  }
});

const user = viewer.parse({
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
  const invalidated = vi.spyOn(client, 'invalidateQueries');
  client.setQueryData(['GET /customer/wallet'], {});
  client.setQueryData(viewerQuery().queryKey, user);
  const stops = MODULES.flatMap(({ live = [] }) => live.map((start) => start(client, user)));

  dispatchEvent(balanceChanged.name, { deposit: 12.5, depositRevision: 2 });
  expect(client.getQueryData(viewerQuery().queryKey)).toMatchObject({ deposit: 12.5 });
  expect(client.getQueryState(['GET /customer/wallet'])?.isInvalidated).toBe(true);
  dispatchEvent(earningReceived.name, {});
  expect(invalidated).toHaveBeenCalledWith({ queryKey: routeKey(getCreatorStats) });

  for (const stop of stops) stop();
  dispatchEvent(balanceChanged.name, { deposit: 1, depositRevision: 3 });
  expect(client.getQueryData(viewerQuery().queryKey)).toMatchObject({ deposit: 12.5 });
});

test('a lazy listener starts once it is loaded, and never if it was stopped before, and the socket can wait for it', async () => {
  vi.useFakeTimers();
  const stop = vi.fn();
  const listen = vi.fn<LiveListener>(() => stop);
  const client = new QueryClient();
  const never = createLazyListener(async () => listen)(client, user);
  never();
  await waitForListeners();
  const stopListening = createLazyListener(async () => listen)(client, user);
  const onReady = vi.fn();
  void waitForListeners().then(onReady);
  expect(listen).not.toHaveBeenCalled();
  await Promise.resolve();
  expect(onReady).not.toHaveBeenCalled();
  await vi.runAllTimersAsync();
  expect(listen).toHaveBeenCalledExactlyOnceWith(client, user);
  expect(onReady).toHaveBeenCalledOnce();
  stopListening();
  expect(stop).toHaveBeenCalledOnce();
  vi.useRealTimers();
});
