/**
 * The details of a post other than its caption, price, files and tagged users. Posts and drafts store them in one column, and
 * requests, previews, exports and the admin console take them from here, so a new detail begins in this file.
 */
import * as z from 'zod/mini';
import { subscriptionTierId } from '../shared/ids.ts';
import { tags } from '../shared/tags.ts';

/** Who can open a paid post without buying it: no one, all subscribers, or those of a tier and of higher ones. */
export const postAudience = z.union([z.literal(['none', 'all']), subscriptionTierId]);
export type PostAudience = z.infer<typeof postAudience>;

/** As requests send them. Each has a default, so that clients may omit it. */
export const postDetailsBody = z.object({
  tags: z._default(tags, []),
  /** A free post is stored with `none`. */
  subscribers: z._default(postAudience, 'none'),
});
/** As they are stored and shown. */
export const postDetails = z.object({ tags: z.array(z.string()), subscribers: postAudience });
export type PostDetails = z.infer<typeof postDetails>;
export type PostDetailsBody = z.input<typeof postDetailsBody>;

/** Values for posts and drafts that were stored before a detail existed. */
export const EMPTY_POST_DETAILS: PostDetails = { tags: [], subscribers: 'none' };

/** Picks the details from a post, a draft or a request, without duplicate tags. */
export function toPostDetails({ tags, subscribers }: PostDetails): PostDetails {
  return { tags: [...new Set(tags)], subscribers };
}

/** Stored details lack what was added after they were written, and may contain what was removed since. */
export function parsePostDetails(stored: Partial<PostDetails>): PostDetails {
  return toPostDetails({ ...EMPTY_POST_DETAILS, ...stored });
}

const AUDIENCE_TEXTS: Readonly<Record<string, string>> = { none: '', all: 'All' };
const DESCRIPTIONS: Readonly<Record<keyof PostDetails, (details: PostDetails) => { name: string; text: string }>> = {
  tags: ({ tags }) => ({ name: 'Tags', text: tags.map((tag) => `#${tag}`).join(' ') }),
  subscribers: ({ subscribers }) => ({
    name: 'Included in subscriptions',
    text: AUDIENCE_TEXTS[subscribers] ?? 'From a tier',
  }),
};

/** Labels and texts for operators: the admin console shows them, and reports store them. */
export function describePostDetails(details: PostDetails): { name: string; text: string }[] {
  return Object.values(DESCRIPTIONS)
    .map((describe) => describe(details))
    .filter(({ text }) => text !== '');
}
