import type * as z from 'zod/mini';
import type { TeamRight } from './delegation.ts';

/**
 * `user`: the user's own devices. `public`: every connected client, also logged out. `watching`: clients that may see
 * that user's presence. Only the server joins Socket.IO rooms, after an access check.
 */
export type EventAudience = 'user' | 'public' | 'watching';

/**
 * `team`: also emitted to the creator's team members with that right. `isStateOnJoin`: a client that starts watching receives
 * the current state anyway, so an earlier event cannot be missed.
 */
export type EventSpec = {
  name: string;
  payload: z.ZodMiniType;
  audience: EventAudience;
  team?: TeamRight;
  isStateOnJoin?: boolean;
};
export type PayloadOf<E extends EventSpec> = z.output<E['payload']>;
export type EventInput<E extends EventSpec> = z.input<E['payload']>;

export function event<const E extends EventSpec>(spec: E): E {
  return spec;
}

/**
 * Transient data that a client sends; everything persistent goes over HTTP. Malformed signals are ignored. `team`: also
 * accepted from the creator's team members with that right.
 */
export type SignalSpec = { signal: string; payload: z.ZodMiniType; team?: TeamRight };
export type SignalOf<S extends SignalSpec> = z.output<S['payload']>;
export type SignalInput<S extends SignalSpec> = z.input<S['payload']>;

export function signal<const S extends SignalSpec>(spec: S): S {
  return spec;
}

/**
 * `message` of Socket.IO's CONNECT_ERROR for a socket with a session. Attempts before `data.retryAfterSeconds` are
 * refused again. `tooMany`: sockets per session or account. `tooFast`: signals or connections.
 */
export const SOCKET_REFUSALS = { tooMany: 'TOO_MANY_SOCKETS', tooFast: 'TOO_MANY_SIGNALS' } as const;
export type SocketRefusal = (typeof SOCKET_REFUSALS)[keyof typeof SOCKET_REFUSALS];
