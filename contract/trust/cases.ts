/** Contact, reports, complaints, help desk and appeals (rows J1 to J3). */
import * as z from 'zod/mini';
import { email } from '../identity/accounts.ts';
import { caseId, casePictureId, decisionId, instant, isId, userId } from '../shared/ids.ts';
import { CASE_LIMITS } from '../shared/module-limits.ts';
import { limit, offset } from '../shared/paging.ts';
import { fileResponse, route } from '../shared/route.ts';
import { singleLineName } from '../shared/single-line-text.ts';
import { CASE_REFERENCE_PATTERN } from './case-addresses.ts';
import { CASE_STATES, MEASURES, REPORT_SUBJECTS } from './case-kinds.ts';

const requiredText = (maxLength: number, missingMessage: string) =>
  z
    .string(missingMessage)
    .check(z.trim(), z.minLength(1, missingMessage), z.maxLength(maxLength, `At most ${maxLength} characters`));

export const reference = z.string('Enter the reference number').check(
  z.trim(),
  z.overwrite((value) => value.toUpperCase()),
  z.regex(CASE_REFERENCE_PATTERN, 'A reference looks like SD-7K2M-9QXV'),
);

const pictures = z._default(
  z.array(casePictureId).check(z.maxLength(CASE_LIMITS.pictures, `At most ${CASE_LIMITS.pictures} pictures`)),
  [],
);
const storedPicture = z.object({ id: casePictureId, width: z.number(), height: z.number() });

/** See row J2 of the specification. */
export const reportBody = z.object({
  reportUserId: userId,
  type: z.enum(REPORT_SUBJECTS),
  /** A user id if the report is about a profile. */
  typeId: z.string().check(z.refine(isId, 'Invalid id')),
  message: requiredText(CASE_LIMITS.messageLength, 'Please enter message'),
});
const submissionResponse = z.object({ success: z.literal(true), reference: z.string(), message: z.string() });
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

const proof = z.string().check(z.maxLength(CASE_LIMITS.proofLength, `At most ${CASE_LIMITS.proofLength} characters`));

/** See rows J1 and V5 of the specification. */
export const contactBody = z.object({
  name: singleLineName(100),
  email,
  details: requiredText(CASE_LIMITS.messageLength, 'Please enter details'),
  /** A token from a refused log-in, which proves the identity of a blocked user. */
  proof: z.optional(proof),
  /** Only for senders who are logged in or send `proof`. */
  pictures,
});
export const contactAdmin = route({
  method: 'POST',
  path: '/public/contact-admin',
  summary: 'Send a message to support; blocked users appeal with it',
  auth: 'public',
  allowedInMaintenance: true,
  rate: 'sensitive',
  body: contactBody,
  response: submissionResponse,
  errors: ['NOT_FOUND'],
});
export const addContactPicture = route({
  method: 'POST',
  path: '/public/contact-pictures',
  summary: 'Upload a picture with the proof from a refused login; deleted after a day if unused',
  auth: 'public',
  allowedInMaintenance: true,
  rate: 'sensitive',
  /** The proof, then one file named `file`. */
  multipart: true,
  response: storedPicture,
  errors: ['FORBIDDEN', 'TOO_LARGE', 'UNSUPPORTED_TYPE', 'UNAVAILABLE'],
});

export const complaintBody = z.object({
  name: singleLineName(100),
  email,
  where: requiredText(CASE_LIMITS.contentLocationLength, 'Enter a link or tell us where you saw it'),
  details: requiredText(CASE_LIMITS.messageLength, 'Tell us what’s wrong'),
  isGoodFaith: z
    .boolean('Confirm that you’re submitting this in good faith')
    .check(z.refine((isConfirmed) => isConfirmed, 'Confirm that you’re submitting this in good faith')),
});
export const submitComplaint = route({
  method: 'POST',
  path: '/public/complaints',
  summary: 'Submit a complaint without an account; answered within seven business days',
  auth: 'public',
  allowedInMaintenance: true,
  rate: 'sensitive',
  body: complaintBody,
  response: z.object({ ...submissionResponse.shape, answerBy: instant }),
});
export const complaintLookup = z.object({ reference, email });
const complaintStatusView = z.object({
  reference: z.string(),
  state: z.enum(CASE_STATES),
  openedAt: instant,
  answerBy: instant,
  closedAt: z.nullable(instant),
  replies: z.array(z.object({ at: instant, text: z.string() })),
});
export const getComplaintStatus = route({
  method: 'POST',
  path: '/public/complaint-status',
  summary: 'Retrieve the status of a message, complaint or copyright notice by its reference and email',
  auth: 'public',
  allowedInMaintenance: true,
  rate: 'sensitive',
  body: complaintLookup,
  response: complaintStatusView,
  errors: ['NOT_FOUND'],
});
export const complaintReplyBody = z.object({
  ...complaintLookup.shape,
  message: requiredText(CASE_LIMITS.messageLength, 'Please enter message'),
});
export const replyToComplaint = route({
  method: 'POST',
  path: '/public/complaint-replies',
  summary: 'Reply to a case by its reference and email; fails with CONFLICT if it is closed',
  auth: 'public',
  allowedInMaintenance: true,
  rate: 'sensitive',
  body: complaintReplyBody,
  response: z.object({ ...complaintStatusView.shape, success: z.literal(true), message: z.string() }),
  errors: ['NOT_FOUND', 'CONFLICT'],
});

