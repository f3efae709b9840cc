/** Reports, decisions and appeals (row J2). */
import * as z from 'zod/mini';
import { caseId, decisionId, instant, isId, userId } from '../shared/ids.ts';
import { CASE_LIMITS } from '../shared/module-limits.ts';
import { route } from '../shared/route.ts';
import { createTextSchema, submissionResponse } from './case-fields.ts';
import { CASE_STATES, MEASURES, REPORT_SUBJECTS } from './case-kinds.ts';

/** See row J2 of the specification. */
export const reportBody = z.object({
  reportUserId: userId,
  type: z.enum(REPORT_SUBJECTS),
  /** A user id if the report is about a profile. */
  typeId: z.string().check(z.refine(isId, 'Invalid id')),
  message: createTextSchema(CASE_LIMITS.messageLength, 'Please enter message'),
});
export const submitReport = route({
  method: 'POST',
  path: '/report/submit-report',
  summary: 'Report a user or their content, even if it was deleted',
  auth: 'session',
  team: 'any',
  allowedInMaintenance: true,
  rate: 'write',
  body: reportBody,
  response: submissionResponse,
  errors: ['NOT_FOUND'],
});

const ownAppeal = z.nullable(
  z.object({
    reference: z.string(),
    state: z.enum(CASE_STATES),
    outcome: z.nullable(z.enum(['uphold', 'overturn'])),
  }),
);
const ownReport = z.object({
  id: caseId,
  reference: z.string(),
  title: z.string(),
  at: instant,
  outcome: z.nullable(z.enum(['acted', 'nothing'])),
  /** Null if a second review is not possible or was requested. */
  appealBy: z.nullable(instant),
  appeal: ownAppeal,
});
export type OwnReport = z.infer<typeof ownReport>;
export const listOwnReports = route({
  method: 'GET',
  path: '/helpdesk/reports',
  summary: 'List the 50 newest reports that you submitted',
  auth: 'session',
  rate: 'read',
  response: z.object({ data: z.array(ownReport) }),
});
export const appealReport = route({
  method: 'POST',
  path: '/helpdesk/reports/:id/appeal',
  summary: 'Request a second review of a dismissed report, once; a different person reviews it',
  auth: 'session',
  rate: 'write',
  params: z.object({ id: caseId }),
  body: z.object({ message: createTextSchema(CASE_LIMITS.messageLength, 'Please enter message') }),
  response: submissionResponse,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

const ownDecision = z.object({
  id: decisionId,
  /** This is not the case's number, because that belongs to the reporter. */
  reference: z.string(),
  action: z.enum(MEASURES),
  at: instant,
  message: z.string(),
  reason: z.string(),
  until: z.nullable(instant),
  undoneAt: z.nullable(instant),
  /** Null if it is too late or the user appealed. */
  appealBy: z.nullable(instant),
  appeal: ownAppeal,
  /** The claimant's contact details are not included. */
  claim: z.nullable(z.object({ name: z.string(), work: z.string(), url: z.string() })),
  canCounter: z.boolean(),
  counter: z.nullable(
    z.object({
      reference: z.string(),
      isOpen: z.boolean(),
      outcome: z.nullable(z.enum(['restore', 'staysDown', 'dismiss'])),
      restoreFrom: instant,
      restoreBy: instant,
    }),
  ),
});
export type OwnDecision = z.infer<typeof ownDecision>;
export const listOwnDecisions = route({
  method: 'GET',
  path: '/helpdesk/decisions',
  summary: 'List the 50 newest moderation decisions about you',
  auth: 'session',
  rate: 'read',
  response: z.object({ data: z.array(ownDecision) }),
});
export const appealBody = z.object({ message: createTextSchema(CASE_LIMITS.messageLength, 'Please enter message') });
export const appealDecision = route({
  method: 'POST',
  path: '/helpdesk/decisions/:id/appeal',
  summary: 'Appeal a decision; a different person reviews it',
  auth: 'session',
  allowedInMaintenance: true,
  rate: 'write',
  params: z.object({ id: decisionId }),
  body: appealBody,
  response: submissionResponse,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
