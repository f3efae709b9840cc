import { expect, test, vi } from 'vitest';
import { createPresenceBoard } from './presence.ts';

function setUp(isConnected = true) {
  const asked: string[][] = [];
  const works: (() => void)[] = [];
  const state = { isConnected };
  const board = createPresenceBoard(
    (ids) => {
      if (state.isConnected) asked.push(ids);
      return state.isConnected;
    },
    (work) => works.push(work),
  );
  const run = () => works.splice(0).forEach((work) => void work());
  return { board, asked, run, state };
}

test('presence is requested in batches of at most a hundred ids, each id once', () => {
  const { board, asked, run } = setUp();
  for (let index = 0; index < 120; index += 1) board.watch(`p${index}`, () => undefined);
  board.watch('p0', () => undefined);
  run();
  expect(asked.map((ids) => ids.length)).toEqual([100, 20]);
  run();
  expect(asked).toHaveLength(2);
});

test('only changes are reported, and only to current watchers', () => {
  const { board, run } = setUp();
  const told = vi.fn();
  const stop = board.watch('a', told);
  run();
  board.hear([
    { id: 'a', status: 'online' },
    { id: 'b', status: 'online' },
  ]);
  board.hear([{ id: 'a', status: 'online' }]);
  expect(told).toHaveBeenCalledTimes(1);
  expect(board.statusOf('b')).toBe('online');
  stop();
  board.hear([{ id: 'a', status: 'away' }]);
  expect(told).toHaveBeenCalledTimes(1);
  expect(board.statusOf('a')).toBe('away');
});

test('after a reconnect the presence of all watched users is requested again', () => {
  const { board, asked, run, state } = setUp(false);
  board.watch('a', () => undefined);
  const stop = board.watch('b', () => undefined);
  run();
  expect(asked).toEqual([]);
  stop();
  state.isConnected = true;
  board.askAll();
  run();
  expect(asked).toEqual([['a']]);
});
