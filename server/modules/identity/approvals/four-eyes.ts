/** What two operators must be: different, both with the right, and with roles that are old enough to count. */

import { canOperatorCallRoute } from '@stagedoor/contract/admin/operator-rights.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { RouteSpec } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { lockOperators } from '../accounts/index.ts';
import { hasRecentRoleRemoval, listNewOperators } from '../staff/index.ts';

export type OperatorRoute = Pick<RouteSpec, 'method' | 'path'>;
type ApprovalContext = Pick<Context, 'clock'>;

/** Throws CONFLICT, with the date, for an operator who does not count yet. */
export async function requireEstablishedOperator(
  { clock }: ApprovalContext,
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
  ctx: ApprovalContext,
  tx: DbTransaction,
  { requesterId, confirmerId, route }: { requesterId: string; confirmerId: string; route: OperatorRoute },
): Promise<void> {
  if (requesterId === confirmerId)
    throw new AppError('CONFLICT', { message: 'You requested this. Another operator must confirm it.' });
  if (!canOperatorCallRoute((await lockOperators(tx)).get(requesterId) ?? [], route))
    throw new AppError('CONFLICT', {
      message:
        'The person who requested this no longer has the role for it. Reject it, and request it again if it’s right.',
    });
  await requireEstablishedOperator(ctx, tx, confirmerId);
}

/**
 * Returns whether an action must wait for a second operator, which it need not if no other one may call the route. It
 * must for some days after a role was removed, so that removing the others does not help. Throws CONFLICT when it must
 * wait and the roles of the operator are too new. Locks all roles until the transaction ends.
 */
export async function needsSecondOperator(
  ctx: ApprovalContext,
  tx: DbTransaction,
  operatorId: string,
  route: OperatorRoute,
): Promise<boolean> {
  const operators = [...(await lockOperators(tx))];
  const isOnlyOne = !operators.some(([id, roles]) => id !== operatorId && canOperatorCallRoute(roles, route));
  if (isOnlyOne && !(await hasRecentRoleRemoval(tx, ctx.clock.now()))) return false;
  await requireEstablishedOperator(ctx, tx, operatorId);
  return true;
}
