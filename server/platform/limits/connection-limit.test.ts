import { expect, test } from 'vitest';
import { type ConnectionPool, createConnectionLimit } from './connection-limit.ts';

/** Opens connections of one client until one is refused. */
function countOpened(max: number, pools: ConnectionPool[]): number {
  const limit = createConnectionLimit({ max, pools });
  while (limit.tryOpen('home'));
  return limit.countOpen('home');
}

test('limits the open connections of each client until one closes', () => {
  const pool = { open: 0, max: 100 };
  const limit = createConnectionLimit({ max: 2, pools: [pool] });
  expect([limit.tryOpen('home'), limit.tryOpen('home'), limit.tryOpen('home')]).toEqual([true, true, false]);
  expect(limit.tryOpen('elsewhere')).toBe(true);
  expect(pool.open).toBe(3);
  limit.close('home');
  expect([limit.countOpen('home'), pool.open, limit.tryOpen('home')]).toEqual([1, 2, true]);
});

test('shrinks the share of a client with the remaining capacity once half of a pool is used', () => {
  const open = (used: number) => createConnectionLimit({ max: 1_000, pools: [{ open: used, max: 20_000 }] });
  expect([19_999, 20_000].map((used) => open(used).tryOpen('home'))).toEqual([true, false]);
  expect(countOpened(1_000, [{ open: 0, max: 20_000 }])).toBe(1_000);
  expect(countOpened(1_000, [{ open: 9_000, max: 20_000 }])).toBe(1_000);
  // With n open connections the share is 1,000 · 2 · (1 - (15,000 + n) / 20,000), which is below n from 455.
  expect(countOpened(1_000, [{ open: 15_000, max: 20_000 }])).toBe(455);
  expect(countOpened(1_000, [{ open: 19_998, max: 20_000 }])).toBe(1);
});

test('counts a connection in every pool, and the fullest one decides', () => {
  const [all, anonymous] = [
    { open: 0, max: 20 },
    { open: 0, max: 4 },
  ];
  const networks = createConnectionLimit({ max: 2, pools: [all, anonymous] });
  const accounts = createConnectionLimit({ max: 2, pools: [all] });
  for (const network of ['a', 'b', 'c', 'd']) expect(networks.tryOpen(network)).toBe(true);
  expect(networks.tryOpen('e')).toBe(false);
  expect(accounts.tryOpen('ada')).toBe(true);
  expect([all.open, anonymous.open]).toEqual([5, 4]);
});
