/** Geo-blocking by creators. */
import * as z from 'zod/mini';
import { route } from './atoms/route.ts';

/** ISO 3166-1 country or ISO 3166-2 state: `DE`, `US-TX`. */
const CODE = /^[A-Z]{2}(?:-[A-Z0-9]{1,3})?$/;
export const REGIONS_MOST = 400;
export const TURNED_AWAY_DAYS = 30;

const code = z.string().check(z.regex(CODE, 'Choose a location from the list'));
const named = z.object({ code: z.string(), name: z.string() });
export const regions = z.object({
  hidden: z.array(
    z.object({
      ...named.shape,
      /** Requests that got a not-found response in the last {@link TURNED_AWAY_DAYS} days. */
      turnedAway: z.number(),
    }),
  ),
  places: z.array(named),
  hasStates: z.boolean(),
});
export type Regions = z.infer<typeof regions>;

export const getRegions = route({
  method: 'GET',
  path: '/creator/regions',
  summary: 'List your blocked locations and how many requests each blocked',
  auth: 'creator',
  rate: 'read',
  response: regions,
});
/** Applies to all pages, lists, files and calls. Purchases stay available. */
export const setRegions = route({
  method: 'PUT',
  path: '/creator/regions',
  summary: 'Set the countries and states in which your profile is hidden',
  auth: 'creator',
  goesOn: true,
  // The rate is not `sensitive`, because each choice is saved separately.
  rate: 'write',
  body: z.object({
    codes: z.array(code).check(z.maxLength(REGIONS_MOST, `At most ${REGIONS_MOST} locations`)),
  }),
  response: regions,
});

export const viewFromRegion = route({
  method: 'GET',
  path: '/creator/regions/:code',
  summary: 'Check whether your profile is visible from a location',
  auth: 'creator',
  rate: 'read',
  params: z.object({ code }),
  response: z.object({ ...named.shape, isSeen: z.boolean() }),
  errors: ['NOT_FOUND'],
});
