/** Push services as operators see them: those that refuse us, or take nothing. */
import * as z from 'zod/mini';
import { instant } from './atoms/ids.ts';
import { route } from './atoms/route.ts';

export const listPushFaults = route({
  method: 'GET',
  path: '/admin/push-faults',
  summary: 'Push services that refuse us or take nothing, until they take something again; the longest first',
  auth: 'operator',
  rate: 'read',
  response: z.object({
    data: z.array(
      z.object({
        /** Whose it is: Google, Mozilla, Apple, Microsoft, `Apple (older Safari)`, or its host. */
        service: z.string(),
        /** `refused`: it says that something is wrong with us. `failing`: it is not there, or says that something is wrong with it. */
        kind: z.enum(['refused', 'failing']),
        status: z.nullable(z.number()),
        since: instant,
        lastAt: instant,
        pushes: z.number(),
        /** Whether it waits for an operator: what fails for less than ten minutes does not. */
        isAlarm: z.boolean(),
      }),
    ),
  }),
});
