import type { WalletTransaction } from '@stagedoor/contract/finance/wallet.ts';
import { expect, test } from 'vitest';
import { formatCallLength } from './call-row.tsx';

type Call = NonNullable<WalletTransaction['call']>;
const call = { seconds: 0, rate: 3, isOver: true } as Call;

test.each([
  [{ reason: 'cancelled' }, 'Canceled'],
  [{ reason: 'noAnswer' }, 'No answer'],
  [{ reason: 'busy' }, 'Busy'],
  [{ reason: 'notConnected' }, 'Not connected'],
  [{ reason: 'hungUp', seconds: 95 }, '1:35 at $3.00/min'],
  [{ reason: null, isOver: false }, 'In progress at $3.00/min'],
] as const)('the row of a call in the wallet says how it ended: %o', (part, expected) =>
  expect(formatCallLength({ ...call, ...part })).toBe(expected),
);
