import { subscriptionTier } from '@stagedoor/contract/content/subscription-tiers.ts';
import { type Subscription, subscription } from '@stagedoor/contract/content/subscriptions.ts';
import { describe, expect, it } from 'vitest';
import { getGroup, groupSubscriptions } from './groups.ts';
import { createCardPlan, findCardObstacle } from './payment-source-choice.tsx';
import {
  choosePlanHref,
  isDialogRequested,
  readPlanChoice,
  resolvePlanChoice,
  resumeSubscribeHref,
} from './plan-choice.ts';
import { isNewPriceDiscounted, listUpcomingCharges, sumCharges } from './upcoming-charges.ts';

const NOW = '2026-11-30T10:00:00.000Z';
const toId = (number: number) => `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`;

function createSubscription(number: number, change: object = {}): Subscription {
  return subscription.parse({
    id: toId(number),
    creator: { id: toId(90), username: 'maker', name: `Maker ${number}`, avatarUrl: null },
    tier: { id: toId(91), name: 'Kiln' },
    recurrence: 'monthaly',
    count: 1,
    isFree: false,
    paymentSource: 'balance',
    cardPeriodDays: null,
    price: 12,
    discount: null,
    state: 'active',
    isRenewing: true,
    startedAt: NOW,
    paidUntil: '2026-12-30T10:00:00.000Z',
    nextCharge: { at: '2026-12-30T10:00:00.000Z', amount: 12 },
    gift: null,
    newPrice: null,
    failure: null,
    refundableUntil: null,
    endedAt: null,
    endReason: null,
    ...change,
  });
}

function createTier(number: number, change: object = {}) {
  return subscriptionTier.parse({
    id: toId(number),
    position: number,
    name: `Tier ${number}`,
    benefits: [],
    isFree: false,
    options: [
      { recurrence: 'monthaly', count: 1, price: 12 },
      { recurrence: 'yearly', count: 1, price: 100 },
    ],
    trialDays: null,
    slotsLeft: null,
    isOpen: true,
    postCount: 1,
    mediaCount: 2,
    ...change,
  });
}

describe('groups', () => {
  const failed = createSubscription(1, {
    failure: { amount: 12, nextAttemptAt: NOW, endsAt: NOW },
    state: 'pastDue',
  });
  const canceled = createSubscription(2, { isRenewing: false, nextCharge: null });
  const freeOne = createSubscription(3, {
    isRenewing: false,
    isFree: true,
    price: 0,
    nextCharge: null,
    paidUntil: null,
  });

  it('order what needs an answer before what renews and what was canceled', () => {
    const groups = groupSubscriptions([canceled, freeOne, failed], new Map());
    expect(groups.map(({ name, subscriptions }) => [name, subscriptions.length])).toEqual([
      ['answer', 1],
      ['renewing', 1],
      ['canceled', 1],
    ]);
  });

  it('hold what the fan has just canceled where it was', () => {
    const [group] = groupSubscriptions([canceled], new Map([[canceled.id, 'renewing']]));
    expect(group).toMatchObject({ name: 'renewing', subscriptions: [{ id: canceled.id }] });
  });

  it('need no answer to a new price once the renewal is off', () => {
    const newPrice = { price: 15, from: NOW };
    expect(getGroup(createSubscription(4, { newPrice }))).toBe('answer');
    expect(getGroup(createSubscription(5, { newPrice, isRenewing: false }))).toBe('canceled');
  });
});

