import * as z from 'zod/mini';
import { postMedia } from '../content/pictures.ts';
import { userType } from '../identity/accounts.ts';
import { caseId, casePictureId, caseProfileId, decisionId, instant, transactionId, userId } from '../shared/ids.ts';
import { CASE_LIMITS } from '../shared/module-limits.ts';
import { limit, offset } from '../shared/paging.ts';
import { RESTRICTED_ACTIVITIES } from '../shared/restrictions.ts';
import { fileResponse, route } from '../shared/route.ts';
import { createTextSchema } from '../trust/case-fields.ts';
import {
  CASE_ACTIONS,
  CASE_KINDS,
  CASE_QUEUES,
  CASE_STATES,
  ENTRY_KINDS,
  PROFILE_PARTS,
  REPORT_SUBJECTS,
} from '../trust/case-kinds.ts';
import { adminSale, approvalRequest } from './approval-request.ts';
import { reason } from './processor-webhooks.ts';

const caseUser = z.object({
  id: userId,
  username: z.string(),
  name: z.string(),
  type: userType,
  avatarUrl: z.nullable(z.string()),
});

const deadline = z.object({ dueAt: instant, unit: z.enum(['hours', 'businessDays']), businessDaysLeft: z.number() });

export const caseSummary = z.object({
  id: caseId,
  reference: z.string(),
  kind: z.enum(CASE_KINDS),
  queue: z.enum(CASE_QUEUES),
  state: z.enum(CASE_STATES),
  title: z.string(),
  subject: z.nullable(z.enum(REPORT_SUBJECTS)),
  user: z.nullable(caseUser),
  from: z.string(),
  /** Each reporting user counts once. */
  reports: z.number(),
  assignee: z.nullable(z.object({ id: userId, username: z.string() })),
  openedAt: instant,
  deadline,
  closedAt: z.nullable(instant),
});
export type CaseSummary = z.infer<typeof caseSummary>;

export const CASE_VIEWS = ['open', 'mine', 'unassigned', 'waiting', 'closed'] as const;
export const listCases = route({
  method: 'GET',
  path: '/admin/cases',
  summary: 'List cases, earliest due first; `q` must match a reference, username or email exactly',
  auth: 'operator',
  rate: 'read',
  query: z.object({
    limit,
    offset,
    view: z._default(z.enum(CASE_VIEWS), 'open'),
    queue: z.optional(z.enum(CASE_QUEUES)),
    q: z.optional(z.string().check(z.trim(), z.maxLength(254))),
  }),
  response: z.object({ data: z.array(caseSummary), limit: z.number(), nextOffset: z.optional(z.string()) }),
});
export const countCases = route({
  method: 'GET',
  path: '/admin/case-counts',
  summary: 'Count open cases by queue, assigned to you and unassigned, up to 999 each',
  auth: 'operator',
  rate: 'read',
  response: z.object({
    queues: z.array(z.object({ queue: z.enum(CASE_QUEUES), count: z.number() })),
    mine: z.number(),
    unassigned: z.number(),
  }),
});

