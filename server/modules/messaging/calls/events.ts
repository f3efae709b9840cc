import type { CallEndReason, CallStatus } from '@stagedoor/contract/messaging/call-states.ts';

/** In the order in which they are emitted. `warned` means that the fan's funds last at most `warnSeconds`. */
export const CALL_CHANGES = ['offered', 'rang', 'answered', 'tookOver', 'started', 'clock', 'warned', 'over'] as const;
export type CallChange = (typeof CALL_CHANGES)[number];

declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    /** The row may have changed again since. */
    'call.changed': {
      callLogId: string;
      fanId: string;
      creatorId: string;
      changes: CallChange[];
      status: CallStatus;
      reason: CallEndReason | null;
      isOpen: boolean;
      /** Funds were held, so both sides became busy. False for a call that was over immediately. */
      wasOffered: boolean;
      movedUserId: string | null;
      warnSeconds: number | null;
    };
    'call.callbackRequested': { callLogId: string; fanId: string; creatorId: string };
    /**
     * A creator's call settings changed. `rateCents` is the price a minute of the call button, null while no calls are
     * taken.
     */
    'call.settingsChanged': { creatorId: string; username: string; rateCents: number | null };
  }
}
