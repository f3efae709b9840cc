import { expect, test, vi } from 'vitest';
import { createPresenceStore } from './presence.ts';

function setUp(isConnected = true) {
  const requested: string[][] = [];
  const scheduled: (() => void)[] = [];
  const state = { isConnected };
  const store = createPresenceStore(
    (ids) => {
      if (state.isConnected) requested.push(ids);
      return state.isConnected;
    },
    (work) => scheduled.push(work),
  );
  const run = () => scheduled.splice(0).forEach((work) => void work());
  return { store, requested, run, state };
}

test('presence is requested in batches of at most a hundred ids, each id once', () => {
  const { store, requested, run } = setUp();
  for (let index = 0; index < 120; index += 1) store.watch(`p${index}`, () => undefined);
  store.watch('p0', () => undefined);
  run();
  expect(requested.map((ids) => ids.length)).toEqual([100, 20]);
  run();
  expect(requested).toHaveLength(2);
});

test('only changes are reported, and only to current watchers', () => {
  const { store, run } = setUp();
  const onChange = vi.fn();
  const stop = store.watch('a', onChange);
  run();
  store.receive([
    { id: 'a', status: 'online' },
    { id: 'b', status: 'online' },
  ]);
  store.receive([{ id: 'a', status: 'online' }]);
  expect(onChange).toHaveBeenCalledTimes(1);
  expect(store.findStatus('b')).toBe('online');
  stop();
  store.receive([{ id: 'a', status: 'away' }]);
  expect(onChange).toHaveBeenCalledTimes(1);
  expect(store.findStatus('a')).toBe('away');
});

test('after a reconnect the presence of all watched users is requested again', () => {
  const { store, requested, run, state } = setUp(false);
  store.watch('a', () => undefined);
  const stop = store.watch('b', () => undefined);
  run();
  expect(requested).toEqual([]);
  stop();
  state.isConnected = true;
  store.requestAll();
  run();
  expect(requested).toEqual([['a']]);
});
