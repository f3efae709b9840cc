import type { PAYOUT_EVENTS, PayoutSource } from '@stagedoor/contract/payouts.ts';

declare module '../../kernel/events.ts' {
  interface EventMap {
    'payouts.settingsChanged': Record<string, never>;
    /** A payout method changed. `label` does not contain its full number. */
    'payout.methodChanged': { userId: string; change: 'added' | 'replaced' | 'removed'; label: string };
    'payout.changed': {
      payoutId: string;
      userId: string;
      source: PayoutSource;
      amountCents: number;
      event: (typeof PAYOUT_EVENTS)[number];
    };
  }
}
