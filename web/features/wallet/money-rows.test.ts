/** A statement's rows: whatever the server calls a movement, it is shown with its words, amount and sign. */
import { STATEMENT_FILTERS } from '@stagedoor/contract/money-kinds.ts';
import type { Transaction } from '@stagedoor/contract/wallet.ts';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { walletFilters } from './filters.ts';
import { TransactionRows } from './money-rows.tsx';

const NOW = '2026-11-18T12:00:00.000Z';

/** As it comes over the wire, also from a server that is newer than this page. */
function shown(movement: object): string {
  const whole = {
    id: '1',
    createdAt: NOW,
    owed: 0,
    balance: 5,
    detail: '',
    counterpart: null,
    href: null,
    ...movement,
  };
  const transactions: Transaction[] = [JSON.parse(JSON.stringify(whole))];
  return renderToStaticMarkup(
    createElement(MemoryRouter, null, createElement(TransactionRows, { transactions, now: NOW })),
  );
}

test.each(['other', 'call', 'hold', 'release', 'season'])('a movement of type %s is a row with an icon', (type) => {
  const row = shown({ type, title: 'Other movement', amount: -12.34 });
  expect(row).toContain('Other movement');
  expect(row).toContain('12.34');
  expect(row).toContain('Paid');
  expect(row).toMatch(/<svg[^>]*>.*<path[^>]* d="M/);
});

test.each([
  [-45, 45, '−$45.00', 'Owed'],
  [0, -45, '>$45.00', 'Settled'],
  [45, -45, '+$45.00', 'Settled'],
])('a movement of what is owed, by %d and %d, says its sum and what became of it', (amount, owed, sum, word) => {
  const row = shown({ type: 'debt', title: 'Of a debt', amount, owed });
  expect(row).toContain(sum);
  expect(row).toContain(word);
});

test('filters are the contract’s, each in its words, and an address may ask for every type', () => {
  expect(STATEMENT_FILTERS.map(({ words }) => words)).toEqual([
    ...['Deposits', 'Tips', 'Posts', 'Chat Media', 'Refunds', 'Chargebacks'],
  ]);
  expect(walletFilters(new URLSearchParams('type=other')).type).toBe('other');
  expect(walletFilters(new URLSearchParams('type=season')).type).toBeUndefined();
});
