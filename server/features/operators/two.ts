/**
 * Operators with recent roles do not count as one of two, because an owner could give them to a second account. The
 * dates come from the audit log, which cannot be edited.
 */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { RouteSpec } from '@stagedoor/contract/atoms/route.ts';
import { operatorMay } from '@stagedoor/contract/operator-rights.ts';
import { SECOND_PERSON_DAYS } from '@stagedoor/contract/operators.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Transaction } from '../../kernel/db.ts';
import { lockOperators } from '../accounts/index.ts';
import { countSince, lastOf, lastOfEach } from '../audit/index.ts';

type Called = Pick<RouteSpec, 'method' | 'path'>;
const WAIT_MS = SECOND_PERSON_DAYS * 24 * 60 * 60_000;
const SUBJECT = 'operator';
const GIVEN = ['operator.invite', 'operator.roles'];
const TAKEN = ['operator.remove', 'operator.roles'];

/** Returns operators with recent roles and the time from which each counts. */
export async function newcomers(db: Executor, at: Date): Promise<Map<string, Date>> {
  const given = await lastOfEach(db, SUBJECT, GIVEN);
  const from = [...given].map(([id, when]) => [id, new Date(when.getTime() + WAIT_MS)] as const);
  return new Map(from.filter(([, counts]) => counts > at));
}

/** Throws CONFLICT, with the date, for an operator who does not count yet. */
export async function requireCounts(
  { clock }: Pick<Context, 'clock'>,
  tx: Transaction,
  operatorId: string,
): Promise<void> {
  const from = (await newcomers(tx, clock.now())).get(operatorId);
  if (from === undefined) return;
  const since = `${from.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  throw new AppError('CONFLICT', {
    message: `This needs two people. You can approve from ${since}.`,
  });
}

/**
 * Throws CONFLICT unless the requester may still call the route and another operator who counts confirms. Locks all
 * roles until the transaction ends.
 */
export async function requireTwo(
  ctx: Pick<Context, 'clock'>,
  tx: Transaction,
  { askedBy, confirmer, route }: { askedBy: string; confirmer: string; route: Called },
): Promise<void> {
  if (askedBy === confirmer)
    throw new AppError('CONFLICT', { message: 'You requested this. Another operator must confirm it.' });
  if (!operatorMay((await lockOperators(tx)).get(askedBy) ?? [], route))
    throw new AppError('CONFLICT', {
      message:
        'The person who requested this no longer has the role for it. Reject it, and request it again if it’s right.',
    });
  await requireCounts(ctx, tx, confirmer);
}

/**
 * Returns whether no other operator may do this. It is false for some days after a role was removed, so that removing
 * the others does not help. Locks all roles until the transaction ends.
 */
export async function isAlone(
  { clock }: Pick<Context, 'clock'>,
  tx: Transaction,
  operatorId: string,
  route: Called,
): Promise<boolean> {
  for (const [id, roles] of await lockOperators(tx)) if (id !== operatorId && operatorMay(roles, route)) return false;
  const changedAt = await lastOf(tx, SUBJECT, TAKEN);
  return changedAt === undefined || clock.now().getTime() - changedAt.getTime() > WAIT_MS;
}

export function countTeamChanges(db: Executor, now: Date): Promise<{ count: number; since: Date | null }> {
  const after = new Date(now.getTime() - WAIT_MS);
  return countSince(db, { subjectKind: SUBJECT, acts: [...GIVEN, 'operator.remove'], after });
}
