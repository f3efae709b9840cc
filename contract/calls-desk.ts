import * as z from 'zod/mini';
import { callId, instant, userId } from './atoms/ids.ts';
import { usd } from './atoms/money.ts';
import { limit, offset, pageOf } from './atoms/paging.ts';
import { route } from './atoms/route.ts';
import { callKind, callReason, callStatus } from './calls.ts';
import { ground } from './processor-desk.ts';

const person = z.object({ id: userId, username: z.string(), name: z.string() });

export const deskCall = z.object({
  callLogId: callId,
  kind: callKind,
  status: callStatus,
  reason: z.nullable(callReason),
  fan: person,
  creator: person,
  createdAt: instant,
  answeredAt: z.nullable(instant),
  endedAt: z.nullable(instant),
  isRunning: z.boolean(),
  durationSeconds: z.number(),
  amountPerMinute: usd,
  /** USD. `amount` is the charge, or the charge if the call ended now. */
  held: usd,
  amount: usd,
  stopped: z.nullable(z.object({ operator: z.string(), ground: z.string() })),
});

export const listDeskCalls = route({
  method: 'GET',
  path: '/admin/calls',
  summary: 'List ongoing calls, or calls ended by staff, newest first',
  auth: 'operator',
  rate: 'read',
  query: z.object({ limit, offset, state: z._default(z.enum(['open', 'stopped']), 'open') }),
  response: pageOf(deskCall),
});

/** Notifies both sides. The call is charged for its connected time. CONFLICT if it is over. */
export const stopCall = route({
  method: 'POST',
  path: '/admin/calls/:id/end',
  summary: 'End a call with a reason; connected time is charged',
  auth: 'operator',
  rate: 'sensitive',
  params: z.object({ id: callId }),
  body: z.object({ ground }),
  response: deskCall,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