const userStatus = z.object({
  ...caseUser.shape,
  since: instant,
  isBlocked: z.boolean(),
  blockedUntil: z.nullable(instant),
  restrictions: z.array(z.object({ activity: z.enum(RESTRICTED_ACTIVITIES), until: instant })),
  cases: z.number(),
  upheldCases: z.number(),
  reports: z.number(),
  upheldReports: z.number(),
});
const entry = z.object({
  id: z.string(),
  at: instant,
  kind: z.enum(ENTRY_KINDS),
  author: z.nullable(z.string()),
  authorId: z.nullable(userId),
  member: z.nullable(z.string()),
  text: z.string(),
  pictures: z.array(z.object({ id: casePictureId, width: z.number(), height: z.number() })),
});
export const caseDecision = z.object({
  id: decisionId,
  caseId,
  reference: z.string(),
  action: z.enum(CASE_ACTIONS),
  at: instant,
  until: z.nullable(instant),
  reason: z.string(),
  operator: z.nullable(z.string()),
  undoneAt: z.nullable(instant),
  canUndo: z.boolean(),
});
export type CaseDecision = z.infer<typeof caseDecision>;
/** Purchases by the sender from the user whom the case is about, or from any creator if it is about no user. */
const purchase = z.object({
  ...adminSale.shape,
  isForContent: z.boolean(),
  /** True if it is not fully refunded and the buyer's account exists. */
  canRefund: z.boolean(),
});
export type CasePurchase = z.infer<typeof purchase>;
const caseView = z.object({
  ...caseSummary.shape,
  changedAt: instant,
  details: z.string(),
  fromUser: z.nullable(userStatus),
  fromEmail: z.string(),
  isUnverified: z.boolean(),
  where: z.string(),
  about: z.nullable(userStatus),
  subjectHref: z.nullable(z.string()),
  adminHref: z.nullable(z.string()),
  /**
   * Metadata at the time of the report. The text of a message is not included, because it must be requested separately.
   */
  snapshot: z.array(z.object({ name: z.string(), value: z.string() })),
  hasContent: z.boolean(),
  isDeleted: z.boolean(),
  copies: z.number(),
  copyOwners: z.array(z.string()),
  parts: z.array(z.enum(PROFILE_PARTS)),
  entries: z.array(entry),
  decisions: z.array(caseDecision),
  earlierDecisions: z.array(caseDecision),
  appealedDecision: z.nullable(caseDecision),
  purchases: z.array(purchase),
  /** Purchases that are not shown move up after refunds. */
  purchaseCount: z.number(),
  pendingApproval: z.nullable(approvalRequest),
  allowedActions: z.array(z.enum(CASE_ACTIONS)),
  canReopen: z.boolean(),
  blockedReason: z.nullable(z.string()),
  appealBy: instant,
  notice: z.nullable(
    z.object({
      caseId,
      reference: z.string(),
      name: z.string(),
      email: z.string(),
      address: z.string(),
      telephone: z.string(),
      signature: z.string(),
    }),
  ),
  counter: z.nullable(
    z.object({
      caseId,
      reference: z.string(),
      name: z.string(),
      address: z.string(),
      telephone: z.string(),
      signature: z.string(),
      restoreFrom: instant,
      restoreBy: instant,
    }),
  ),
  /** Counts upheld notices within twelve months that were not reversed. */
  strikes: z.nullable(z.number()),
});
export type CaseView = z.infer<typeof caseView>;
const caseParams = z.object({ id: caseId });

