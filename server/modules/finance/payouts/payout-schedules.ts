/**
 * Automatic payouts: a nightly job requests the whole available balance every week, month or year, or above an amount.
 */

import type { getPayoutRule, updatePayoutRule } from '@stagedoor/contract/finance/payouts.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { payoutMethodId } from '@stagedoor/contract/shared/ids.ts';
import { asCents, formatCents, toCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import { RECURRENCES, type Recurrence } from '@stagedoor/contract/shared/recurrence.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import { createId } from '../../../platform/ids.ts';
import { getBalance } from '../../ledger/ledger/index.ts';
import type { Payee } from './eligibility.ts';
import { toPayoutKind, toPayoutSource } from './present.ts';
import { getPayoutAccounts, requestPayout } from './requests.ts';
import { getMinimum, loadPayoutSettings } from './settings.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';
import * as transfers from './transfer-store.ts';

const toUtcDay = (at: Date) => at.toISOString().slice(0, 10);

/** Returns the `count`-th date after `since` (`YYYY-MM-DD`). A shorter month uses its last day. */
export function getOccurrence(since: string, recurrence: Recurrence, count: number): string {
  const at = new Date(since);
  const date = at.getUTCDate();
  if (recurrence === 'weekly') return toUtcDay(new Date(at.getTime() + count * 7 * 24 * 60 * 60_000));
  const months = at.getUTCMonth() + count * (recurrence === 'yearly' ? 12 : 1);
  const last = new Date(Date.UTC(at.getUTCFullYear(), months + 1, 0)).getUTCDate();
  return toUtcDay(new Date(Date.UTC(at.getUTCFullYear(), months, Math.min(date, last))));
}

export function getNextDay(since: string, recurrence: Recurrence, day: string): string {
  for (let count = 1; ; count += 1) {
    const next = getOccurrence(since, recurrence, count);
    if (next > day) return next;
  }
}

function presentRule(row: transfers.RuleRow | undefined): ResponseInputOf<typeof getPayoutRule> {
  if (!row) return { rule: null, nextOn: null, lastFailure: null };
  const recurrence = z.parse(z.nullable(z.enum(RECURRENCES)), row.recurrence);
  const threshold = row.threshold_cents === null ? null : toUsd(asCents(row.threshold_cents));
  const nextOn = recurrence && getNextDay(row.since, recurrence, row.checked_on);
  const { refused_on: on, refusal_reason: reason } = row;
  const lastFailure = on !== null && reason !== null ? { on, reason } : null;
  return { rule: { methodId: z.parse(payoutMethodId, row.method_id), recurrence, threshold }, nextOn, lastFailure };
}

export async function viewRule(
  { db }: Pick<Context, 'db'>,
  payee: Payee,
): Promise<ResponseInputOf<typeof getPayoutRule>> {
  return presentRule(await transfers.findRule(db, payee));
}

/**
 * Sets or removes the automatic payout of a user. Throws NOT_FOUND (no such method), VALIDATION (an amount below the
 * minimum).
 */
export async function setRule(
  ctx: Pick<Context, 'clock' | 'db'>,
  payee: Payee,
  { rule }: BodyOf<typeof updatePayoutRule>,
): Promise<ResponseInputOf<typeof updatePayoutRule>> {
  await ctx.db.transaction(async (tx) => {
    if (!rule) return transfers.deleteRule(tx, payee);
    const method = await store.lockMethodForShare(tx, payee.userId, rule.methodId);
    if (!method) throw new AppError('NOT_FOUND', { message: texts.payoutMethodMissing });
    const minimum = getMinimum(await loadPayoutSettings(tx), payee.source, toPayoutKind(method.kind));
    const threshold = rule.threshold === null ? null : toCents(rule.threshold);
    if (threshold !== null && threshold < minimum)
      throw createFieldError('threshold', formatText(texts.minimumPayout, { minimum: formatCents(minimum) }));
    return transfers.setRule(tx, payee, { ...rule, threshold, today: toUtcDay(ctx.clock.now()) });
  });
  return viewRule(ctx, payee);
}

function isDue(row: transfers.RuleRow, today: string, available: number): boolean {
  if (row.checked_on >= today) return false;
  if (row.threshold_cents !== null) return available > row.threshold_cents;
  const recurrence = z.parse(z.enum(RECURRENCES), row.recurrence);
  return getNextDay(row.since, recurrence, row.checked_on) <= today;
}

async function runRule(ctx: Context, payee: Payee, today: string): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const unlockedRule = await transfers.findRule(tx, payee);
    // Locks the method before the rule, in the same order as replacing a method does.
    if (unlockedRule) await store.lockMethodForShare(tx, payee.userId, unlockedRule.method_id);
    const row = await transfers.lockRule(tx, payee);
    if (!row) return false;
    const available = await getBalance(tx, getPayoutAccounts(payee.userId, payee.source).available);
    if (!isDue(row, today, available)) {
      await transfers.markRuleChecked(tx, payee, today);
      return false;
    }
    await transfers.markRuleRun(tx, payee, today, null);
    if (available === 0) throw new AppError('INSUFFICIENT_FUNDS', { message: texts.nothingWasAvailable });
    const request = { ...payee, amountCents: available, methodId: row.method_id, operationId: createId(ctx.clock) };
    await requestPayout(ctx, tx, { ...request, isAutomatic: true });
    return true;
  });
}

export async function runDueRules(ctx: Context): Promise<number> {
  const today = toUtcDay(ctx.clock.now());
  let count = 0;
  for (const { user_id: userId, source } of await transfers.listRulesToCheck(ctx.db, today)) {
    const payee = { userId, source: toPayoutSource(source) };
    try {
      if (await runRule(ctx, payee, today)) count += 1;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // A refusal, for example below the minimum or without verification, is stored, and the next scheduled day tries
      // again.
      const { message } = error;
      await ctx.db.transaction((tx) => transfers.markRuleRun(tx, payee, today, message));
    }
  }
  return count;
}
