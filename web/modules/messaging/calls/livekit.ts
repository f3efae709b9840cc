/**
 * A call through an SFU room (CALLS_PROVIDER=livekit). LiveKit's client handles negotiation, quality and network changes. It is
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
import { type ConnectionSignals, isOtherSideAlive } from './liveness.ts';
import type { MediaConnection, MediaConnectionEvents, TrackKind } from './media-connection.ts';
import { toConnectionSample } from './stats.ts';

export type RoomAccess = { url: string; token: string };

export interface RoomConnectionOptions extends Pick<MediaConnectionEvents, 'onRemote'> {
  access: RoomAccess;
  renew(): Promise<RoomAccess | undefined>;
}

const RETRY_MS = 1_500;
const CHECK_INTERVAL_MS = 1_000;
/** Disconnect reasons after which rejoining is wrong: another device took over, or the call has ended. */
const FINAL_REASONS: readonly (DisconnectReason | undefined)[] = [
  DisconnectReason.DUPLICATE_IDENTITY,
  DisconnectReason.PARTICIPANT_REMOVED,
  DisconnectReason.ROOM_DELETED,
  DisconnectReason.ROOM_CLOSED,
];
const KINDS = ['audio', 'video'] as const satisfies readonly TrackKind[];

type PublishedTrack = { own: MediaStreamTrack; copy: MediaStreamTrack; local: LocalTrack };

/** LiveKit enables every track that it receives. A copy keeps the viewer's own mute state intact. */
async function copyTrack(own: MediaStreamTrack): Promise<PublishedTrack> {
  const copy = own.clone();
  const local: Track = own.kind === 'audio' ? new LocalAudioTrack(copy) : new LocalVideoTrack(copy);
  if (!isLocalTrack(local)) throw new Error('a track of the viewer’s own is none to the room');
  await new Promise((done) => setTimeout(done));
  copy.enabled = own.enabled;
  return { own, copy, local };
}

export function openRoomConnection({ access, renew, onRemote }: RoomConnectionOptions): MediaConnection {
  // Muted audio is sent as silence, because arriving packets prove that the other side is connected.
  const room = new Room({ dynacast: true, publishDefaults: { dtx: false } });
  const remote = new MediaStream();
  const tracks: Record<TrackKind, MediaStreamTrack | null> = { audio: null, video: null };
  const publishedTracks = new Map<TrackKind, PublishedTrack>();
  const signals: ConnectionSignals = {
    isConnected: false,
    lastHeartbeatAt: undefined,
    lastMediaAt: undefined,
    mediaSince: undefined,
  };
  const getNow = () => performance.now();
  let packets = 0;
  let isClosed = false;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;

  async function syncTrack(kind: TrackKind): Promise<void> {
    const own = tracks[kind];
    let current = publishedTracks.get(kind);
    if (current && current.own !== own) {
      publishedTracks.delete(kind);
      await room.localParticipant.unpublishTrack(current.local);
      current = undefined;
    }
    const isMediaFlowing = signals.mediaSince !== undefined;
    if (current) {
      current.copy.enabled = current.own.enabled;
      await (isMediaFlowing ? current.local.resumeUpstream() : current.local.pauseUpstream());
    } else if (own && isMediaFlowing && signals.isConnected) {
      const published = await copyTrack(own);
      publishedTracks.set(kind, published);
      const source = kind === 'audio' ? Track.Source.Microphone : Track.Source.Camera;
      await room.localParticipant.publishTrack(published.local, { source });
    }
  }
  // Runs one after the other, because each step depends on the previous one. A failed step is retried at the next
  // check.
  let syncQueue = Promise.resolve();
  function syncTracks(): void {
    syncQueue = syncQueue.then(async () => {
      for (const kind of KINDS) if (!isClosed) await syncTrack(kind).catch(() => dropTrack(kind));
    });
  }
  function dropTrack(kind: TrackKind): void {
    publishedTracks.get(kind)?.local.stop();
    publishedTracks.delete(kind);
  }

  async function joinRoom(roomAccess: RoomAccess): Promise<void> {
    try {
      await room.connect(roomAccess.url, roomAccess.token);
      signals.isConnected = true;
      syncTracks();
    } catch {
      retryLater();
    }
    if (isClosed) void room.disconnect();
  }
  function retryLater(afterMs = RETRY_MS): void {
    clearTimeout(retryTimer);
    if (isClosed) return;
    retryTimer = setTimeout(async () => {
      retryTimer = undefined;
      const newAccess = await renew();
      if (isClosed) return;
      if (newAccess) await joinRoom(newAccess);
      else retryLater();
    }, afterMs);
  }
  async function checkConnection(): Promise<void> {
    signals.lastHeartbeatAt = signals.isConnected && room.remoteParticipants.size > 0 ? getNow() : undefined;
    syncTracks();
    const remoteTracks = [...room.remoteParticipants.values()].flatMap((participant) => [
      ...participant.trackPublications.values(),
    ]);
    const reports = await Promise.all(remoteTracks.map(({ track }) => track?.getRTCStatsReport()));
    const received = reports.reduce((sum, report) => sum + (report ? toConnectionSample(report).received : 0), 0);
    // A lower count means that a track ended. A new one may have started.
    if (received !== packets) signals.lastMediaAt = getNow();
    packets = received;
  }

  room.on(RoomEvent.TrackSubscribed, ({ mediaStreamTrack }) => {
    for (const old of remote.getTracks()) if (old.kind === mediaStreamTrack.kind) remote.removeTrack(old);
    remote.addTrack(mediaStreamTrack);
    onRemote(remote);
  });
  room.on(RoomEvent.TrackUnsubscribed, ({ mediaStreamTrack }) => remote.removeTrack(mediaStreamTrack));
  room.on(RoomEvent.Reconnecting, () => {
    signals.isConnected = false;
  });
  room.on(RoomEvent.Reconnected, () => {
    signals.isConnected = true;
  });
  room.on(RoomEvent.Disconnected, (reason) => {
    signals.isConnected = false;
    for (const kind of KINDS) dropTrack(kind);
    if (!FINAL_REASONS.includes(reason)) retryLater();
  });
  const checkTimer = setInterval(() => void checkConnection().catch(() => undefined), CHECK_INTERVAL_MS);
  void joinRoom(access);

  return {
    handleSignal: () => Promise.resolve(),
    setTrack: (kind, track) => {
      tracks[kind] = track;
      syncTracks();
    },
    setSending: (isFlowing) => {
      if (isFlowing === (signals.mediaSince !== undefined)) return;
      signals.mediaSince = isFlowing ? getNow() : undefined;
      syncTracks();
    },
    isAlive: () => isOtherSideAlive(signals, getNow()),
    restart: () => {
      if (retryTimer !== undefined) retryLater(0);
    },
    close: () => {
      isClosed = true;
      clearInterval(checkTimer);
      clearTimeout(retryTimer);
      for (const kind of KINDS) dropTrack(kind);
      void room.disconnect();
    },
  };
}
