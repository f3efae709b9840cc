/** The day's draw of new creators, as operators see it: who is in it by the rule of `fair-share.ts`, and who has a place today. */
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
  /** On the front page today, from 1; null who is drawn after those that have one. */
  place: z.nullable(z.number()),
});
export type Drawn = z.infer<typeof drawn>;
/** So many of them are shown, in the order of the lot. */
export const DRAWN_SHOWN = 50;

export const newcomersDraw = route({
  method: 'GET',
  path: '/admin/newcomers',
  summary:
    "Today's draw of new creators: who is in it, in the order of the lot, and which places of the front page it gave",
  auth: 'operator',
  rate: 'read',
  response: z.object({
    day: z.iso.date(),
    /** How many are in the draw. */
    count: z.number(),
    data: z.array(drawn),
  }),
});
