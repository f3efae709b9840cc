/**
 * Automatic payouts: a nightly job requests the whole available balance every week, month or year, or above an amount.
 */
import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import { payoutMethodId } from '@stagedoor/contract/atoms/ids.ts';
import { asCents, formatCents, toCents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import { type getPayoutRule, RECURRENCES, type setPayoutRule } from '@stagedoor/contract/payouts.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import { newId } from '../../kernel/ids.ts';
import { balanceOf } from '../ledger/index.ts';
import type { Payee } from './gates.ts';
import { kindOf, sourceOf } from './present.ts';
import { accountsOf, requestPayout } from './requests.ts';
import { minimumOf, payoutSettings } from './settings.ts';
import * as store from './store.ts';
import * as transfers from './transfer-store.ts';

type Recurrence = (typeof RECURRENCES)[number];
const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/** Returns the `count`-th date after `since` (`YYYY-MM-DD`). A shorter month uses its last day. */
export function occurrence(since: string, recurrence: Recurrence, count: number): string {
  const at = new Date(since);
  const date = at.getUTCDate();
  if (recurrence === 'weekly') return dayOf(new Date(at.getTime() + count * 7 * 24 * 60 * 60_000));
  const months = at.getUTCMonth() + count * (recurrence === 'yearly' ? 12 : 1);
  const last = new Date(Date.UTC(at.getUTCFullYear(), months + 1, 0)).getUTCDate();
  return dayOf(new Date(Date.UTC(at.getUTCFullYear(), months, Math.min(date, last))));
}

export function nextAfter(since: string, recurrence: Recurrence, day: string): string {
  for (let count = 1; ; count += 1) {
    const next = occurrence(since, recurrence, count);
    if (next > day) return next;
  }
}

function present(row: transfers.RuleRow | undefined): AnswerOf<typeof getPayoutRule> {
  if (!row) return { rule: null, nextOn: null, refused: null };
  const recurrence = z.parse(z.nullable(z.enum(RECURRENCES)), row.recurrence);
  const above = row.above_cents === null ? null : toUsd(asCents(row.above_cents));
  const nextOn = recurrence && nextAfter(row.since, recurrence, row.looked_on);
  const { refused_on: on, refused_why: why } = row;
  const refused = on !== null && why !== null ? { on, why } : null;
  return { rule: { methodId: z.parse(payoutMethodId, row.method_id), recurrence, above }, nextOn, refused };
}

export async function viewRule({ db }: Pick<Context, 'db'>, payee: Payee): Promise<AnswerOf<typeof getPayoutRule>> {
  return present(await transfers.findRule(db, payee));
}

/**
 * Sets or removes the automatic payout of a user. Throws NOT_FOUND (no such method), VALIDATION (an amount below the
 * minimum).
 */
export async function setRule(
  ctx: Pick<Context, 'clock' | 'db'>,
  payee: Payee,
  { rule }: BodyOf<typeof setPayoutRule>,
): Promise<AnswerOf<typeof setPayoutRule>> {
  await ctx.db.transaction(async (tx) => {
    if (!rule) return transfers.endRule(tx, payee);
    const method = await store.holdMethod(tx, payee.userId, rule.methodId);
    if (!method) throw new AppError('NOT_FOUND', { message: 'Payout method not found.' });
    const minimum = minimumOf(await payoutSettings(tx), payee.source, kindOf(method.kind));
    const above = rule.above === null ? null : toCents(rule.above);
    if (above !== null && above < minimum) throw invalid('above', `Minimum payout is ${formatCents(minimum)}.`);
    return transfers.setRule(tx, payee, { ...rule, above, today: dayOf(ctx.clock.now()) });
  });
  return viewRule(ctx, payee);
}

function isDue(row: transfers.RuleRow, today: string, available: number): boolean {
  if (row.looked_on >= today) return false;
  if (row.above_cents !== null) return available > row.above_cents;
  const recurrence = z.parse(z.enum(RECURRENCES), row.recurrence);
  return nextAfter(row.since, recurrence, row.looked_on) <= today;
}

async function follow(ctx: Context, payee: Payee, today: string): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const found = await transfers.findRule(tx, payee);
    // Locks the method before the rule, in the same order as replacing a method does.
    if (found) await store.holdMethod(tx, payee.userId, found.method_id);
    const row = await transfers.lockRule(tx, payee);
    if (!row) return false;
    const available = await balanceOf(tx, accountsOf(payee.userId, payee.source).available);
    if (!isDue(row, today, available)) {
      await transfers.markLooked(tx, payee, today);
      return false;
    }
    await transfers.markFollowed(tx, payee, today, null);
    if (available === 0) throw new AppError('INSUFFICIENT_FUNDS', { message: 'Nothing was available.' });
    const request = { ...payee, amountCents: available, methodId: row.method_id, operationId: newId(ctx.clock) };
    await requestPayout(ctx, tx, { ...request, isAutomatic: true });
    return true;
  });
}

export async function followRules(ctx: Context): Promise<number> {
  const today = dayOf(ctx.clock.now());
  let count = 0;
  for (const { user_id: userId, source } of await transfers.rulesToLookAt(ctx.db, today)) {
    const payee = { userId, source: sourceOf(source) };
    try {
      if (await follow(ctx, payee, today)) count += 1;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // A refusal, for example below the minimum or without verification, is stored, and the next scheduled day tries
      // again.
      const { message } = error;
      await ctx.db.transaction((tx) => transfers.markFollowed(tx, payee, today, message));
    }
  }
  return count;
}
