import { expect, test } from 'vitest';
import { spentOnWords } from './words.ts';

test('what a fan spent, in one and in many', () => {
  const words = [
    { label: 'Video Call', count: 4, amount: 98.6 },
    { label: 'Post', count: 1, amount: 9 },
    { label: 'Chat Media', count: 2, amount: 6 },
  ].map(spentOnWords);
  expect(words).toEqual(['4 calls $98.60', '1 post $9.00', '2 chat media $6.00']);
});
