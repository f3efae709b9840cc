declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    /** The debt of a fan changed by `cents`, or whether they may spend. The other fields are the values after it. */
    'debt.changed': {
      fanId: string;
      change: 'owed' | 'repaid' | 'writtenOff' | 'won' | 'notWon' | 'blocked' | 'unblocked';
      cents: number;
      owedCents: number;
      isBlocked: boolean;
    };
    'hold.expired': {
      holdId: string;
      fanId: string;
      purpose: string;
      amountCents: number;
      transactionId: string;
      balanceCents: number;
      balanceLine: number;
    };
    /** A fan started or extended a spending break. Nothing can be charged until it ends. */
    'spending.paused': { fanId: string; until: string };
  }
}

export {};
