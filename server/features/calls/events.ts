import type { CallReason, CallStatus } from '@stagedoor/contract/call-states.ts';

/** In the order in which they are emitted. `warned` means that the fan's funds last at most `warnSeconds`. */
export const CALL_NEWS = ['offered', 'rang', 'answered', 'tookOver', 'started', 'clock', 'warned', 'over'] as const;
export type CallNews = (typeof CALL_NEWS)[number];

declare module '../../kernel/events.ts' {
  interface EventMap {
    /** The row may have changed again since. */
    'call.changed': {
      callLogId: string;
      fanId: string;
      creatorId: string;
      news: CallNews[];
      status: CallStatus;
      reason: CallReason | null;
      isOpen: boolean;
      /** Funds were held, so both sides became busy. False for a call that was over immediately. */
      wasOffered: boolean;
      movedId: string | null;
      warnSeconds: number | null;
    };
    'call.backAsked': { callLogId: string; fanId: string; creatorId: string };
    /**
     * A creator's call settings changed. `rateCents` is the price a minute of the call button, null while no calls are
     * taken.
     */
    'call.termsChanged': { creatorId: string; username: string; rateCents: number | null };
  }
}
