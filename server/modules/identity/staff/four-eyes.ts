/**
 * Operators with recent roles do not count as one of two, because an owner could give them to a second account. The
 * dates come from the audit log, which cannot be edited.
 */

import { canOperatorCallRoute } from '@stagedoor/contract/admin/operator-rights.ts';
import { SECOND_APPROVER_DAYS } from '@stagedoor/contract/admin/staff.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { RouteSpec } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor } from '../../../platform/database/db.ts';
import { lockOperators } from '../accounts/index.ts';
import { countActionsSince, findLatestActionAt, listLatestActionTimes } from '../audit-log/index.ts';

type OperatorRoute = Pick<RouteSpec, 'method' | 'path'>;
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

/** Throws CONFLICT, with the date, for an operator who does not count yet. */
export async function requireEstablishedOperator(
  { clock }: Pick<Context, 'clock'>,
  tx: DbTransaction,
  operatorId: string,
): Promise<void> {
  const countsFrom = (await listNewOperators(tx, clock.now())).get(operatorId);
  if (countsFrom === undefined) return;
  const since = `${countsFrom.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  throw new AppError('CONFLICT', {
    message: `This needs two people. You can approve from ${since}.`,
  });
}

/**
 * Throws CONFLICT unless the requester may still call the route and another operator who counts confirms. Locks all
 * roles until the transaction ends.
 */
export async function requireTwoOperators(
  ctx: Pick<Context, 'clock'>,
  tx: DbTransaction,
  { requesterId, confirmer, route }: { requesterId: string; confirmer: string; route: OperatorRoute },
): Promise<void> {
  if (requesterId === confirmer)
    throw new AppError('CONFLICT', { message: 'You requested this. Another operator must confirm it.' });
  if (!canOperatorCallRoute((await lockOperators(tx)).get(requesterId) ?? [], route))
    throw new AppError('CONFLICT', {
      message:
        'The person who requested this no longer has the role for it. Reject it, and request it again if it’s right.',
    });
  await requireEstablishedOperator(ctx, tx, confirmer);
}

/**
 * Returns whether no other operator may do this. It is false for some days after a role was removed, so that removing
 * the others does not help. Locks all roles until the transaction ends.
 */
export async function isOnlyOperator(
  { clock }: Pick<Context, 'clock'>,
  tx: DbTransaction,
  operatorId: string,
  route: OperatorRoute,
): Promise<boolean> {
  for (const [id, roles] of await lockOperators(tx))
    if (id !== operatorId && canOperatorCallRoute(roles, route)) return false;
  const changedAt = await findLatestActionAt(tx, SUBJECT, ROLE_REMOVALS);
  return changedAt === undefined || clock.now().getTime() - changedAt.getTime() > WAIT_MS;
}

export function countStaffChanges(db: Executor, now: Date): Promise<{ count: number; since: Date | null }> {
  const after = new Date(now.getTime() - WAIT_MS);
  return countActionsSince(db, { subjectKind: SUBJECT, actions: [...ROLE_GRANTS, 'operator.remove'], after });
}
