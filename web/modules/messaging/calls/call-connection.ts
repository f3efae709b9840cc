/**
 * One answered call on this device: it connects to the other side, sends a heartbeat every few seconds with whether the
 * other side is alive, and sends media only while the server's clock runs.
 */

import { connectCall, type OpenCall } from '@stagedoor/contract/messaging/calls.ts';
import { callHeartbeat, type callSignalled, signalCall } from '@stagedoor/contract/messaging/calls-events.ts';
import type { PayloadOf } from '@stagedoor/contract/shared/event.ts';
import { CALL_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { ApiError } from '../../../platform/api-error.ts';
import { loadWhenReachable } from '../../../platform/lazy-part.ts';
import { api } from '../../../platform/mutation.ts';
import { onConnected, sendSignal } from '../../../platform/socket-events.ts';
import type { RoomAccess } from './livekit.ts';
import type { CallSignal, MediaConnection } from './media-connection.ts';
import { getOwnMedia, subscribeOwnMedia } from './own-media.ts';
import { openPeerConnection, type PeerConfig } from './peer.ts';

export type ActiveMedia = { audio: boolean; video: boolean };

export interface CallConnectionEvents {
  onServerCall(call: OpenCall, requestedAt: number): void;
  onRemote(stream: MediaStream): void;
  onActiveMedia(activeMedia: ActiveMedia): void;
  /**
   * Since when this tab cannot know whether the clock runs, because the other side or the server is not reachable.
   * Null: it is known.
   */
  onLost(at: number | null): void;
  onOver(): void;
}

export interface CallConnection {
  receiveSignal(payload: PayloadOf<typeof callSignalled>): void;
  setRunning(isRunning: boolean): void;
  close(): void;
}

const CHECK_INTERVAL_MS = 500;
const RETRY_MS = 1_500;
/** Shortly before the server treats this side as lost. */
const CUT_OFF_MS = CALL_LIMITS.heartbeatTimeoutMs - 1_000;
type ConnectResponse = ResponseOf<typeof connectCall>;

function toPeerConfig({ iceServers, iceTransportPolicy }: ConnectResponse): PeerConfig {
  return {
    iceTransportPolicy,
    iceServers: iceServers.map(({ urls, username, credential }) => ({
      urls,
      ...(username !== undefined && { username }),
      ...(credential !== undefined && { credential }),
    })),
  };
}

function toRoomAccess(response: ConnectResponse | undefined): RoomAccess | undefined {
  if (response?.provider !== 'livekit' || response.url === null) return undefined;
  return { url: response.url, token: response.call.session.token };
}

export function openCallConnection(call: OpenCall, device: string, events: CallConnectionEvents): CallConnection {
  const { callLogId } = call.session;
  let { token } = call.session;
  let mediaConnection: MediaConnection | undefined;
  let isClosed = false;
  let isRunning = false;
  let wasAlive = false;
  let lostAt: number | null = null;
  let isPictureSent = true;
  let lastHeartbeatAt = performance.now();
  let nextHeartbeatAt = 0;
  let renewal: ReturnType<typeof setTimeout> | undefined;

  const getSenderFields = () => ({ callLogId, token, device });
  const sendCallSignal = (fields: CallSignal) => void sendSignal(signalCall, { ...getSenderFields(), ...fields });

  function sendOwnMedia(): void {
    const { microphone, camera, isMuted } = getOwnMedia();
    mediaConnection?.setTrack('audio', microphone ?? null);
    mediaConnection?.setTrack('video', call.kind === 'video' ? (camera ?? null) : null);
    sendCallSignal({
      activeMedia: { audio: microphone !== undefined && !isMuted, video: camera !== undefined && isPictureSent },
    });
  }
  async function connect(): Promise<ConnectResponse | undefined> {
    const requestedAt = performance.now();
    try {
      const response = await api(
        connectCall,
        { params: { id: callLogId }, body: { token, device } },
        { showErrorMessage: false },
      );
      if (isClosed) return undefined;
      token = response.call.session.token;
      events.onServerCall(response.call, requestedAt);
      scheduleRenewal(response.renewAfterSeconds);
      return response;
    } catch (error) {
      const isOver = error instanceof ApiError && (error.code === 'NOT_FOUND' || error.code === 'CONFLICT');
      if (isOver && !isClosed) events.onOver();
      return undefined;
    }
  }
  function scheduleRenewal(afterSeconds: number): void {
    clearTimeout(renewal);
    renewal = setTimeout(
      async () => {
        if (!(await connect()) && !isClosed) scheduleRenewal(RETRY_MS / 1000);
      },
      Math.max(1, afterSeconds * 0.8) * 1000,
    );
  }
  async function openMediaConnection(response: ConnectResponse): Promise<MediaConnection> {
    const { onRemote } = events;
    const access = toRoomAccess(response);
    if (access) {
      const renewAccess = async () => toRoomAccess(await connect());
      const { openRoomConnection } = await loadWhenReachable(() => import('./livekit.ts'));
      return openRoomConnection({ access, renew: renewAccess, onRemote });
    }
    return openPeerConnection({
      isPolite: response.isPolite,
      config: toPeerConfig(response),
      renew: async () => {
        const newResponse = await connect();
        return newResponse && toPeerConfig(newResponse);
      },
      send: sendCallSignal,
      onRemote,
      onVideoSending: (isSent) => {
        isPictureSent = isSent;
        sendOwnMedia();
      },
    });
  }
  async function startConnection(): Promise<void> {
    const response = await connect();
    if (isClosed) return;
    if (!response) return void setTimeout(() => void startConnection(), RETRY_MS);
    mediaConnection = await openMediaConnection(response);
    if (isClosed) return mediaConnection.close();
    sendOwnMedia();
    checkConnection();
  }
  function checkConnection(): void {
    const now = performance.now();
    const isAlive = mediaConnection?.isAlive() ?? false;
    if (isAlive !== wasAlive || now >= nextHeartbeatAt) {
      // A heartbeat that could not be sent is repeated as soon as possible. A socket stays open for a while after the
      // network is gone, so `navigator.onLine` is checked too.
      const isHeartbeatSent =
        navigator.onLine && sendSignal(callHeartbeat, { ...getSenderFields(), isConnected: isAlive });
      if (isHeartbeatSent) lastHeartbeatAt = now;
      nextHeartbeatAt = isHeartbeatSent ? now + CALL_LIMITS.heartbeatMs : 0;
      if (isAlive && !wasAlive) sendOwnMedia();
      wasAlive = isAlive;
    }
    // The server does not charge a side whose heartbeats it does not receive, so no media is sent meanwhile.
    const isCut = now - lastHeartbeatAt >= CUT_OFF_MS;
    mediaConnection?.setSending(isRunning && !isCut);
    // The server counts until the last heartbeat that it received from this side.
    const newLostAt = isCut ? lastHeartbeatAt : isAlive ? null : (lostAt ?? now);
    if (newLostAt === lostAt) return;
    // Stored first, because the listener can trigger this check again.
    lostAt = newLostAt;
    events.onLost(newLostAt);
  }
  const restart = () => mediaConnection?.restart();

  const checkTimer = setInterval(checkConnection, CHECK_INTERVAL_MS);
  const stopOwnMedia = subscribeOwnMedia(sendOwnMedia);
  const stopConnected = onConnected(checkConnection);
  addEventListener('online', restart);
  void startConnection();

  return {
    receiveSignal: ({ to, description, candidate, activeMedia }) => {
      if (to !== device || isClosed) return;
      if (activeMedia) events.onActiveMedia(activeMedia);
      if (description ?? candidate) void mediaConnection?.handleSignal({ description, candidate });
    },
    setRunning: (shouldRun) => {
      if (shouldRun === isRunning) return;
      isRunning = shouldRun;
      checkConnection();
    },
    close: () => {
      isClosed = true;
      clearInterval(checkTimer);
      clearTimeout(renewal);
      stopOwnMedia();
      stopConnected();
      removeEventListener('online', restart);
      mediaConnection?.close();
    },
  };
}
