import { isId } from '@stagedoor/contract/atoms/ids.ts';
import { expect, test } from 'vitest';
import { testClock } from './clock.ts';
import { newId } from './ids.ts';

test('ids ascend within a millisecond, across milliseconds and when the clock goes back', () => {
  const clock = testClock(new Date('2030-01-01T00:00:00.000Z'));
  const ids = Array.from({ length: 10_000 }, () => newId(clock));
  clock.advance(-5_000);
  ids.push(newId(clock));
  clock.advance(60_000);
  ids.push(newId(clock));
  expect(ids).toEqual([...ids].sort());
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => isId(id) && id[14] === '7' && /[89ab]/.test(id[19] ?? ''))).toBe(true);
});

test('an id contains the time of its creation', () => {
  const clock = testClock(new Date('2031-05-06T07:08:09.010Z'));
  expect(Number.parseInt(newId(clock).replaceAll('-', '').slice(0, 12), 16)).toBe(clock.now().getTime());
});
