/** The interface of the media connection of a call, either WebRTC between both browsers or an SFU room. */

import type { signalCall } from '@stagedoor/contract/messaging/calls-events.ts';
import type { SignalInput } from '@stagedoor/contract/shared/event.ts';

export type CallSignal = Pick<SignalInput<typeof signalCall>, 'description' | 'candidate' | 'activeMedia'>;
export type TrackKind = 'audio' | 'video';

export interface MediaConnectionEvents {
  send(signal: CallSignal): void;
  onRemote(stream: MediaStream): void;
  /** False while the bandwidth is too low for video. */
  onVideoSending(isSent: boolean): void;
}

export interface MediaConnection {
  handleSignal(signal: CallSignal): Promise<void>;
  setTrack(kind: TrackKind, track: MediaStreamTrack | null): void;
  /** Media is sent only while the clock runs. */
  setSending(isSending: boolean): void;
  isAlive(): boolean;
  /** Reconnects after a change of network. */
  restart(): void;
  close(): void;
}
