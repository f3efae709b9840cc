/** What the ledger tells those above it. */
declare module '../../kernel/events.ts' {
  interface EventMap {
    /** What a fan owes changed by `cents`, or whether they may spend. The rest is how it stands after it. */
    'debt.changed': {
      fanId: string;
      change: 'owed' | 'workedOff' | 'writtenOff' | 'won' | 'notWon' | 'blocked' | 'unblocked';
      cents: number;
      owedCents: number;
      isBlocked: boolean;
    };
    /** Nobody came for what was set aside, and it is back in the wallet. */
    'hold.expired': {
      holdId: string;
      fanId: string;
      purpose: string;
      amountCents: number;
      transactionId: string;
      balanceCents: number;
      balanceLine: number;
    };
  }
}

export {};
