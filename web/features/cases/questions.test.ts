/** Questions: each side finds its own, by any words that are in them. */
import { expect, test } from 'vitest';
import { QUESTIONS, questionsFor } from './questions.ts';

test('a search finds what holds all its words, of one’s own side', () => {
  expect(questionsFor('fan', '').every(({ side }) => side !== 'creator')).toBe(true);
  expect(questionsFor('creator', 'paid OUT').map(({ ask }) => ask)).toEqual(['When can I be paid out?']);
  expect(questionsFor('fan', 'paid out')).toEqual([]);
  expect(questionsFor('fan', 'zzzz')).toEqual([]);
  expect(new Set(QUESTIONS.map(({ ask, side }) => `${side} ${ask}`)).size).toBe(QUESTIONS.length);
});
