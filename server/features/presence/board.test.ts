import { PRESENCE } from '@stagedoor/contract/atoms/limits.ts';
import { expect, test } from 'vitest';
import { Board } from './board.ts';

const MIN = 60_000;
const FAN = '01890000-0000-7000-8000-000000000001';

function boards() {
  const [one, two] = [new Board(), new Board()];
  const gossip = (now: number) => {
    two.hear('one', one.snapshot(), true, now);
    one.hear('two', two.snapshot(), true, now);
  };
  return { one, two, gossip };
}

test('two missed heartbeats mean offline, five minutes without activity away, and activity means online', () => {
  const board = new Board();
  board.arrive(FAN, 'customer', 'a', 0);
  expect(board.review(0)).toEqual([
    { id: FAN, type: 'customer', status: 'online', isShown: true, before: 'offline', after: 'online' },
  ]);
  for (let at = MIN / 2; at <= 6 * MIN; at += MIN / 2) {
    board.beat(FAN, 'a', { isActive: false }, at);
    board.review(at);
    expect(board.statusOf(FAN)).toBe(at <= 5 * MIN ? 'online' : 'away');
  }
  board.beat(FAN, 'a', { isActive: true }, 6 * MIN);
  board.review(6 * MIN, FAN);
  expect(board.statusOf(FAN)).toBe('online');
  board.review(7 * MIN);
  expect(board.statusOf(FAN)).toBe('online');
  board.review(7 * MIN + 5_001);
  expect(board.statusOf(FAN)).toBe('offline');
  expect(board.present()).toEqual([]);
});

test('a page is visible while it reports so, also across a reload, but not when hidden, silent or closed', () => {
  const { one, two, gossip } = boards();
  const at = (now: number) => {
    one.review(now);
    gossip(now);
    expect(one.isShown(FAN)).toBe(two.isShown(FAN));
    return two.isShown(FAN);
  };
  one.arrive(FAN, 'customer', 'a', 0);
  expect(at(0)).toBe(true);
  one.beat(FAN, 'a', { isActive: false, isShown: true }, 30_000);
  expect([at(60_000), at(66_000)]).toEqual([true, false]);
  one.beat(FAN, 'a', { isActive: true }, 70_000);
  expect(at(70_000)).toBe(true);
  one.beat(FAN, 'a', { isActive: false }, 71_000);
  expect([at(71_000), one.statusOf(FAN)]).toEqual([false, 'online']);
  one.beat(FAN, 'a', { isActive: true }, 72_000);
  at(72_000);
  one.leave(FAN, 'a', 73_000);
  expect(at(74_000)).toBe(true);
  one.arrive(FAN, 'customer', 'b', 74_200);
  one.leave(FAN, 'b', 75_000);
  expect(at(77_000)).toBe(false);
  one.arrive(FAN, 'customer', 'c', 80_000);
  const beats = Array.from({ length: 11 }, (_, n) => 110_000 + n * 30_000);
  const shown = beats.map((now) => {
    one.beat(FAN, 'c', { isActive: false, isShown: true }, now);
    return at(now);
  });
  expect(shown).toEqual(beats.map((now) => now - 80_000 <= PRESENCE.awayMs));
  expect(shown).toContain(false);
});

test('a reload is not reported, leaving is, any device counts, and a call means busy', () => {
  const board = new Board();
  board.arrive(FAN, 'customer', 'a', 0);
  board.review(0);
  board.leave(FAN, 'a', 1000);
  expect(board.review(2000)).toEqual([]);
  board.arrive(FAN, 'customer', 'b', 2100);
  expect(board.review(2100)).toEqual([]);
  board.arrive(FAN, 'customer', 'c', 2200);
  board.leave(FAN, 'b', 2300);
  expect(board.review(9000)).toEqual([]);
  expect(board.setBusy(FAN, true)).toBe(true);
  expect(board.review(9000, FAN)).toMatchObject([{ after: 'busy' }]);
  board.setBusy(FAN, false);
  board.review(9000);
  board.leave(FAN, 'c', 10_000);
  expect(board.review(12_000)).toMatchObject([{ before: 'online', after: 'offline' }]);
  expect(board.setBusy(FAN, true)).toBe(false);
});

test('a user who reloads during a call is busy again, on any process', () => {
  const { one, two } = boards();
  one.arrive(FAN, 'customer', 'a', 0);
  for (const board of [one, two]) board.setBusy(FAN, true);
  one.leave(FAN, 'a', 1000);
  one.review(10_000);
  expect(one.statusOf(FAN)).toBe('offline');
  two.arrive(FAN, 'customer', 'b', 12_000);
  expect(two.review(12_000)).toMatchObject([{ after: 'busy' }]);
  expect(two.busyIds()).toEqual([FAN]);
});

test('processes agree, and a silent one removes only the users who were connected to it alone', () => {
  const { one, two, gossip } = boards();
  const other = FAN.replace(/1$/, '2');
  one.arrive(FAN, 'customer', 'a', 0);
  one.arrive(other, 'creator', 'b', 0);
  two.arrive(other, 'creator', 'c', 0);
  one.review(0);
  two.review(0);
  gossip(0);
  expect(two.statusOf(FAN)).toBe('online');
  expect(two.present().toSorted()).toEqual([FAN, other]);
  expect(two.dropSilent(30_000)).toEqual([]);
  expect(two.dropSilent(30_001)).toEqual([{ id: FAN, type: 'customer', status: 'offline' }]);
  expect(two.statusOf(other)).toBe('online');
});
