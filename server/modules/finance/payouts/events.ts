import type { PAYOUT_EVENTS, PayoutSource } from '@stagedoor/contract/finance/payouts.ts';

declare module '../../../platform/events/event-types.ts' {
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
