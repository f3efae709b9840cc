import * as z from 'zod/mini';
import { email } from '../identity/accounts.ts';
import { decisionId, instant } from '../shared/ids.ts';
import { CASE_LIMITS, COPYRIGHT_LIMITS } from '../shared/module-limits.ts';
import { route } from '../shared/route.ts';
import { singleLineName } from '../shared/single-line-text.ts';
import { createTextSchema } from './case-fields.ts';

const createConfirmationSchema = (missingMessage: string) =>
  z.boolean(missingMessage).check(z.refine((isConfirmed) => isConfirmed, missingMessage));

const contact = {
  name: singleLineName(100),
  address: createTextSchema(COPYRIGHT_LIMITS.addressLength, 'Enter your postal address'),
  telephone: z
    .string('Enter your phone number with the country code')
    .check(z.trim(), z.regex(/^\+?[0-9][0-9 ()./-]{4,29}$/, 'Enter your phone number with the country code')),
  signature: createTextSchema(100, 'Sign with your name'),
};

export const copyrightNoticeBody = z.object({
  ...contact,
  email,
  work: createTextSchema(CASE_LIMITS.messageLength, 'Describe the work'),
  /** One URL per line. */
  urls: createTextSchema(COPYRIGHT_LIMITS.urlsLength, 'Enter at least one link'),
  isGoodFaith: createConfirmationSchema('Confirm that you’re submitting this in good faith'),
  isAccurate: createConfirmationSchema('Confirm that the notice is accurate and you’re authorized'),
});
export const submitCopyrightNotice = route({
  method: 'POST',
  path: '/public/copyright-notices',
  summary: 'Submit a copyright notice without an account; each link in it becomes a separate case',
  auth: 'public',
  allowedInMaintenance: true,
  rate: 'sensitive',
  body: copyrightNoticeBody,
  response: z.object({
    success: z.literal(true),
    message: z.string(),
    answerBy: instant,
    cases: z.array(z.object({ reference: z.string(), url: z.string() })),
  }),
});

export const counterNoticeBody = z.object({
  ...contact,
  statement: createTextSchema(CASE_LIMITS.messageLength, 'Tell us why it was a mistake'),
  isMistake: createConfirmationSchema('Confirm that it was a mistake'),
  isConsenting: createConfirmationSchema('Confirm that you accept the court’s jurisdiction'),
});
const counterNoticeResponse = z.object({
  success: z.literal(true),
  reference: z.string(),
  message: z.string(),
  /** Business days 10 and 14 after the counter-notice (17 U.S.C. 512). */
  restoreFrom: instant,
  restoreBy: instant,
});
export const submitCounterNotice = route({
  method: 'POST',
  path: '/helpdesk/decisions/:id/counter-notice',
  summary: 'Submit a counter-notice to a copyright takedown; it is forwarded to the claimant',
  auth: 'session',
  allowedInMaintenance: true,
  rate: 'write',
  params: z.object({ id: decisionId }),
  body: counterNoticeBody,
  response: counterNoticeResponse,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

/** Token from the removal mail. */
const token = z.string().check(z.minLength(1), z.maxLength(COPYRIGHT_LIMITS.linkLength));
export const getCounterNoticeLink = route({
  method: 'GET',
  path: '/public/counter-notice',
  summary: 'Retrieve the takedown behind an emailed counter-notice link, and whether the user is blocked',
  auth: 'public',
  rate: 'sensitive',
  query: z.object({ token }),
  response: z.object({ isBlocked: z.boolean(), claimant: z.string(), url: z.string() }),
  errors: ['NOT_FOUND'],
});
export const submitCounterNoticeByLink = route({
  method: 'POST',
  path: '/public/counter-notice',
  summary: 'Submit a counter-notice by its emailed link; only for blocked users',
  auth: 'public',
  allowedInMaintenance: true,
  rate: 'sensitive',
  body: z.object({ ...counterNoticeBody.shape, token }),
  response: counterNoticeResponse,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
