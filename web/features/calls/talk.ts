/**
 * One answered call at this device: finds the way to the other side, says every few seconds whether it is heard, and sends sound and
 * picture only while the server's clock runs.
 */

import type { PayloadOf } from '@stagedoor/contract/atoms/event.ts';
import { CALL } from '@stagedoor/contract/atoms/limits.ts';
import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import { connectCall, type OpenCall } from '@stagedoor/contract/calls.ts';
import { callHeard, type callSignalled, signalCall } from '@stagedoor/contract/calls-live.ts';
import { ApiError } from '../../kernel/api-error.ts';
import { onConnected, sendSignal } from '../../kernel/live.ts';
import { api } from '../../kernel/mutation.ts';
import { onOwnMedia, ownMedia } from './own-media.ts';
import { openPeer, type PeerConfig } from './peer.ts';
import type { CallSignal, Way } from './way.ts';

/** What the other side shows, as far as it said so. */
export type Shown = { audio: boolean; video: boolean };

export interface TalkEvents {
  /** What the server said of the call while the way was asked for. */
  onTold(call: OpenCall): void;
  onRemote(stream: MediaStream): void;
  onShown(shown: Shown): void;
  /** Whether the other side is heard at this device. */
  onHeard(isHeard: boolean): void;
  /** There is no way: the call is over, or it is one that this page cannot go. */
  onNoWay(why: 'over' | 'unknown'): void;
}

export interface Talk {
  hear(signal: PayloadOf<typeof callSignalled>): void;
  /** The server's clock runs, or stands. */
  setRunning(isRunning: boolean): void;
  close(): void;
}

const LOOK_MS = 500;
const AGAIN_MS = 1_500;
/** A little before the server calls this side lost. */
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

export function openTalk(call: OpenCall, device: string, events: TalkEvents): Talk {
  const { callLogId } = call.session;
  let { token } = call.session;
  let way: Way | undefined;
  let isClosed = false;
  let isRunning = false;
  let wasHeard = false;
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
  /** Asks how to reach the other side; undefined when it cannot be asked now. */
  async function connect(): Promise<Connected | undefined> {
    try {
      const answer = await api(
        connectCall,
        { params: { id: callLogId }, body: { token, device } },
        { showErrorMessage: false },
      );
      if (isClosed) return undefined;
      token = answer.call.session.token;
      events.onTold(answer.call);
      renew(answer.renewAfterSeconds);
      return answer;
    } catch (error) {
      const isOver = error instanceof ApiError && (error.code === 'NOT_FOUND' || error.code === 'CONFLICT');
      if (isOver && !isClosed) events.onNoWay('over');
      return undefined;
    }
  }
  /** Token and credentials are short-lived: new ones come well before. */
  function renew(afterSeconds: number): void {
    clearTimeout(renewal);
    renewal = setTimeout(
      async () => {
        if (!(await connect()) && !isClosed) renew(AGAIN_MS / 1000);
      },
      Math.max(1, afterSeconds * 0.8) * 1000,
    );
  }
  async function begin(): Promise<void> {
    const answer = await connect();
    if (isClosed) return;
    if (!answer) return void setTimeout(() => void begin(), AGAIN_MS);
    if (answer.provider !== 'webrtc') return events.onNoWay('unknown');
    way = openPeer({
      isPolite: answer.isPolite,
      config: configOf(answer),
      renew: async () => {
        const fresh = await connect();
        return fresh && configOf(fresh);
      },
      send: signal,
      onRemote: events.onRemote,
      onPicture: (isSent) => {
        isPictureSent = isSent;
        showOwn();
      },
    });
    showOwn();
  }
  function look(): void {
    const now = performance.now();
    const isHeard = way?.isHeard() ?? false;
    if (isHeard !== wasHeard || now >= tellNextAt) {
      // What could not be said is said again at once when it can be.
      const isSaid = sendSignal(callHeard, { ...bearing(), isConnected: isHeard });
      if (isSaid) saidAt = now;
      tellNextAt = isSaid ? now + CALL.heartbeatMs : 0;
      if (isHeard && !wasHeard) showOwn();
      if (isHeard !== wasHeard) events.onHeard(isHeard);
      wasHeard = isHeard;
    }
    // Whom the server cannot hear is not charged, and does not talk meanwhile.
    way?.setFlowing(isRunning && now - saidAt < CUT_MS);
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
