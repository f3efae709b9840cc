/** Security: only web addresses are allowed as links. */
import { SOCIAL_NETWORKS } from '@stagedoor/contract/atoms/limits.ts';
import type { Profile } from '@stagedoor/contract/profiles.ts';
import { openAddress, URL_PATTERN } from '@stagedoor/contract/social.ts';
import * as z from 'zod/mini';

const stored = z.array(z.object({ network: z.enum(SOCIAL_NETWORKS), url: z.string().check(z.regex(URL_PATTERN)) }));

export function socialLinks(value: unknown): Profile['links'] {
  const parsed = z.safeParse(stored, value);
  return parsed.success ? parsed.data : [];
}

const named = z.array(
  z.object({ label: z.string(), url: z.string().check(z.refine((url) => openAddress(url) !== undefined)) }),
);

export function ownLinks(value: unknown): Profile['ownLinks'] {
  const parsed = z.safeParse(named, value);
  return parsed.success ? parsed.data : [];
}
