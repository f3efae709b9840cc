import { type OwnTier, ownTier } from '@stagedoor/contract/content/subscription-tiers.ts';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  comparePrices,
  findTierErrors,
  moveItem,
  NEW_TIER,
  nameErrors,
  type TierDraft,
  toPreview,
  toTierBody,
  toTierDraft,
} from './tier-draft.ts';

const TIER: OwnTier = z.parse(ownTier, {
  id: '01890000-0000-7000-8000-000000000000',
  position: 1,
  name: 'Kiln',
  benefits: ['All kiln films'],
  isFree: false,
  options: [],
  trialDays: 7,
  slotsLeft: 17,
  isOpen: true,
  postCount: 3,
  mediaCount: 5,
  prices: { weekly: null, monthaly: 12.5, yearly: 120 },
  bundles: [{ months: 3, percentOff: 10 }],
  slots: 20,
  welcomeMessage: '',
  subscriberCount: 3,
});
const draft = toTierDraft(TIER);
const withPrice = (monthaly: string): TierDraft => ({ ...draft, prices: { ...draft.prices, monthaly } });

describe('a draft', () => {
  it('is sent as the tier was loaded when nothing changed', () => {
    const { name, benefits, prices, bundles, trialDays, slots, isOpen, welcomeMessage } = TIER;
    expect(toTierBody(draft)).toEqual({ name, benefits, prices, bundles, trialDays, slots, isOpen, welcomeMessage });
    expect(findTierErrors(draft)).toEqual({});
  });

  it('has no prices, bundles and trial while it is free', () => {
    expect(toTierBody({ ...draft, isFree: true })).toMatchObject({
      prices: { weekly: null, monthaly: null, yearly: null },
      bundles: [],
      trialDays: null,
    });
    expect(findTierErrors({ ...draft, isFree: true })).toEqual({});
  });

  it('names each invalid field, a bundle by its months and a benefit by its line', () => {
    const invalid: TierDraft = {
      ...withPrice('0.25'),
      name: ' ',
      benefits: [
        { key: '0', text: '' },
        { key: '1', text: 'a'.repeat(81) },
      ],
      bundles: { 3: '', 6: 'ten', 12: '99' },
      trialDays: '91',
      slots: '1.5',
    };
    expect(Object.keys(findTierErrors(invalid)).sort()).toEqual(
      ['benefits.1', 'bundles.12', 'bundles.6', 'name', 'prices.monthaly', 'slots', 'trialDays'].sort(),
    );
    expect(nameErrors({ 'bundles.0.percentOff': 'At most 50' }, draft)).toEqual({
      'bundles.3': 'At most 50',
    });
  });

  it('needs a price unless it is free', () => {
    expect(Object.keys(findTierErrors({ ...NEW_TIER, name: 'Kiln', benefits: [] }))).toEqual(['prices.monthaly']);
    expect(findTierErrors({ ...NEW_TIER, name: 'Kiln', benefits: [], isFree: true })).toEqual({});
  });

  it('is previewed with its valid parts', () => {
    expect(toPreview({ ...withPrice('abc'), trialDays: '99' })).toMatchObject({
      prices: { weekly: null, monthaly: null, yearly: 120 },
      bundles: [],
      trialDays: null,
    });
  });
});

describe('a price change', () => {
  it.each<[string, TierDraft]>([
    ['none', draft],
    ['raised', withPrice('14')],
    ['lowered', withPrice('11')],
    ['raised', { ...draft, bundles: { ...draft.bundles, 3: '5' } }],
    ['both', { ...withPrice('14'), bundles: { ...draft.bundles, 3: '20' } }],
    ['none', { ...draft, prices: { ...draft.prices, weekly: '5' } }],
  ])('is %s', (expected, changed) => {
    expect(comparePrices(TIER, changed)).toBe(expected);
  });
});

it('moves an item', () => {
  expect(moveItem(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
});
