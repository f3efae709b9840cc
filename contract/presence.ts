/**
 * Who is there (rows E10 and E11). A client with a session sends `USER_STATUS_ACTIVITY` every 30 s (HEARTBEAT_MS) while logged
 * in. On connecting it is sent one `INITIAL_USER_STATUS` of the people it converses with and follows; from then on each change
 * of theirs. To see others (avatars on a page), it asks by `INITIAL_USER_STATUS` with their ids, and is told of their changes, too.
 *
 * busy: in a call. away: connected, but no activity for five minutes. offline: no socket, or two missed heartbeats (60 s).
 */
import * as z from 'zod/mini';
import { USER_TYPES } from './accounts.ts';
import { event, signal } from './atoms/event.ts';
import { userId } from './atoms/ids.ts';
import { PRESENCE } from './atoms/limits.ts';

export const PRESENCES = ['online', 'offline', 'busy', 'away'] as const;
export const presence = z.enum(PRESENCES);
const status = z.object({ id: userId, status: presence });

/** A creator's presence changed. */
export const creatorUserStatus = event({ name: 'CREATOR_USER_STATUS', audience: 'watching', payload: status });
/** A fan's presence changed; told to creators they converse with. */
export const customerUserStatus = event({ name: 'CUSTOMER_USER_STATUS', audience: 'watching', payload: status });
/** A batch: once after connecting, and as the answer to the signal of the same name. Who is absent from it may not be seen. */
export const initialUserStatus = event({
  name: 'INITIAL_USER_STATUS',
  audience: 'user',
  payload: z.array(z.object({ id: userId, userType: z.enum(USER_TYPES), status: presence })),
});

/**
 * The heartbeat, every 30 s. With no payload, or `isActive: true`, the person is at the device; `isActive: false` keeps the
 * connection alive without counting as activity. `isVisible` is whether the page is in front of them (without it, whether they are
 * active), said at once when that changes: what a visible page shows is not pushed.
 */
export const userStatusActivity = signal({
  signal: 'USER_STATUS_ACTIVITY',
  payload: z.optional(z.object({ isActive: z.optional(z.boolean()), isVisible: z.optional(z.boolean()) })),
});
/** Asks for the presence of up to 100 people, and to be told of their changes. Creators may be seen by all, fans by who converses with them. */
export const askUserStatus = signal({
  signal: 'INITIAL_USER_STATUS',
  payload: z.object({ ids: z.array(userId).check(z.maxLength(PRESENCE.ids)) }),
});
