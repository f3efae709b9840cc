/** Account deletion. */
import * as z from 'zod/mini';
import { instant } from '../shared/ids.ts';
import { route } from '../shared/route.ts';
import { reauthentication } from './accounts.ts';

/** A log-in within these days cancels the deletion. */
export const ACCOUNT_DELETION_DAYS = 14;
/** How long the deletion then waits for the user to withdraw what became available in the meantime. */
export const UNCLAIMED_BALANCE_DAYS = 90;
/** How long the username stays reserved. */
export const USERNAME_RESERVED_DAYS = 365;

export const getAccountDeletion = route({
  method: 'GET',
  path: '/account/deletion',
  summary: 'List the obstacles to deleting your account and the consequences',
  auth: 'session',
  rate: 'read',
  response: z.object({
    obstacles: z.array(z.string()),
    consequences: z.array(z.string()),
  }),
  errors: ['FORBIDDEN'],
});
export const requestAccountDeletion = route({
  method: 'POST',
  path: '/account/deletion',
  summary: 'Schedule account deletion in 14 days; logging in before then cancels it',
  auth: 'session',
  allowedInMaintenance: true,
  rate: 'sensitive',
  body: reauthentication,
  response: z.object({ dueAt: instant, info: z.string() }),
  errors: ['CONFLICT', 'FORBIDDEN'],
});
