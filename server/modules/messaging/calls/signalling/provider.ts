/** Interface of the two call providers: WebRTC with a relay, or a room of an SFU. */

import type { connectCall } from '@stagedoor/contract/messaging/calls.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { CallSide } from '../call/sides.ts';

export type CallPass = { callId: string; side: CallSide; userId: string };

export type ConnectionDetails = Pick<
  ResponseInputOf<typeof connectCall>,
  'provider' | 'url' | 'iceServers' | 'iceTransportPolicy'
>;

export interface CallProvider {
  /** Creates a short-lived session token for one call and user (row F1). */
  session(callPass: CallPass, at: Date): string;
  /** Returns undefined for a forged or expired token. */
  read(token: string, at: Date): CallPass | undefined;
  credentials(callPass: CallPass, at: Date): ConnectionDetails;
  end(callId: string): Promise<void>;
  remove(callId: string, userId: string): Promise<void>;
}
