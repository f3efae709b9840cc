/** Account deletion. */
import * as z from 'zod/mini';
import { proof } from './accounts.ts';
import { instant } from './atoms/ids.ts';
import { route } from './atoms/route.ts';

/** A log-in within these days cancels the deletion. */
export const CLOSING_DAYS = 14;
/** How long the deletion then waits for the user to withdraw what became available in the meantime. */
export const UNCLAIMED_DAYS = 90;
/** How long the username stays reserved. */
export const NAME_KEPT_DAYS = 365;

export const getClosing = route({
  method: 'GET',
  path: '/account/closing',
  summary: 'List the obstacles to deleting your account and the consequences',
  auth: 'session',
  rate: 'read',
  response: z.object({
    hindrances: z.array(z.string()),
    consequences: z.array(z.string()),
  }),
  errors: ['FORBIDDEN'],
});
export const closeAccount = route({
  method: 'POST',
  path: '/account/close',
  summary: 'Schedule account deletion in 14 days; logging in before then cancels it',
  auth: 'session',
  goesOn: true,
  rate: 'sensitive',
  body: proof,
  response: z.object({ dueAt: instant, info: z.string() }),
  errors: ['CONFLICT', 'FORBIDDEN'],
});
