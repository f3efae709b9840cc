import { createHmac } from 'node:crypto';
import { CALL } from '@stagedoor/contract/atoms/room-limits.ts';
import type { Context } from '../../../kernel/context.ts';
import { endAllocations } from './coturn.ts';
import type { CallProvider, Pass } from './provider.ts';
import { openPass, sealPass } from './tokens.ts';

const SESSION_MS = CALL.credentialSeconds * 1000;

/**
 * Credentials of the TURN REST API (draft-uberti-behave-turn-rest). They can open allocations until the time in the
 * name, in Unix seconds.
 */
export function turnCredentials(secret: string, name: string, untilSeconds: number) {
  const username = `${untilSeconds}:${name}`;
  return { username, credential: createHmac('sha1', secret).update(username).digest('base64') };
}

const nameOf = ({ callId, userId }: Pick<Pass, 'callId' | 'userId'>) => `${callId}.${userId}`;

export function createWebRtc({ config, log }: Pick<Context, 'config' | 'log'>): CallProvider {
  const key = config.deriveKey('calls');
  const { turn, isRelayOnly } = config.calls;
  // An allocation outlives its credentials, so it must be ended explicitly.
  const cut = async (name: string) => {
    if (!turn?.cli) return;
    await endAllocations(turn.cli, name).catch((error: unknown) =>
      log.warn({ err: error }, 'the relay could not be told that a call is over'),
    );
  };
  return {
    session: (pass, at) => sealPass(key, pass, new Date(at.getTime() + SESSION_MS)),
    read: (token, at) => openPass(key, token, at),
    credentials: (pass, at) => {
      const until = Math.floor(at.getTime() / 1000) + CALL.credentialSeconds;
      const iceServers = turn ? [{ urls: turn.urls, ...turnCredentials(turn.secret, nameOf(pass), until) }] : [];
      return { provider: 'webrtc', url: null, iceServers, iceTransportPolicy: isRelayOnly ? 'relay' : 'all' };
    },
    end: (callId) => cut(callId),
    remove: (callId, userId) => cut(nameOf({ callId, userId })),
  };
}
