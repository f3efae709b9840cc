/** Interface of the two call providers: WebRTC with a relay, or a room of an SFU. */
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import type { connectCall } from '@stagedoor/contract/calls.ts';
import type { Side } from '../call/sides.ts';

export type Pass = { callId: string; side: Side; userId: string };

export type Way = Pick<AnswerOf<typeof connectCall>, 'provider' | 'url' | 'iceServers' | 'iceTransportPolicy'>;

export interface CallProvider {
  /** Creates a short-lived session token for one call and user (row F1). */
  session(pass: Pass, at: Date): string;
  /** Returns undefined for a forged or expired token. */
  read(token: string, at: Date): Pass | undefined;
  credentials(pass: Pass, at: Date): Way;
  end(callId: string): Promise<void>;
  remove(callId: string, userId: string): Promise<void>;
}
