import { expect, test } from 'vitest';
import {
  advanceClock,
  findLimitEnd,
  formatApproximateLength,
  formatLeftLabel,
  formatLength,
  formatSum,
} from './clock.ts';
import type { ReceivedClock } from './state.ts';

const clock: ReceivedClock = {
  isRunning: true,
  connectedMs: 612_000,
  amount: 20.4,
  tips: 0,
  spendable: 4,
  bound: { kind: 'day', left: 9 },
  leftMs: 120_000,
  reconnectLeftMs: null,
  share: 1,
  receivedAt: 5_000,
};

test("the call clock advances from the server's value by the tab's own clock", () => {
  expect(advanceClock(clock, 5_000, 200)).toEqual({
    ...{ seconds: 612, cents: 2_040, tipCents: 0 },
    ...{ leftSeconds: 120, leftCents: 400, bound: { kind: 'day', cents: 900 } },
  });
  expect(advanceClock(clock, 35_500, 200)).toEqual({
    seconds: 642,
    cents: 2_140,
    tipCents: 0,
    leftSeconds: 89,
    leftCents: 300,
    bound: { kind: 'day', cents: 800 },
  });
});

test('the call clock stops while nothing is charged', () => {
  expect(advanceClock({ ...clock, isRunning: false }, 99_000, 200)).toMatchObject({
    seconds: 612,
    cents: 2_040,
    leftSeconds: 120,
  });
});

test('a tip adds to what is spent, and to what the creator earns', () => {
  expect(advanceClock({ ...clock, tips: 5 }, 5_000, 200)).toMatchObject({ cents: 2_540, tipCents: 500 });
  const creatorClock = { ...clock, amount: 16.32, tips: 4, spendable: null, bound: null, share: 0.8 };
  expect(advanceClock(creatorClock, 5_000, 200)).toMatchObject({ cents: 2_032, tipCents: 400, leftCents: null });
});

test('the cost shown stays at zero during the free seconds, while the price of the talk is set aside', () => {
  const newClock = { ...clock, connectedMs: 0, amount: 0 };
  expect(advanceClock(newClock, 24_900, 200)).toMatchObject({
    seconds: 19,
    cents: 0,
    leftSeconds: 100,
    leftCents: 337,
  });
  expect(advanceClock(newClock, 25_000, 200)).toMatchObject({
    seconds: 20,
    cents: 66,
    leftSeconds: 100,
    leftCents: 334,
  });
});

test('the creator sees their share, and never less than the amount the server reported', () => {
  expect(
    advanceClock({ ...clock, amount: 16.32, leftMs: null, spendable: null, bound: null, share: 0.8 }, 65_000, 200),
  ).toMatchObject({
    cents: 1_792,
    leftCents: null,
  });
  expect(advanceClock({ ...clock, amount: 16.32, share: 0 }, 5_000, 200)).toMatchObject({ cents: 1_632 });
});

test('call lengths are formatted in seconds, minutes and hours', () => {
  expect([48, 120, 3_720].map(formatLength)).toEqual(['48 s', '2 min 0 s', '1 h 2 min']);
  expect([42, 731, 7_300].map(formatApproximateLength)).toEqual(['42 seconds', 'about 12 min', 'about 2 h']);
});

test('a sum without a label contains whether it was spent or earned', () => {
  expect([formatSum({ cents: 6_800 }, true), formatSum({ cents: 5_440 }, false)]).toEqual([
    ...['$68.00 spent', '$54.40 earned'],
  ]);
});

test('the remaining money is labelled with the limit that ends the call before the balance does', () => {
  const findEnd = (left: number) => findLimitEnd(advanceClock({ ...clock, bound: { kind: 'week', left } }, 5_000, 200));
  expect([9, 4.01, 4].map(findEnd)).toEqual([undefined, undefined, 'week']);
  expect(([undefined, 'day', 'week', 'month', 'break'] as const).map(formatLeftLabel)).toEqual([
    'Left in this call',
    'Left today',
    'Left this week',
    'Left this month',
    'Left in this call',
  ]);
});
