/** What is requested by itself, each night: all that is available, every week, month or year, or as soon as it is above a sum. */
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

/** The day so many weeks, months or years after another (`YYYY-MM-DD`); a month that is shorter has it on its last. */
export function occurrence(since: string, recurrence: Recurrence, count: number): string {
  const at = new Date(since);
  const date = at.getUTCDate();
  if (recurrence === 'weekly') return dayOf(new Date(at.getTime() + count * 7 * 24 * 60 * 60_000));
  const months = at.getUTCMonth() + count * (recurrence === 'yearly' ? 12 : 1);
  const last = new Date(Date.UTC(at.getUTCFullYear(), months + 1, 0)).getUTCDate();
  return dayOf(new Date(Date.UTC(at.getUTCFullYear(), months, Math.min(date, last))));
}

/** The first of its days after a day. */
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

/** Sets or ends a person's rule. Throws NOT_FOUND (no such method), VALIDATION (a sum below the minimum). */
export async function setRule(
  ctx: Pick<Context, 'clock' | 'db'>,
  payee: Payee,
  { rule }: BodyOf<typeof setPayoutRule>,
): Promise<AnswerOf<typeof setPayoutRule>> {
  await ctx.db.transaction(async (tx) => {
    if (!rule) return transfers.endRule(tx, payee);
    const method = await store.holdMethod(tx, payee.userId, rule.methodId);
    if (!method) throw new AppError('NOT_FOUND', { message: 'There is no such payout method.' });
    const minimum = minimumOf(await payoutSettings(tx), payee.source, kindOf(method.kind));
    const above = rule.above === null ? null : toCents(rule.above);
    if (above !== null && above < minimum)
      throw invalid('above', `The least that is paid out there is ${formatCents(minimum)}.`);
    return transfers.setRule(tx, payee, { ...rule, above, today: dayOf(ctx.clock.now()) });
  });
  return viewRule(ctx, payee);
}

/** Whether it is this rule's day, or its sum is there. */
function isDue(row: transfers.RuleRow, today: string, available: number): boolean {
  if (row.looked_on >= today) return false;
  if (row.above_cents !== null) return available > row.above_cents;
  const recurrence = z.parse(z.enum(RECURRENCES), row.recurrence);
  return nextAfter(row.since, recurrence, row.looked_on) <= today;
}

/** Looks at one rule, once a day whoever does; answers whether it requested. Throws as a request does. */
async function follow(ctx: Context, payee: Payee, today: string): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const found = await transfers.findRule(tx, payee);
    // Its method before the rule, as whoever replaces a method locks them.
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

/** Requests what is due by rule today; answers how many. */
export async function followRules(ctx: Context): Promise<number> {
  const today = dayOf(ctx.clock.now());
  let count = 0;
  for (const { user_id: userId, source } of await transfers.rulesToLookAt(ctx.db, today)) {
    const payee = { userId, source: sourceOf(source) };
    try {
      if (await follow(ctx, payee, today)) count += 1;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // As when it is below the minimum, or somebody is not verified yet: asked again on its next day.
      const { message } = error;
      await ctx.db.transaction((tx) => transfers.markFollowed(tx, payee, today, message));
    }
  }
  return count;
}
