import type { UserType } from '@stagedoor/contract/accounts.ts';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { CaseAct, ProfilePart } from '@stagedoor/contract/case-kinds.ts';
import { reopenCases, undoDecision } from '@stagedoor/contract/cases-desk.ts';
import { operatorMay, operatorMayDecide, operatorReadsQueue } from '@stagedoor/contract/operator-rights.ts';
import type { Executor } from '../../kernel/db.ts';
import type { Actor } from '../../kernel/session.ts';
import { isTaken } from './appeals.ts';
import type { Purchase } from './desk/refunds.ts';
import { actsOf, ENDS, KINDS } from './kinds.ts';
import type { CaseRow, DecisionRow } from './store.ts';

type Operator = Pick<Actor, 'userId' | 'roles'>;

export type Involved = {
  row: CaseRow;
  person: { id: string; type: UserType } | undefined;
  /** The decision that an appeal or a counter-notice is against. */
  appealed: DecisionRow | undefined;
  purchases: readonly Purchase[];
  /** The count may exceed the purchases shown. */
  purchaseCount: number;
  parts: readonly ProfilePart[];
};

/** Roles that only handle money read cases that were routed to them, also after a refund. Throws NOT_FOUND. */
export async function requireReads(db: Executor, { roles = [] }: Operator, { id, queue }: CaseRow): Promise<void> {
  if (operatorReadsQueue(roles, queue)) return;
  const refund = await db.query
    .selectFrom('case_decisions')
    .select('id')
    .where('case_id', '=', id)
    .where('act', '=', 'refund')
    .limit(1)
    .executeTakeFirst();
  if (!refund) throw new AppError('NOT_FOUND');
}

function involvement(actor: Operator, { row, person }: Involved): string | undefined {
  if (row.from_id === actor.userId) return 'You opened this case. Someone else must decide.';
  if (person?.id === actor.userId) return 'This case is about you. Someone else must decide.';
  if (person?.type === 'operator') return 'This case is about a staff member. Staff can’t be moderated here.';
  return undefined;
}

/** Returns why the operator may not decide the case, or undefined. */
export function obstacleFor(actor: Operator, involved: Involved): string | undefined {
  const { row, appealed } = involved;
  const obstacle = involvement(actor, involved);
  if (obstacle !== undefined) return obstacle;
  if (row.kind === 'appeal' && appealed?.operator_id === actor.userId)
    return 'You made the decision being appealed. Someone else must decide.';
  if (row.state !== 'closed' && theirActs(actor, involved).length === 0) return 'Your roles don’t allow deciding this.';
  return undefined;
}

const isOfSupport = ({ kind }: Pick<CaseRow, 'kind'>) => KINDS[kind].queue === 'support';

function theirActs({ roles = [] }: Operator, { row, person, purchases, parts }: Involved): CaseAct[] {
  const isSupport = isOfSupport(row);
  const of = {
    state: row.state,
    subject: row.subject,
    hasPerson: person !== undefined,
    canGiveBack: purchases.some((one) => one.canGiveBack),
    hasParts: parts.length > 0,
  };
  return actsOf(row.kind, of).filter((act) => operatorMayDecide(roles, act, isSupport));
}

export function actsFor(actor: Operator, involved: Involved): readonly CaseAct[] {
  if (involved.row.state === 'closed' || obstacleFor(actor, involved) !== undefined) return [];
  return theirActs(actor, involved);
}

/** Throws FORBIDDEN with the reason, CONFLICT when the case was already decided or does not offer the action. */
export function requireMayDecide(actor: Operator, involved: Involved, act: CaseAct): void {
  const obstacle = obstacleFor(actor, involved);
  if (act === 'refund' && !operatorMayDecide(actor.roles ?? [], act, false))
    throw new AppError('FORBIDDEN', { message: 'Refunds are handled by finance. Send the case to them.' });
  if (obstacle !== undefined) throw new AppError('FORBIDDEN', { message: obstacle });
  if (involved.row.state === 'closed')
    throw new AppError('CONFLICT', { message: 'Someone else already decided this.' });
  if (!actsFor(actor, involved).includes(act))
    throw new AppError('CONFLICT', { message: 'This action isn’t available for this case.' });
}

type Ended = Pick<CaseRow, 'kind' | 'state' | 'outcome' | 'from_id' | 'person_id'>;

function mayReopen({ userId, roles = [] }: Operator, row: Ended): boolean {
  const { state, kind, outcome } = row;
  const end = ENDS.find((act) => act === outcome);
  if (state !== 'closed' || end === undefined || !KINDS[kind].reopens) return false;
  const isTheirs = operatorMay(roles, reopenCases) && operatorReadsQueue(roles, KINDS[kind].queue);
  return (
    isTheirs && operatorMayDecide(roles, end, isOfSupport(row)) && row.from_id !== userId && row.person_id !== userId
  );
}

/** Returns why the operator may not reopen the case, or undefined. */
export function obstacleToReopen(actor: Operator, involved: Involved): string | undefined {
  const obstacle = involvement(actor, involved);
  if (obstacle !== undefined) return obstacle;
  return mayReopen(actor, involved.row) ? undefined : 'You can’t reopen this case.';
}

/** Moderators may reverse any measure except one about themselves. */
export function mayUndo(
  actor: Operator,
  decision: Pick<DecisionRow, 'act' | 'person_id' | 'undone_at'>,
  row: Ended,
): boolean {
  if (decision.undone_at !== null) return false;
  if (decision.act === row.outcome && ENDS.some((act) => act === decision.act)) return mayReopen(actor, row);
  // Support takes no measures, so it reverses none.
  const isTheirs = operatorMay(actor.roles ?? [], undoDecision) && operatorMayDecide(actor.roles ?? [], 'warn', false);
  return isTheirs && isTaken(decision) && decision.person_id !== actor.userId;
}
