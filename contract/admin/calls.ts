import * as z from 'zod/mini';
import { callKind, callReason, callStatus } from '../messaging/calls.ts';
import { callId, instant, userId } from '../shared/ids.ts';
import { usd } from '../shared/money.ts';
import { limit, offset, toPageSchema } from '../shared/paging.ts';
import { route } from '../shared/route.ts';
import { reason } from './processor-webhooks.ts';

const callUser = z.object({ id: userId, username: z.string(), name: z.string() });

export const adminCall = z.object({
  callLogId: callId,
  kind: callKind,
  status: callStatus,
  reason: z.nullable(callReason),
  fan: callUser,
  creator: callUser,
  createdAt: instant,
  answeredAt: z.nullable(instant),
  endedAt: z.nullable(instant),
  isRunning: z.boolean(),
  durationSeconds: z.number(),
  amountPerMinute: usd,
  /** USD. `amount` is the charge, or the charge if the call ended now. */
  held: usd,
  amount: usd,
  stopped: z.nullable(z.object({ operator: z.string(), reason: z.string() })),
});

export const listAdminCalls = route({
  method: 'GET',
  path: '/admin/calls',
  summary: 'List ongoing calls, or calls ended by staff, newest first',
  auth: 'operator',
  rate: 'read',
  query: z.object({ limit, offset, state: z._default(z.enum(['open', 'stopped']), 'open') }),
  response: toPageSchema(adminCall),
});

/** Notifies both sides. The call is charged for its connected time. CONFLICT if it is over. */
export const stopCall = route({
  method: 'POST',
  path: '/admin/calls/:id/end',
  summary: 'End a call with a reason; connected time is charged',
  auth: 'operator',
  rate: 'sensitive',
  params: z.object({ id: callId }),
  body: z.object({ reason }),
  response: adminCall,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
