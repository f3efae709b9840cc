/** The interface of the media connection of a call, either WebRTC between both browsers or an SFU room. */
import type { SignalInput } from '@stagedoor/contract/atoms/event.ts';
import type { signalCall } from '@stagedoor/contract/calls-live.ts';

export type CallSignal = Pick<SignalInput<typeof signalCall>, 'description' | 'candidate' | 'shown'>;
export type TrackKind = 'audio' | 'video';

export interface WayEvents {
  send(signal: CallSignal): void;
  onRemote(stream: MediaStream): void;
  /** False while the bandwidth is too low for video. */
  onPicture(isSent: boolean): void;
}

export interface Way {
  hear(signal: CallSignal): Promise<void>;
  setTrack(kind: TrackKind, track: MediaStreamTrack | null): void;
  /** Media is sent only while the clock runs. */
  setFlowing(isFlowing: boolean): void;
  isHeard(): boolean;
  /** Reconnects after a change of network. */
  restart(): void;
  close(): void;
}
