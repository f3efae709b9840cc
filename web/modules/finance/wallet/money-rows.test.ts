import { STATEMENT_FILTERS } from '@stagedoor/contract/commerce/money-kinds.ts';
import type { WalletTransaction } from '@stagedoor/contract/finance/wallet.ts';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { describe, expect, test } from 'vitest';
import { parseWalletFilters } from './filters.ts';
import { TransactionRows } from './money-rows.tsx';

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

test('the filters are those of the contract, and the address accepts every type', () => {
  expect(STATEMENT_FILTERS.map(({ label }) => label)).toEqual([
    ...['Deposits', 'Tips', 'Posts', 'Chat Media', 'Calls', 'Refunds', 'Chargebacks'],
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
  const movements = (callData: object) => [
    { type: 'call', title: 'Voice call with Mirele', amount: 7.3, call: callData },
    { type: 'tip', title: 'Tip to Mirele', amount: -5 },
    { type: 'hold', title: 'On hold', amount: -3, call: callData },
    { type: 'hold', title: 'On hold', amount: -9, call: callData },
  ];

  test('is one row with its price that opens to all held and released amounts', () => {
    const list = renderRows(...movements(call));
    expect(list).toMatch(/Voice call.*1:34 at \$3\.00\/min.*−\$4\.70.*Paid/s);
    expect(list.match(/<details/g)).toHaveLength(1);
    expect(list).toMatch(
      /Charged \$4\.70, rest released.*\+\$7\.30.*Released.*−\$3\.00.*Held.*−\$9\.00.*Held.*Tip to Mirele/s,
    );
  });

  test('shows a full or partial refund', () => {
    expect(renderRows(...movements({ ...call, refunded: 4.7 }))).toMatch(/−\$4\.70.*Refunded.*Refunded.*\$4\.70/s);
    const part = renderRows(...movements({ ...call, refunded: 1 }));
    expect(part).toMatch(/−\$4\.70.*Paid.*Refunded.*\$1\.00/s);
  });

  test('is free when it is unanswered, and shown as held while it is running', () => {
    const free = { ...call, seconds: 0, charged: 0, released: 12 };
    expect(renderRows({ type: 'release', title: 'Hold released', amount: 12, call: free })).toMatch(
      /Not connected.*>\$0\.00<.*Free/s,
    );
    const running = { ...call, charged: 0, released: 0, isOver: false };
    expect(renderRows({ type: 'hold', title: 'On hold', amount: -12, call: running })).toMatch(/−\$12\.00.*Held/s);
  });
});
