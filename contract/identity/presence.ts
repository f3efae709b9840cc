/**
 * Online presence (rows E10, E11). A client sends `USER_STATUS_ACTIVITY` every 30 s (HEARTBEAT_MS). After connecting it
 * receives `INITIAL_USER_STATUS` with the users it chats with and follows, then their changes. With the signal
 * `INITIAL_USER_STATUS` it subscribes to others.
 *
 * busy: in a call. away: no activity for five minutes. offline: no socket, or two missed heartbeats (65 s).
 */
import * as z from 'zod/mini';
import { event, signal } from '../shared/event.ts';
import { userId } from '../shared/ids.ts';
import { PRESENCE_TIMING } from '../shared/limits.ts';
import { USER_TYPES } from './accounts.ts';

export const PRESENCES = ['online', 'offline', 'busy', 'away'] as const;
export const presence = z.enum(PRESENCES);
const userStatus = z.object({ id: userId, status: presence });

export const creatorUserStatus = event({
  name: 'CREATOR_USER_STATUS',
  audience: 'watching',
  isStateOnJoin: true,
  payload: userStatus,
});
/** Emitted only to creators who chat with the fan. */
export const customerUserStatus = event({
  name: 'CUSTOMER_USER_STATUS',
  audience: 'watching',
  isStateOnJoin: true,
  payload: userStatus,
});
/**
 * Emitted after connecting, and as the response to the signal of the same name. Users whom the viewer may not see are
 * missing.
 */
export const initialUserStatus = event({
  name: 'INITIAL_USER_STATUS',
  audience: 'user',
  payload: z.array(z.object({ id: userId, userType: z.enum(USER_TYPES), status: presence })),
});

/**
 * The heartbeat, every 30 s. `isActive: false` keeps the connection alive without activity. `isVisible` (default:
 * `isActive`) is sent immediately when it changes, because nothing is pushed that a visible page shows.
 */
export const userStatusActivity = signal({
  signal: 'USER_STATUS_ACTIVITY',
  payload: z.optional(z.object({ isActive: z.optional(z.boolean()), isVisible: z.optional(z.boolean()) })),
});
/** At most 100 users. Creators are visible to everyone, fans to those who chat with them. */
export const requestUserStatus = signal({
  signal: 'INITIAL_USER_STATUS',
  payload: z.object({ ids: z.array(userId).check(z.maxLength(PRESENCE_TIMING.ids)) }),
});