describe('the charges of the next 30 days', () => {
  it('list every week, count up to the last day, and add up', () => {
    const weekly = createSubscription(1, {
      recurrence: 'weekly',
      nextCharge: { at: '2026-12-02T10:00:00.000Z', amount: 3.1 },
    });
    const monthly = createSubscription(2);
    const later = createSubscription(3, { nextCharge: { at: '2026-12-31T10:00:00.000Z', amount: 9 } });
    const charges = listUpcomingCharges([monthly, later, weekly, createSubscription(4, { nextCharge: null })], NOW);
    expect(charges.map(({ day }) => day)).toEqual([
      '2026-12-02',
      '2026-12-09',
      '2026-12-16',
      '2026-12-23',
      '2026-12-30',
      '2026-12-30',
    ]);
    expect(sumCharges(charges)).toBe(27.5);
  });

  it('cost the full price after the last discounted charge', () => {
    const weekly = createSubscription(1, {
      ...{ recurrence: 'weekly', price: 4, discount: { percentOff: 50, periodsLeft: 2 } },
      nextCharge: { at: '2026-12-02T10:00:00.000Z', amount: 2 },
    });
    expect(listUpcomingCharges([weekly], NOW).map(({ amount }) => amount)).toEqual([2, 2, 4, 4, 4]);
  });

  it.each([
    [1, '2026-12-30T10:00:00.000Z', true],
    [1, '2027-01-30T10:00:00.000Z', false],
    [2, '2027-01-30T10:00:00.000Z', true],
    [2, '2027-03-01T10:00:00.000Z', false],
  ])(
    'with %i discounted charges left and a new price from %s, that one is discounted: %s',
    (periodsLeft, from, isDiscounted) => {
      const one = createSubscription(1, { discount: { percentOff: 50, periodsLeft }, newPrice: { price: 20, from } });
      expect(isNewPriceDiscounted(one)).toBe(isDiscounted);
    },
  );
});

describe('the choice in the address', () => {
  it('survives the way to the sign-up and back', () => {
    const choice = { tierId: toId(2), period: 'year' };
    const search = new URL(resumeSubscribeHref('/profile/maker', choice), 'http://x').searchParams;
    expect(readPlanChoice(search)).toEqual(choice);
    expect(isDialogRequested(search)).toBe(true);
    expect(isDialogRequested(new URL(choosePlanHref('/profile/maker', choice), 'http://x').searchParams)).toBe(false);
  });

  it('is a period that the tier offers, of a tier that exists', () => {
    const tiers = [createTier(1, { slotsLeft: 0 }), createTier(2), createTier(3, { options: [] })];
    const resolve = (tierId: string | undefined, period: string | undefined) => {
      const resolved = resolvePlanChoice(tiers, { tierId, period });
      return [resolved?.tier.position, resolved?.period];
    };
    expect(resolve(undefined, undefined)).toEqual([2, 'month']);
    expect(resolve('unknown', 'unknown')).toEqual([2, 'month']);
    expect(resolve(toId(1), 'year')).toEqual([1, 'year']);
    expect(resolve(toId(3), 'year')).toEqual([3, undefined]);
    expect(resolvePlanChoice([], { tierId: undefined, period: undefined })).toBeUndefined();
  });
});

describe('a card', () => {
  const option = { recurrence: 'monthaly', count: 1, price: 12 } as const;
  const limits = { hasSubscriptions: true, min: 2.95, max: 100 };

  it('is charged with the fee, after whole days', () => {
    expect(createCardPlan(option, '2026-01-31')).toEqual({ price: 12.24, fee: 0.24, days: 30, nextDay: '2026-03-02' });
    expect(createCardPlan({ ...option, count: 12, price: 100 }, '2026-01-31')).toMatchObject({ price: 102, days: 365 });
  });

  it('pays no trials, and only amounts that the processor accepts', () => {
    const find = (price: number, change: object = {}, trialDays: number | null = null) =>
      findCardObstacle({ price }, { trialDays }, { ...limits, ...change });
    expect(find(12.24)).toBeUndefined();
    expect(find(2.94)).toContain('$2.95');
    expect(find(100.01)).toContain('$100.00');
    expect(find(12.24, {}, 7)).toContain('trial');
    expect(find(12.24, { hasSubscriptions: false })).toContain('moment');
  });

  it('is charged in the list of next charges by its own days', () => {
    const byCard = createSubscription(1, {
      ...{ paymentSource: 'card', cardPeriodDays: 7, recurrence: 'weekly' },
      nextCharge: { at: '2026-12-20T10:00:00.000Z', amount: 12.24 },
    });
    const charges = listUpcomingCharges([byCard], NOW);
    expect(charges.map(({ day, paymentSource }) => [day, paymentSource])).toEqual([
      ['2026-12-20', 'card'],
      ['2026-12-27', 'card'],
    ]);
  });
});
