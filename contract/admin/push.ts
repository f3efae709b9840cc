import * as z from 'zod/mini';
import { instant } from '../shared/ids.ts';
import { route } from '../shared/route.ts';

export const listPushFaults = route({
  method: 'GET',
  path: '/admin/push-faults',
  summary: 'List push services that currently fail or refuse requests, longest outage first',
  auth: 'operator',
  rate: 'read',
  response: z.object({
    data: z.array(
      z.object({
        service: z.string(),
        /** `refused`: the error is on our side. `failing`: it is unreachable, or the error is on its side. */
        kind: z.enum(['refused', 'failing']),
        status: z.nullable(z.number()),
        since: instant,
        lastAt: instant,
        pushes: z.number(),
        /** Failures shorter than ten minutes are no alarm. */
        isAlarm: z.boolean(),
      }),
    ),
  }),
});
