/** Subscription tiers of most creators, and subscriptions in every state. Fans deposit what their charges cost. */

import { getCardPrice } from '@stagedoor/contract/content/card-prices.ts';
import {
  createTier,
  listCreatorTiers,
  listOwnTiers,
  type TierBody,
  updateTier,
} from '@stagedoor/contract/content/subscription-tiers.ts';
import {
  cancelSubscription,
  listSubscriptions,
  refundSubscription,
  subscribe,
  subscribeByCard,
} from '@stagedoor/contract/content/subscriptions.ts';
import { userId } from '@stagedoor/contract/shared/ids.ts';
import * as z from 'zod/mini';
import type { DemoContext } from './demo-context.ts';
import { payCardOrder } from './processor.ts';
import { type DemoOfferAction, listOfferActions } from './subscription-offers.ts';
import type { DemoFan } from './world.ts';

const DAY_MS = 24 * 60 * 60_000;

export type DemoTierAction = { kind: 'tier'; creator: string; name: string; isRepriced: boolean };
export type DemoSubscriptionAction = {
  kind: 'subscription';
  step: 'start' | 'cancel' | 'refund';
  username: string;
  creator: string;
  tier: string;
  option: number;
  /** The price in USD, if a card pays instead of the balance. */
  cardUsd?: number | undefined;
  offer: string | undefined;
};
type TimedAction = (
  | DemoTierAction
  | DemoSubscriptionAction
  | Omit<DemoOfferAction, 'at'>
  | { kind: 'join'; username: string }
  | { kind: 'deposit'; username: string; usd: number; isDeclined: false; isReserved: true }
  | { kind: 'tip'; username: string; creator: string; usd: number; post: undefined; note: ''; isReserved: true }
) & { at: Date };

type DemoTier = Partial<Omit<TierBody, 'prices'>> & {
  name: string;
  weekly?: number;
  monthly?: number;
  yearly?: number;
  /** The monthly price of the last days. */
  newMonthly?: number;
};
const TIERS: Readonly<Record<string, readonly DemoTier[]>> = {
  'demo.creator': [
    { name: 'Studio', monthly: 6, trialDays: 7, benefits: ['Every firing, failures included', 'Studio diary'] },
    {
      name: 'Kiln',
      monthly: 12,
      yearly: 120,
      bundles: [
        { months: 3, percentOff: 10 },
        { months: 6, percentOff: 15 },
      ],
      benefits: ['All kiln films', 'Glaze recipes with temperatures', 'A day before everyone else'],
    },
    {
      name: 'Collector',
      monthly: 40,
      newMonthly: 45,
      slots: 20,
      benefits: ['First choice of each firing', 'One signed test tile a season'],
    },
  ],
  'ines.valadao': [
    { name: 'Rehearsal room', weekly: 3, monthly: 8, benefits: ['Unedited rehearsals'] },
    { name: 'Box seat', monthly: 20, yearly: 200, trialDays: 7, benefits: ['Full recordings', 'Sheet music I marked'] },
  ],
  'hana.sorby': [
    { name: 'Postcards', benefits: ['One picture a month'] },
    { name: 'Field notes', monthly: 9, trialDays: 3, benefits: ['Maps and exposure notes', 'Large files'] },
  ],
  'yuki.tanabe': [
    { name: 'Templates', monthly: 7, bundles: [{ months: 3, percentOff: 15 }], benefits: ['Each new template'] },
    { name: 'Workshop', monthly: 15, benefits: ['Step by step films', 'I answer questions'] },
  ],
  'baptiste.nl': [
    { name: 'Kitchen', monthly: 6, benefits: ['Recipes with weights'] },
    { name: 'Chef’s table', monthly: 25, slots: 5, isOpen: false, benefits: ['Tastings by video'] },
  ],
  'dede.castellane': [
    { name: 'Training plan', weekly: 5, monthly: 15, trialDays: 3, benefits: ['A new plan every week'] },
  ],
  'tomasz.halewicz': [{ name: 'After dark', monthly: 10, benefits: ['Raw sets', 'Lighting diagrams'] }],
};
/** Tiers exist before the first subscription, and new prices are announced three days ago. */
const TIERS_DAYS_AGO = 55;
const NEW_PRICE_DAYS_AGO = 3;

