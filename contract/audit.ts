/** What operators did: a log that only grows, each entry chained to the one before. */
import * as z from 'zod/mini';
import { day } from './atoms/days.ts';
import { instant, userId } from './atoms/ids.ts';
import { limit, offset, pageOf } from './atoms/paging.ts';
import { fileAnswer, route } from './atoms/route.ts';

export const auditEntry = z.object({
  /** Its place in the log, from 1 on without a gap. */
  place: z.number(),
  at: instant,
  /** Who; null is the command on the machine. */
  operator: z.nullable(z.object({ id: userId, username: z.string() })),
  /** Such as `payout.approve`. */
  act: z.string(),
  subjectKind: z.string(),
  subjectId: z.string(),
  /** What there is to say of it: words, sums in cents, ids. */
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** SHA-256 of the entry with the hash before it, in hex. */
  hash: z.string(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

const word = z.optional(z.string().check(z.minLength(1), z.maxLength(60)));

const filter = z.object({
  /** A whole act (`payout.approve`), or all of a subject's (`payout`). */
  act: word,
  subjectKind: word,
  subjectId: word,
  operatorId: z.optional(userId),
  /** Days in UTC, both included. */
  from: z.optional(day),
  to: z.optional(day),
});

export const listAudit = route({
  method: 'GET',
  path: '/admin/audit',
  summary: 'What operators did, newest first',
  auth: 'operator',
  rate: 'read',
  query: z.extend(filter, { limit, offset }),
  response: pageOf(auditEntry),
});
export const auditChain = route({
  method: 'GET',
  path: '/admin/audit/chain',
  summary: 'Whether the log is as it was written: each entry’s hash made anew, each following the one before',
  auth: 'operator',
  rate: 'sensitive',
  response: z.object({
    count: z.number(),
    /** The first entry that is not as it was written; null when all are. */
    brokenAt: z.nullable(z.number()),
    /** The hash of the last entry; whoever keeps it finds a log that was cut. */
    head: z.nullable(z.string()),
    checkedAt: instant,
  }),
});
export const auditWords = route({
  method: 'GET',
  path: '/admin/audit/words',
  summary: 'Every act that was noted, and who ever did one',
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
  summary: 'The log, or what the filters leave of it, as a table for spreadsheets; who takes it is noted',
  auth: 'operator',
  rate: 'sensitive',
  query: filter,
  response: fileAnswer,
  files: ['text/csv; charset=utf-8'],
});
