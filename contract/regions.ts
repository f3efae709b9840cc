/** Where a creator is not to be seen: countries and, where the server can tell them apart, states. */
import * as z from 'zod/mini';
import { route } from './atoms/route.ts';

/** ISO 3166-1 of a country, or ISO 3166-2 of a state in it: `DE`, `US-TX`. */
const CODE = /^[A-Z]{2}(?:-[A-Z0-9]{1,3})?$/;
export const REGIONS_MOST = 400;
/** Of so many days is counted how often somebody was turned away. */
export const TURNED_AWAY_DAYS = 30;

const code = z.string().check(z.regex(CODE, 'Please choose a place from the list'));
const named = z.object({ code: z.string(), name: z.string() });
export const regions = z.object({
  /** In the order of their names. */
  hidden: z.array(
    z.object({
      ...named.shape,
      /** Requests from there that were answered as if there were nothing, in the last {@link TURNED_AWAY_DAYS} days. */
      turnedAway: z.number(),
    }),
  ),
  /** All that can be chosen, in the order of their names. */
  places: z.array(named),
  /** Whether states can be chosen; otherwise only whole countries can be told apart. */
  hasStates: z.boolean(),
});
export type Regions = z.infer<typeof regions>;

export const getRegions = route({
  method: 'GET',
  path: '/creator/regions',
  summary: 'Where one is not to be seen, and how many were turned away there',
  auth: 'creator',
  rate: 'read',
  response: regions,
});
/** From then on, on every page, in every list, for files and calls alike; who bought something keeps it. */
export const setRegions = route({
  method: 'PUT',
  path: '/creator/regions',
  summary: 'Choose the countries and states in which one is not to be seen',
  auth: 'creator',
  goesOn: true,
  // One is chosen after another, each saved by itself.
  rate: 'write',
  body: z.object({
    codes: z.array(code).check(z.maxLength(REGIONS_MOST, `At most ${REGIONS_MOST} places`)),
  }),
  response: regions,
});

/** What is found at a creator's address from a place, asked of the rules that are in force. */
export const viewFromRegion = route({
  method: 'GET',
  path: '/creator/regions/:code',
  summary: 'Whether one is seen from a place, as the server answers it there',
  auth: 'creator',
  rate: 'read',
  params: z.object({ code }),
  response: z.object({ ...named.shape, isSeen: z.boolean() }),
  errors: ['NOT_FOUND'],
});
