/**
 * Reads from the audit log, which cannot be edited, when operators got or lost roles. Operators with recent roles do not count
 * as one of two, because an owner could give them to a second account.
 */

import { SECOND_APPROVER_DAYS } from '@stagedoor/contract/admin/staff.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { countActionsSince, findLatestActionAt, listLatestActionTimes } from '../audit-log/index.ts';

const WAIT_MS = SECOND_APPROVER_DAYS * 24 * 60 * 60_000;
const SUBJECT = 'operator';
const ROLE_GRANTS = ['operator.invite', 'operator.roles'];
const ROLE_REMOVALS = ['operator.remove', 'operator.roles'];

/** Returns operators with recent roles and the time from which each counts. */
export async function listNewOperators(db: Executor, at: Date): Promise<Map<string, Date>> {
  const grantTimes = await listLatestActionTimes(db, SUBJECT, ROLE_GRANTS);
  const countsFrom = [...grantTimes].map(([id, grantedAt]) => [id, new Date(grantedAt.getTime() + WAIT_MS)] as const);
  return new Map(countsFrom.filter(([, countsAt]) => countsAt > at));
}

/** Returns whether an operator lost a role so recently that another one must not act alone yet. */
export async function hasRecentRoleRemoval(db: Executor, now: Date): Promise<boolean> {
  const removedAt = await findLatestActionAt(db, SUBJECT, ROLE_REMOVALS);
  return removedAt !== undefined && now.getTime() - removedAt.getTime() <= WAIT_MS;
}

export function countStaffChanges(db: Executor, now: Date): Promise<{ count: number; since: Date | null }> {
  const after = new Date(now.getTime() - WAIT_MS);
  return countActionsSince(db, { subjectKind: SUBJECT, actions: [...ROLE_GRANTS, 'operator.remove'], after });
}
