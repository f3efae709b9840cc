/**
 * A client that sends `readAt` in the socket's `auth`, the server's time when the data of its page was read, in ms,
 * receives this event if others were emitted to it since then. It then loads again what it shows.
 */
import * as z from 'zod/mini';
import { event } from './event.ts';

export const missedEvents = event({ name: 'MISSED_EVENTS', audience: 'user', payload: z.object({}) });
