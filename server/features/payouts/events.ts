import type { PAYOUT_MOMENTS, PayoutSource } from '@stagedoor/contract/payouts.ts';

declare module '../../kernel/events.ts' {
  interface EventMap {
    'payouts.settingsChanged': Record<string, never>;
    /** A payout method changed. `words` is a label without its full number. */
    'payout.methodChanged': { userId: string; change: 'added' | 'replaced' | 'removed'; words: string };
    'payout.changed': {
      payoutId: string;
      userId: string;
      source: PayoutSource;
      amountCents: number;
      moment: (typeof PAYOUT_MOMENTS)[number];
    };
  }
}
