/** Who may do what with cases, in sentences: the one place that decides, by roles and by who is involved. */

import type { UserType } from '@stagedoor/contract/accounts.ts';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { CaseAct } from '@stagedoor/contract/case-kinds.ts';
import { undoDecision } from '@stagedoor/contract/cases-desk.ts';
import { operatorMay, operatorMayDecide, operatorReadsQueue } from '@stagedoor/contract/operator-rights.ts';
import type { Executor } from '../../kernel/db.ts';
import type { Actor } from '../../kernel/session.ts';
import { isTaken } from './appeals.ts';
import type { Purchase } from './desk/refunds.ts';
import { actsOf, KINDS } from './kinds.ts';
import type { CaseRow, DecisionRow } from './store.ts';

type Operator = Pick<Actor, 'userId' | 'roles'>;

export type Involved = {
  row: CaseRow;
  /** Whom it is about, if they have an account. */
  person: { id: string; type: UserType } | undefined;
  /** Of an appeal or a counter-notice: what it is against. */
  appealed: DecisionRow | undefined;
  /** What who wrote bought. */
  purchases: readonly Purchase[];
};

/**
 * Whether an operator reads a case: who only moves money, those that were passed on for that, also when money was given back and they went
 * back. Throws NOT_FOUND.
 */
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

/** Why this operator decides nothing about a case; nothing when they may. */
export function obstacleFor(actor: Operator, involved: Involved): string | undefined {
  const { row, person, appealed } = involved;
  if (row.from_id === actor.userId) return 'You wrote this yourself: somebody else decides.';
  if (person?.id === actor.userId) return 'This is about you: somebody else decides.';
  if (person?.type === 'operator') return 'This is about an operator: nothing is done to operators here.';
  if (row.kind === 'appeal' && appealed?.operator_id === actor.userId)
    return 'You took the decision that this is against: somebody else decides.';
  if (row.state !== 'closed' && theirActs(actor, involved).length === 0)
    return 'Your roles at the desk do not include deciding this.';
  return undefined;
}

/** What their roles let this operator do about a case of its kind. */
function theirActs({ roles = [] }: Operator, { row, person, purchases }: Involved): CaseAct[] {
  const isSupport = KINDS[row.kind].queue === 'support';
  const of = {
    state: row.state,
    subject: row.subject,
    hasPerson: person !== undefined,
    canGiveBack: purchases.some((one) => one.canGiveBack),
  };
  return actsOf(row.kind, of).filter((act) => operatorMayDecide(roles, act, isSupport));
}

/** What may be done about a case by this operator. */
export function actsFor(actor: Operator, involved: Involved): readonly CaseAct[] {
  if (involved.row.state === 'closed' || obstacleFor(actor, involved) !== undefined) return [];
  return theirActs(actor, involved);
}

/** Throws FORBIDDEN with the reason, CONFLICT for what somebody else decided first. */
export function requireMayDecide(actor: Operator, involved: Involved, act: CaseAct): void {
  const obstacle = obstacleFor(actor, involved);
  if (act === 'refund' && !operatorMayDecide(actor.roles ?? [], act, false))
    throw new AppError('FORBIDDEN', { message: 'Finance gives money back: pass the case on to them.' });
  if (obstacle !== undefined) throw new AppError('FORBIDDEN', { message: obstacle });
  if (involved.row.state === 'closed') throw new AppError('CONFLICT', { message: 'Somebody else decided this first.' });
  if (!actsFor(actor, involved).includes(act))
    throw new AppError('CONFLICT', { message: 'This cannot be done about such a case.' });
}

/** Whether an operator may take a decision back: any but those about themself. */
export function mayUndo(actor: Operator, decision: Pick<DecisionRow, 'act' | 'person_id' | 'undone_at'>): boolean {
  const isTheirs = operatorMay(actor.roles ?? [], undoDecision);
  return isTheirs && isTaken(decision) && decision.undone_at === null && decision.person_id !== actor.userId;
}
