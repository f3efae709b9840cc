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

/** Values for posts and drafts that were stored before a detail existed. */
export const EMPTY_POST_DETAILS: PostDetails = { tags: [] };

/** Picks the details from a post, a draft or a request, without duplicate tags. */
export function toPostDetails({ tags }: PostDetails): PostDetails {
  return { tags: [...new Set(tags)] };
}

/** Stored details lack what was added after they were written, and may contain what was removed since. */
export function parsePostDetails(stored: Partial<PostDetails>): PostDetails {
  return toPostDetails({ ...EMPTY_POST_DETAILS, ...stored });
}

const DESCRIPTIONS: Readonly<Record<keyof PostDetails, (details: PostDetails) => { name: string; text: string }>> = {
  tags: ({ tags }) => ({ name: 'Tags', text: tags.map((tag) => `#${tag}`).join(' ') }),
};

/** Labels and texts for operators: the admin console shows them, and reports store them. */
export function describePostDetails(details: PostDetails): { name: string; text: string }[] {
  return Object.values(DESCRIPTIONS)
    .map((describe) => describe(details))
    .filter(({ text }) => text !== '');
}
