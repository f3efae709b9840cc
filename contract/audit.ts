import * as z from 'zod/mini';
import { day } from './atoms/days.ts';
import { instant, userId } from './atoms/ids.ts';
import { limit, offset, pageOf } from './atoms/paging.ts';
import { fileAnswer, route } from './atoms/route.ts';

export const auditEntry = z.object({
  /** Positions start at 1 without gaps. */
  place: z.number(),
  at: instant,
  /** Null for the command line. */
  operator: z.nullable(z.object({ id: userId, username: z.string() })),
  act: z.string(),
  subjectKind: z.string(),
  subjectId: z.string(),
  /** Amounts in cents. */
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** SHA-256 of the entry and the previous hash, in hex. */
  hash: z.string(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

const word = z.optional(z.string().check(z.minLength(1), z.maxLength(60)));

const filter = z.object({
  /** An action (`payout.approve`), or all actions of a group (`payout`). */
  act: word,
  subjectKind: word,
  subjectId: word,
  operatorId: z.optional(userId),
  /** Days in UTC, both inclusive. */
  from: z.optional(day),
  to: z.optional(day),
});

export const listAudit = route({
  method: 'GET',
  path: '/admin/audit',
  summary: 'List audit log entries, newest first',
  auth: 'operator',
  rate: 'read',
  query: z.extend(filter, { limit, offset }),
  response: pageOf(auditEntry),
});
export const auditChain = route({
  method: 'GET',
  path: '/admin/audit/chain',
  summary: 'Verify the hash chain of the audit log',
  auth: 'operator',
  rate: 'sensitive',
  response: z.object({
    count: z.number(),
    brokenAt: z.nullable(z.number()),
    /** A stored copy of the last hash reveals a truncated log. */
    head: z.nullable(z.string()),
    checkedAt: instant,
  }),
});
export const auditWords = route({
  method: 'GET',
  path: '/admin/audit/words',
  summary: 'List the actions and staff members that appear in the audit log',
  auth: 'operator',
  rate: 'read',
  response: z.object({
    acts: z.array(z.string()),
    operators: z.array(z.object({ id: userId, username: z.string() })),
  }),
});
export const exportAudit = route({
  method: 'GET',
  path: '/admin/audit/file',
  summary: 'Export the filtered audit log as CSV; the export is logged',
  auth: 'operator',
  rate: 'sensitive',
  query: filter,
  response: fileAnswer,
  files: ['text/csv; charset=utf-8'],
});
