/** Legal texts, their versions and consents (row B9). */
import * as z from 'zod/mini';
import { dependsOnSettings } from '../finance/pricing.ts';
import { day } from '../shared/days.ts';
import { instant } from '../shared/ids.ts';
import { route } from '../shared/route.ts';

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
