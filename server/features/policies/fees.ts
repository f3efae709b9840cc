/** What the house keeps, shares and holds back, as operators set it: one at a time, with a ground, in the audit log. */
import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import { toCents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, BodyOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import type * as contract from '@stagedoor/contract/fees-desk.ts';
import { type FeeName, feesProblem, type HouseFees, houseFees } from '@stagedoor/contract/fees-desk.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Executor } from '../../kernel/db.ts';
import { affiliateSettings, changeAffiliateSettings } from '../affiliates/index.ts';
import { noteAct, viewAudit } from '../audit/index.ts';
import { changeSalesSettings, lockFees, lowestOwnFee, salesSettings } from '../sales/index.ts';

export const CHANGED_MEANWHILE = 'Somebody has changed them meanwhile: these are the new ones.';
const NAMES = z.parse(z.array(z.keyof(houseFees)), Object.keys(houseFees.shape));

export async function feesOf(db: Executor): Promise<HouseFees> {
  const [sales, affiliates] = await Promise.all([salesSettings(db), affiliateSettings(db)]);
  return {
    generalFee: sales.generalPercent,
    offerFee: sales.offerPercent,
    offerDays: sales.offerDays,
    clearingDays: sales.clearingDays,
    dailySpend: toUsd(sales.dailyLimitCents),
    customerShare: affiliates.customerPercent,
    creatorShare: affiliates.creatorPercent,
    shareMonths: affiliates.months,
    moveMinimum: toUsd(affiliates.moveMinCents),
    moveFee: affiliates.moveFeePercent,
  };
}

/** What is different, with what it was before, as the audit log keeps it. */
function changesOf(names: readonly FeeName[], before: HouseFees, to: HouseFees): Record<string, number> {
  return Object.fromEntries(
    names.flatMap((name) => [
      [name, to[name]],
      [`${name}Before`, before[name]],
    ]),
  );
}

/** An operator changes them. Throws CONFLICT when they are no longer as that operator saw them, VALIDATION when they do not fit each other. */
export async function setFees(
  ctx: Pick<Context, 'clock' | 'db'>,
  operatorId: string,
  { from, to, ground }: BodyOf<typeof contract.setHouseFees>,
): Promise<AnswerOf<typeof contract.setHouseFees>> {
  return ctx.db.transaction(async (tx) => {
    // Who comes second waits here, and reads what the first has set.
    await lockFees(tx);
    const before = await feesOf(tx);
    const changed = NAMES.filter((name) => to[name] !== before[name]);
    if (changed.length === 0) return before;
    if (NAMES.some((name) => from[name] !== before[name]))
      throw new AppError('CONFLICT', { message: CHANGED_MEANWHILE });
    const problem = feesProblem(to, await lowestOwnFee(tx, ctx.clock.now()));
    if (problem) throw invalid(`to.${problem.field}`, problem.message);
    await changeSalesSettings(tx, {
      generalPercent: to.generalFee,
      offerPercent: to.offerFee,
      offerDays: to.offerDays,
      clearingDays: to.clearingDays,
      dailyLimitCents: toCents(to.dailySpend),
    });
    await changeAffiliateSettings(tx, {
      customerPercent: to.customerShare,
      creatorPercent: to.creatorShare,
      months: to.shareMonths,
      moveMinCents: toCents(to.moveMinimum),
      moveFeePercent: to.moveFee,
    });
    await tx.emit('house.changed', {});
    await noteAct(ctx, tx, {
      operatorId,
      act: 'settings.fees',
      subjectKind: 'settings',
      subjectId: 'fees',
      facts: { ground, ...changesOf(changed, before, to) },
    });
    return to;
  });
}

/** Who changed what, from the audit log: for whoever works with the money, and reads nothing else of it. */
export function viewFeeChanges(
  ctx: Pick<Context, 'db'>,
  { of, limit, offset }: QueryOf<typeof contract.listFeeChanges>,
): Promise<AnswerOf<typeof contract.listFeeChanges>> {
  return viewAudit(ctx, { act: `settings.${of}`, limit, offset });
}