const createSubscriber = (username: string, name: string): DemoFan => ({
  ...{ username, name, loves: [], warmth: 0, deposits: [] },
});
/** They only subscribe, so that it is known whether a renewal can be paid. */
export const SUBSCRIBERS: readonly DemoFan[] = [
  createSubscriber('greta.ohlin', 'Greta Öhlin'),
  createSubscriber('marco.bellini', 'Marco Bellini'),
  createSubscriber('aisha.rahman', 'Aisha Rahman'),
  createSubscriber('joao.pereira', 'João Pereira'),
  createSubscriber('wren.sinclair', 'Wren Sinclair'),
  createSubscriber('dana.levi', 'דנה לוי'),
  createSubscriber('hugo.lambert', 'Hugo Lambert'),
  createSubscriber('petra.novak', 'Petra Nováková'),
  createSubscriber('tariq.aziz', 'Tariq Aziz'),
  createSubscriber('sunniva.berg', 'Sunniva Berg'),
  createSubscriber('colm.byrne', 'Colm Byrne'),
  createSubscriber('ivana.horvat', 'Ivana Horvat'),
  createSubscriber('noah.ferreira', 'Noah Ferreira'),
  createSubscriber('zofia.wojcik', 'Zofia Wójcik'),
  createSubscriber('elif.demir', 'Elif Demir'),
  createSubscriber('malik.jones', 'Malik Jones'),
];

type Plan = {
  username: string;
  creator: string;
  tier: string;
  daysAgo: number;
  /** USD that the fan deposits for it, at least 100. */
  usd: number;
  /** Spent on a tip, so that the renewal cannot be paid. */
  tipUsd?: number;
  /** Which of the ways to pay, shortest first. */
  option?: number;
  cardUsd?: number;
  /** The code of an offer. */
  offer?: string;
  canceledDaysAgo?: number;
  isRefunded?: boolean;
};
const [MIRELE, INES, HANA, YUKI] = ['demo.creator', 'ines.valadao', 'hana.sorby', 'yuki.tanabe'] as const;
const PLANS: readonly Plan[] = [
  { username: 'greta.ohlin', creator: MIRELE, tier: 'Kiln', daysAgo: 54, usd: 100, offer: 'FIRSTFIRE' },
  { username: 'marco.bellini', creator: MIRELE, tier: 'Studio', daysAgo: 52, usd: 100 },
  { username: 'aisha.rahman', creator: MIRELE, tier: 'Kiln', daysAgo: 47, usd: 100 },
  { username: 'joao.pereira', creator: MIRELE, tier: 'Collector', daysAgo: 41, usd: 100 },
  // Their last renewal failed, and it is tried again.
  { username: 'wren.sinclair', creator: MIRELE, tier: 'Kiln', daysAgo: 33, usd: 100, tipUsd: 80 },
  { username: 'dana.levi', creator: MIRELE, tier: 'Kiln', daysAgo: 29, usd: 100, option: 1 },
  { username: 'hugo.lambert', creator: MIRELE, tier: 'Kiln', daysAgo: 24, usd: 200, option: 3 },
  { username: 'petra.novak', creator: MIRELE, tier: 'Collector', daysAgo: 21, usd: 100 },
  { username: 'tariq.aziz', creator: MIRELE, tier: 'Kiln', daysAgo: 19, usd: 100, canceledDaysAgo: 2 },
  { username: 'sunniva.berg', creator: MIRELE, tier: 'Studio', daysAgo: 34, usd: 100, canceledDaysAgo: 8 },
  // Ended: canceled, not paid, and refunded.
  { username: 'colm.byrne', creator: MIRELE, tier: 'Kiln', daysAgo: 50, usd: 100, canceledDaysAgo: 46 },
  { username: 'ivana.horvat', creator: MIRELE, tier: 'Kiln', daysAgo: 53, usd: 100, tipUsd: 80 },
  { username: 'noah.ferreira', creator: MIRELE, tier: 'Collector', daysAgo: 16, usd: 100, isRefunded: true },
  { username: 'zofia.wojcik', creator: MIRELE, tier: 'Studio', daysAgo: 5, usd: 100 },
  { username: 'elif.demir', creator: MIRELE, tier: 'Studio', daysAgo: 2, usd: 100 },
  { username: 'malik.jones', creator: MIRELE, tier: 'Kiln', daysAgo: 8, usd: 100, offer: 'KILN20' },
  { username: 'leilani.kahale', creator: MIRELE, tier: 'Kiln', daysAgo: 5, usd: 0, cardUsd: 12 },
  { username: 'demo.fan', creator: MIRELE, tier: 'Kiln', daysAgo: 14, usd: 100 },
  { username: 'demo.fan', creator: INES, tier: 'Box seat', daysAgo: 12, usd: 200, option: 1 },
  { username: 'demo.fan', creator: HANA, tier: 'Field notes', daysAgo: 1.4, usd: 100 },
  { username: 'demo.fan', creator: 'tomasz.halewicz', tier: 'After dark', daysAgo: 17, usd: 100, canceledDaysAgo: 4 },
  { username: 'demo.fan', creator: YUKI, tier: 'Templates', daysAgo: 11, usd: 100, option: 1 },
  { username: 'demo.fan', creator: 'baptiste.nl', tier: 'Kitchen', daysAgo: 6, usd: 0, cardUsd: 6 },
  { username: 'mateus.figueira', creator: INES, tier: 'Rehearsal room', daysAgo: 18, usd: 100 },
  { username: 'mateus.figueira', creator: 'dede.castellane', tier: 'Training plan', daysAgo: 10, usd: 100 },
  { username: 'noor.haddad', creator: HANA, tier: 'Postcards', daysAgo: 9, usd: 0 },
  { username: 'eero.lahti', creator: HANA, tier: 'Postcards', daysAgo: 6, usd: 0 },
  { username: 'pilar.echeverria', creator: 'baptiste.nl', tier: 'Kitchen', daysAgo: 13, usd: 100 },
  { username: 'leilani.kahale', creator: YUKI, tier: 'Workshop', daysAgo: 7, usd: 100 },
];

