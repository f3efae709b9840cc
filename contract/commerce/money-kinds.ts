/**
 * Kinds of money transactions. Each entry is a row of `ledger_kinds` (a test compares them), so a new kind also needs a
 * migration. Lists, filters and pages derive from it.
 */

export type MoneyKind = {
  readonly title: string;
  readonly type: StatementType;
  readonly sale?: {
    /** Bought once and owned. Other sales can be repeated. */
    readonly isOnce: boolean;
    /** “Tip **to** Inês”, “**post by** Inês”. */
    readonly preposition: string;
  };
};

const TYPES = {
  deposit: { filter: 'Deposits' },
  tip: { filter: 'Tips' },
  post: { filter: 'Posts' },
  chat: { filter: 'Chat Media' },
  call: { filter: 'Calls' },
  subscription: { filter: 'Subscriptions' },
  hold: {},
  release: {},
  refund: { filter: 'Refunds' },
  chargeback: { filter: 'Chargebacks' },
  debt: {},
  other: {},
} as const satisfies Record<string, { readonly filter?: string }>;
export type StatementType = keyof typeof TYPES;

export const OTHER_TRANSACTION_TITLE = 'Other';

const SALES = {
  tip: { title: 'Tip', type: 'tip', sale: { isOnce: false, preposition: 'to' } },
  post: { title: 'Post', type: 'post', sale: { isOnce: true, preposition: 'post by' } },
  chat: { title: 'Chat Media', type: 'chat', sale: { isOnce: true, preposition: 'from' } },
  call: { title: 'Video Call', type: 'call', sale: { isOnce: false, preposition: 'with' } },
  subscription: { title: 'Subscription', type: 'subscription', sale: { isOnce: true, preposition: 'to' } },
} as const satisfies Record<string, MoneyKind>;

export const MONEY_KINDS: Readonly<Record<string, MoneyKind>> = {
  ...SALES,
  deposit: { title: 'Deposit', type: 'deposit' },
  deposit_refund: { title: 'Refund to your card', type: 'refund' },
  deposit_void: { title: 'Payment canceled', type: 'refund' },
  deposit_return: { title: 'Payment returned by the bank', type: 'refund' },
  deposit_chargeback: { title: 'Chargeback', type: 'chargeback' },
  chargeback_won: { title: 'Chargeback reversed', type: 'chargeback' },
  chargeback_upheld: { title: 'Chargeback reinstated', type: 'chargeback' },
  debt: { title: 'Owed', type: 'debt' },
  debt_repayment: { title: 'Debt repayment', type: 'debt' },
  debt_write_off: { title: 'Debt canceled', type: 'debt' },
  sale_refund: { title: 'Refund', type: 'refund' },
  hold: { title: 'On hold', type: 'hold' },
  hold_extend: { title: 'On hold', type: 'hold' },
  hold_release: { title: 'Hold released', type: 'release' },
  hold_expired: { title: 'Hold expired', type: 'release' },
  clearing: { title: 'Cleared', type: 'other' },
  clearing_return: { title: 'Moved back to pending', type: 'other' },
  settlement: { title: 'Settlement', type: 'other' },
  processor_fee: { title: 'Processor fee', type: 'other' },
  chargeback_fee: { title: 'Chargeback fee', type: 'other' },
  processor_settlement: { title: 'Processor settlement', type: 'other' },
  processor_settlement_return: { title: 'Settlement reversed', type: 'other' },
  commission: { title: 'Commission', type: 'other' },
  commission_return: { title: 'Commission reversed', type: 'other' },
  commission_uncleared: { title: 'Commission moved back to pending', type: 'other' },
  commission_repayment: { title: 'Commission repayment', type: 'other' },
  commission_deposit: { title: 'From your referrals', type: 'other' },
  payout_requested: { title: 'Payout requested', type: 'other' },
  payout_cancelled: { title: 'Payout canceled', type: 'other' },
  payout_sent: { title: 'Payout sent', type: 'other' },
  payout_unsent: { title: 'Payout failed', type: 'other' },
  payout_paid: { title: 'Payout paid', type: 'other' },
  earnings_withheld: { title: 'Debt repayment', type: 'other' },
  payout_failed: { title: 'Payout returned', type: 'other' },
};

/** What follows a hold: its extensions, its capture and its release. The wallet shows them with the hold, as one row. */
export const HOLD_PART_KINDS = ['call', 'hold_expired', 'hold_extend', 'hold_release'] as const;

function listKeys<T extends object>(table: T): Extract<keyof T, string>[] {
  return Object.keys(table).filter((key): key is Extract<keyof T, string> => key in table);
}

export const STATEMENT_TYPES = listKeys(TYPES);
export const SALE_KINDS = listKeys(SALES);

export const STATEMENT_FILTERS: readonly { readonly type: StatementType; readonly label: string }[] =
  STATEMENT_TYPES.flatMap((type) => {
    const entry: { readonly filter?: string } = TYPES[type];
    return entry.filter === undefined ? [] : [{ type, label: entry.filter }];
  });

export function toStatementType(text: string): StatementType {
  return STATEMENT_TYPES.find((known) => known === text) ?? 'other';
}

export function getSalePreposition(kind: string, isOnce: boolean): string {
  return MONEY_KINDS[kind]?.sale?.preposition ?? (isOnce ? 'from' : 'to');
}
