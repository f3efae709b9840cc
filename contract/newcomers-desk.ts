/** The day's draw of new creators (`fair-share.ts`). */
import * as z from 'zod/mini';
import { instant, userId } from './atoms/ids.ts';
import { route } from './atoms/route.ts';

const drawn = z.object({
  id: userId,
  username: z.string(),
  name: z.string(),
  joinedAt: instant,
  followerCount: z.number(),
  postCount: z.number(),
  /** Slot on the front page, starting at 1. Null without a slot. */
  place: z.nullable(z.number()),
});
export type Drawn = z.infer<typeof drawn>;
export const DRAWN_SHOWN = 50;

export const newcomersDraw = route({
  method: 'GET',
  path: '/admin/newcomers',
  summary: 'List the new creators in today’s draw in drawn order, with their front page slots',
  auth: 'operator',
  rate: 'read',
  response: z.object({
    day: z.iso.date(),
    count: z.number(),
    data: z.array(drawn),
  }),
});
