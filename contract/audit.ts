/** What operators did: a log that only grows, each entry chained to the one before. */
import * as z from 'zod/mini';
import { instant, userId } from './atoms/ids.ts';
import { limit, offset, pageOf } from './atoms/paging.ts';
import { route } from './atoms/route.ts';

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

export const listAudit = route({
  method: 'GET',
  path: '/admin/audit',
  summary: 'What operators did, newest first',
  auth: 'operator',
  rate: 'read',
  query: z.object({
    limit,
    offset,
    /** A whole act (`payout.approve`), or all of a subject's (`payout`). */
    act: word,
    subjectKind: word,
    subjectId: word,
    operatorId: z.optional(userId),
    /** Days in UTC, both included. */
    from: z.optional(z.iso.date()),
    to: z.optional(z.iso.date()),
  }),
  response: pageOf(auditEntry),
});
