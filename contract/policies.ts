/** Fees, legal texts, company details and consents (rows B8, B9). */
import * as z from 'zod/mini';
import { day } from './atoms/days.ts';
import { instant } from './atoms/ids.ts';
import { line } from './atoms/lines.ts';
import { usd } from './atoms/money.ts';
import { route } from './atoms/route.ts';
import { priceLimits } from './price-limits.ts';

/** Marks a response that depends on operator settings. Pages with it are cached until those change. */
const house = z.literal(true);

export const houseTerms = route({
  method: 'GET',
  path: '/public/terms',
  summary: 'Retrieve the current platform fees, limits and periods',
  auth: 'public',
  rate: 'read',
  response: z.object({
    house,
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
export function offerOf(terms: { generalFee: number; offerFee: number; offerDays: number }) {
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

const versionLine = z.object({
  /** Day on which it took effect. */
  version: z.string(),
  changes: z.string(),
});

export const readPolicy = route({
  method: 'GET',
  path: '/public/policies/:key',
  summary: 'Retrieve a legal text in its current or a given version',
  auth: 'public',
  rate: 'read',
  params: z.object({ key: policyKey }),
  query: z.object({ version: z.optional(day) }),
  response: z.object({
    house,
    key: policyKey,
    title: z.string(),
    lead: z.string(),
    version: z.string(),
    isInForce: z.boolean(),
    sections: z.array(policySection),
    versions: z.array(versionLine),
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
    house,
    data: z.array(z.object({ key: policyKey, title: z.string(), lead: z.string(), versions: z.array(versionLine) })),
  }),
});

export const openAgreements = route({
  method: 'GET',
  path: '/policies/open',
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
        reading: z.string(),
        agreedVersion: z.nullable(z.string()),
        changes: z.array(versionLine),
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
      .array(z.object({ key: policyKey, version: day, reading: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }))
      .check(z.minLength(1), z.maxLength(POLICY_KEYS.length)),
  }),
  response: z.object({ data: z.array(z.object({ key: policyKey, version: z.string(), agreedAt: instant })) }),
  errors: ['CONFLICT'],
});

/** Empty details are omitted from the texts and shown to the operator as missing. */
export const OPERATOR_FACTS = [
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
export type OperatorFact = (typeof OPERATOR_FACTS)[number];

const fact = z._default(line(200), '');
const mail = z._default(
  line(200).check(z.refine((text) => text === '' || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text), 'Invalid email')),
  '',
);
export const operatorFacts = z.object({
  company: fact,
  address: fact,
  country: fact,
  contactMail: mail,
  dmcaAgent: fact,
  dmcaAddress: fact,
  dmcaMail: mail,
  dmcaPhone: fact,
  custodian: fact,
  custodianAddress: fact,
  custodianHours: fact,
});
export type OperatorFacts = z.infer<typeof operatorFacts>;

const factsView = z.object({
  facts: z.record(z.enum(OPERATOR_FACTS), z.string()),
  missing: z.array(z.enum(OPERATOR_FACTS)),
});
export const readOperatorFacts = route({
  method: 'GET',
  path: '/admin/operator',
  summary: 'Retrieve the company details shown in the legal texts',
  auth: 'operator',
  rate: 'read',
  response: factsView,
});
export const setOperatorFacts = route({
  method: 'POST',
  path: '/admin/operator',
  summary: 'Update the company details. Fails with CONFLICT if the values have changed',
  auth: 'operator',
  rate: 'write',
  body: z.object({ from: operatorFacts, to: operatorFacts }),
  response: factsView,
  errors: ['CONFLICT'],
});
