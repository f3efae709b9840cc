/**
 * The details of a post other than its caption, price, files and tagged users. Posts and drafts store them in one column, and
 * requests, previews, exports and the admin console take them from here, so a new detail begins in this file.
 */
import * as z from 'zod/mini';
import { tags } from '../shared/tags.ts';

/** As requests send them. Each has a default, so that clients may omit it. */
export const postDetailsBody = z.object({ tags: z._default(tags, []) });
/** As they are stored and shown. */
export const postDetails = z.object({ tags: z.array(z.string()) });
export type PostDetails = z.infer<typeof postDetails>;
export type PostDetailsBody = z.input<typeof postDetailsBody>;

/** Posts that were written before a detail existed have its value from here. */
export const EMPTY_POST_DETAILS: PostDetails = { tags: [] };

/** For operators: in the admin console, and in what a report stores of a post. */
export function describePostDetails({ tags }: PostDetails): { name: string; text: string }[] {
  return tags.length === 0 ? [] : [{ name: 'Tags', text: tags.map((tag) => `#${tag}`).join(' ') }];
}

/** Picks the details from a post, a draft or a request. */
export function toPostDetails({ tags }: PostDetails): PostDetails {
  return { tags: [...new Set(tags)] };
}
