import type { OperatorRole } from '@stagedoor/contract/admin/operator-rights.ts';
import { expect, test } from 'vitest';
import { ADMIN_NAV_GROUPS, canOpenPage } from './nav-entries.ts';

const PAGES: readonly [OperatorRole, string[]][] = [
  [
    'moderator',
    ['Work queue', 'Search', 'Cases', 'Verification', 'New creators', 'Calls', 'Kill switches', 'Announcements'],
  ],
  [
    'finance',
    [
      ...['Work queue', 'Search', 'Cases', 'Payouts', 'Needs second approval', 'Subscriptions'],
      'Outstanding balances',
      ...['Payment events', 'Discrepancies', 'Alerts', 'Ledger', 'Kill switches', 'Announcements', 'Settings'],
    ],
  ],
  [
    'support',
    [
      ...['Work queue', 'Search', 'Cases', 'New creators', 'Calls', 'Subscriptions'],
      ...['System status', 'Push', 'Kill switches', 'Announcements'],
    ],
  ],
];
test.each(PAGES)('the role %s sees only the pages that it may read', (role, labels) => {
  const entries = ADMIN_NAV_GROUPS.flatMap(({ entries: groupEntries }) =>
    groupEntries.filter(({ href }) => canOpenPage(href, [role])),
  );
  expect(entries.map(({ label }) => label)).toEqual(labels);
});

test('a detail page may need another right than its list', () => {
  expect(canOpenPage('/admin/verifications', ['auditor'])).toBe(true);
  expect(canOpenPage('/admin/verifications/1', ['auditor'])).toBe(false);
  expect(canOpenPage('/admin/payouts/1', ['moderator'])).toBe(false);
});
