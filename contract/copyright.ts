import * as z from 'zod/mini';
import { email } from './accounts.ts';
import { decisionId, instant } from './atoms/ids.ts';
import { name } from './atoms/lines.ts';
import { CASES, COPYRIGHT } from './atoms/room-limits.ts';
import { route } from './atoms/route.ts';

const text = (maxLength: number, missing: string) =>
  z.string(missing).check(z.trim(), z.minLength(1, missing), z.maxLength(maxLength, `At most ${maxLength} characters`));
const said = (missing: string) => z.boolean(missing).check(z.refine((isSaid) => isSaid, missing));

const contact = {
  name: name(100),
  address: text(COPYRIGHT.addressLength, 'Enter your postal address'),
  telephone: z
    .string('Enter your phone number with the country code')
    .check(z.trim(), z.regex(/^\+?[0-9][0-9 ()./-]{4,29}$/, 'Enter your phone number with the country code')),
  signature: text(100, 'Sign with your name'),
};

export const noticeBody = z.object({
  ...contact,
  email,
  work: text(CASES.messageLength, 'Describe the work'),
  /** One URL per line. */
  places: text(COPYRIGHT.placesLength, 'Enter at least one link'),
  isGoodFaith: said('Confirm that you’re submitting this in good faith'),
  isAccurate: said('Confirm that the notice is accurate and you’re authorized'),
});
export const giveNotice = route({
  method: 'POST',
  path: '/public/copyright-notices',
  summary: 'Submit a copyright notice without an account; each link in it becomes a separate case',
  auth: 'public',
  goesOn: true,
  rate: 'sensitive',
  body: noticeBody,
  response: z.object({
    success: z.literal(true),
    message: z.string(),
    answerBy: instant,
    cases: z.array(z.object({ reference: z.string(), place: z.string() })),
  }),
});

export const counterBody = z.object({
  ...contact,
  statement: text(CASES.messageLength, 'Tell us why it was a mistake'),
  isMistake: said('Confirm that it was a mistake'),
  isConsenting: said('Confirm that you accept the court’s jurisdiction'),
});
const counterReceived = z.object({
  success: z.literal(true),
  reference: z.string(),
  message: z.string(),
  /** Business days 10 and 14 after the counter-notice (17 U.S.C. 512). */
  restoreFrom: instant,
  restoreBy: instant,
});
export const giveCounterNotice = route({
  method: 'POST',
  path: '/helpdesk/decisions/:id/counter-notice',
  summary: 'Submit a counter-notice to a copyright takedown; it is forwarded to the claimant',
  auth: 'session',
  goesOn: true,
  rate: 'write',
  params: z.object({ id: decisionId }),
  body: counterBody,
  response: counterReceived,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

/** Token from the removal mail. */
const of = z.string().check(z.minLength(1), z.maxLength(COPYRIGHT.linkLength));
export const readCounterLink = route({
  method: 'GET',
  path: '/public/counter-notice',
  summary: 'Retrieve the takedown behind an emailed counter-notice link, and whether the user is blocked',
  auth: 'public',
  rate: 'sensitive',
  query: z.object({ of }),
  response: z.object({ isBlocked: z.boolean(), claimant: z.string(), place: z.string() }),
  errors: ['NOT_FOUND'],
});
export const giveCounterByLink = route({
  method: 'POST',
  path: '/public/counter-notice',
  summary: 'Submit a counter-notice by its emailed link; only for blocked users',
  auth: 'public',
  goesOn: true,
  rate: 'sensitive',
  body: z.object({ ...counterBody.shape, of }),
  response: counterReceived,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
