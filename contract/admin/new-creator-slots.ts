/** The day's draw of new creators (`new-creator-slots.ts`). */
import * as z from 'zod/mini';
import { instant, userId } from '../shared/ids.ts';
import { route } from '../shared/route.ts';

const newCreatorCandidate = z.object({
  id: userId,
  username: z.string(),
  name: z.string(),
  joinedAt: instant,
  followerCount: z.number(),
  postCount: z.number(),
  /** Slot on the front page, starting at 1. Null without a slot. */
  slot: z.nullable(z.number()),
});
export type NewCreatorCandidate = z.infer<typeof newCreatorCandidate>;
export const CANDIDATES_SHOWN = 50;

export const getNewCreatorSlots = route({
  method: 'GET',
  path: '/admin/new-creator-slots',
  summary: 'List the new creators in today’s draw in drawn order, with their front page slots',
  auth: 'operator',
  rate: 'read',
  response: z.object({
    day: z.iso.date(),
    count: z.number(),
    data: z.array(newCreatorCandidate),
  }),
});
