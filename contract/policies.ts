/**
 * What the operator says to everybody (rows B8, B9): fees and limits as they are set, the texts that hold here version by version,
 * who the operator is, and which version somebody agreed to.
 */
import * as z from 'zod/mini';
import { day } from './atoms/days.ts';
import { instant } from './atoms/ids.ts';
import { line } from './atoms/lines.ts';
import { usd } from './atoms/money.ts';
import { route } from './atoms/route.ts';
import { priceLimits } from './price-limits.ts';

/** Marks an answer that changes with what the operator says; pages made of it are kept until then. */
const house = z.literal(true);

/** Everything that the operator sets and that decides what somebody pays or keeps. */
export const houseTerms = route({
  method: 'GET',
  path: '/public/terms',
  summary: 'Fees, limits and times as the operator set them',
  auth: 'public',
  rate: 'read',
  response: z.object({
    house,
    /** Percent of a sale. */
    generalFee: z.number(),
    offerFee: z.number(),
    offerDays: z.number(),
    clearingDays: z.number(),
    /** What a fan may spend in a day at most, unless they set less. */
    dailySpend: usd,
    payoutMinimum: usd,
    cryptoMinimum: usd,
    coolingHours: z.number(),
    /** Percent of what a creator sells, and of what a fan spends, to whoever brought them in; for so many months each. */
    creatorReferralPercent: z.number(),
    customerReferralPercent: z.number(),
    referralMonths: z.number(),
    referralMinimum: usd,
    referralFee: z.number(),
    /** Percent of what is moved into the own balance. */
    referralMoveFee: z.number(),
    prices: priceLimits,
  }),
});

/** The newcomers' lower fee, in percent of a sale, and for how many days; null where everybody has the general one from the first day. */
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
  /** Within the page's address. */
  id: z.string(),
  title: z.string(),
  paragraphs: z.array(z.string()),
  points: z.array(z.string()),
  table: z.nullable(z.object({ columns: z.array(z.string()), rows: z.array(z.array(z.string())) })),
});
export type PolicySection = z.infer<typeof policySection>;

const versionLine = z.object({
  /** The day since when it holds. */
  version: z.string(),
  /** What is different from the version before. */
  changes: z.string(),
});

export const readPolicy = route({
  method: 'GET',
  path: '/public/policies/:key',
  summary: 'A text that holds here: the version in force, or the one asked for',
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
    /** The newest first. */
    versions: z.array(versionLine),
  }),
  errors: ['NOT_FOUND'],
});
export const listPolicies = route({
  method: 'GET',
  path: '/public/policies',
  summary: 'Every text that holds here, with its versions and what changed',
  auth: 'public',
  rate: 'read',
  response: z.object({
    house,
    data: z.array(z.object({ key: policyKey, title: z.string(), lead: z.string(), versions: z.array(versionLine) })),
  }),
});

/** What somebody has still to agree to before they go on. */
export const openAgreements = route({
  method: 'GET',
  path: '/policies/open',
  summary: 'The texts whose version in force one has not agreed to yet, with what changed since the one that one did',
  auth: 'session',
  rate: 'read',
  response: z.object({
    data: z.array(
      z.object({
        key: policyKey,
        title: z.string(),
        version: z.string(),
        /** Names how it reads now: agreeing to it names the same. */
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
  summary: 'Agree to texts as they were shown; CONFLICT when another version is in force by now, or it reads otherwise',
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

/** Who runs this house, as the texts name them. What is empty is left out of a text, and shown to the operator as missing. */
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
  /** Those that a text needs and that are not said yet. */
  missing: z.array(z.enum(OPERATOR_FACTS)),
});
export const readOperatorFacts = route({
  method: 'GET',
  path: '/admin/operator',
  summary: 'Who runs this house, as the public texts name them',
  auth: 'operator',
  rate: 'read',
  response: factsView,
});
export const setOperatorFacts = route({
  method: 'POST',
  path: '/admin/operator',
  summary: 'Say who runs this house; CONFLICT when it is not as it was seen',
  auth: 'operator',
  rate: 'write',
  body: z.object({ from: operatorFacts, to: operatorFacts }),
  response: factsView,
  errors: ['CONFLICT'],
});
