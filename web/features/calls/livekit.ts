/**
 * A call through an SFU room (CALLS=livekit). LiveKit's client handles negotiation, quality and network changes. It is
 * loaded with the first such call.
 */
import {
  DisconnectReason,
  isLocalTrack,
  LocalAudioTrack,
  type LocalTrack,
  LocalVideoTrack,
  Room,
  RoomEvent,
  Track,
} from 'livekit-client';
import { type Heard, isHeard } from './hearing.ts';
import { readStats } from './stats.ts';
import type { TrackKind, Way, WayEvents } from './way.ts';

export type Door = { url: string; token: string };

export interface RoomWay extends Pick<WayEvents, 'onRemote'> {
  door: Door;
  renew(): Promise<Door | undefined>;
}

const AGAIN_MS = 1_500;
const LOOK_MS = 1_000;
/** Disconnect reasons after which rejoining is wrong: another device took over, or the call has ended. */
const FOR_GOOD: readonly (DisconnectReason | undefined)[] = [
  DisconnectReason.DUPLICATE_IDENTITY,
  DisconnectReason.PARTICIPANT_REMOVED,
  DisconnectReason.ROOM_DELETED,
  DisconnectReason.ROOM_CLOSED,
];
const KINDS = ['audio', 'video'] as const satisfies readonly TrackKind[];

type Sent = { own: MediaStreamTrack; copy: MediaStreamTrack; local: LocalTrack };

/** LiveKit enables every track that it receives. A copy keeps the viewer's own mute state intact. */
async function copyOf(own: MediaStreamTrack): Promise<Sent> {
  const copy = own.clone();
  const local: Track = own.kind === 'audio' ? new LocalAudioTrack(copy) : new LocalVideoTrack(copy);
  if (!isLocalTrack(local)) throw new Error('a track of the viewer’s own is none to the room');
  await new Promise((done) => setTimeout(done));
  copy.enabled = own.enabled;
  return { own, copy, local };
}

export function openRoom({ door, renew, onRemote }: RoomWay): Way {
  // Muted audio is sent as silence, because arriving packets prove that the other side is connected.
  const room = new Room({ dynacast: true, publishDefaults: { dtx: false } });
  const remote = new MediaStream();
  const tracks: Record<TrackKind, MediaStreamTrack | null> = { audio: null, video: null };
  const sent = new Map<TrackKind, Sent>();
  const heard: Heard = { isConnected: false, signAt: undefined, mediaAt: undefined, flowsSince: undefined };
  const now = () => performance.now();
  let packets = 0;
  let isClosed = false;
  let again: ReturnType<typeof setTimeout> | undefined;

  async function place(kind: TrackKind): Promise<void> {
    const own = tracks[kind];
    let present = sent.get(kind);
    if (present && present.own !== own) {
      sent.delete(kind);
      await room.localParticipant.unpublishTrack(present.local);
      present = undefined;
    }
    const flows = heard.flowsSince !== undefined;
    if (present) {
      present.copy.enabled = present.own.enabled;
      await (flows ? present.local.resumeUpstream() : present.local.pauseUpstream());
    } else if (own && flows && heard.isConnected) {
      const made = await copyOf(own);
      sent.set(kind, made);
      const source = kind === 'audio' ? Track.Source.Microphone : Track.Source.Camera;
      await room.localParticipant.publishTrack(made.local, { source });
    }
  }
  // Runs one after the other, because each step depends on the previous one. A failed step is retried at the next
  // check.
  let work = Promise.resolve();
  function settle(): void {
    work = work.then(async () => {
      for (const kind of KINDS) if (!isClosed) await place(kind).catch(() => drop(kind));
    });
  }
  function drop(kind: TrackKind): void {
    sent.get(kind)?.local.stop();
    sent.delete(kind);
  }

  async function enter(to: Door): Promise<void> {
    try {
      await room.connect(to.url, to.token);
      heard.isConnected = true;
      settle();
    } catch {
      later();
    }
    if (isClosed) void room.disconnect();
  }
  function later(afterMs = AGAIN_MS): void {
    clearTimeout(again);
    if (isClosed) return;
    again = setTimeout(async () => {
      again = undefined;
      const fresh = await renew();
      if (isClosed) return;
      if (fresh) await enter(fresh);
      else later();
    }, afterMs);
  }
  async function look(): Promise<void> {
    heard.signAt = heard.isConnected && room.remoteParticipants.size > 0 ? now() : undefined;
    settle();
    const theirs = [...room.remoteParticipants.values()].flatMap((person) => [...person.trackPublications.values()]);
    const reports = await Promise.all(theirs.map(({ track }) => track?.getRTCStatsReport()));
    const received = reports.reduce((sum, report) => sum + (report ? readStats(report).received : 0), 0);
    // A lower count means that a track ended. A new one may have started.
    if (received !== packets) heard.mediaAt = now();
    packets = received;
  }

  room.on(RoomEvent.TrackSubscribed, ({ mediaStreamTrack }) => {
    for (const old of remote.getTracks()) if (old.kind === mediaStreamTrack.kind) remote.removeTrack(old);
    remote.addTrack(mediaStreamTrack);
    onRemote(remote);
  });
  room.on(RoomEvent.TrackUnsubscribed, ({ mediaStreamTrack }) => remote.removeTrack(mediaStreamTrack));
  room.on(RoomEvent.Reconnecting, () => {
    heard.isConnected = false;
  });
  room.on(RoomEvent.Reconnected, () => {
    heard.isConnected = true;
  });
  room.on(RoomEvent.Disconnected, (reason) => {
    heard.isConnected = false;
    for (const kind of KINDS) drop(kind);
    if (!FOR_GOOD.includes(reason)) later();
  });
  const looking = setInterval(() => void look().catch(() => undefined), LOOK_MS);
  void enter(door);

  return {
    hear: () => Promise.resolve(),
    setTrack: (kind, track) => {
      tracks[kind] = track;
      settle();
    },
    setFlowing: (isFlowing) => {
      if (isFlowing === (heard.flowsSince !== undefined)) return;
      heard.flowsSince = isFlowing ? now() : undefined;
      settle();
    },
    isHeard: () => isHeard(heard, now()),
    restart: () => {
      if (again !== undefined) later(0);
    },
    close: () => {
      isClosed = true;
      clearInterval(looking);
      clearTimeout(again);
      for (const kind of KINDS) drop(kind);
      void room.disconnect();
    },
  };
}
