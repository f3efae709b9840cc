/** What the calls room tells. */
import type { CallReason, CallStatus } from '@stagedoor/contract/call-states.ts';

/** What is new about a call, in the order in which it is told. `warned`: the fan's funds last no longer than `warnSeconds`. */
export const CALL_NEWS = ['offered', 'rang', 'answered', 'tookOver', 'started', 'clock', 'warned', 'over'] as const;
export type CallNews = (typeof CALL_NEWS)[number];

declare module '../../kernel/events.ts' {
  interface EventMap {
    /** A call changed; the row is there, and may differ already. */
    'call.changed': {
      callLogId: string;
      fanId: string;
      creatorId: string;
      news: CallNews[];
      status: CallStatus;
      reason: CallReason | null;
      isOpen: boolean;
      /** Money was set aside. One that was over at once made nobody busy. */
      wasOffered: boolean;
      /** Whose device took over. */
      movedId: string | null;
      warnSeconds: number | null;
    };
    /** A creator asks the fan of a missed call to call again. */
    'call.backAsked': { callLogId: string; fanId: string; creatorId: string };
    /** What a creator takes for calls changed: the lowest price a minute, null while none are taken. */
    'call.termsChanged': { creatorId: string; username: string; rateCents: number | null };
  }
}
