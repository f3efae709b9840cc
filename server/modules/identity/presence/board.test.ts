import { PRESENCE_TIMING } from '@stagedoor/contract/shared/limits.ts';
import { expect, test } from 'vitest';
import { Board } from './board.ts';

const MINUTE_MS = 60_000;
const FAN = '01890000-0000-7000-8000-000000000001';

function createBoards() {
  const [one, two] = [new Board(), new Board()];
  const exchange = (now: number) => {
    two.receive('one', one.snapshot(), true, now);
    one.receive('two', two.snapshot(), true, now);
  };
  return { one, two, exchange };
}

test('two missed heartbeats mean offline, five minutes without activity away, and activity means online', () => {
  const board = new Board();
  board.addDevice(FAN, 'customer', 'a', 0);
  expect(board.recalculate(0)).toEqual([
    { id: FAN, type: 'customer', status: 'online', isPageVisible: true, before: 'offline', after: 'online' },
  ]);
  for (let at = MINUTE_MS / 2; at <= 6 * MINUTE_MS; at += MINUTE_MS / 2) {
    board.recordHeartbeat(FAN, 'a', { isActive: false }, at);
    board.recalculate(at);
    expect(board.getStatus(FAN)).toBe(at <= 5 * MINUTE_MS ? 'online' : 'away');
  }
  board.recordHeartbeat(FAN, 'a', { isActive: true }, 6 * MINUTE_MS);
  board.recalculate(6 * MINUTE_MS, FAN);
  expect(board.getStatus(FAN)).toBe('online');
  board.recalculate(7 * MINUTE_MS);
  expect(board.getStatus(FAN)).toBe('online');
  board.recalculate(7 * MINUTE_MS + 5_001);
  expect(board.getStatus(FAN)).toBe('offline');
  expect(board.listPresentIds()).toEqual([]);
});

test('a page is visible while it reports so, also across a reload, but not when hidden, silent or closed', () => {
  const { one, two, exchange } = createBoards();
  const isVisibleAt = (now: number) => {
    one.recalculate(now);
    exchange(now);
    expect(one.isPageVisible(FAN)).toBe(two.isPageVisible(FAN));
    return two.isPageVisible(FAN);
  };
  one.addDevice(FAN, 'customer', 'a', 0);
  expect(isVisibleAt(0)).toBe(true);
  one.recordHeartbeat(FAN, 'a', { isActive: false, isPageVisible: true }, 30_000);
  expect([isVisibleAt(60_000), isVisibleAt(66_000)]).toEqual([true, false]);
  one.recordHeartbeat(FAN, 'a', { isActive: true }, 70_000);
  expect(isVisibleAt(70_000)).toBe(true);
  one.recordHeartbeat(FAN, 'a', { isActive: false }, 71_000);
  expect([isVisibleAt(71_000), one.getStatus(FAN)]).toEqual([false, 'online']);
  one.recordHeartbeat(FAN, 'a', { isActive: true }, 72_000);
  isVisibleAt(72_000);
  one.removeDevice(FAN, 'a', 73_000);
  expect(isVisibleAt(74_000)).toBe(true);
  one.addDevice(FAN, 'customer', 'b', 74_200);
  one.removeDevice(FAN, 'b', 75_000);
  expect(isVisibleAt(77_000)).toBe(false);
  one.addDevice(FAN, 'customer', 'c', 80_000);
  const heartbeatTimes = Array.from({ length: 11 }, (_, n) => 110_000 + n * 30_000);
  const visibility = heartbeatTimes.map((now) => {
    one.recordHeartbeat(FAN, 'c', { isActive: false, isPageVisible: true }, now);
    return isVisibleAt(now);
  });
  expect(visibility).toEqual(heartbeatTimes.map((now) => now - 80_000 <= PRESENCE_TIMING.awayMs));
  expect(visibility).toContain(false);
});

test('a reload is not reported, leaving is, any device counts, and a call means busy', () => {
  const board = new Board();
  board.addDevice(FAN, 'customer', 'a', 0);
  board.recalculate(0);
  board.removeDevice(FAN, 'a', 1000);
  expect(board.recalculate(2000)).toEqual([]);
  board.addDevice(FAN, 'customer', 'b', 2100);
  expect(board.recalculate(2100)).toEqual([]);
  board.addDevice(FAN, 'customer', 'c', 2200);
  board.removeDevice(FAN, 'b', 2300);
  expect(board.recalculate(9000)).toEqual([]);
  expect(board.setBusy(FAN, true)).toBe(true);
  expect(board.recalculate(9000, FAN)).toMatchObject([{ after: 'busy' }]);
  board.setBusy(FAN, false);
  board.recalculate(9000);
  board.removeDevice(FAN, 'c', 10_000);
  expect(board.recalculate(12_000)).toMatchObject([{ before: 'online', after: 'offline' }]);
  expect(board.setBusy(FAN, true)).toBe(false);
});

test('a user who reloads during a call is busy again, on any process', () => {
  const { one, two } = createBoards();
  one.addDevice(FAN, 'customer', 'a', 0);
  for (const board of [one, two]) board.setBusy(FAN, true);
  one.removeDevice(FAN, 'a', 1000);
  one.recalculate(10_000);
  expect(one.getStatus(FAN)).toBe('offline');
  two.addDevice(FAN, 'customer', 'b', 12_000);
  expect(two.recalculate(12_000)).toMatchObject([{ after: 'busy' }]);
  expect(two.listBusyIds()).toEqual([FAN]);
});

test('processes agree, and a silent one removes only the users who were connected to it alone', () => {
  const { one, two, exchange } = createBoards();
  const other = FAN.replace(/1$/, '2');
  one.addDevice(FAN, 'customer', 'a', 0);
  one.addDevice(other, 'creator', 'b', 0);
  two.addDevice(other, 'creator', 'c', 0);
  one.recalculate(0);
  two.recalculate(0);
  exchange(0);
  expect(two.getStatus(FAN)).toBe('online');
  expect(two.listPresentIds().toSorted()).toEqual([FAN, other]);
  expect(two.removeSilentProcesses(30_000)).toEqual([]);
  expect(two.removeSilentProcesses(30_001)).toEqual([{ id: FAN, type: 'customer', status: 'offline' }]);
  expect(two.getStatus(other)).toBe('online');
});
