/** What payouts tell those above them, and themselves after a commit. */
import type { PAYOUT_MOMENTS, PayoutSource } from '@stagedoor/contract/payouts.ts';

declare module '../../kernel/events.ts' {
  interface EventMap {
    /** The operator changed fees or limits of payouts. */
    'payouts.settingsChanged': Record<string, never>;
    /** Where somebody is paid out to changed: `words` show no number of it. */
    'payout.methodChanged': { userId: string; change: 'added' | 'replaced' | 'removed'; words: string };
    /** Something happened to a request: its person is to be told. */
    'payout.changed': {
      payoutId: string;
      userId: string;
      source: PayoutSource;
      /** What is taken from what is available. */
      amountCents: number;
      moment: (typeof PAYOUT_MOMENTS)[number];
    };
  }
}
