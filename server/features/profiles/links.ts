/** Social links as they are stored: only networks that the contract knows, and only web addresses. */
import { SOCIAL_NETWORKS } from '@stagedoor/contract/atoms/limits.ts';
import type { Profile } from '@stagedoor/contract/profiles.ts';
import { URL_PATTERN } from '@stagedoor/contract/social.ts';
import * as z from 'zod/mini';

const stored = z.array(z.object({ network: z.enum(SOCIAL_NETWORKS), url: z.string().check(z.regex(URL_PATTERN)) }));

/** The links of a creator's row; none when they are not what we wrote. */
export function socialLinks(value: unknown): Profile['links'] {
  const parsed = z.safeParse(stored, value);
  return parsed.success ? parsed.data : [];
}
