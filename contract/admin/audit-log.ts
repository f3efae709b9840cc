import * as z from 'zod/mini';
import { day } from '../shared/days.ts';
import { instant, userId } from '../shared/ids.ts';
import { limit, offset, toPageSchema } from '../shared/paging.ts';
import { fileResponse, route } from '../shared/route.ts';

export const auditEntry = z.object({
  /** Positions start at 1 without gaps. */
  position: z.number(),
  at: instant,
  /** Null for the command line. */
  operator: z.nullable(z.object({ id: userId, username: z.string() })),
  action: z.string(),
  subjectKind: z.string(),
  subjectId: z.string(),
  /** Amounts in cents. */
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** SHA-256 of the entry and the previous hash, in hex. */
  hash: z.string(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

const filterValue = z.optional(z.string().check(z.minLength(1), z.maxLength(60)));

const auditFilter = z.object({
  /** An action (`payout.approve`), or all actions of a group (`payout`). */
  action: filterValue,
  subjectKind: filterValue,
  subjectId: filterValue,
  operatorId: z.optional(userId),
  /** Days in UTC, both inclusive. */
  from: z.optional(day),
  to: z.optional(day),
});

export const listAuditEntries = route({
  method: 'GET',
  path: '/admin/audit',
  summary: 'List audit log entries, newest first',
  auth: 'operator',
  rate: 'read',
  query: z.extend(auditFilter, { limit, offset }),
  response: toPageSchema(auditEntry),
});
export const getAuditChain = route({
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
export const getAuditFilters = route({
  method: 'GET',
  path: '/admin/audit/filters',
  summary: 'List the actions and staff members that appear in the audit log',
  auth: 'operator',
  rate: 'read',
  response: z.object({
    actions: z.array(z.string()),
    operators: z.array(z.object({ id: userId, username: z.string() })),
  }),
});
export const exportAuditLog = route({
  method: 'GET',
  path: '/admin/audit/file',
  summary: 'Export the filtered audit log as CSV; the export is logged',
  auth: 'operator',
  rate: 'sensitive',
  query: auditFilter,
  response: fileResponse,
  files: ['text/csv; charset=utf-8'],
});
