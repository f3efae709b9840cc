/** Closing one's account: what stands against it, what it means, and the days in which it can be taken back. */
import * as z from 'zod/mini';
import { proof } from './accounts.ts';
import { instant } from './atoms/ids.ts';
import { route } from './atoms/route.ts';

/** Days in which a log-in takes it back. */
export const CLOSING_DAYS = 14;
/** So long, from the end of those days on, an account that is to be closed waits for its person to take what has become theirs meanwhile. */
export const UNCLAIMED_DAYS = 90;
/** How long nobody takes the name of a closed account. */
export const NAME_KEPT_DAYS = 365;

export const getClosing = route({
  method: 'GET',
  path: '/account/closing',
  summary: 'What stands against closing one’s account, and what happens when it is closed',
  auth: 'session',
  rate: 'read',
  response: z.object({
    /** In sentences; none when it can be closed. */
    hindrances: z.array(z.string()),
    consequences: z.array(z.string()),
  }),
  errors: ['FORBIDDEN'],
});
export const closeAccount = route({
  method: 'POST',
  path: '/account/close',
  summary: 'Close one’s account in 14 days; a log-in before takes it back',
  auth: 'session',
  goesOn: true,
  rate: 'sensitive',
  body: proof,
  response: z.object({ dueAt: instant, info: z.string() }),
  errors: ['CONFLICT', 'FORBIDDEN'],
});
