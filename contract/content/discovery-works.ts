import * as z from 'zod/mini';
import { limit, offset } from '../shared/paging.ts';
import { route } from '../shared/route.ts';
import { post } from './posts.ts';
import { category } from './profiles.ts';

/** Rules for featured works (docs/adr/0038), which `/discovery` shows. */
export const FEATURED_WORKS = {
  /** Creators who published last, … */
  creators: 24,
  /** …one work each, from their latest posts. */
  latest: 12,
  every: 4,
} as const;

/** Marks a list that changes when any creator publishes. Pages with it are cached until then. */
const dependsOnAllPosts = z.literal(true);

export const listFeaturedWorks = route({
  method: 'GET',
  path: '/public/featured-works',
  summary: 'List featured posts, one from each of the creators who published most recently',
  auth: 'public',
  rate: 'read',
  query: z.object({ limit }),
  response: z.object({ dependsOnAllPosts, data: z.array(post), limit: z.number() }),
});

export const listWorks = route({
  method: 'GET',
  path: '/public/works',
  summary: 'List published posts, newest first, optionally of one category',
  auth: 'public',
  rate: 'read',
  query: z.object({ category: z.optional(category), limit, offset }),
  response: z.object({
    dependsOnAllPosts,
    data: z.array(post),
    limit: z.number(),
    nextOffset: z.optional(z.string()),
  }),
});
