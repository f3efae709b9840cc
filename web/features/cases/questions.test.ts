/** Questions: each side finds its own, by any words that are in them. */

import { DEFAULT_PRICES } from '@stagedoor/contract/atoms/prices.ts';
import { expect, test } from 'vitest';
import { questions, questionsFor } from './questions.ts';

test('a search finds what holds all its words, of one’s own side', () => {
  expect(questionsFor('fan', '', DEFAULT_PRICES).every(({ side }) => side !== 'creator')).toBe(true);
  expect(questionsFor('creator', 'paid OUT', DEFAULT_PRICES).map(({ ask }) => ask)).toEqual([
    'When can I be paid out?',
  ]);
  expect(questionsFor('fan', 'paid out', DEFAULT_PRICES)).toEqual([]);
  expect(questionsFor('fan', 'zzzz', DEFAULT_PRICES)).toEqual([]);
  const all = questions(DEFAULT_PRICES);
  expect(new Set(all.map(({ ask, side }) => `${side} ${ask}`)).size).toBe(all.length);
  const [asked] = questionsFor('fan', 'tip', { ...DEFAULT_PRICES, tip: { min: 2, max: 80 } });
  expect(asked?.answer).toContain('from $2.00 to $80.00');
});
