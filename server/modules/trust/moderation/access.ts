import { reopenCases, undoDecision } from '@stagedoor/contract/admin/cases.ts';
import {
  canOperatorCallRoute,
  canOperatorDecide,
  canOperatorReadQueue,
} from '@stagedoor/contract/admin/operator-rights.ts';
import type { UserType } from '@stagedoor/contract/identity/accounts.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { CaseAction, ProfilePart } from '@stagedoor/contract/trust/case-kinds.ts';
import type { Executor } from '../../../platform/database/db.ts';
import type { Actor } from '../../../platform/security/session.ts';
import type { RefundablePurchase } from './admin/refunds.ts';
import { isMeasureDecision } from './appeals.ts';
import { CASE_KIND_RULES, ENDING_ACTIONS, listCaseActions } from './kinds.ts';
import type { CaseDecisionRow, CaseRow } from './store.ts';
import * as texts from './texts.ts';

type DecidingOperator = Pick<Actor, 'userId' | 'roles'>;

export type CaseContext = {
  row: CaseRow;
  user: { id: string; type: UserType } | undefined;
  /** The decision that an appeal or a counter-notice is against. */
  appealedDecision: CaseDecisionRow | undefined;
  purchases: readonly RefundablePurchase[];
  /** The count may exceed the purchases shown. */
  purchaseCount: number;
  parts: readonly ProfilePart[];
};

/** Roles that only handle money read cases that were routed to them, also after a refund. Throws NOT_FOUND. */
export async function requireReadAccess(
  db: Executor,
  { roles = [] }: DecidingOperator,
  { id, queue }: CaseRow,
): Promise<void> {
  if (canOperatorReadQueue(roles, queue)) return;
  const refund = await db.query
    .selectFrom('case_decisions')
    .select('id')
    .where('case_id', '=', id)
    .where('action', '=', 'refund')
    .limit(1)
    .executeTakeFirst();
  if (!refund) throw new AppError('NOT_FOUND');
}

function findConflictOfInterest(actor: DecidingOperator, { row, user }: CaseContext): string | undefined {
  if (row.from_id === actor.userId) return texts.ownCaseDecisionError;
  if (user?.id === actor.userId) return texts.caseAboutYouError;
  if (user?.type === 'operator') return texts.caseAboutStaffError;
  return undefined;
}

/** Returns why the operator may not decide the case, or undefined. */
export function findDecisionObstacle(actor: DecidingOperator, context: CaseContext): string | undefined {
  const { row, appealedDecision } = context;
  const obstacle = findConflictOfInterest(actor, context);
  if (obstacle !== undefined) return obstacle;
  if (row.kind === 'appeal' && appealedDecision?.operator_id === actor.userId) return texts.ownDecisionAppealError;
  if (row.state !== 'closed' && listPermittedActions(actor, context).length === 0)
    return texts.rolesDisallowDecisionError;
  return undefined;
}

const isSupportCase = ({ kind }: Pick<CaseRow, 'kind'>) => CASE_KIND_RULES[kind].queue === 'support';

function listPermittedActions(
  { roles = [] }: DecidingOperator,
  { row, user, purchases, parts }: CaseContext,
): CaseAction[] {
  const isSupport = isSupportCase(row);
  const situation = {
    state: row.state,
    subject: row.subject,
    hasUser: user !== undefined,
    canRefund: purchases.some((purchase) => purchase.canRefund),
    hasParts: parts.length > 0,
  };
  return listCaseActions(row.kind, situation).filter((action) => canOperatorDecide(roles, action, isSupport));
}

export function listAllowedActions(actor: DecidingOperator, context: CaseContext): readonly CaseAction[] {
  if (context.row.state === 'closed' || findDecisionObstacle(actor, context) !== undefined) return [];
  return listPermittedActions(actor, context);
}

/** Throws FORBIDDEN with the reason, CONFLICT when the case was already decided or does not offer the action. */
export function requireCanDecide(actor: DecidingOperator, context: CaseContext, action: CaseAction): void {
  const obstacle = findDecisionObstacle(actor, context);
  if (action === 'refund' && !canOperatorDecide(actor.roles ?? [], action, false))
    throw new AppError('FORBIDDEN', { message: texts.refundsHandledByFinance });
  if (obstacle !== undefined) throw new AppError('FORBIDDEN', { message: obstacle });
  if (context.row.state === 'closed') throw new AppError('CONFLICT', { message: texts.alreadyDecidedBySomeone });
  if (!listAllowedActions(actor, context).includes(action))
    throw new AppError('CONFLICT', { message: texts.actionUnavailableForCase });
}

type EndedCase = Pick<CaseRow, 'kind' | 'state' | 'outcome' | 'from_id' | 'user_id'>;

function canReopenCase({ userId, roles = [] }: DecidingOperator, row: EndedCase): boolean {
  const { state, kind, outcome } = row;
  const endAction = ENDING_ACTIONS.find((action) => action === outcome);
  if (state !== 'closed' || endAction === undefined || !CASE_KIND_RULES[kind].isReopenable) return false;
  const isPermitted =
    canOperatorCallRoute(roles, reopenCases) && canOperatorReadQueue(roles, CASE_KIND_RULES[kind].queue);
  return (
    isPermitted &&
    canOperatorDecide(roles, endAction, isSupportCase(row)) &&
    row.from_id !== userId &&
    row.user_id !== userId
  );
}

/** Returns why the operator may not reopen the case, or undefined. */
export function findReopenObstacle(actor: DecidingOperator, context: CaseContext): string | undefined {
  const obstacle = findConflictOfInterest(actor, context);
  if (obstacle !== undefined) return obstacle;
  return canReopenCase(actor, context.row) ? undefined : texts.cannotReopenCase;
}

/** Moderators may reverse any measure except one about themselves. */
export function canUndoDecision(
  actor: DecidingOperator,
  decision: Pick<CaseDecisionRow, 'action' | 'user_id' | 'undone_at'>,
  row: EndedCase,
): boolean {
  if (decision.undone_at !== null) return false;
  if (decision.action === row.outcome && ENDING_ACTIONS.some((action) => action === decision.action))
    return canReopenCase(actor, row);
  // Support takes no measures, so it reverses none.
  const isPermitted =
    canOperatorCallRoute(actor.roles ?? [], undoDecision) && canOperatorDecide(actor.roles ?? [], 'warn', false);
  return isPermitted && isMeasureDecision(decision) && decision.user_id !== actor.userId;
}
