/** What both sides find each other by: WebRTC with a relay, or a room of an SFU. One small interface, whichever it is. */
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import type { connectCall } from '@stagedoor/contract/calls.ts';
import type { Side } from '../call/sides.ts';

/** Whom a token lets take part, and in what. */
export type Pass = { callId: string; side: Side; userId: string };

export type Way = Pick<AnswerOf<typeof connectCall>, 'provider' | 'url' | 'iceServers' | 'iceTransportPolicy'>;

export interface CallProvider {
  /** The token of a session (row F1): short-lived, of this call and this person alone. */
  session(pass: Pass, at: Date): string;
  /** Whose token it is; undefined for one that is forged, or whose time is over. */
  read(token: string, at: Date): Pass | undefined;
  /** How to reach the other side, with fresh credentials. */
  credentials(pass: Pass, at: Date): Way;
  /** Cuts what still flows of a call that is over. */
  end(callId: string): Promise<void>;
  /** Cuts a person's device out, as another one takes over. */
  remove(callId: string, userId: string): Promise<void>;
}
