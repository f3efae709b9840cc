import * as z from 'zod/mini';
import { POST_LIMITS, TAG_LENGTH } from './limits.ts';
import { singleLineText } from './single-line-text.ts';

/** Letters, digits and hyphens of any language, without the `#`, in lower case. */
export const tag = singleLineText(TAG_LENGTH, undefined, { isLowerCase: true }).check(
  z.minLength(1),
  z.regex(/^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]|\u200C|\u200D)*$/u, 'Letters, digits and hyphens only'),
);
export const tags = z.array(tag).check(z.maxLength(POST_LIMITS.tags, `At most ${POST_LIMITS.tags} tags`));
