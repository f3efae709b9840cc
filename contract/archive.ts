/** Everything that is a person's own as one file, which opens without us. */
import * as z from 'zod/mini';
import { proof } from './accounts.ts';
import { instant } from './atoms/ids.ts';
import { fileAnswer, route } from './atoms/route.ts';

/** How long an archive is kept, in days. */
export const ARCHIVE_DAYS = 7;
/** An archive that is older is made anew when it is asked for. */
export const ARCHIVE_FRESH_HOURS = 24;

export const ARCHIVE_STATES = ['making', 'ready', 'failed'] as const;
export const archive = z.object({
  state: z.enum(ARCHIVE_STATES),
  askedAt: instant,
  /** Of one that is ready: how many bytes it has, and when it goes. */
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
/** For 15 minutes, by this session alone. */
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
