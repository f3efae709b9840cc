/** What an operator wishes about a case, and the decision that is written of it. */
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
/** An operator; nobody where it happens by itself. */
export type By = string | null;

/** Until when a measure holds; null of those without an end. Throws VALIDATION. */
export function untilOf({ act, days }: Wish, now: Date): Date | null {
  if (!TIMED_ACTS.includes(act)) return null;
  if (days === undefined) throw invalid('days', 'Please say for how many days.');
  return new Date(now.getTime() + days * DAY_MS);
}

/** Whether it takes something off a profile. */
export const takesParts = ({ act }: Wish, { subject }: Pick<CaseRow, 'subject'>) =>
  act === 'remove' && subject === 'profile';

/** What of a profile goes. Throws VALIDATION when it is not said. */
export function partsOf({ parts }: Wish): ProfilePart[] {
  if (parts === undefined) throw invalid('parts', 'Please say what of it.');
  return PROFILE_PARTS.filter((part) => parts.includes(part));
}

/** What a thing is called to its person; of a profile, what went. */
function titleOf(row: CaseRow, wish: Wish): string {
  if (takesParts(wish, row)) return partsWords(partsOf(wish));
  return row.subject === 'post' ? row.title.split(': ').slice(1).join(': ') : '';
}

/** Writes what was decided. Throws VALIDATION for what is not said of it. */
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
