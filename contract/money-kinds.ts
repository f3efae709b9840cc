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
    readonly link: string;
  };
};

const TYPES = {
  deposit: { filter: 'Deposits' },
  tip: { filter: 'Tips' },
  post: { filter: 'Posts' },
  chat: { filter: 'Chat Media' },
  call: { filter: 'Calls' },
  subscription: {},
  hold: {},
  release: {},
  refund: { filter: 'Refunds' },
  chargeback: { filter: 'Chargebacks' },
  debt: {},
  other: {},
} as const satisfies Record<string, { readonly filter?: string }>;
export type StatementType = keyof typeof TYPES;

export const OTHER_MOVEMENT = 'Other movement';

const SALES = {
  tip: { title: 'Tip', type: 'tip', sale: { isOnce: false, link: 'to' } },
  post: { title: 'Post', type: 'post', sale: { isOnce: true, link: 'post by' } },
  chat: { title: 'Chat Media', type: 'chat', sale: { isOnce: true, link: 'from' } },
  call: { title: 'Video Call', type: 'call', sale: { isOnce: false, link: 'with' } },
  subscription: { title: 'Subscription', type: 'subscription', sale: { isOnce: true, link: 'to' } },
} as const satisfies Record<string, MoneyKind>;

export const MONEY_KINDS: Readonly<Record<string, MoneyKind>> = {
  ...SALES,
  deposit: { title: 'Deposit', type: 'deposit' },
  deposit_refund: { title: 'Refund to your card', type: 'refund' },
  deposit_void: { title: 'Payment cancelled', type: 'refund' },
  deposit_return: { title: 'Payment returned by the bank', type: 'refund' },
  deposit_chargeback: { title: 'Chargeback', type: 'chargeback' },
  chargeback_won: { title: 'Chargeback withdrawn', type: 'chargeback' },
  chargeback_stands: { title: 'Chargeback not withdrawn', type: 'chargeback' },
  debt: { title: 'Owed', type: 'debt' },
  debt_repayment: { title: 'Kept for what you owed', type: 'debt' },
  debt_write_off: { title: 'No longer owed', type: 'debt' },
  sale_refund: { title: 'Refund', type: 'refund' },
  hold: { title: 'Set aside', type: 'hold' },
  hold_extend: { title: 'Set aside', type: 'hold' },
  hold_release: { title: 'No longer set aside', type: 'release' },
  hold_expired: { title: 'Back in your balance, as its time was over', type: 'release' },
  clearing: { title: 'Cleared', type: 'other' },
  clearing_return: { title: 'Back to pending', type: 'other' },
  settlement: { title: 'Settlement', type: 'other' },
  processor_fee: { title: 'Processor fee', type: 'other' },
  chargeback_fee: { title: 'Chargeback fee', type: 'other' },
  processor_settlement: { title: 'Settlement of the processor', type: 'other' },
  processor_settlement_return: { title: 'Settlement taken back', type: 'other' },
  commission: { title: 'Commission', type: 'other' },
  commission_return: { title: 'Commission taken back', type: 'other' },
  commission_uncleared: { title: 'Commission back to pending', type: 'other' },
  commission_repayment: { title: 'Kept for commission taken back', type: 'other' },
  commission_deposit: { title: 'From your referrals', type: 'other' },
  payout_requested: { title: 'Payout requested', type: 'other' },
  payout_cancelled: { title: 'Payout cancelled', type: 'other' },
  payout_sent: { title: 'Payout sent', type: 'other' },
  payout_unsent: { title: 'Payout not sent', type: 'other' },
  payout_paid: { title: 'Payout arrived', type: 'other' },
  earnings_kept: { title: 'Kept for what you owed', type: 'other' },
  payout_failed: { title: 'Payout came back', type: 'other' },
};

function keysOf<T extends object>(table: T): Extract<keyof T, string>[] {
  return Object.keys(table).filter((key): key is Extract<keyof T, string> => key in table);
}

export const STATEMENT_TYPES = keysOf(TYPES);
export const SALE_KINDS = keysOf(SALES);

export const STATEMENT_FILTERS: readonly { readonly type: StatementType; readonly words: string }[] =
  STATEMENT_TYPES.flatMap((type) => {
    const entry: { readonly filter?: string } = TYPES[type];
    return entry.filter === undefined ? [] : [{ type, words: entry.filter }];
  });

export function statementTypeOf(text: string): StatementType {
  return STATEMENT_TYPES.find((known) => known === text) ?? 'other';
}

export function saleLink(kind: string, isOnce: boolean): string {
  return MONEY_KINDS[kind]?.sale?.link ?? (isOnce ? 'from' : 'to');
}
