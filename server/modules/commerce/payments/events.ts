declare module '../../../platform/events/events.ts' {
  interface EventMap {
    /**
     * A deposit was paid, failed, expired, reversed or restored after a won chargeback. `balanceCents` is the balance
     * of the fan after it, on `balanceLine` of the statement.
     */
    'deposit.changed': {
      depositId: string;
      fanId: string;
      status: 'pending' | 'success' | 'failed';
      change: 'paid' | 'failed' | 'expired' | 'reversed' | 'won';
      balanceCents: number;
      balanceLine?: number;
      transactionId: string | null;
    };
    'payment.refunded': { fanId: string; webhookId: string; cents: number };
    'processor.received': { webhookId: string };
  }
}

export {};
