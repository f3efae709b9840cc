import { NEW_CREATOR_SLOTS } from '@stagedoor/contract/content/new-creator-slots.ts';
import { getPlatformTerms } from '@stagedoor/contract/finance/pricing.ts';
import { SEARCH_TERMS_MAX } from '@stagedoor/contract/shared/limits.ts';
import { DEFAULT_PRICES, type PriceLimit } from '@stagedoor/contract/shared/prices.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createRoutesStub } from 'react-router';
import { describe, expect, test } from 'vitest';
import { apiQuery, createQueryClient } from '../../platform/query.ts';
import { FrontEnd } from '../home/visitor-front.tsx';
import { PriceNotes } from '../home/visitor-more.tsx';
import BecomeCreator from './become-creator.tsx';
import type { PlatformTermsView } from './calculator.tsx';
import Discovery from './discovery.tsx';
import HowWorks from './how-works.tsx';
import { creatorsQuery } from './marketing-parts.tsx';
import Plans from './plans.tsx';
import Pricing from './pricing.tsx';

const TERMS: PlatformTermsView = {
  dependsOnSettings: true,
  ...{ generalFee: 20, offerFee: 10, offerDays: 90, clearingDays: 7, dailySpend: 500 },
  ...{ payoutMinimum: 20, cryptoMinimum: 50, coolingHours: 72 },
  ...{ creatorReferralPercent: 5, customerReferralPercent: 5, referralMonths: 12 },
  ...{ referralMinimum: 50, referralFee: 2, referralMoveFee: 1 },
  ...{ trialDaysMax: 30, renewalGraceDays: 5, subscriptionRefundHours: 24 },
  prices: DEFAULT_PRICES,
  isVerificationRequiredToPost: true,
};
const { becomeCreator, discovery, howItWorks, plans, pricing } = PUBLIC_PATHS;
const forCreators = `${howItWorks}?for=creators`;

function renderHtml(Page: ComponentType, address: string, change: Partial<PlatformTermsView> = {}): string {
  const client = createQueryClient(() => Promise.reject(new Error('nothing is asked')));
  client.setQueryData(apiQuery(getPlatformTerms, {}).queryKey, { ...TERMS, ...change });
  client.setQueryData(creatorsQuery().queryKey, { data: [], limit: 12, totalCount: 0 });
  const Stub = createRoutesStub([{ path: '*', Component: Page }]);
  return renderToStaticMarkup(
    createElement(QueryClientProvider, { client }, createElement(Stub, { initialEntries: [address] })),
  );
}

const toText = (html: string) =>
  html
    .replaceAll(/<\/?(?:span|bdi|b)\b[^>]*>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
const readPage = (...page: Parameters<typeof renderHtml>) => toText(renderHtml(...page));
const withDepositLimit = (addFunds: PriceLimit) => ({ prices: { ...DEFAULT_PRICES, addFunds } });

const FEES: readonly [ComponentType, address: string, withOffer: readonly string[], without: readonly string[]][] = [
  [
    FrontEnd,
    '/',
    ['Keep $9.00 of every $10.00.', 'For your first 90 days, then $8.00. No monthly fee.'],
    ['Keep $8.00 of every $10.00.', ' No monthly fee.'],
  ],
  [
    BecomeCreator,
    becomeCreator,
    [
      'Keep $9.00 of every $10.00.',
      'For your first 90 days we take 10%. After that 20%.',
      'You keep here, first 90 days, at 10% $450.00',
      'Platform fee, 10% −$50.00 You keep $450.00',
      'From day 91 our fee is 20%, and you keep $400.00: the same as at OnlyFans.',
      'You see $10.80 It’s pending until it clears. Our fee of $1.20',
      'Two fees to remember: 10%, then 20%.',
    ],
    [
      'Keep $8.00 of every $10.00.',
      'take calls when you want. We take 20%.',
      'You keep here, at 20% $400.00',
      'Platform fee, 20% −$100.00 You keep $400.00',
      'Our fee is 20%, and you keep $400.00: the same as at OnlyFans.',
      'You see $9.60 It’s pending until it clears. Our fee of $2.40',
      'One fee to remember: 20%.',
    ],
  ],
  [
    Plans,
    plans,
    [
      'Simple pricing 10% for your first 90 days, 20% after that. No monthly fee',
      'A fan pays First 90 days, 10% After that, 20% $10.00 $9.00 $8.00 $50.00 $45.00 $40.00',
      'Included in both',
    ],
    [
      'One plan, one fee 20%, from your first sale. No monthly fee',
      'A fan pays You keep, 20% $10.00 $8.00 $50.00 $40.00',
      'What’s included',
    ],
  ],
  [
    HowWorks,
    forCreators,
    ['We keep 10% for your first 90 days and 20% after that, shown for each sale.'],
    ['We keep 20%, shown for each sale.'],
  ],
  [
    Pricing,
    pricing,
    ['First 90 days, 10% $1.00 $9.00 After that, 20% $2.00 $8.00'],
    ['You keep From the first day, 20% $2.00 $8.00'],
  ],
];
const OFFER_TEXT = /first \d+ days|simple pricing|two fees|after that|from day \d|in both/i;

describe.each(FEES)('%o at %s', (Page, address, withOffer, without) => {
  test('states the introductory offer and the fee afterwards', () => {
    const text = readPage(Page, address);
    for (const expected of withOffer) expect(text).toContain(expected);
    expect(text).toMatch(OFFER_TEXT);
  });

  test.each([[{ offerDays: 0 }], [{ offerFee: 20 }]])(
    'states a single fee without an introductory offer: %o',
    (change) => {
      const text = readPage(Page, address, change);
      for (const expected of without) expect(text).toContain(expected);
      expect(text).not.toMatch(OFFER_TEXT);
    },
  );
});

test('the calculator shows what other platforms leave of the same month', () => {
  const text = readPage(BecomeCreator, becomeCreator);
  expect(text).toContain('OnlyFans leaves you, at 20% $400.00');
  expect(text).toMatch(/Patreon leaves you, at 10% \([^)]+\) \$450\.00/);
  const custom = readPage(BecomeCreator, `${becomeCreator}?followers=20%2C000&share=2&spend=3.33`);
  // The fee of 333 cents is 67 cents at 20 % and 33 cents at 10 % per sale. There are 400 sales.
  expect(custom).toContain('OnlyFans leaves you, at 20% $1,064.00');
  expect(custom).toMatch(/Patreon leaves you, at 10% \([^)]+\) \$1,200\.00/);
});

