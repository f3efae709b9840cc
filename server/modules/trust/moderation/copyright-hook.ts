/**
 * Copyright notices and counter-notices are cases, and decisions about them are made here. The copyright module, which
 * depends on this one, registers what only it knows about them.
 */
import type { getCase } from '@stagedoor/contract/admin/cases.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { CaseAction } from '@stagedoor/contract/trust/case-kinds.ts';
import type { OwnDecision } from '@stagedoor/contract/trust/moderation.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor } from '../../../platform/database/db.ts';
import { defineHook } from '../../../platform/hooks.ts';
import type { CaseDecisionRow, CaseRow } from './store.ts';

export type CopyrightView = Pick<ResponseInputOf<typeof getCase>, 'notice' | 'counter' | 'strikes'>;
export type ClaimView = Pick<OwnDecision, 'claim' | 'counter' | 'canCounter'>;

export type CopyrightHook = {
  /** Returns the copyright fields of a case for operators. `decisionIds` are the decisions of the case. */
  loadCaseView(ctx: Context, row: CaseRow, decisionIds: readonly string[]): Promise<CopyrightView>;
  /** Loads the claims behind these decisions. The returned function gives the fields that the user sees of one of them. */
  createClaimLookup(db: Executor, decisions: readonly CaseDecisionRow[]): Promise<(row: CaseDecisionRow) => ClaimView>;
  /** Returns a paragraph for the mail about a decision, or undefined if no notice led to it. */
  describeClaim(ctx: Context, db: Executor, decision: CaseDecisionRow): Promise<string | undefined>;
  /** Runs in the transaction that decides a counter-notice. */
  onCounterNoticeDecided(
    ctx: Context,
    tx: DbTransaction,
    row: CaseRow,
    decision: { action: CaseAction; reason: string },
  ): Promise<void>;
  /** Runs in the transaction that reverses a decision, whether or not a notice led to it. */
  onReversed(ctx: Context, tx: DbTransaction, undone: CaseDecisionRow, reason: string): Promise<void>;
};

const copyrightHook = defineHook<CopyrightHook>('moderation.copyrightHook');
export const registerCopyrightHook = copyrightHook.register;
export const getCopyrightHook = copyrightHook.get;
