/**
 * A call in a room of an SFU (CALLS=livekit), by LiveKit's own client. What belongs to negotiation, quality and a changed network is the
 * client's. Its code is fetched with the first such call.
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

/** The room's address, and the session's token, which lets this person into this room. */
export type Door = { url: string; token: string };

export interface RoomWay extends Pick<WayEvents, 'onRemote'> {
  door: Door;
  /** With a fresh token; nothing when it cannot be had now. */
  renew(): Promise<Door | undefined>;
}

const AGAIN_MS = 1_500;
const LOOK_MS = 1_000;
/** Another device took over, or the call is over: who came back would be in the way. */
const FOR_GOOD: readonly (DisconnectReason | undefined)[] = [
  DisconnectReason.DUPLICATE_IDENTITY,
  DisconnectReason.PARTICIPANT_REMOVED,
  DisconnectReason.ROOM_DELETED,
  DisconnectReason.ROOM_CLOSED,
];
const KINDS = ['audio', 'video'] as const satisfies readonly TrackKind[];

/** A track as the room has it, and the viewer's own that it is a copy of. */
type Sent = { own: MediaStreamTrack; copy: MediaStreamTrack; local: LocalTrack };

/** The room enables what it is given, so it is given a copy: what is muted here stays so. */
async function copyOf(own: MediaStreamTrack): Promise<Sent> {
  const copy = own.clone();
  const local: Track = own.kind === 'audio' ? new LocalAudioTrack(copy) : new LocalVideoTrack(copy);
  if (!isLocalTrack(local)) throw new Error('a track of the viewer’s own is none to the room');
  // It does so a moment after it was made.
  await new Promise((done) => setTimeout(done));
  copy.enabled = own.enabled;
  return { own, copy, local };
}

export function openRoom({ door, renew, onRemote }: RoomWay): Way {
  // Muted sound is sent as silence: it is by what arrives that the other side is known to be there.
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
  // One after the other: each stands on what the one before it left. What fails is tried again with the next look.
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
    // Less than before: a track is gone, and another may have come.
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
    // Rooms need nothing of what devices tell each other.
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
