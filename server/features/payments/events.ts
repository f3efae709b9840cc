/** What payments tell those above them, and themselves after a commit. */
declare module '../../kernel/events.ts' {
  interface EventMap {
    /** A deposit changed: paid, failed, given up unpaid, taken back, or won back from who took it. `balanceCents` is the fan's balance after it, on `balanceLine` of their statement. */
    'deposit.changed': {
      depositId: string;
      fanId: string;
      status: 'pending' | 'success' | 'failed';
      change: 'paid' | 'failed' | 'expired' | 'reversed' | 'won';
      balanceCents: number;
      balanceLine?: number;
      /** The ledger's transaction that moved money, if one did. */
      transactionId: string | null;
    };
    /** A payment that could not be credited is on its way back to whoever paid it. */
    'payment.returned': { fanId: string; eventId: string; cents: number };
    /** A post of the processor is stored and to be worked on. */
    'processor.received': { eventId: string };
  }
}

export {};
