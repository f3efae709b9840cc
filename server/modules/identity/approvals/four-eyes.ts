/** Rules for actions that need two operators: they differ, both have the right, and their roles are old enough to count. */

import { canOperatorCallRoute } from '@stagedoor/contract/admin/operator-rights.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { RouteSpec } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { lockOperators } from '../accounts/index.ts';
import { hasRecentRoleRemoval, listNewOperators } from '../staff/index.ts';
import * as texts from './texts.ts';

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
  const since = formatText(texts.utcTime, { time: countsFrom.toISOString().slice(0, 16).replace('T', ' ') });
  throw new AppError('CONFLICT', {
    message: formatText(texts.newOperatorMustWait, { startTime: since }),
  });
}

/**
 * Throws CONFLICT unless the requester may still call their route and another operator who counts confirms, and FORBIDDEN
 * if the confirmer lost the right to decide meanwhile. Locks all roles until the transaction ends.
 */
export async function requireTwoOperators(
  ctx: ApprovalContext,
  tx: DbTransaction,
  { requester, confirmer }: Record<'requester' | 'confirmer', { id: string; route: OperatorRoute }>,
): Promise<void> {
  if (requester.id === confirmer.id) throw new AppError('CONFLICT', { message: texts.anotherOperatorMustConfirm });
  const rolesById = await lockOperators(tx);
  if (!canOperatorCallRoute(rolesById.get(confirmer.id) ?? [], confirmer.route)) throw new AppError('FORBIDDEN');
  if (!canOperatorCallRoute(rolesById.get(requester.id) ?? [], requester.route))
    throw new AppError('CONFLICT', {
      message: texts.requesterLostRole,
    });
  await requireEstablishedOperator(ctx, tx, confirmer.id);
}

/**
 * Returns true if the action must wait for a second operator: while another operator may call the route, and for some
 * days after a role was removed, so that removing the others does not help. Throws CONFLICT if it must wait and the
 * operator's own roles are too new. Locks all roles until the transaction ends.
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
