import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import { toCents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, BodyOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import type * as contract from '@stagedoor/contract/fees-desk.ts';
import { feesProblem, type HouseFees, houseFees } from '@stagedoor/contract/fees-desk.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Executor } from '../../kernel/db.ts';
import { affiliateSettings, changeAffiliateSettings } from '../affiliates/index.ts';
import { noteAct, viewAudit } from '../audit/index.ts';
import { holdBack } from '../operators/index.ts';
import { changeSalesSettings, lockFees, lowestOwnFee, salesSettings } from '../sales/index.ts';

export const CHANGED_MEANWHILE = 'Someone else changed these settings. Showing the latest.';
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

/**
 * Changes the fees. A shorter clearing time and a higher spending limit wait for a second operator. Throws CONFLICT
 * when they have changed since the operator loaded them, VALIDATION when they contradict each other.
 */
export async function setFees(
  ctx: Pick<Context, 'clock' | 'db'>,
  operatorId: string,
  { from, to, ground }: BodyOf<typeof contract.setHouseFees>,
): Promise<AnswerOf<typeof contract.setHouseFees>> {
  return ctx.db.transaction(async (tx) => {
    // A concurrent change waits here.
    await lockFees(tx);
    const before = await feesOf(tx);
    if (NAMES.every((name) => to[name] === before[name])) return before;
    if (NAMES.some((name) => from[name] !== before[name]))
      throw new AppError('CONFLICT', { message: CHANGED_MEANWHILE });
    const problem = feesProblem(to, await lowestOwnFee(tx, ctx.clock.now()));
    if (problem) throw invalid(`to.${problem.field}`, problem.message);
    const { held, facts } = await holdBack(ctx, tx, { operatorId, ground, before, to });
    const now = { ...to, ...held };
    await changeSalesSettings(tx, {
      generalPercent: now.generalFee,
      offerPercent: now.offerFee,
      offerDays: now.offerDays,
      clearingDays: now.clearingDays,
      dailyLimitCents: toCents(now.dailySpend),
    });
    await changeAffiliateSettings(tx, {
      customerPercent: now.customerShare,
      creatorPercent: now.creatorShare,
      months: now.shareMonths,
      moveMinCents: toCents(now.moveMinimum),
      moveFeePercent: now.moveFee,
    });
    await tx.emit('house.changed', {});
    await noteAct(ctx, tx, {
      operatorId,
      act: 'settings.fees',
      subjectKind: 'settings',
      subjectId: 'fees',
      facts: { ground, ...facts },
    });
    return now;
  });
}

/** Lists fee changes for roles that handle money and may not read the rest of the audit log. */
export function viewFeeChanges(
  ctx: Pick<Context, 'db'>,
  { of, limit, offset }: QueryOf<typeof contract.listFeeChanges>,
): Promise<AnswerOf<typeof contract.listFeeChanges>> {
  return viewAudit(ctx, { act: `settings.${of}`, limit, offset });
}
