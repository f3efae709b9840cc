/** `event()` declares one socket event: its wire name, its payload, and who may receive it. */
import type * as z from 'zod/mini';
import type { TeamRight } from './acting.ts';

/**
 * `user`: the person's own devices; `public`: every connected client, logged in or not; `watching`: those whom the server lets
 * watch that person's presence.
 * The server joins rooms through the features' access functions; a client cannot join one itself.
 */
export type Audience = 'user' | 'public' | 'watching';

/** `team`: told also to those of a creator's team who have that right. */
export type EventSpec = { name: string; payload: z.ZodMiniType; audience: Audience; team?: TeamRight };
export type PayloadOf<E extends EventSpec> = z.output<E['payload']>;
/** What the server passes: ids need not be branded. */
export type EventInput<E extends EventSpec> = z.input<E['payload']>;

/** Declares a server-to-client event; the literal types are kept. */
export function event<const E extends EventSpec>(spec: E): E {
  return spec;
}

/** What a client may send: its wire name and payload. Fleeting facts only; what lasts goes by HTTP. Nothing malformed is answered. `team`: heard also from those of a creator's team who have that right, in the creator's name. */
export type SignalSpec = { signal: string; payload: z.ZodMiniType; team?: TeamRight };
export type SignalOf<S extends SignalSpec> = z.output<S['payload']>;
/** What a client passes. */
export type SignalInput<S extends SignalSpec> = z.input<S['payload']>;

/** Declares a client-to-server signal; the literal types are kept. */
export function signal<const S extends SignalSpec>(spec: S): S {
  return spec;
}

/**
 * Why a socket with a session is not let in: the `message` of Socket.IO's CONNECT_ERROR. Its `data.retryAfterSeconds` says when
 * to try again; who tries before is refused again. `tooMany`: of this session, or account; `tooFast`: it sends, or connects, like
 * a flood.
 */
export const SOCKET_REFUSALS = { tooMany: 'TOO_MANY_SOCKETS', tooFast: 'TOO_MANY_SIGNALS' } as const;
export type SocketRefusal = (typeof SOCKET_REFUSALS)[keyof typeof SOCKET_REFUSALS];
