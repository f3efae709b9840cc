/** Tags of posts and media. */
import * as z from 'zod/mini';
import { POST_LIMITS, TAG_LENGTH } from './limits.ts';

/** A tag: letters, digits and hyphens of any language, without the `#`; kept in lower case. */
export const tag = z
  .string()
  .check(
    z.trim(),
    z.toLowerCase(),
    z.minLength(1),
    z.maxLength(TAG_LENGTH, `At most ${TAG_LENGTH} characters`),
    z.regex(/^[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*$/u, 'Letters, digits and hyphens only'),
  );
export const tags = z.array(tag).check(z.maxLength(POST_LIMITS.tags, `At most ${POST_LIMITS.tags} tags`));
