import type * as contract from '@stagedoor/contract/admin/fees.ts';
import { findFeesProblem, type PlatformFees, platformFees } from '@stagedoor/contract/admin/fees.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { toCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { BodyOf, QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { findLowestCustomFee, getSalesSettings, lockFees, updateSalesSettings } from '../../commerce/sales/index.ts';
import { getAuditPage, logAction } from '../../identity/audit-log/index.ts';
import { splitGuardedChanges } from '../../identity/staff/index.ts';
import { loadAffiliateSettings, saveAffiliateSettings } from '../affiliates/index.ts';

export const CHANGED_MEANWHILE = 'Someone else changed these settings. Showing the latest.';
const FEE_NAMES = z.parse(z.array(z.keyof(platformFees)), Object.keys(platformFees.shape));

export async function getPlatformFees(db: Executor): Promise<PlatformFees> {
  const [sales, affiliates] = await Promise.all([getSalesSettings(db), loadAffiliateSettings(db)]);
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
export async function updatePlatformFees(
  ctx: Pick<Context, 'clock' | 'db'>,
  operatorId: string,
  { from, to, reason }: BodyOf<typeof contract.updatePlatformFees>,
): Promise<ResponseInputOf<typeof contract.updatePlatformFees>> {
  return ctx.db.transaction(async (tx) => {
    // A concurrent change waits here.
    await lockFees(tx);
    const before = await getPlatformFees(tx);
    if (FEE_NAMES.every((name) => to[name] === before[name])) return before;
    if (FEE_NAMES.some((name) => from[name] !== before[name]))
      throw new AppError('CONFLICT', { message: CHANGED_MEANWHILE });
    const problem = findFeesProblem(to, await findLowestCustomFee(tx, ctx.clock.now()));
    if (problem) throw createFieldError(`to.${problem.field}`, problem.message);
    const { retained, details } = await splitGuardedChanges(ctx, tx, { operatorId, reason, before, to });
    const saved = { ...to, ...retained };
    await updateSalesSettings(tx, {
      generalPercent: saved.generalFee,
      offerPercent: saved.offerFee,
      offerDays: saved.offerDays,
      clearingDays: saved.clearingDays,
      dailyLimitCents: toCents(saved.dailySpend),
    });
    await saveAffiliateSettings(tx, {
      customerPercent: saved.customerShare,
      creatorPercent: saved.creatorShare,
      months: saved.shareMonths,
      moveMinCents: toCents(saved.moveMinimum),
      moveFeePercent: saved.moveFee,
    });
    await tx.emit('fees.changed', {});
    await logAction(ctx, tx, {
      operatorId,
      action: 'settings.fees',
      subjectKind: 'settings',
      subjectId: 'fees',
      details: { reason, ...details },
    });
    return saved;
  });
}

/** Lists fee changes for roles that handle money and may not read the rest of the audit log. */
export function getFeeChanges(
  ctx: Pick<Context, 'db'>,
  { group, limit, offset }: QueryOf<typeof contract.listFeeChanges>,
): Promise<ResponseInputOf<typeof contract.listFeeChanges>> {
  return getAuditPage(ctx, { action: `settings.${group}`, limit, offset });
}