export const getCase = route({
  method: 'GET',
  path: '/admin/cases/:id',
  summary: 'Retrieve a case without the reported content; views of contact details are logged in the audit log',
  auth: 'operator',
  rate: 'read',
  params: caseParams,
  response: caseView,
  errors: ['NOT_FOUND'],
});
const profileVersion = z.object({
  id: z.nullable(caseProfileId),
  at: instant,
  isCurrent: z.boolean(),
  details: z.array(z.object({ name: z.string(), value: z.string() })),
  links: z.array(z.object({ label: z.string(), url: z.string() })),
  avatarUrl: z.nullable(z.string()),
  coverUrl: z.nullable(z.string()),
});
const caseContent = z.object({
  /** For a message, the messages around it are included. */
  texts: z.array(
    z.object({ id: z.string(), at: instant, author: z.string(), text: z.string(), isReported: z.boolean() }),
  ),
  media: z.array(postMedia),
  files: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      type: z.string(),
      byteSize: z.number(),
      isVoice: z.boolean(),
      url: z.string(),
    }),
  ),
  profiles: z.array(profileVersion),
});
export type CaseContent = z.infer<typeof caseContent>;
export const getCaseContent = route({
  method: 'GET',
  path: '/admin/cases/:id/content',
  summary: 'Retrieve the content of a case, viewable for an hour; each view is logged in the audit log',
  auth: 'operator',
  rate: 'read',
  params: caseParams,
  response: caseContent,
  errors: ['NOT_FOUND'],
});
export const getCaseProfilePicture = route({
  method: 'GET',
  path: '/admin/cases/:id/profiles/:profileId/:pictureKind',
  summary: 'Download the avatar or cover of a reported profile, within an hour of retrieving the content',
  auth: 'operator',
  rate: 'asset',
  params: z.object({ id: caseId, profileId: caseProfileId, pictureKind: z.enum(['avatar', 'cover']) }),
  response: fileResponse,
  files: ['image/webp'],
  errors: ['NOT_FOUND'],
});
export const getCasePicture = route({
  method: 'GET',
  path: '/admin/cases/:id/pictures/:pictureId',
  summary: 'Download a picture attached by the sender; each view is logged in the audit log',
  auth: 'operator',
  rate: 'asset',
  params: z.object({ id: caseId, pictureId: casePictureId }),
  response: fileResponse,
  files: ['image/jpeg'],
  errors: ['NOT_FOUND'],
});
export const assignCase = route({
  method: 'POST',
  path: '/admin/cases/:id/assign',
  summary: 'Assign a case to yourself, or unassign it',
  auth: 'operator',
  rate: 'write',
  params: caseParams,
  body: z.object({ isMine: z.boolean() }),
  response: caseView,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
export const routeCase = route({
  method: 'POST',
  path: '/admin/cases/:id/route',
  summary: 'Move a case to the refund queue or back, with a note',
  auth: 'operator',
  rate: 'write',
  params: caseParams,
  body: z.object({ isForRefund: z.boolean(), text: createTextSchema(CASE_LIMITS.noteLength, 'Please enter message') }),
  response: z.object({ reference: z.string(), queue: z.enum(CASE_QUEUES) }),
  errors: ['NOT_FOUND', 'CONFLICT'],
});
export const addCaseNote = route({
  method: 'POST',
  path: '/admin/cases/:id/notes',
  summary: 'Add an internal note to a case',
  auth: 'operator',
  rate: 'write',
  params: caseParams,
  body: z.object({ text: createTextSchema(CASE_LIMITS.noteLength, 'Please enter message') }),
  response: caseView,
  errors: ['NOT_FOUND'],
});
export const replyToCase = route({
  method: 'POST',
  path: '/admin/cases/:id/replies',
  summary: 'Reply to the sender of a case, and optionally close it',
  auth: 'operator',
  rate: 'write',
  params: caseParams,
  body: z.object({ text: createTextSchema(CASE_LIMITS.messageLength, 'Please enter message'), isClosing: z.boolean() }),
  response: caseView,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
export const decisionBody = z.object({
  action: z.enum(CASE_ACTIONS),
  /** The affected user reads it. */
  reason,
  days: z.optional(z.number().check(z.int(), z.gte(CASE_LIMITS.days.min), z.lte(CASE_LIMITS.days.max))),
  parts: z.optional(z.array(z.enum(PROFILE_PARTS)).check(z.minLength(1), z.maxLength(PROFILE_PARTS.length))),
  /** Each is refunded as far as it has not been refunded before. */
  sales: z.optional(z.array(transactionId).check(z.minLength(1), z.maxLength(CASE_LIMITS.purchases))),
});
export const decideCase = route({
  method: 'POST',
  path: '/admin/cases/:id/decision',
  summary: 'Decide a case and notify the affected user and reporters; large refunds need a second approval',
  auth: 'operator',
  rate: 'write',
  params: caseParams,
  body: decisionBody,
  response: caseView,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
export const undoDecision = route({
  method: 'POST',
  path: '/admin/case-decisions/:id/undo',
  summary: 'Reverse a decision and notify the affected user; reversing a dismissal or closure reopens the case',
  auth: 'operator',
  rate: 'write',
  params: z.object({ id: decisionId }),
  body: z.object({ reason }),
  response: caseView,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
const caseIds = z
  .array(caseId)
  .check(z.minLength(1), z.maxLength(CASE_LIMITS.batchSize, `At most ${CASE_LIMITS.batchSize} at once`));
export const dismissCases = route({
  method: 'POST',
  path: '/admin/cases/dismiss',
  summary: 'Dismiss several open cases with one reason; cases decided meanwhile are left unchanged',
  auth: 'operator',
  rate: 'write',
  body: z.object({ ids: caseIds, reason }),
  response: z.object({ dismissed: z.array(caseId), skipped: z.array(caseId) }),
});
export const reopenCases = route({
  method: 'POST',
  path: '/admin/cases/reopen',
  summary: 'Reopen several closed cases with a new deadline; cases reported again since are left unchanged',
  auth: 'operator',
  rate: 'write',
  body: z.object({ ids: caseIds, reason }),
  response: z.object({ reopened: z.array(caseId), skipped: z.array(caseId) }),
});
