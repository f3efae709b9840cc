import { invalid } from '@stagedoor/contract/atoms/errors.ts';
import type { BodyOf } from '@stagedoor/contract/atoms/route.ts';
import { PROFILE_PARTS, type ProfilePart, partsWords, TIMED_ACTS } from '@stagedoor/contract/case-kinds.ts';
import type { decideCase } from '@stagedoor/contract/cases-desk.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Transaction } from '../../../kernel/db.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Actor } from '../../../kernel/session.ts';
import type { CaseRow, DecisionRow } from '../store.ts';
import type { UndoFacts } from './effects.ts';

const DAY_MS = 24 * 60 * 60_000;

export type Wish = BodyOf<typeof decideCase>;
export type Operator = Pick<Actor, 'userId' | 'roles'>;
/** The operator is null for an automatic decision. */
export type By = string | null;

/** Returns the end of a measure, or null for one without an end. Throws VALIDATION. */
export function untilOf({ act, days }: Wish, now: Date): Date | null {
  if (!TIMED_ACTS.includes(act)) return null;
  if (days === undefined) throw invalid('days', 'Enter the number of days.');
  return new Date(now.getTime() + days * DAY_MS);
}

export const takesParts = ({ act }: Wish, { subject }: Pick<CaseRow, 'subject'>) =>
  act === 'remove' && subject === 'profile';

/** Returns the parts to remove. Throws VALIDATION when none are given. */
export function partsOf({ parts }: Wish): ProfilePart[] {
  if (parts === undefined) throw invalid('parts', 'Select what to remove.');
  return PROFILE_PARTS.filter((part) => parts.includes(part));
}

function titleOf(row: CaseRow, wish: Wish): string {
  if (takesParts(wish, row)) return partsWords(partsOf(wish));
  return row.subject === 'post' ? row.title.split(': ').slice(1).join(': ') : '';
}

/** Stores a decision. Throws VALIDATION for missing input. */
export async function writeDecision(
  ctx: Context,
  tx: Transaction,
  { by, row, wish, undo }: { by: By; row: CaseRow; wish: Wish; undo: UndoFacts | { sales: string[] } | undefined },
): Promise<DecisionRow> {
  const now = ctx.clock.now();
  return tx.query
    .insertInto('case_decisions')
    .values({
      id: newId(ctx.clock),
      case_id: row.id,
      person_id: row.person_id,
      act: wish.act,
      subject: row.subject,
      subject_id: row.subject_id,
      title: titleOf(row, wish),
      ground: wish.ground,
      until: untilOf(wish, now),
      operator_id: by,
      at: now,
      undo: JSON.stringify(undo ?? {}),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}
