/** The feed of followed creators (row C2). */
import * as z from 'zod/mini';
import { limit, offset } from './atoms/paging.ts';
import { route } from './atoms/route.ts';
import { FEED_KINDS, post } from './posts.ts';

export const feed = route({
  method: 'GET',
  path: '/feed',
  summary: 'List posts of followed creators, newest first',
  auth: 'customer',
  rate: 'read',
  query: z.object({ limit, offset, type: z._default(z.enum(FEED_KINDS), 'all') }),
  response: z.object({ data: z.array(post), limit: z.number(), nextOffset: z.optional(z.string()) }),
});
