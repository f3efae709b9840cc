/** Who may do what with cases, in sentences: the one place that decides, by roles and by who is involved. */

import type { UserType } from '@stagedoor/contract/accounts.ts';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { CaseAct } from '@stagedoor/contract/case-kinds.ts';
import { undoDecision } from '@stagedoor/contract/cases-desk.ts';
import { operatorMay, operatorMayDecide } from '@stagedoor/contract/operator-rights.ts';
import type { Actor } from '../../kernel/session.ts';
import { isTaken } from './appeals.ts';
import { actsOf, KINDS } from './kinds.ts';
import type { CaseRow, DecisionRow } from './store.ts';

type Operator = Pick<Actor, 'userId' | 'roles'>;

export type Involved = {
  row: CaseRow;
  /** Whom it is about, if they have an account. */
  person: { id: string; type: UserType } | undefined;
  /** Of an appeal: what it is against. */
  appealed: DecisionRow | undefined;
};

/** Why this operator decides nothing about a case; nothing when they may. */
export function obstacleFor(actor: Operator, { row, person, appealed }: Involved): string | undefined {
  if (row.from_id === actor.userId) return 'You wrote this yourself: somebody else decides.';
  if (person?.id === actor.userId) return 'This is about you: somebody else decides.';
  if (person?.type === 'operator') return 'This is about an operator: nothing is done to operators here.';
  if (appealed && appealed.operator_id === actor.userId)
    return 'You took the decision that this is against: somebody else decides.';
  if (row.state !== 'closed' && theirActs(actor, row, person !== undefined).length === 0)
    return 'Your roles at the desk do not include deciding this.';
  return undefined;
}

/** What their roles let this operator do about a case of its kind. */
function theirActs({ roles = [] }: Operator, row: CaseRow, hasPerson: boolean): CaseAct[] {
  const isSupport = KINDS[row.kind].queue === 'support';
  return actsOf(row.kind, { subject: row.subject, hasPerson }).filter((act) =>
    operatorMayDecide(roles, act, isSupport),
  );
}

/** What may be done about a case by this operator. */
export function actsFor(actor: Operator, involved: Involved): readonly CaseAct[] {
  const { row, person } = involved;
  if (row.state === 'closed' || obstacleFor(actor, involved) !== undefined) return [];
  return theirActs(actor, row, person !== undefined);
}

/** Throws FORBIDDEN with the reason, CONFLICT for what somebody else decided first. */
export function requireMayDecide(actor: Operator, involved: Involved, act: CaseAct): void {
  const obstacle = obstacleFor(actor, involved);
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
