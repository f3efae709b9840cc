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
  summary: 'The archive of what is one’s own, if there is one',
  auth: 'session',
  rate: 'read',
  response: answer,
});
export const askArchive = route({
  method: 'POST',
  path: '/account/archive',
  summary: 'Have an archive made of all that is one’s own; asked again, it is the same one',
  auth: 'session',
  rate: 'sensitive',
  response: answer,
});
/** Unlocks the download for this session for 15 minutes. */
export const openArchive = route({
  method: 'POST',
  path: '/account/archive/open',
  summary: 'Prove oneself again, so that this session may download the archive',
  auth: 'session',
  rate: 'sensitive',
  body: proof,
  response: z.object({ until: instant }),
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});
export const downloadArchive = route({
  method: 'GET',
  path: '/account/archive/file',
  summary: 'The archive, once it was opened',
  auth: 'session',
  rate: 'sensitive',
  response: fileAnswer,
  files: ['application/zip'],
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});
