/** Sites that may embed a creator's work (row B11). */
import * as z from 'zod/mini';
import { route } from '../shared/route.ts';

export const EMBED_POLICIES = ['any', 'named', 'none'] as const;
export const EMBED_ORIGINS_MAX = 20;

const ORIGIN = /^https?:\/\/[a-z0-9][a-z0-9.-]*(?::\d{1,5})?\/?$/i;
const origin = z
  .string()
  .check(
    z.trim(),
    z.maxLength(200, 'At most 200 characters'),
    z.regex(ORIGIN, 'Enter a site like https://example.com'),
  );
const settings = z.object({
  allowed: z.enum(EMBED_POLICIES),
  origins: z._default(z.array(origin).check(z.maxLength(EMBED_ORIGINS_MAX, `At most ${EMBED_ORIGINS_MAX} sites`)), []),
});

export const getEmbedSettings = route({
  method: 'GET',
  path: '/creator/embeds',
  summary: 'Retrieve the sites that may embed the creator’s content',
  auth: 'creator',
  rate: 'read',
  response: z.object({ allowed: z.enum(EMBED_POLICIES), origins: z.array(z.string()) }),
});
export const updateEmbedSettings = route({
  method: 'PUT',
  path: '/creator/embeds',
  summary: 'Allow any site, only named sites or no site to embed the creator’s content',
  auth: 'creator',
  rate: 'write',
  body: settings,
  response: z.object({ allowed: z.enum(EMBED_POLICIES), origins: z.array(z.string()) }),
});
