/** Fees, legal texts, company details and consents (rows B8, B9). */
import * as z from 'zod/mini';
import { priceLimits } from '../commerce/price-limits.ts';
import { day } from '../shared/days.ts';
import { instant } from '../shared/ids.ts';
import { usd } from '../shared/money.ts';
import { route } from '../shared/route.ts';
import { singleLineText } from '../shared/single-line-text.ts';

/** Marks a response that depends on operator settings. Pages with it are cached until those change. */
const dependsOnSettings = z.literal(true);

export const getPlatformTerms = route({
  method: 'GET',
  path: '/public/terms',
  summary: 'Retrieve the current platform fees, limits and periods',
  auth: 'public',
  rate: 'read',
  response: z.object({
    dependsOnSettings,
    generalFee: z.number(),
    offerFee: z.number(),
    offerDays: z.number(),
    clearingDays: z.number(),
    dailySpend: usd,
    payoutMinimum: usd,
    cryptoMinimum: usd,
    coolingHours: z.number(),
    /** Percent for the affiliate of the creator, or of the fan. */
    creatorReferralPercent: z.number(),
    customerReferralPercent: z.number(),
    referralMonths: z.number(),
    referralMinimum: usd,
    referralFee: z.number(),
    referralMoveFee: z.number(),
    prices: priceLimits,
  }),
});

/** Null if there is no lower fee for new creators. */
export function findNewCreatorOffer(terms: { generalFee: number; offerFee: number; offerDays: number }) {
  const { generalFee, offerFee, offerDays } = terms;
  return offerDays > 0 && offerFee < generalFee ? { fee: offerFee, days: offerDays } : null;
}

export const POLICY_KEYS = [
  'terms-of-service',
  'privacy-policy',
  'community-rules',
  'creator-agreement',
  '2257',
  'dmca',
] as const;
export type PolicyKey = (typeof POLICY_KEYS)[number];
const policyKey = z.enum(POLICY_KEYS);

export const policySection = z.object({
  id: z.string(),
  title: z.string(),
  paragraphs: z.array(z.string()),
  points: z.array(z.string()),
  table: z.nullable(z.object({ columns: z.array(z.string()), rows: z.array(z.array(z.string())) })),
});
export type PolicySection = z.infer<typeof policySection>;

const policyVersion = z.object({
  /** Day on which it took effect. */
  version: z.string(),
  changes: z.string(),
});

export const getPolicy = route({
  method: 'GET',
  path: '/public/policies/:key',
  summary: 'Retrieve a legal text in its current or a given version',
  auth: 'public',
  rate: 'read',
  params: z.object({ key: policyKey }),
  query: z.object({ version: z.optional(day) }),
  response: z.object({
    dependsOnSettings,
    key: policyKey,
    title: z.string(),
    lead: z.string(),
    version: z.string(),
    isInForce: z.boolean(),
    sections: z.array(policySection),
    versions: z.array(policyVersion),
  }),
  errors: ['NOT_FOUND'],
});
export const listPolicies = route({
  method: 'GET',
  path: '/public/policies',
  summary: 'List legal texts with their versions and changes',
  auth: 'public',
  rate: 'read',
  response: z.object({
    dependsOnSettings,
    data: z.array(z.object({ key: policyKey, title: z.string(), lead: z.string(), versions: z.array(policyVersion) })),
  }),
});

export const listPendingConsents = route({
  method: 'GET',
  path: '/policies/pending',
  summary: 'List legal texts the user must still accept, with the changes since the version they accepted',
  auth: 'session',
  rate: 'read',
  response: z.object({
    data: z.array(
      z.object({
        key: policyKey,
        title: z.string(),
        version: z.string(),
        /** Hash of the text. Consent must name the same hash. */
        textHash: z.string(),
        agreedVersion: z.nullable(z.string()),
        changes: z.array(policyVersion),
      }),
    ),
  }),
});
export const agreeToPolicies = route({
  method: 'POST',
  path: '/policies/agree',
  summary: 'Accept legal texts. Fails with CONFLICT if a text or its version has changed',
  auth: 'session',
  rate: 'write',
  body: z.object({
    agreed: z
      .array(z.object({ key: policyKey, version: day, textHash: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }))
      .check(z.minLength(1), z.maxLength(POLICY_KEYS.length)),
  }),
  response: z.object({ data: z.array(z.object({ key: policyKey, version: z.string(), agreedAt: instant })) }),
  errors: ['CONFLICT'],
});

/** Empty details are omitted from the texts and shown to the operator as missing. */
export const COMPANY_DETAIL_KEYS = [
  'company',
  'address',
  'country',
  'contactMail',
  'dmcaAgent',
  'dmcaAddress',
  'dmcaMail',
  'dmcaPhone',
  'custodian',
  'custodianAddress',
  'custodianHours',
] as const;
export type CompanyDetailKey = (typeof COMPANY_DETAIL_KEYS)[number];

const detail = z._default(singleLineText(200), '');
const mail = z._default(
  singleLineText(200).check(
    z.refine((text) => text === '' || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text), 'Invalid email'),
  ),
  '',
);
export const companyDetails = z.object({
  company: detail,
  address: detail,
  country: detail,
  contactMail: mail,
  dmcaAgent: detail,
  dmcaAddress: detail,
  dmcaMail: mail,
  dmcaPhone: detail,
  custodian: detail,
  custodianAddress: detail,
  custodianHours: detail,
});
export type CompanyDetails = z.infer<typeof companyDetails>;

const companyDetailsView = z.object({
  details: z.record(z.enum(COMPANY_DETAIL_KEYS), z.string()),
  missingKeys: z.array(z.enum(COMPANY_DETAIL_KEYS)),
});
export const getCompanyDetails = route({
  method: 'GET',
  path: '/admin/company',
  summary: 'Retrieve the company details shown in the legal texts',
  auth: 'operator',
  rate: 'read',
  response: companyDetailsView,
});
export const updateCompanyDetails = route({
  method: 'POST',
  path: '/admin/company',
  summary: 'Update the company details. Fails with CONFLICT if the values have changed',
  auth: 'operator',
  rate: 'write',
  body: z.object({ from: companyDetails, to: companyDetails }),
  response: companyDetailsView,
  errors: ['CONFLICT'],
});
