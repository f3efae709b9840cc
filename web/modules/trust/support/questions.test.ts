import { DEFAULT_PRICES } from '@stagedoor/contract/shared/prices.ts';
import { expect, test } from 'vitest';
import { type HelpTerms, listHelpQuestions, searchHelpQuestions } from './questions.ts';

const TERMS: HelpTerms = {
  ...{ generalFee: 17, offerFee: 6, offerDays: 31, clearingDays: 3 },
  ...{ payoutMinimum: 25, cryptoMinimum: 75, coolingHours: 48, prices: DEFAULT_PRICES },
  ...{ trialDaysMax: 14, renewalGraceDays: 4, subscriptionRefundHours: 12 },
  isVerificationRequiredToPost: true,
};

test("a search finds the questions of the user's own role that contain all words", () => {
  expect(searchHelpQuestions('fan', '', TERMS).every(({ side }) => side !== 'creator')).toBe(true);
  expect(searchHelpQuestions('creator', 'get PAID', TERMS).map(({ title }) => title)).toEqual(['When can I get paid?']);
  expect(searchHelpQuestions('fan', 'get paid', TERMS)).toEqual([]);
  expect(searchHelpQuestions('creator', 'gét  ＰＡＩＤ', TERMS)).toHaveLength(1);
  expect(searchHelpQuestions('fan', 'zzzz', TERMS)).toEqual([]);
  const all = listHelpQuestions(TERMS);
  expect(new Set(all.map(({ title, side }) => `${side} ${title}`)).size).toBe(all.length);
});

test('amounts and durations in the answers are those that the operator set', () => {
  const [fee] = searchHelpQuestions('creator', 'Stagedoor take', TERMS);
  expect(fee?.answer).toMatch(/^17% of each sale, and 6% in your first 31 days\./);
  for (const change of [{ offerDays: 0 }, { offerFee: 17 }])
    expect(searchHelpQuestions('creator', 'Stagedoor take', { ...TERMS, ...change })[0]?.answer).toMatch(
      /^17% of each sale\. See your current fee/,
    );
  const [payout] = searchHelpQuestions('creator', 'get paid', TERMS);
  for (const expected of ['clear after 3 days', 'from $25.00 ($75.00 for crypto)', 'available after 48 hours'])
    expect(payout?.answer).toContain(expected);
  const [tip] = searchHelpQuestions('fan', 'tip', {
    ...TERMS,
    prices: { ...DEFAULT_PRICES, tip: { min: 2, max: 80 } },
  });
  expect(tip?.answer).toContain('from $2.00 to $80.00');
  expect(tip?.answer).toContain('The creator is notified right away.');
  const read = (search: string, terms = TERMS) => searchHelpQuestions('fan', search, terms)[0]?.answer;
  expect(read('subscriptions work')).toContain('a free trial of up to 14 days');
  expect(read('undo it until')).toContain('a refund of the last charge within 12 hours');
  expect(read('undo it until', { ...TERMS, subscriptionRefundHours: 0 })).toMatch(/until then\.$/);
  expect(read('renewal fails')).toContain('We try again for 4 days');
});
