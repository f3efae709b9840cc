import { createHmac } from 'node:crypto';
import { CALL_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { Context } from '../../../../platform/context.ts';
import { endAllocations } from './coturn.ts';
import type { CallPass, CallProvider } from './provider.ts';
import { signPass, verifyPass } from './tokens.ts';

const SESSION_MS = CALL_LIMITS.credentialSeconds * 1000;

/**
 * Credentials of the TURN REST API (draft-uberti-behave-turn-rest). They can open allocations until the time in the
 * name, in Unix seconds.
 */
export function turnCredentials(secret: string, name: string, untilSeconds: number) {
  const username = `${untilSeconds}:${name}`;
  return { username, credential: createHmac('sha1', secret).update(username).digest('base64') };
}

const toCredentialName = ({ callId, userId }: Pick<CallPass, 'callId' | 'userId'>) => `${callId}.${userId}`;

export function createWebRtc({ config, log }: Pick<Context, 'config' | 'log'>): CallProvider {
  const key = config.deriveKey('calls');
  const { turn, isRelayOnly } = config.calls;
  // An allocation outlives its credentials, so it must be ended explicitly.
  const endRelaySessions = async (name: string) => {
    if (!turn?.cli) return;
    await endAllocations(turn.cli, name).catch((error: unknown) =>
      log.warn({ err: error }, 'the relay could not be notified that a call has ended'),
    );
  };
  return {
    session: (callPass, at) => signPass(key, callPass, new Date(at.getTime() + SESSION_MS)),
    read: (token, at) => verifyPass(key, token, at),
    credentials: (callPass, at) => {
      const until = Math.floor(at.getTime() / 1000) + CALL_LIMITS.credentialSeconds;
      const iceServers = turn
        ? [{ urls: turn.urls, ...turnCredentials(turn.secret, toCredentialName(callPass), until) }]
        : [];
      return { provider: 'webrtc', url: null, iceServers, iceTransportPolicy: isRelayOnly ? 'relay' : 'all' };
    },
    end: (callId) => endRelaySessions(callId),
    remove: (callId, userId) => endRelaySessions(toCredentialName({ callId, userId })),
  };
}
