import type { Deposit } from '@stagedoor/contract/commerce/deposits.ts';
import { STATEMENT_FILTERS } from '@stagedoor/contract/commerce/money-kinds.ts';
import type { WalletTransaction } from '@stagedoor/contract/finance/wallet.ts';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { describe, expect, test } from 'vitest';
import { parseWalletFilters } from './filters.ts';
import { DepositRows, TransactionRows } from './money-rows.tsx';

const NOW = '2026-11-18T12:00:00.000Z';

/** Data as it arrives over the wire, possibly from a newer server. */
function renderRows(...movements: object[]): string {
  const defaults = {
    ...{ createdAt: NOW, owed: 0, balance: 5, detail: '', otherUser: null, href: null, call: null },
  };
  const transactions: WalletTransaction[] = JSON.parse(
    JSON.stringify(movements.map((movement, at) => ({ id: String(at), ...defaults, ...movement }))),
  );
  return renderToStaticMarkup(
    createElement(MemoryRouter, null, createElement(TransactionRows, { transactions, now: NOW })),
  );
}

test.each(['other', 'call', 'hold', 'release', 'season'])(
  'a movement of type %s is shown as a row with an icon',
  (type) => {
    const row = renderRows({ type, title: 'Other', amount: -12.34 });
    expect(row).toContain('Other');
    expect(row).toContain('12.34');
    expect(row).toContain({ hold: 'Held', release: 'Released' }[type] ?? 'Paid');
    expect(row).toMatch(/<svg[^>]*>.*<path[^>]* d="M/);
  },
);

test.each([
  [-45, 45, '−$45.00', 'Owed'],
  [0, -45, '>$45.00', 'Paid off'],
  [45, -45, '+$45.00', 'Paid off'],
])('a debt movement of %d in balance and %d in debt shows its amount and label', (amount, owed, sum, label) => {
  const row = renderRows({ type: 'debt', title: 'Of a debt', amount, owed });
  expect(row).toContain(sum);
  expect(row).toContain(label);
});

test.each([
  ['success', '>+$40.00<'],
  ['failed', '>$40.00<'],
  ['pending', '>$40.00<'],
] as const)('a deposit with state %s reads %s', (status, amount) => {
  const state = { reason: null, card: null, reversed: 0, debtPaid: 0, credits: null, fee: 0.82, paid: 40.82 };
  const deposit: Deposit = JSON.parse(
    JSON.stringify({ id: 'd', createdAt: NOW, updatedAt: NOW, amount: 40, status, ...state }),
  );
  const rows = createElement(DepositRows, { deposits: [deposit], now: NOW });
  expect(renderToStaticMarkup(createElement(MemoryRouter, null, rows))).toContain(amount);
});

test('the filters are those of the contract, and the address accepts every type', () => {
  expect(STATEMENT_FILTERS.map(({ label }) => label)).toEqual([
    ...['Deposits', 'Tips', 'Posts', 'Chat Media', 'Calls', 'Subscriptions', 'Refunds', 'Chargebacks'],
  ]);
  expect(parseWalletFilters(new URLSearchParams('type=other')).type).toBe('other');
  expect(parseWalletFilters(new URLSearchParams('type=season')).type).toBeUndefined();
});

describe('a call', () => {
  const call = {
    ...{
      id: 'c',
      kind: 'audio',
      seconds: 94,
      rate: 3,
      held: 12,
      charged: 4.7,
      released: 7.3,
      refunded: 0,
      isOver: true,
    },
  };
  const row = (callData: object) => ({ type: 'call', title: 'Voice call with Mirele', amount: -4.7, call: callData });

  test('is one row with its price and what was held, charged and released', () => {
    const list = renderRows(row(call), { type: 'tip', title: 'Tip to Mirele', amount: -5 });
    expect(list).toMatch(/Voice call.*1:34 at \$3\.00\/min.*−\$4\.70.*Paid/s);
    expect(list.match(/<details/g)).toHaveLength(1);
    expect(list).toMatch(/Held.*\$12\.00.*Charged.*\$4\.70.*Released.*\$7\.30.*Tip to Mirele/s);
  });

  test('shows a full or partial refund', () => {
    expect(renderRows(row({ ...call, refunded: 4.7 }))).toMatch(/−\$4\.70.*Refunded.*Refunded.*\$4\.70/s);
    expect(renderRows(row({ ...call, refunded: 1 }))).toMatch(/−\$4\.70.*Paid.*Refunded.*\$1\.00/s);
  });

  test('is free when it is unanswered, and shown as held while it is running', () => {
    const free = { ...call, seconds: 0, charged: 0, released: 12 };
    expect(renderRows({ ...row(free), type: 'release', amount: 0 })).toMatch(/Not connected.*>\$0\.00<.*Free/s);
    const running = { ...call, charged: 0, released: 0, isOver: false };
    expect(renderRows({ ...row(running), type: 'hold', amount: -12 })).toMatch(/−\$12\.00.*Held/s);
  });
});
