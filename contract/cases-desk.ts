import * as z from 'zod/mini';
import { userType } from './accounts.ts';
import { ACTIVITIES } from './atoms/activities.ts';
import { caseId, casePictureId, caseProfileId, decisionId, instant, transactionId, userId } from './atoms/ids.ts';
import { limit, offset } from './atoms/paging.ts';
import { CASES } from './atoms/room-limits.ts';
import { fileAnswer, route } from './atoms/route.ts';
import { CASE_ACTS, CASE_KINDS, CASE_QUEUES, CASE_STATES, ENTRY_KINDS, PROFILE_PARTS, SUBJECTS } from './case-kinds.ts';
import { deskSale, moneyAct } from './money-act-view.ts';
import { postMedia } from './pictures.ts';
import { ground } from './processor-desk.ts';

const person = z.object({
  id: userId,
  username: z.string(),
  name: z.string(),
  type: userType,
  avatarUrl: z.nullable(z.string()),
});

const clock = z.object({ dueAt: instant, unit: z.enum(['hours', 'businessDays']), businessDaysLeft: z.number() });

export const caseLine = z.object({
  id: caseId,
  reference: z.string(),
  kind: z.enum(CASE_KINDS),
  queue: z.enum(CASE_QUEUES),
  state: z.enum(CASE_STATES),
  title: z.string(),
  subject: z.nullable(z.enum(SUBJECTS)),
  person: z.nullable(person),
  from: z.string(),
  /** Each reporting user counts once. */
  reports: z.number(),
  assignee: z.nullable(z.object({ id: userId, username: z.string() })),
  openedAt: instant,
  clock,
  closedAt: z.nullable(instant),
});
export type CaseLine = z.infer<typeof caseLine>;

export const CASE_VIEWS = ['open', 'mine', 'nobodys', 'waiting', 'closed'] as const;
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
  response: z.object({ data: z.array(caseLine), limit: z.number(), nextOffset: z.optional(z.string()) }),
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
    nobodys: z.number(),
  }),
});

