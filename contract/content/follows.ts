/** Follows (section B of the specification). */
import * as z from 'zod/mini';
import { day } from '../shared/days.ts';
import { instant, userId } from '../shared/ids.ts';
import { limit } from '../shared/paging.ts';
import { route } from '../shared/route.ts';

export const followCreator = route({
  method: 'POST',
  path: '/customer/follow/:id',
  summary: 'Follow or unfollow a creator',
  auth: 'customer',
  rate: 'write',
  params: z.object({ id: userId }),
  body: z.object({ isFollowed: z.boolean() }),
  response: z.object({ isFollowed: z.boolean(), totalFollowersCount: z.number() }),
  errors: ['NOT_FOUND'],
});

/** A follower as the followed creator sees them (row B12). */
export const follower = z.object({
  id: userId,
  username: z.string(),
  name: z.string(),
  avatarUrl: z.nullable(z.string()),
  followedAt: instant,
});
export type Follower = z.infer<typeof follower>;
export const FOLLOWER_SORT_KEYS = ['createdAt', 'name'] as const;
export const SORT_ORDERS = ['asc', 'desc'] as const;
const count = z.coerce.number().check(z.int(), z.gte(0), z.lte(1_000_000_000));
export const followersQuery = z.object({
  sortByKey: z._default(z.enum(FOLLOWER_SORT_KEYS), 'createdAt'),
  sortOrderBy: z._default(z.enum(SORT_ORDERS), 'desc'),
  currentPage: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100_000)), 1),
  limit,
  /** The server ignores it and counts again. */
  totalRecords: z.optional(count),
  /** UTC, inclusive. */
  startDate: z.optional(day),
  endDate: z.optional(day),
});
export const listFollowers = route({
  method: 'GET',
  path: '/creator/followers-list',
  summary: 'List followers by date or name, optionally within a date range',
  auth: 'creator',
  team: ['chat', 'figures'],
  rate: 'read',
  query: followersQuery,
  response: z.object({
    data: z.array(follower),
    limit: z.number(),
    currentPage: z.number(),
    totalRecords: z.number(),
  }),
});
