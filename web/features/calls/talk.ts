/**
 * One answered call on this device: it connects to the other side, sends a heartbeat every few seconds with whether the
 * other side is alive, and sends media only while the server's clock runs.
 */

import type { PayloadOf } from '@stagedoor/contract/atoms/event.ts';
import { CALL } from '@stagedoor/contract/atoms/room-limits.ts';
import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import { connectCall, type OpenCall } from '@stagedoor/contract/calls.ts';
import { callHeard, type callSignalled, signalCall } from '@stagedoor/contract/calls-live.ts';
import { ApiError } from '../../kernel/api-error.ts';
import { whenReachable } from '../../kernel/lazy-part.ts';
import { onConnected, sendSignal } from '../../kernel/live.ts';
import { api } from '../../kernel/mutation.ts';
import type { Door } from './livekit.ts';
import { onOwnMedia, ownMedia } from './own-media.ts';
import { openPeer, type PeerConfig } from './peer.ts';
import type { CallSignal, Way } from './way.ts';

export type Shown = { audio: boolean; video: boolean };

export interface TalkEvents {
  onTold(call: OpenCall, askedAt: number): void;
  onRemote(stream: MediaStream): void;
  onShown(shown: Shown): void;
  /**
   * Since when this tab cannot know whether the clock runs, because the other side or the server is not reachable.
   * Null: it is known.
   */
  onLost(at: number | null): void;
  onOver(): void;
}

export interface Talk {
  hear(signal: PayloadOf<typeof callSignalled>): void;
  setRunning(isRunning: boolean): void;
  close(): void;
}

const LOOK_MS = 500;
const AGAIN_MS = 1_500;
/** Shortly before the server treats this side as lost. */
const CUT_MS = CALL.silenceMs - 1_000;
type Connected = ResponseOf<typeof connectCall>;

function configOf({ iceServers, iceTransportPolicy }: Connected): PeerConfig {
  return {
    iceTransportPolicy,
    iceServers: iceServers.map(({ urls, username, credential }) => ({
      urls,
      ...(username !== undefined && { username }),
      ...(credential !== undefined && { credential }),
    })),
  };
}

function doorOf(answer: Connected | undefined): Door | undefined {
  if (answer?.provider !== 'livekit' || answer.url === null) return undefined;
  return { url: answer.url, token: answer.call.session.token };
}

export function openTalk(call: OpenCall, device: string, events: TalkEvents): Talk {
  const { callLogId } = call.session;
  let { token } = call.session;
  let way: Way | undefined;
  let isClosed = false;
  let isRunning = false;
  let wasHeard = false;
  let lostAt: number | null = null;
  let isPictureSent = true;
  let saidAt = performance.now();
  let tellNextAt = 0;
  let renewal: ReturnType<typeof setTimeout> | undefined;

  const bearing = () => ({ callLogId, token, device });
  const signal = (one: CallSignal) => void sendSignal(signalCall, { ...bearing(), ...one });

  function showOwn(): void {
    const { microphone, camera, isMuted } = ownMedia();
    way?.setTrack('audio', microphone ?? null);
    way?.setTrack('video', call.kind === 'video' ? (camera ?? null) : null);
    signal({ shown: { audio: microphone !== undefined && !isMuted, video: camera !== undefined && isPictureSent } });
  }
  async function connect(): Promise<Connected | undefined> {
    const askedAt = performance.now();
    try {
      const answer = await api(
        connectCall,
        { params: { id: callLogId }, body: { token, device } },
        { showErrorMessage: false },
      );
      if (isClosed) return undefined;
      token = answer.call.session.token;
      events.onTold(answer.call, askedAt);
      renew(answer.renewAfterSeconds);
      return answer;
    } catch (error) {
      const isOver = error instanceof ApiError && (error.code === 'NOT_FOUND' || error.code === 'CONFLICT');
      if (isOver && !isClosed) events.onOver();
      return undefined;
    }
  }
  function renew(afterSeconds: number): void {
    clearTimeout(renewal);
    renewal = setTimeout(
      async () => {
        if (!(await connect()) && !isClosed) renew(AGAIN_MS / 1000);
      },
      Math.max(1, afterSeconds * 0.8) * 1000,
    );
  }
  async function wayOf(answer: Connected): Promise<Way> {
    const { onRemote } = events;
    const door = doorOf(answer);
    if (door) {
      const renewDoor = async () => doorOf(await connect());
      const { openRoom } = await whenReachable(() => import('./livekit.ts'));
      return openRoom({ door, renew: renewDoor, onRemote });
    }
    return openPeer({
      isPolite: answer.isPolite,
      config: configOf(answer),
      renew: async () => {
        const fresh = await connect();
        return fresh && configOf(fresh);
      },
      send: signal,
      onRemote,
      onPicture: (isSent) => {
        isPictureSent = isSent;
        showOwn();
      },
    });
  }
  async function begin(): Promise<void> {
    const answer = await connect();
    if (isClosed) return;
    if (!answer) return void setTimeout(() => void begin(), AGAIN_MS);
    way = await wayOf(answer);
    if (isClosed) return way.close();
    showOwn();
    look();
  }
  function look(): void {
    const now = performance.now();
    const isHeard = way?.isHeard() ?? false;
    if (isHeard !== wasHeard || now >= tellNextAt) {
      // A heartbeat that could not be sent is repeated as soon as possible. A socket stays open for a while after the
      // network is gone, so `navigator.onLine` is checked too.
      const isSaid = navigator.onLine && sendSignal(callHeard, { ...bearing(), isConnected: isHeard });
      if (isSaid) saidAt = now;
      tellNextAt = isSaid ? now + CALL.heartbeatMs : 0;
      if (isHeard && !wasHeard) showOwn();
      wasHeard = isHeard;
    }
    // The server does not charge a side whose heartbeats it does not receive, so no media is sent meanwhile.
    const isCut = now - saidAt >= CUT_MS;
    way?.setFlowing(isRunning && !isCut);
    // The server counts until the last heartbeat that it received from this side.
    const nowLost = isCut ? saidAt : isHeard ? null : (lostAt ?? now);
    if (nowLost === lostAt) return;
    // Stored first, because the listener can trigger this check again.
    lostAt = nowLost;
    events.onLost(nowLost);
  }
  const restart = () => way?.restart();

  const looking = setInterval(look, LOOK_MS);
  const stopOwn = onOwnMedia(showOwn);
  const stopConnected = onConnected(look);
  addEventListener('online', restart);
  void begin();

  return {
    hear: ({ to, description, candidate, shown }) => {
      if (to !== device || isClosed) return;
      if (shown) events.onShown(shown);
      if (description ?? candidate) void way?.hear({ description, candidate });
    },
    setRunning: (runs) => {
      if (runs === isRunning) return;
      isRunning = runs;
      look();
    },
    close: () => {
      isClosed = true;
      clearInterval(looking);
      clearTimeout(renewal);
      stopOwn();
      stopConnected();
      removeEventListener('online', restart);
      way?.close();
    },
  };
}
