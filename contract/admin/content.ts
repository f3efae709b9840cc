import * as z from 'zod/mini';
import { postDetails } from '../content/post-details.ts';
import { postType } from '../content/posts.ts';
import { userType } from '../identity/accounts.ts';
import { CALL_TIMELINE_EVENTS } from '../messaging/calls.ts';
import { callId, caseId, instant, postId, transactionId, userId } from '../shared/ids.ts';
import { usd } from '../shared/money.ts';
import { route } from '../shared/route.ts';
import { adminCall } from './calls.ts';
import { caseDecision, caseSummary, getCaseContent } from './cases.ts';
import { reason } from './processor-webhooks.ts';

const contentUser = z.object({ id: userId, username: z.string(), name: z.string(), type: userType });

/** `hidden`: by an operator; `removed`: by its creator. */
export const POST_STATES = ['published', 'hidden', 'removed'] as const;

const adminPost = z.object({
  id: postId,
  title: z.string(),
  caption: z.string(),
  type: postType,
  files: z.number(),
  price: z.nullable(usd),
  at: instant,
  state: z.enum(POST_STATES),
  stateSince: z.nullable(instant),
  creator: contentUser,
  likes: z.number(),
  ...postDetails.shape,
  people: z.array(z.string()),
  copies: z.number(),
  copyOwners: z.array(z.string()),
  sales: z.object({ count: z.number(), amount: usd, refunds: z.number(), refunded: usd }),
  cases: z.array(caseSummary),
  decisions: z.array(caseDecision),
});
export type AdminPost = z.infer<typeof adminPost>;

export const getAdminPost = route({
  method: 'GET',
  path: '/admin/posts/:id',
  summary: 'Retrieve a post with its sales, copies, cases and decisions, including hidden and removed posts',
  auth: 'operator',
  rate: 'read',
  params: z.object({ id: postId }),
  response: adminPost,
  errors: ['NOT_FOUND'],
});

export const getAdminPostContent = route({
  method: 'GET',
  path: '/admin/posts/:id/content',
  summary: 'Reveal the content of a post for one hour. The view is recorded in the audit log',
  auth: 'operator',
  rate: 'read',
  params: z.object({ id: postId }),
  response: getCaseContent.response,
  errors: ['NOT_FOUND'],
});

export const openPostCase = route({
  method: 'POST',
  path: '/admin/posts/:id/case',
  summary: 'Open a case about a post, or return the open one',
  auth: 'operator',
  rate: 'write',
  params: z.object({ id: postId }),
  body: z.object({ reason }),
  response: z.object({ id: caseId, reference: z.string(), isNew: z.boolean() }),
  errors: ['NOT_FOUND'],
});

const adminCallDetail = z.extend(adminCall, {
  timeline: z.array(
    z.object({
      at: instant,
      event: z.enum(CALL_TIMELINE_EVENTS),
      by: z.nullable(z.enum(['fan', 'creator'])),
      connectedMs: z.number(),
    }),
  ),
  /** The refunded amount, for operators who may read the ledger; null for others. */
  refunded: z.nullable(usd),
  transactionId: z.nullable(transactionId),
  cases: z.array(caseSummary),
});
export type AdminCallDetail = z.infer<typeof adminCallDetail>;

export const getAdminCall = route({
  method: 'GET',
  path: '/admin/calls/:id',
  summary: 'Retrieve a call with its timeline, charges, refunds and cases. The view is recorded in the audit log',
  auth: 'operator',
  rate: 'read',
  params: z.object({ id: callId }),
  response: adminCallDetail,
  errors: ['NOT_FOUND'],
});