const ticketSummary = z.object({
  id: caseId,
  reference: z.string(),
  subject: z.string(),
  state: z.enum(CASE_STATES),
  openedAt: instant,
  changedAt: instant,
  answerBy: z.nullable(instant),
});
export type TicketSummary = z.infer<typeof ticketSummary>;
const ticketEntry = z.object({
  id: z.string(),
  at: instant,
  isFromSupport: z.boolean(),
  text: z.string(),
  pictures: z.array(storedPicture),
});
export type TicketEntry = z.infer<typeof ticketEntry>;
const ticket = z.object({ ...ticketSummary.shape, entries: z.array(ticketEntry) });
export const ticketMessageBody = z.object({
  message: requiredText(CASE_LIMITS.messageLength, 'Please enter message'),
  pictures,
});
export const ticketBody = z.object({
  subject: requiredText(CASE_LIMITS.subjectLength, 'Enter a topic'),
  ...ticketMessageBody.shape,
});
const ticketParams = z.object({ id: caseId });

export const listTickets = route({
  method: 'GET',
  path: '/helpdesk/tickets',
  summary: 'List your support requests, newest first',
  auth: 'session',
  rate: 'read',
  query: z.object({ limit, offset }),
  response: z.object({ data: z.array(ticketSummary), nextOffset: z.optional(z.string()) }),
});
export const createTicket = route({
  method: 'POST',
  path: '/helpdesk/tickets',
  summary: 'Create a support request',
  auth: 'session',
  rate: 'write',
  idempotent: true,
  body: ticketBody,
  response: ticket,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
export const getTicket = route({
  method: 'GET',
  path: '/helpdesk/tickets/:id',
  summary: 'Retrieve a support request with its messages',
  auth: 'session',
  rate: 'read',
  params: ticketParams,
  response: ticket,
  errors: ['NOT_FOUND'],
});
export const replyToTicket = route({
  method: 'POST',
  path: '/helpdesk/tickets/:id/messages',
  summary: 'Add a message to a support request; a closed one is reopened',
  auth: 'session',
  rate: 'write',
  params: ticketParams,
  body: ticketMessageBody,
  response: ticket,
  errors: ['NOT_FOUND'],
});
export const closeTicket = route({
  method: 'POST',
  path: '/helpdesk/tickets/:id/close',
  summary: 'Close a support request',
  auth: 'session',
  rate: 'write',
  params: ticketParams,
  response: ticket,
  errors: ['NOT_FOUND'],
});
export const addTicketPicture = route({
  method: 'POST',
  path: '/helpdesk/pictures',
  summary: 'Upload a picture for a support request; deleted after a day if unused',
  auth: 'session',
  rate: 'upload',
  multipart: true,
  response: storedPicture,
  errors: ['TOO_LARGE', 'UNSUPPORTED_TYPE', 'UNAVAILABLE'],
});
export const getTicketPicture = route({
  method: 'GET',
  path: '/helpdesk/pictures/:id',
  summary: 'Download a picture of a support request',
  auth: 'session',
  rate: 'asset',
  params: z.object({ id: casePictureId }),
  response: fileResponse,
  files: ['image/jpeg'],
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
  body: z.object({ message: requiredText(CASE_LIMITS.messageLength, 'Please enter message') }),
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
export const appealBody = z.object({ message: requiredText(CASE_LIMITS.messageLength, 'Please enter message') });
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