function listPlanActions(plan: Plan, subtractDays: (days: number) => Date): TimedAction[] {
  const {
    username,
    creator,
    tier,
    daysAgo,
    usd,
    option = 0,
    cardUsd,
    offer,
    tipUsd,
    canceledDaysAgo,
    isRefunded,
  } = plan;
  const toStep = (step: DemoSubscriptionAction['step'], days: number): TimedAction => ({
    ...{ kind: 'subscription', step, username, creator, tier, option, cardUsd, offer, at: subtractDays(days) },
  });
  const isNew = SUBSCRIBERS.some((fan) => fan.username === username);
  const deposit = { kind: 'deposit', username, usd, isDeclined: false, isReserved: true } as const;
  const tip = { kind: 'tip', username, creator, post: undefined, note: '', isReserved: true } as const;
  return [
    ...(isNew ? [{ kind: 'join' as const, username, at: subtractDays(daysAgo + 0.3) }] : []),
    ...(usd > 0 ? [{ ...deposit, at: subtractDays(daysAgo + 0.02) }] : []),
    toStep('start', daysAgo),
    ...(tipUsd === undefined ? [] : [{ ...tip, usd: tipUsd, at: subtractDays(daysAgo - 0.1) }]),
    ...(canceledDaysAgo === undefined ? [] : [toStep('cancel', canceledDaysAgo)]),
    ...(isRefunded ? [toStep('refund', daysAgo - 0.2)] : []),
  ];
}