const standing = z.object({
  ...person.shape,
  since: instant,
  isBlocked: z.boolean(),
  blockedUntil: z.nullable(instant),
  limits: z.array(z.object({ activity: z.enum(ACTIVITIES), until: instant })),
  cases: z.number(),
  upheld: z.number(),
  reports: z.number(),
  foundRight: z.number(),
});
const entry = z.object({
  id: z.string(),
  at: instant,
  kind: z.enum(ENTRY_KINDS),
  by: z.nullable(z.string()),
  byId: z.nullable(userId),
  member: z.nullable(z.string()),
  text: z.string(),
  pictures: z.array(z.object({ id: casePictureId, width: z.number(), height: z.number() })),
});
export const caseDecision = z.object({
  id: decisionId,
  caseId,
  reference: z.string(),
  act: z.enum(CASE_ACTS),
  at: instant,
  until: z.nullable(instant),
  ground: z.string(),
  operator: z.nullable(z.string()),
  undoneAt: z.nullable(instant),
  canUndo: z.boolean(),
});
export type CaseDecision = z.infer<typeof caseDecision>;
/** Purchases by the sender from the user whom the case is about, or from any creator if it is about no user. */
const purchase = z.object({
  ...deskSale.shape,
  isOfThing: z.boolean(),
  /** True if it is not fully refunded and the buyer's account exists. */
  canGiveBack: z.boolean(),
});
export type CasePurchase = z.infer<typeof purchase>;
const caseView = z.object({
  ...caseLine.shape,
  changedAt: instant,
  details: z.string(),
  fromPerson: z.nullable(standing),
  fromEmail: z.string(),
  isUnproven: z.boolean(),
  where: z.string(),
  about: z.nullable(standing),
  subjectHref: z.nullable(z.string()),
  deskHref: z.nullable(z.string()),
  /**
   * Metadata at the time of the report. The text of a message is not included, because it must be requested separately.
   */
  snapshot: z.array(z.object({ name: z.string(), value: z.string() })),
  hasThing: z.boolean(),
  isGone: z.boolean(),
  copies: z.number(),
  copiesOf: z.array(z.string()),
  parts: z.array(z.enum(PROFILE_PARTS)),
  entries: z.array(entry),
  decisions: z.array(caseDecision),
  earlier: z.array(caseDecision),
  appealed: z.nullable(caseDecision),
  purchases: z.array(purchase),
  /** Purchases that are not shown move up after refunds. */
  purchaseCount: z.number(),
  waits: z.nullable(moneyAct),
  acts: z.array(z.enum(CASE_ACTS)),
  canReopen: z.boolean(),
  obstacle: z.nullable(z.string()),
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
const params = z.object({ id: caseId });

export const readCase = route({
  method: 'GET',
  path: '/admin/cases/:id',
  summary: 'Retrieve a case without the reported content; views of contact details are logged in the audit log',
  auth: 'operator',
  rate: 'read',
  params,
  response: caseView,
  errors: ['NOT_FOUND'],
});
const shownProfile = z.object({
  id: z.nullable(caseProfileId),
  at: instant,
  isNow: z.boolean(),
  facts: z.array(z.object({ name: z.string(), value: z.string() })),
  links: z.array(z.object({ label: z.string(), url: z.string() })),
  avatarUrl: z.nullable(z.string()),
  coverUrl: z.nullable(z.string()),
});
const thing = z.object({
  /** For a message, the messages around it are included. */
  texts: z.array(z.object({ id: z.string(), at: instant, by: z.string(), text: z.string(), isNamed: z.boolean() })),
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
  profiles: z.array(shownProfile),
});
export type CaseThing = z.infer<typeof thing>;
export const showThing = route({
  method: 'GET',
  path: '/admin/cases/:id/thing',
  summary: 'Retrieve the content of a case, viewable for an hour; each view is logged in the audit log',
  auth: 'operator',
  rate: 'read',
  params,
  response: thing,
  errors: ['NOT_FOUND'],
});
export const readCaseProfile = route({
  method: 'GET',
  path: '/admin/cases/:id/profiles/:profileId/:which',
  summary: 'Download the avatar or cover of a reported profile, within an hour of retrieving the content',
  auth: 'operator',
  rate: 'asset',
  params: z.object({ id: caseId, profileId: caseProfileId, which: z.enum(['avatar', 'cover']) }),
  response: fileAnswer,
  files: ['image/webp'],
  errors: ['NOT_FOUND'],
});
export const readCasePicture = route({
  method: 'GET',
  path: '/admin/cases/:id/pictures/:pictureId',
  summary: 'Download a picture attached by the sender; each view is logged in the audit log',
  auth: 'operator',
  rate: 'asset',
  params: z.object({ id: caseId, pictureId: casePictureId }),
  response: fileAnswer,
  files: ['image/jpeg'],
  errors: ['NOT_FOUND'],
});
export const assignCase = route({
  method: 'POST',
  path: '/admin/cases/:id/assign',
  summary: 'Assign a case to yourself, or unassign it',
  auth: 'operator',
  rate: 'write',
  params,
  body: z.object({ isMine: z.boolean() }),
  response: caseView,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
const words = (maxLength: number) =>
  z.string().check(z.trim(), z.minLength(1, 'Please enter message'), z.maxLength(maxLength));
export const passCase = route({
  method: 'POST',
  path: '/admin/cases/:id/pass',
  summary: 'Move a case to the refund queue or back, with a note',
  auth: 'operator',
  rate: 'write',
  params,
  body: z.object({ isForRefund: z.boolean(), text: words(CASES.noteLength) }),
  response: z.object({ reference: z.string(), queue: z.enum(CASE_QUEUES) }),
  errors: ['NOT_FOUND', 'CONFLICT'],
});
export const noteCase = route({
  method: 'POST',
  path: '/admin/cases/:id/notes',
  summary: 'Add an internal note to a case',
  auth: 'operator',
  rate: 'write',
  params,
  body: z.object({ text: words(CASES.noteLength) }),
  response: caseView,
  errors: ['NOT_FOUND'],
});
export const replyCase = route({
  method: 'POST',
  path: '/admin/cases/:id/replies',
  summary: 'Reply to the sender of a case, and optionally close it',
  auth: 'operator',
  rate: 'write',
  params,
  body: z.object({ text: words(CASES.messageLength), isClosing: z.boolean() }),
  response: caseView,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
export const decisionBody = z.object({
  act: z.enum(CASE_ACTS),
  /** The affected user reads it. */
  ground,
  days: z.optional(z.number().check(z.int(), z.gte(CASES.days.min), z.lte(CASES.days.max))),
  parts: z.optional(z.array(z.enum(PROFILE_PARTS)).check(z.minLength(1), z.maxLength(PROFILE_PARTS.length))),
  /** Each is refunded as far as it has not been refunded before. */
  sales: z.optional(z.array(transactionId).check(z.minLength(1), z.maxLength(CASES.purchases))),
});
export const decideCase = route({
  method: 'POST',
  path: '/admin/cases/:id/decision',
  summary: 'Decide a case and notify the affected user and reporters; large refunds need a second approval',
  auth: 'operator',
  rate: 'write',
  params,
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
  body: z.object({ ground }),
  response: caseView,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
const severalCases = z
  .array(caseId)
  .check(z.minLength(1), z.maxLength(CASES.atOnce, `At most ${CASES.atOnce} at once`));
export const dismissCases = route({
  method: 'POST',
  path: '/admin/cases/dismiss',
  summary: 'Dismiss several open cases with one reason; cases decided meanwhile are left unchanged',
  auth: 'operator',
  rate: 'write',
  body: z.object({ ids: severalCases, ground }),
  response: z.object({ dismissed: z.array(caseId), left: z.array(caseId) }),
});
export const reopenCases = route({
  method: 'POST',
  path: '/admin/cases/reopen',
  summary: 'Reopen several closed cases with a new deadline; cases reported again since are left unchanged',
  auth: 'operator',
  rate: 'write',
  body: z.object({ ids: severalCases, ground }),
  response: z.object({ reopened: z.array(caseId), left: z.array(caseId) }),
});
