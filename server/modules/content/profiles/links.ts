/** Security: only web addresses are allowed as links. */

import type { Profile } from '@stagedoor/contract/content/profiles.ts';
import { parsePublicUrl, URL_PATTERN } from '@stagedoor/contract/content/social-links.ts';
import { SOCIAL_NETWORKS } from '@stagedoor/contract/shared/limits.ts';
import * as z from 'zod/mini';

const socialLinksSchema = z.array(
  z.object({ network: z.enum(SOCIAL_NETWORKS), url: z.string().check(z.regex(URL_PATTERN)) }),
);

export function parseSocialLinks(value: unknown): Profile['links'] {
  const parsed = z.safeParse(socialLinksSchema, value);
  return parsed.success ? parsed.data : [];
}

const customLinksSchema = z.array(
  z.object({ label: z.string(), url: z.string().check(z.refine((url) => parsePublicUrl(url) !== undefined)) }),
);

export function parseCustomLinks(value: unknown): Profile['customLinks'] {
  const parsed = z.safeParse(customLinksSchema, value);
  return parsed.success ? parsed.data : [];
}
