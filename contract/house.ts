/** Site status for logged-in users. It is part of each page, and open tabs refetch it. */
import * as z from 'zod/mini';
import { announcement } from './atoms/announcements.ts';
import { event } from './atoms/event.ts';
import { instant } from './atoms/ids.ts';
import { route } from './atoms/route.ts';
import { SWITCHES } from './atoms/switches.ts';
import { priceLimits } from './price-limits.ts';

const houseNow = z.object({
  stopped: z.optional(z.partialRecord(z.enum(SWITCHES), z.string())),
  maintenance: z.optional(z.string()),
  announcements: z.optional(z.array(announcement)),
  /** Only limits that differ from the defaults. */
  prices: z.optional(z.partial(priceLimits)),
  changesAt: z.optional(instant),
});
export type HouseNow = z.infer<typeof houseNow>;

export const readHouse = route({
  method: 'GET',
  path: '/house',
  summary: 'Retrieve the site status: disabled features, maintenance, announcements and changed price limits',
  auth: 'session',
  team: 'self',
  rate: 'read',
  response: houseNow,
});

/** Clients must refetch the status. */
export const houseChanged = event({ name: 'HOUSE_CHANGED', audience: 'public', payload: z.object({ at: instant }) });
