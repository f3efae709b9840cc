/** What carries a call's picture and sound, whoever provides it: WebRTC between both sides, or a room of an SFU. */
import type { SignalInput } from '@stagedoor/contract/atoms/event.ts';
import type { signalCall } from '@stagedoor/contract/calls-live.ts';

export type CallSignal = Pick<SignalInput<typeof signalCall>, 'description' | 'candidate' | 'shown'>;
export type TrackKind = 'audio' | 'video';

/** What is told of the way, whenever it changes. */
export interface WayEvents {
  /** To the other side's device. */
  send(signal: CallSignal): void;
  /** The other side's picture and sound, one stream for as long as the way lives. */
  onRemote(stream: MediaStream): void;
  /** What of the picture is sent: the way is too narrow for it when false. */
  onPicture(isSent: boolean): void;
}

export interface Way {
  /** What the other side said to find the way. */
  hear(signal: CallSignal): Promise<void>;
  /** The viewer's own sound or picture; null: none. */
  setTrack(kind: TrackKind, track: MediaStreamTrack | null): void;
  /** Whether anything is sent at all: only while the clock runs. */
  setFlowing(isFlowing: boolean): void;
  /** Whether the other side is heard at this moment. */
  isHeard(): boolean;
  /** The network is another: finds the way anew. */
  restart(): void;
  close(): void;
}
