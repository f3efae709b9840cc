import type { decideCase } from '@stagedoor/contract/admin/cases.ts';
import { createFieldError } from '@stagedoor/contract/shared/errors.ts';
import type { BodyOf } from '@stagedoor/contract/shared/route.ts';
import {
  formatProfileParts,
  PROFILE_PARTS,
  type ProfilePart,
  TIMED_ACTIONS,
} from '@stagedoor/contract/trust/case-kinds.ts';
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction } from '../../../../platform/database/db.ts';
import { createId } from '../../../../platform/ids.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import type { CaseDecisionRow, CaseRow } from '../store.ts';
import * as texts from '../texts.ts';
import type { UndoData } from './effects.ts';

const DAY_MS = 24 * 60 * 60_000;

export type DecisionInput = BodyOf<typeof decideCase>;
export type DecidingOperator = Pick<Actor, 'userId' | 'roles'>;
/** The operator is null for an automatic decision. */
export type DecidedBy = string | null;

/** Returns the end of a measure, or null for one without an end. Throws VALIDATION. */
export function getMeasureEnd({ action, days }: DecisionInput, now: Date): Date | null {
  if (!TIMED_ACTIONS.includes(action)) return null;
  if (days === undefined) throw createFieldError('days', texts.enterNumberOfDays);
  return new Date(now.getTime() + days * DAY_MS);
}

export const removesParts = ({ action }: DecisionInput, { subject }: Pick<CaseRow, 'subject'>) =>
  action === 'remove' && subject === 'profile';

/** Returns the parts to remove. Throws VALIDATION when none are given. */
export function getPartsToRemove({ parts }: DecisionInput): ProfilePart[] {
  if (parts === undefined) throw createFieldError('parts', texts.selectWhatToRemove);
  return PROFILE_PARTS.filter((part) => parts.includes(part));
}

function getDecisionTitle(row: CaseRow, input: DecisionInput): string {
  if (removesParts(input, row)) return formatProfileParts(getPartsToRemove(input));
  return row.subject === 'post' ? row.title.split(': ').slice(1).join(': ') : '';
}

/** Stores a decision. Throws VALIDATION for missing input. */
export async function insertDecision(
  ctx: Context,
  tx: DbTransaction,
  {
    by,
    row,
    input,
    undo,
  }: { by: DecidedBy; row: CaseRow; input: DecisionInput; undo: UndoData | { sales: string[] } | undefined },
): Promise<CaseDecisionRow> {
  const now = ctx.clock.now();
  return tx.query
    .insertInto('case_decisions')
    .values({
      id: createId(ctx.clock),
      case_id: row.id,
      user_id: row.user_id,
      action: input.action,
      subject: row.subject,
      subject_id: row.subject_id,
      title: getDecisionTitle(row, input),
      reason: input.reason,
      until: getMeasureEnd(input, now),
      operator_id: by,
      at: now,
      undo: JSON.stringify(undo ?? {}),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}
