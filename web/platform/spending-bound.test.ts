import {
  getSpendingLimits,
  type SpendingControls,
  type SpendingLimitView,
} from '@stagedoor/contract/commerce/spending-limits.ts';
import { describe, expect, test } from 'vitest';
import { apiQuery } from './query.ts';
import { findFundsObstacle, findSpendingBound, formatSpendingBound, LIMITS_KEY } from './spending-bound.tsx';

const createLimit = (part: Pick<SpendingLimitView, 'period'> & Partial<SpendingLimitView>): SpendingLimitView => ({
  ...{ limit: null, max: null, spent: 0, increase: null },
  ...part,
});
const createControls = (...limits: SpendingLimitView[]): SpendingControls => ({ limits, breakUntil: null });

describe('what bounds spending', () => {
  test('is the limit that leaves the least, of the fan or of the platform', () => {
    const day = createLimit({ period: 'day', max: 500, spent: 421 });
    const week = createLimit({ period: 'week', limit: 100.1, spent: 100.1 - 79.3 });
    expect(findSpendingBound(createControls(day, week))).toEqual({ kind: 'day', left: 79 });
    expect(findSpendingBound(createControls(week))).toEqual({ kind: 'week', left: 79.3 });
  });

  test('leaves nothing when more was spent than a lowered limit allows, and during a break', () => {
    const month = createLimit({ period: 'month', limit: 50, spent: 60 });
    expect(findSpendingBound(createControls(month))).toEqual({ kind: 'month', left: 0 });
    expect(findSpendingBound({ limits: [month], breakUntil: '2026-12-01T00:00:00.000Z' })?.kind).toBe('break');
    expect(findSpendingBound(createControls(createLimit({ period: 'day' })))).toBeUndefined();
  });

  test('is named with the amount left', () => {
    expect(formatSpendingBound({ kind: 'day', left: 79 })).toBe('Your daily spending limit leaves $79.00.');
    expect(formatSpendingBound({ kind: 'break', left: 0 })).toBe('Your spending is paused.');
  });
});

test('a deposit is offered only where it helps: the limit is named before missing funds', () => {
  const bound = { kind: 'day', left: 79 } as const;
  expect(findFundsObstacle(79, 100, bound)).toBeUndefined();
  expect(findFundsObstacle(79, 20, bound)).toBe('balance');
  expect(findFundsObstacle(79.01, 20, bound)).toBe('limit');
  expect(findFundsObstacle(79.01, 372, bound)).toBe('limit');
  expect(findFundsObstacle(0.1 + 0.2, 0.3, null)).toBeUndefined();
});

test('the limits are cached under the key of their route', () =>
  expect(LIMITS_KEY).toEqual(apiQuery(getSpendingLimits, {}).queryKey));
