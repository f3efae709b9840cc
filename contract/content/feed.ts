/** The feed of followed creators (row C2). */
import * as z from 'zod/mini';
import { limit, offset } from '../shared/paging.ts';
import { route } from '../shared/route.ts';
import { FEED_KINDS, post } from './posts.ts';

export const getFeed = route({
  method: 'GET',
  path: '/feed',
  summary: 'List posts of followed creators, newest first',
  auth: 'customer',
  rate: 'read',
  query: z.object({ limit, offset, type: z._default(z.enum(FEED_KINDS), 'all') }),
  response: z.object({ data: z.array(post), limit: z.number(), nextOffset: z.optional(z.string()) }),
});
