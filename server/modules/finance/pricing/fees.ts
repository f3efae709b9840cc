import * as contract from '@stagedoor/contract/admin/fees.ts';
import { findFeesProblem, type PlatformFees } from '@stagedoor/contract/admin/fees.ts';
import { createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { toCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { BodyOf, QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { findLowestCustomFee, getSalesSettings, lockFees, updateSalesSettings } from '../../commerce/sales/index.ts';
import { type SettingGroup, updateSettings } from '../../identity/approvals/index.ts';
import { getAuditPage } from '../../identity/audit-log/index.ts';
import { loadAffiliateSettings, saveAffiliateSettings } from '../affiliates/index.ts';

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

/** A shorter clearing time and a higher spending limit wait for a second operator. */
export const FEES: SettingGroup<PlatformFees> = {
  name: 'fees',
  route: contract.updatePlatformFees,
  lock: lockFees,
  read: getPlatformFees,
  check: async (tx, fees, now) => {
    const problem = findFeesProblem(fees, await findLowestCustomFee(tx, now));
    if (problem) throw createFieldError(`to.${problem.field}`, problem.message);
  },
  save: async (tx, fees) => {
    await updateSalesSettings(tx, {
      generalPercent: fees.generalFee,
      offerPercent: fees.offerFee,
      offerDays: fees.offerDays,
      clearingDays: fees.clearingDays,
      dailyLimitCents: toCents(fees.dailySpend),
    });
    await saveAffiliateSettings(tx, {
      customerPercent: fees.customerShare,
      creatorPercent: fees.creatorShare,
      months: fees.shareMonths,
      moveMinCents: toCents(fees.moveMinimum),
      moveFeePercent: fees.moveFee,
    });
    await tx.emit('fees.changed', {});
  },
};

/** Throws as {@link updateSettings}, and VALIDATION when the fees contradict each other. */
export const updatePlatformFees = (
  ctx: Pick<Context, 'clock' | 'db'>,
  operatorId: string,
  change: BodyOf<typeof contract.updatePlatformFees>,
): Promise<PlatformFees> => updateSettings(ctx, operatorId, FEES, change);

/** Lists fee changes for roles that handle money and may not read the rest of the audit log. */
export function getFeeChanges(
  ctx: Pick<Context, 'db'>,
  { group, limit, offset }: QueryOf<typeof contract.listFeeChanges>,
): Promise<ResponseInputOf<typeof contract.listFeeChanges>> {
  return getAuditPage(ctx, { action: `settings.${group}`, limit, offset });
}
