import { expect, test } from 'vitest';
import { formatRefund, formatSpending } from './call-labels.ts';

test('formats what a fan spent on one and on several purchases', () => {
  const texts = [
    { label: 'Video Call', count: 4, amount: 98.6 },
    { label: 'Post', count: 1, amount: 9 },
    { label: 'Chat Media', count: 2, amount: 6 },
  ].map(formatSpending);
  expect(texts).toEqual(['4 calls $98.60', '1 post $9.00', '2 chat media $6.00']);
});

test('formats partial and full refunds of a call', () => {
  expect([0, 1.5, 4.7].map((refunded) => formatRefund({ amount: 4.7, refunded }))).toEqual([
    ...['', '$1.50 refunded', 'refunded'],
  ]);
});
