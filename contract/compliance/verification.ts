/** Verification of creators (row G5). */
import * as z from 'zod/mini';
import { instant, userId } from '../shared/ids.ts';
import { VERIFICATION_LIMITS } from '../shared/module-limits.ts';
import { limit, offset, toPageSchema } from '../shared/paging.ts';
import { fileResponse, route } from '../shared/route.ts';
import { singleLineName, singleLineText } from '../shared/single-line-text.ts';

export const VERIFICATION_STATUSES = ['started', 'submitted', 'verified', 'failed', 'declined'] as const;
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];
/** The customer's exact wording. */
export const VERIFICATION_MESSAGES: Readonly<Partial<Record<VerificationStatus, string>>> = {
  submitted: "Your have already submitted documents, Currently it's under review.",
  failed: 'Your documents verification is failed. please re-submit again.',
  declined: 'Your documents verification is declined, please re-submit again.',
};
/** For a status without wording of the customer. */
export const VERIFIED_MESSAGE = 'You’re verified. You can now sell posts and request payouts.';
export const DOCUMENT_STATES = ['pending', 'submitted', 'rejected', 'approved'] as const;
export type DocumentState = (typeof DOCUMENT_STATES)[number];
export const DOCUMENT_KINDS = ['idFront', 'idBack', 'selfie'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];
/** `outdated`: an older version is signed. */
export const LEGAL_STATUSES = ['pending', 'outdated', 'accepted'] as const;
export type LegalStatus = (typeof LEGAL_STATUSES)[number];

export const DOCUMENT_TYPES = {
  identityCard: 'ID card',
  passport: 'Passport',
  drivingLicence: 'Driver’s license',
} as const;
export type DocumentType = keyof typeof DOCUMENT_TYPES;
const DOCUMENT_TYPE_NAMES = ['identityCard', 'passport', 'drivingLicence'] as const satisfies readonly DocumentType[];

/** A passport has everything on one page. */
export function listRequiredDocuments(type: DocumentType): readonly DocumentKind[] {
  return type === 'passport' ? ['idFront', 'selfie'] : DOCUMENT_KINDS;
}

/** ISO 3166-1 alpha-2, without uninhabited territories. */
export const COUNTRIES =
  'AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'.split(
    ' ',
  );

/** For 29 February this is 1 March in non-leap years. */
export function getAdultDate(dateOfBirth: string): string {
  const date = new Date(`${dateOfBirth}T00:00:00Z`);
  date.setUTCFullYear(date.getUTCFullYear() + VERIFICATION_LIMITS.minAge);
  return date.toISOString().slice(0, 10);
}

export const verificationDetails = z.object({
  legalName: singleLineName(100),
  dateOfBirth: z.iso
    .date('Enter your date of birth')
    .check(z.refine((day) => day >= '1900-01-01', 'Check your date of birth')),
  country: z.string().check(z.refine((code) => COUNTRIES.includes(code), 'Choose a country')),
  documentType: z.enum(DOCUMENT_TYPE_NAMES),
});
export type VerificationDetails = z.infer<typeof verificationDetails>;

const document = z.object({
  kind: z.enum(DOCUMENT_KINDS),
  state: z.enum(DOCUMENT_STATES),
  uploadedAt: z.nullable(instant),
  reason: z.nullable(z.string()),
});
const agreementState = z.object({
  version: z.string(),
  signedVersion: z.nullable(z.string()),
  signedAt: z.nullable(instant),
});

export const verification = z.object({
  status: z.enum(VERIFICATION_STATUSES),
  message: z.nullable(z.string()),
  legalStatus: z.enum(LEGAL_STATUSES),
  details: z.nullable(verificationDetails),
  documents: z.array(document),
  agreement: agreementState,
  submittedAt: z.nullable(instant),
  answerBy: z.nullable(instant),
  decidedAt: z.nullable(instant),
});
export type Verification = z.infer<typeof verification>;

/** Why a creator cannot sell yet, in a sentence that starts with `subject` ("Payouts"). Undefined if they can. */
export function findSellingObstacle(
  subject: string,
  { status, legalStatus }: Pick<Verification, 'status' | 'legalStatus'>,
): string | undefined {
  if (status === 'submitted') return `${subject} are available once you’re verified. Your documents are under review.`;
  if (status !== 'verified') return `${subject} are available once you’re verified. Submit your documents first.`;
  if (legalStatus === 'accepted') return undefined;
  return `${subject} are available once you’ve signed the latest creator agreement.`;
}