export function listSubscriptionActions(epoch: Date): TimedAction[] {
  const subtractDays = (days: number) => new Date(Math.round(epoch.getTime() - days * DAY_MS));
  const tiers = Object.entries(TIERS).flatMap(([creator, all]) =>
    all.flatMap(({ name, newMonthly }, index): TimedAction[] => [
      { kind: 'tier', creator, name, isRepriced: false, at: subtractDays(TIERS_DAYS_AGO - index / 24) },
      ...(newMonthly === undefined
        ? []
        : [{ kind: 'tier' as const, creator, name, isRepriced: true, at: subtractDays(NEW_PRICE_DAYS_AGO) }]),
    ]),
  );
  return [...tiers, ...listOfferActions(epoch), ...PLANS.flatMap((plan) => listPlanActions(plan, subtractDays))];
}

function toTierBody({ weekly, monthly, yearly, newMonthly, ...tier }: DemoTier, isRepriced: boolean): TierBody {
  const monthaly = (isRepriced ? newMonthly : undefined) ?? monthly ?? null;
  return {
    ...{ benefits: [], bundles: [], trialDays: null, slots: null, isOpen: true },
    ...tier,
    prices: { weekly: weekly ?? null, monthaly, yearly: yearly ?? null },
  };
}

export async function getTierId(pastApp: DemoContext['pastApp'], creator: string, name: string) {
  const { tiers } = await pastApp.call(listOwnTiers, { as: creator });
  const tier = tiers.find((each) => each.name === name);
  if (!tier) throw new Error(`${creator} has no tier ${name}`);
  return tier.id;
}

/** Idempotent. */
export async function performTierStep(
  { pastApp }: DemoContext,
  { creator, name, isRepriced, key }: DemoTierAction & { key: string },
): Promise<void> {
  const plan = TIERS[creator]?.find((tier) => tier.name === name);
  if (!plan) throw new Error(`${creator} has no tier ${name}`);
  const body = toTierBody(plan, isRepriced);
  const { tiers } = await pastApp.call(listOwnTiers, { as: creator });
  const existing = tiers.find((tier) => tier.name === name);
  if (!existing) await pastApp.call(createTier, { as: creator, key, body });
  else if (isRepriced) await pastApp.call(updateTier, { as: creator, params: { id: existing.id }, body });
}

/** Idempotent. A subscription that has ended meanwhile stays as it is. */
export async function performSubscriptionStep(
  { pastApp, ids }: DemoContext,
  {
    step,
    username,
    creator,
    tier: tierName,
    option,
    cardUsd,
    offer: code,
    key,
    at,
  }: DemoSubscriptionAction & { key: string; at: Date },
): Promise<void> {
  const as = username;
  const { data } = await pastApp.call(listSubscriptions, { as });
  const current = data.find((each) => each.creator.username === creator);
  if (step !== 'start') {
    if (!current) return;
    const route = step === 'cancel' ? cancelSubscription : refundSubscription;
    await pastApp.call(route, { as, key, params: { id: current.id } });
    return;
  }
  if (current) return;
  const params = { creatorId: z.parse(userId, ids.get(creator)) };
  const { tiers, canHaveTrial, offer } = await pastApp.call(listCreatorTiers, {
    ...{ as, params, query: code === undefined ? {} : { offer: code } },
  });
  const tier = tiers.find(({ name }) => name === tierName);
  // It ended before the start was interrupted.
  if (!tier || !canHaveTrial) return;
  const { recurrence, count, price } = tier.options[option] ?? { recurrence: 'monthaly', count: 1, price: 0 };
  const timeZone = 'Europe/Lisbon';
  if (cardUsd !== undefined) {
    const order = { tierId: tier.id, recurrence, count, expected: getCardPrice(price), timeZone };
    const { paymentUrl } = await pastApp.call(subscribeByCard, { as, key, body: order });
    return payCardOrder(pastApp, { key, at, paymentUrl });
  }
  const discounted = offer?.tiers.find(({ id }) => id === tier.id)?.options[option]?.price ?? price;
  const expected = {
    today: tier.trialDays === null ? discounted : 0,
    renewal: offer?.periods === 1 && tier.trialDays === null ? price : discounted,
    ...(offer && { afterOffer: price }),
  };
  const terms = { tierId: tier.id, recurrence, count, expected, timeZone };
  const body = { ...terms, ...(code !== undefined && { offer: code }) };
  await pastApp.call(subscribe, { as, key, body });
}
