/** Geo-blocking by creators. */
import * as z from 'zod/mini';
import { route } from '../shared/route.ts';

/** ISO 3166-1 country or ISO 3166-2 state: `DE`, `US-TX`. */
const CODE = /^[A-Z]{2}(?:-[A-Z0-9]{1,3})?$/;
export const GEO_BLOCKS_MAX = 400;
export const BLOCKED_REQUEST_DAYS = 30;

const code = z.string().check(z.regex(CODE, 'Choose a location from the list'));
const region = z.object({ code: z.string(), name: z.string() });
export const geoBlocks = z.object({
  blocked: z.array(
    z.object({
      ...region.shape,
      /** Requests that got a not-found response in the last {@link BLOCKED_REQUEST_DAYS} days. */
      blockedRequests: z.number(),
    }),
  ),
  regions: z.array(region),
  hasStates: z.boolean(),
});
export type GeoBlocks = z.infer<typeof geoBlocks>;

export const getGeoBlocks = route({
  method: 'GET',
  path: '/creator/geo-blocks',
  summary: 'List your blocked locations and how many requests each blocked',
  auth: 'creator',
  rate: 'read',
  response: geoBlocks,
});
/** Applies to all pages, lists, files and calls. Purchases stay available. */
export const updateGeoBlocks = route({
  method: 'PUT',
  path: '/creator/geo-blocks',
  summary: 'Set the countries and states in which your profile is hidden',
  auth: 'creator',
  allowedInMaintenance: true,
  // The rate is not `sensitive`, because each choice is saved separately.
  rate: 'write',
  body: z.object({
    codes: z.array(code).check(z.maxLength(GEO_BLOCKS_MAX, `At most ${GEO_BLOCKS_MAX} locations`)),
  }),
  response: geoBlocks,
});

export const checkGeoVisibility = route({
  method: 'GET',
  path: '/creator/geo-blocks/:code',
  summary: 'Check whether your profile is visible from a location',
  auth: 'creator',
  rate: 'read',
  params: z.object({ code }),
  response: z.object({ ...region.shape, isVisible: z.boolean() }),
  errors: ['NOT_FOUND'],
});
