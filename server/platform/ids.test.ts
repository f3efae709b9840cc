import { isId } from '@stagedoor/contract/shared/ids.ts';
import { expect, test } from 'vitest';
import { createTestClock } from './clock.ts';
import { createId } from './ids.ts';

test('ids ascend within a millisecond, across milliseconds and when the clock goes back', () => {
  const clock = createTestClock(new Date('2030-01-01T00:00:00.000Z'));
  const ids = Array.from({ length: 10_000 }, () => createId(clock));
  clock.advance(-5_000);
  ids.push(createId(clock));
  clock.advance(60_000);
  ids.push(createId(clock));
  expect(ids).toEqual([...ids].sort());
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => isId(id) && id[14] === '7' && /[89ab]/.test(id[19] ?? ''))).toBe(true);
});

test('an id contains the time of its creation', () => {
  const clock = createTestClock(new Date('2031-05-06T07:08:09.010Z'));
  expect(Number.parseInt(createId(clock).replaceAll('-', '').slice(0, 12), 16)).toBe(clock.now().getTime());
});
