/** `event()` declares one socket event: its wire name, its payload, and who may receive it. */
import type * as z from 'zod/mini';

/**
 * `user`: the person's own devices; `public`: every connected client, logged in or not.
 * The server joins rooms through the features' access functions; a client cannot join one itself.
 */
export type Audience = 'user' | 'public';

export type EventSpec = { name: string; payload: z.ZodMiniType; audience: Audience };
export type PayloadOf<E extends EventSpec> = z.output<E['payload']>;

/** Declares a server-to-client event; the literal types are kept. */
export function event<const E extends EventSpec>(spec: E): E {
  return spec;
}
