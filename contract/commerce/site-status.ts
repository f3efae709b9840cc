/** Site status for logged-in users. It is part of each page, and open tabs refetch it. */
import * as z from 'zod/mini';
import { announcement } from '../shared/announcements.ts';
import { event } from '../shared/event.ts';
import { instant } from '../shared/ids.ts';
import { KILL_SWITCHES } from '../shared/kill-switches.ts';
import { route } from '../shared/route.ts';
import { priceLimits } from './price-limits.ts';

const siteStatus = z.object({
  disabledFeatures: z.optional(z.partialRecord(z.enum(KILL_SWITCHES), z.string())),
  maintenance: z.optional(z.string()),
  announcements: z.optional(z.array(announcement)),
  /** Only limits that differ from the defaults. */
  prices: z.optional(z.partial(priceLimits)),
  changesAt: z.optional(instant),
});
export type SiteStatus = z.infer<typeof siteStatus>;

export const getSiteStatus = route({
  method: 'GET',
  path: '/site-status',
  summary: 'Retrieve the site status: disabled features, maintenance, announcements and changed price limits',
  auth: 'session',
  team: 'self',
  rate: 'read',
  response: siteStatus,
});

/** Clients must refetch the status. */
export const siteStatusChanged = event({
  name: 'SITE_STATUS_CHANGED',
  audience: 'public',
  payload: z.object({ at: instant }),
});