test.each([
  [5, 5, 'You earn 5% of what they sell or spend for 12 months.'],
  [
    4,
    2.5,
    'Refer a creator and earn 4% of what they sell. Refer a fan and earn 2.5% of what they spend; each for 12 months.',
  ],
  [4, 0, 'Refer a creator and earn 4% of what they sell for 12 months.'],
  [0, 3, 'Refer a fan and earn 3% of what they spend for 12 months.'],
])(
  'the plans page states the referral shares: %d percent for a creator, %d for a fan',
  (creator, customer, expected) => {
    const text = readPage(Plans, plans, { creatorReferralPercent: creator, customerReferralPercent: customer });
    expect(text).toContain(`Refer someone ${expected} Paid from our fee`);
    expect(text.match(/Calculate your earnings/g)).toHaveLength(1);
  },
);

test('the plans page omits referrals when nothing is shared, and keeps its other links', () => {
  const html = renderHtml(Plans, plans, { creatorReferralPercent: 0, customerReferralPercent: 0 });
  expect(html).not.toMatch(/refer someone|you earn|referrals/i);
  expect(toText(html).match(/Become a creator Calculate your earnings/g)).toHaveLength(1);
});

test('the pricing page lists only credit packages within the deposit limits', () => {
  const rows = (limit: PriceLimit) =>
    [...readPage(Pricing, pricing, withDepositLimit(limit)).matchAll(/(\d+) \$\d+\.00 \$\d+\.00 \$\d+\.00 /g)]
      .map(([, credits]) => Number(credits))
      .filter((credits) => credits >= 30);
  expect(rows(DEFAULT_PRICES.addFunds)).toEqual([30, 60, 90]);
  expect(rows({ min: 10, max: 600 })).toEqual([30, 60]);
  expect(rows({ min: 301, max: 900 })).toEqual([60, 90]);
  const without = renderHtml(Pricing, pricing, withDepositLimit({ min: 10, max: 200 }));
  expect(without).not.toContain('<caption class="sr-only">Credits</caption>');
  expect(toText(without)).toContain('One credit is $10.00 of balance and costs $10.20.');
  expect(toText(without)).toContain('Deposit $10.00 $200.00');
});

test('the front page states the minimum deposit', () => {
  const readNotes = (limit: PriceLimit) => readPage(PriceNotes, '/', withDepositLimit(limit));
  expect(readNotes(DEFAULT_PRICES.addFunds)).toContain('$10.20 adds $10.00 to your balance. You see the $0.20 fee');
  expect(readNotes({ min: 25, max: 200 })).toContain('$25.51 adds $25.00 to your balance. You see the $0.51 fee');
});

test.each([
  [howItWorks, 'For fans'],
  [forCreators, 'For creators'],
])('%s has four steps, and its tab is selected', (address, tab) => {
  const html = renderHtml(HowWorks, address);
  const steps = [...html.matchAll(/<h2[^>]*>(\d)\. [^<]+<\/h2>/g)].map(([, number]) => number);
  expect(steps).toEqual(['1', '2', '3', '4']);
  const chosen = [...html.matchAll(/<a [^>]*aria-current="page"[^>]*>(.*?)<\/a>/g)].map(([, inside]) => inside);
  expect(chosen).toEqual([tab]);
  for (const other of ['For fans', 'For creators']) expect(html).toContain(`>${other}</a>`);
});

test('the discovery page states the figures of its rules', () => {
  const text = readPage(Discovery, discovery);
  for (const expected of [
    `One in ${NEW_CREATOR_SLOTS.every} spots`,
    `in the last ${NEW_CREATOR_SLOTS.days} days`,
    `has at most ${NEW_CREATOR_SLOTS.followers} followers`,
    `At most ${NEW_CREATOR_SLOTS.max} get a spot each day`,
    `each of the first ${SEARCH_TERMS_MAX} words`,
  ])
    expect(text).toContain(expected);
});

test('the plans and pricing pages state each amount from the settings', () => {
  const settings = {
    ...{
      clearingDays: 8,
      dailySpend: 444,
      payoutMinimum: 21,
      cryptoMinimum: 52,
      coolingHours: 73,
      referralMinimum: 63,
    },
    ...withDepositLimit({ min: 11, max: 777 }),
  };
  const text = { plans: readPage(Plans, plans, settings), pricing: readPage(Pricing, pricing, settings) };
  for (const expected of [
    'Sales clear after 8 days',
    'Bank or PayPal from $21.00',
    'Crypto from $52.00',
    'New payout method usable after 73 hours',
    'You can withdraw from $63.00 for a fee of 2%, or move it to your own balance for a fee of 1%.',
  ])
    expect(text.plans).toContain(expected);
  for (const expected of [
    'Deposit $11.00 $777.00',
    'Daily spending – $444.00',
    'Creator payout $21.00',
    'Crypto payout $52.00',
  ])
    expect(text.pricing).toContain(expected);
});
