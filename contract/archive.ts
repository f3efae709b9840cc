/** Data export: a user's personal data as a ZIP file that opens without the app. */
import * as z from 'zod/mini';
import { proof } from './accounts.ts';
import { instant } from './atoms/ids.ts';
import { fileAnswer, route } from './atoms/route.ts';

export const ARCHIVE_DAYS = 7;
export const ARCHIVE_FRESH_HOURS = 24;

export const ARCHIVE_STATES = ['making', 'ready', 'failed'] as const;
export const archive = z.object({
  state: z.enum(ARCHIVE_STATES),
  askedAt: instant,
  bytes: z.nullable(z.number()),
  expiresAt: z.nullable(instant),
});
export type Archive = z.infer<typeof archive>;
const answer = z.object({ archive: z.nullable(archive) });

export const getArchive = route({
  method: 'GET',
  path: '/account/archive',
  summary: 'Retrieve the status of your data export',
  auth: 'session',
  rate: 'read',
  response: answer,
});
export const askArchive = route({
  method: 'POST',
  path: '/account/archive',
  summary: 'Request a data export; a recent or pending one is returned instead',
  auth: 'session',
  rate: 'sensitive',
  response: answer,
});
/** Unlocks the download for this session for 15 minutes. */
export const openArchive = route({
  method: 'POST',
  path: '/account/archive/open',
  summary: 'Re-authenticate to unlock the data export download for 15 minutes',
  auth: 'session',
  rate: 'sensitive',
  body: proof,
  response: z.object({ until: instant }),
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});
export const downloadArchive = route({
  method: 'GET',
  path: '/account/archive/file',
  summary: 'Download your data export; it must be unlocked first',
  auth: 'session',
  rate: 'sensitive',
  response: fileAnswer,
  files: ['application/zip'],
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});
