/** Contact form, complaints and help desk tickets (rows J1, J3, V5). */
import * as z from 'zod/mini';
import { email } from '../identity/accounts.ts';
import { caseId, casePictureId, instant } from '../shared/ids.ts';
import { CASE_LIMITS } from '../shared/module-limits.ts';
import { limit, offset } from '../shared/paging.ts';
import { fileResponse, route } from '../shared/route.ts';
import { singleLineName } from '../shared/single-line-text.ts';
import { CASE_REFERENCE_PATTERN } from './case-addresses.ts';
import { createTextSchema, submissionResponse } from './case-fields.ts';
import { CASE_STATES } from './case-kinds.ts';

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

const proof = z.string().check(z.maxLength(CASE_LIMITS.proofLength, `At most ${CASE_LIMITS.proofLength} characters`));

/** See rows J1 and V5 of the specification. */
export const contactBody = z.object({
  name: singleLineName(100),
  email,
  details: createTextSchema(CASE_LIMITS.messageLength, 'Please enter details'),
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
  where: createTextSchema(CASE_LIMITS.contentLocationLength, 'Enter a link or tell us where you saw it'),
  details: createTextSchema(CASE_LIMITS.messageLength, 'Tell us what’s wrong'),
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
  message: createTextSchema(CASE_LIMITS.messageLength, 'Please enter message'),
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
  message: createTextSchema(CASE_LIMITS.messageLength, 'Please enter message'),
  pictures,
});
export const ticketBody = z.object({
  subject: createTextSchema(CASE_LIMITS.subjectLength, 'Enter a topic'),
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
