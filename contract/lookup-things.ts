import * as z from 'zod/mini';
import { userType } from './accounts.ts';
import { callId, caseId, instant, postId, transactionId, userId } from './atoms/ids.ts';
import { usd } from './atoms/money.ts';
import { route } from './atoms/route.ts';
import { CALL_MOMENTS } from './calls.ts';
import { deskCall } from './calls-desk.ts';
import { caseDecision, caseLine, showThing } from './cases-desk.ts';
import { postType } from './posts.ts';
import { ground } from './processor-desk.ts';

const side = z.object({ id: userId, username: z.string(), name: z.string(), type: userType });

/** `hidden`: by an operator; `removed`: by its creator. */
export const POST_STATES = ['published', 'hidden', 'removed'] as const;

const deskPost = z.object({
  id: postId,
  title: z.string(),
  caption: z.string(),
  type: postType,
  files: z.number(),
  price: z.nullable(usd),
  at: instant,
  state: z.enum(POST_STATES),
  stateSince: z.nullable(instant),
  creator: side,
  likes: z.number(),
  tags: z.array(z.string()),
  people: z.array(z.string()),
  copies: z.number(),
  copiesOf: z.array(z.string()),
  sales: z.object({ count: z.number(), amount: usd, refunds: z.number(), refunded: usd }),
  cases: z.array(caseLine),
  decisions: z.array(caseDecision),
});
export type DeskPost = z.infer<typeof deskPost>;

export const readDeskPost = route({
  method: 'GET',
  path: '/admin/posts/:id',
  summary: 'Retrieve a post with its sales, copies, cases and decisions, including hidden and removed posts',
  auth: 'operator',
  rate: 'read',
  params: z.object({ id: postId }),
  response: deskPost,
  errors: ['NOT_FOUND'],
});

export const showDeskPost = route({
  method: 'GET',
  path: '/admin/posts/:id/thing',
  summary: 'Reveal the content of a post for one hour. The view is recorded in the audit log',
  auth: 'operator',
  rate: 'read',
  params: z.object({ id: postId }),
  response: showThing.response,
  errors: ['NOT_FOUND'],
});

export const openPostCase = route({
  method: 'POST',
  path: '/admin/posts/:id/case',
  summary: 'Open a case about a post, or return the open one',
  auth: 'operator',
  rate: 'write',
  params: z.object({ id: postId }),
  body: z.object({ ground }),
  response: z.object({ id: caseId, reference: z.string(), isNew: z.boolean() }),
  errors: ['NOT_FOUND'],
});

const callView = z.extend(deskCall, {
  timeline: z.array(
    z.object({
      at: instant,
      moment: z.enum(CALL_MOMENTS),
      by: z.nullable(z.enum(['fan', 'creator'])),
      talkedMs: z.number(),
    }),
  ),
  /** The refunded amount, for operators who may read the ledger; null for others. */
  givenBack: z.nullable(usd),
  transactionId: z.nullable(transactionId),
  cases: z.array(caseLine),
});
export type DeskCallView = z.infer<typeof callView>;

export const readDeskCall = route({
  method: 'GET',
  path: '/admin/calls/:id',
  summary: 'Retrieve a call with its timeline, charges, refunds and cases. The view is recorded in the audit log',
  auth: 'operator',
  rate: 'read',
  params: z.object({ id: callId }),
  response: callView,
  errors: ['NOT_FOUND'],
});
