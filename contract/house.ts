/** What the house says to whoever is logged in: what is stopped, maintenance, announcements, what things may cost. Told with each page; a tab that is open asks again. */
import * as z from 'zod/mini';
import { announcement } from './atoms/announcements.ts';
import { event } from './atoms/event.ts';
import { instant } from './atoms/ids.ts';
import { route } from './atoms/route.ts';
import { SWITCHES } from './atoms/switches.ts';
import { priceLimits } from './price-limits.ts';

const houseNow = z.object({
  /** Left out, each, where there is nothing. */
  stopped: z.optional(z.partialRecord(z.enum(SWITCHES), z.string())),
  maintenance: z.optional(z.string()),
  announcements: z.optional(z.array(announcement)),
  /** Those that operators set otherwise than the release. */
  prices: z.optional(z.partial(priceLimits)),
  /** When an announcement begins or ends next. */
  changesAt: z.optional(instant),
});
export type HouseNow = z.infer<typeof houseNow>;

export const readHouse = route({
  method: 'GET',
  path: '/house',
  summary:
    'What is stopped, with its words; maintenance; announcements for who asks; limits of prices that were changed',
  auth: 'session',
  team: 'self',
  rate: 'read',
  response: houseNow,
});

/** Something was stopped, goes on, is announced, or may cost something else: whoever shows it asks. */
export const houseChanged = event({ name: 'HOUSE_CHANGED', audience: 'public', payload: z.object({ at: instant }) });
