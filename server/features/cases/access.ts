/** Who may do what with cases, in sentences: the one place that decides, by roles and by who is involved. */

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
  /** Whom it is about, if they have an account. */
  person: { id: string; type: UserType } | undefined;
  /** Of an appeal or a counter-notice: what it is against. */
  appealed: DecisionRow | undefined;
  /** What who wrote bought. */
  purchases: readonly Purchase[];
  /** How many there are, whether or not a case shows so many. */
  purchaseCount: number;
  /** What can be taken from the profile that it is about. */
  parts: readonly ProfilePart[];
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

/** Why this operator, whoever may otherwise, has no part in it. */
function involvement(actor: Operator, { row, person }: Involved): string | undefined {
  if (row.from_id === actor.userId) return 'You wrote this yourself: somebody else decides.';
  if (person?.id === actor.userId) return 'This is about you: somebody else decides.';
  if (person?.type === 'operator') return 'This is about an operator: nothing is done to operators here.';
  return undefined;
}

/** Why this operator decides nothing about a case; nothing when they may. */
export function obstacleFor(actor: Operator, involved: Involved): string | undefined {
  const { row, appealed } = involved;
  const obstacle = involvement(actor, involved);
  if (obstacle !== undefined) return obstacle;
  if (row.kind === 'appeal' && appealed?.operator_id === actor.userId)
    return 'You took the decision that this is against: somebody else decides.';
  if (row.state !== 'closed' && theirActs(actor, involved).length === 0)
    return 'Your roles at the desk do not include deciding this.';
  return undefined;
}

const isOfSupport = ({ kind }: Pick<CaseRow, 'kind'>) => KINDS[kind].queue === 'support';

/** What their roles let this operator do about a case of its kind. */
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

type Ended = Pick<CaseRow, 'kind' | 'state' | 'outcome' | 'from_id' | 'person_id'>;

/** Whether an operator may open a case again that was dismissed or closed: who might have decided it so, and has no part in it. */
function mayReopen({ userId, roles = [] }: Operator, row: Ended): boolean {
  const { state, kind, outcome } = row;
  const end = ENDS.find((act) => act === outcome);
  if (state !== 'closed' || end === undefined || !KINDS[kind].reopens) return false;
  const isTheirs = operatorMay(roles, reopenCases) && operatorReadsQueue(roles, KINDS[kind].queue);
  return (
    isTheirs && operatorMayDecide(roles, end, isOfSupport(row)) && row.from_id !== userId && row.person_id !== userId
  );
}

/** Why this operator does not open a closed case again; nothing when they may. */
export function obstacleToReopen(actor: Operator, involved: Involved): string | undefined {
  const obstacle = involvement(actor, involved);
  if (obstacle !== undefined) return obstacle;
  return mayReopen(actor, involved.row) ? undefined : 'This is not yours to open again.';
}

/** Whether an operator may take a decision back: of measures moderators any but those about themself. */
export function mayUndo(
  actor: Operator,
  decision: Pick<DecisionRow, 'act' | 'person_id' | 'undone_at'>,
  row: Ended,
): boolean {
  if (decision.undone_at !== null) return false;
  if (decision.act === row.outcome && ENDS.some((act) => act === decision.act)) return mayReopen(actor, row);
  // Support closes and dismisses what asks for help, and takes no measures.
  const isTheirs = operatorMay(actor.roles ?? [], undoDecision) && operatorMayDecide(actor.roles ?? [], 'warn', false);
  return isTheirs && isTaken(decision) && decision.person_id !== actor.userId;
}