export const getVerification = route({
  method: 'GET',
  path: '/verification/status',
  summary: 'Get your verification status and that of each document',
  auth: 'creator',
  rate: 'read',
  response: verification,
});
export const updateVerificationDetails = route({
  method: 'PUT',
  path: '/verification/details',
  summary: 'Update your verification details; changing the document type deletes its images',
  auth: 'creator',
  rate: 'write',
  body: verificationDetails,
  response: verification,
  errors: ['CONFLICT', 'account_blocked'],
});
export const uploadVerificationDocument = route({
  method: 'POST',
  path: '/verification/documents/:kind',
  summary: 'Upload a verification document, replacing any earlier one',
  auth: 'creator',
  rate: 'upload',
  params: z.object({ kind: z.enum(DOCUMENT_KINDS) }),
  multipart: true,
  response: verification,
  errors: ['CONFLICT', 'TOO_LARGE', 'UNSUPPORTED_TYPE', 'UNAVAILABLE', 'account_blocked'],
});

export const agreementText = z.object({
  version: z.string(),
  sections: z.array(z.object({ title: z.string(), text: z.string() })),
});
export const getCreatorAgreement = route({
  method: 'GET',
  path: '/verification/agreement',
  summary: 'Get the current creator agreement',
  auth: 'creator',
  rate: 'read',
  response: agreementText,
});
const coordinate = (max: number) => z.number().check(z.int(), z.gte(0), z.lte(max));
export const signAgreement = route({
  method: 'POST',
  path: '/verification/agreement',
  summary: 'Sign the current creator agreement with your legal name and, optionally, a drawn signature',
  auth: 'creator',
  rate: 'write',
  body: z.object({
    version: singleLineText(20),
    signedAs: singleLineText(100),
    /** Lists of points on a canvas of 1,000 by 300. */
    strokes: z._default(
      z
        .array(z.array(z.tuple([coordinate(1_000), coordinate(300)])).check(z.maxLength(VERIFICATION_LIMITS.points)))
        .check(
          z.maxLength(VERIFICATION_LIMITS.strokes),
          z.refine(
            (strokes) => strokes.reduce((sum, { length }) => sum + length, 0) <= VERIFICATION_LIMITS.points,
            'Signature too complex. Sign again.',
          ),
        ),
      [],
    ),
  }),
  response: verification,
  errors: ['CONFLICT', 'account_blocked'],
});
export const submitVerification = route({
  method: 'POST',
  path: '/verification/submit',
  summary: 'Submit your verification for review, also after it failed or was declined',
  auth: 'creator',
  rate: 'write',
  response: verification,
  errors: ['CONFLICT', 'account_blocked'],
});

const creator = z.object({ id: userId, username: z.string(), name: z.string() });
export const listVerifications = route({
  method: 'GET',
  path: '/admin/verifications',
  summary: 'List verifications by status, longest waiting first',
  auth: 'operator',
  rate: 'read',
  query: z.object({ limit, offset, status: z._default(z.enum(VERIFICATION_STATUSES), 'submitted') }),
  response: toPageSchema(
    z.object({
      creator,
      status: z.enum(VERIFICATION_STATUSES),
      submittedAt: z.nullable(instant),
      answerBy: z.nullable(instant),
      decidedAt: z.nullable(instant),
    }),
  ),
});
const creatorParams = z.object({ id: userId });
export const getAdminVerification = route({
  method: 'GET',
  path: '/admin/verifications/:id',
  summary: 'Get a creator’s verification; each view is recorded in the audit log',
  auth: 'operator',
  rate: 'read',
  params: creatorParams,
  response: z.object({ creator, ...verification.shape }),
  errors: ['NOT_FOUND'],
});
export const getVerificationDocument = route({
  method: 'GET',
  path: '/admin/verifications/:id/documents/:kind',
  summary: 'Download a verification document; each view is recorded in the audit log',
  auth: 'operator',
  rate: 'read',
  params: z.object({ id: userId, kind: z.enum(DOCUMENT_KINDS) }),
  response: fileResponse,
  files: ['image/jpeg'],
  errors: ['NOT_FOUND'],
});
/** `fail`: something is not readable. `decline`: not accepted. */
export const VERIFICATION_DECISIONS = ['verify', 'fail', 'decline'] as const;
export const decideVerification = route({
  method: 'POST',
  path: '/admin/verifications/:id/decision',
  summary: 'Decide on a verification; the creator sees the reason for each rejected document',
  auth: 'operator',
  rate: 'sensitive',
  params: creatorParams,
  body: z
    .object({
      decision: z.enum(VERIFICATION_DECISIONS),
      rejected: z._default(
        z
          .array(
            z.object({
              kind: z.enum(DOCUMENT_KINDS),
              reason: singleLineText(VERIFICATION_LIMITS.reasonLength).check(z.minLength(3, 'Give a reason.')),
            }),
          )
          .check(z.maxLength(DOCUMENT_KINDS.length)),
        [],
      ),
    })
    .check(
      z.refine(({ decision, rejected }) => (decision === 'verify') === (rejected.length === 0), {
        message: 'Select the rejected documents. Leave empty when verifying.',
        path: ['rejected'],
      }),
      z.refine(({ rejected }) => new Set(rejected.map(({ kind }) => kind)).size === rejected.length, {
        message: 'Each document can only be listed once.',
        path: ['rejected'],
      }),
    ),
  response: verification,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
