/** The operator's desk for calls: those that go on are seen, and one can be ended with a ground. */
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
  /** Whole seconds that both sides were connected. */
  durationSeconds: z.number(),
  amountPerMinute: usd,
  /** USD: set aside, and what of it is charged, or would be if it ended now. */
  held: usd,
  amount: usd,
  /** Where an operator ended it: who, and why. */
  stopped: z.nullable(z.object({ operator: z.string(), ground: z.string() })),
});

export const listDeskCalls = route({
  method: 'GET',
  path: '/admin/calls',
  summary: 'Calls that go on, or those that operators ended; newest first',
  auth: 'operator',
  rate: 'read',
  query: z.object({ limit, offset, state: z._default(z.enum(['open', 'stopped']), 'open') }),
  response: pageOf(deskCall),
});

/** Both sides are told that it was ended by the platform. It is charged by its clock, as any other. CONFLICT when it is over. */
export const stopCall = route({
  method: 'POST',
  path: '/admin/calls/:id/end',
  summary: 'End a call, with a ground',
  auth: 'operator',
  rate: 'sensitive',
  params: z.object({ id: callId }),
  body: z.object({ ground }),
  response: deskCall,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
