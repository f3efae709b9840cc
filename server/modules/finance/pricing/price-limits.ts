import type * as contract from '@stagedoor/contract/admin/price-limits.ts';
import { findPriceLimitsProblem, flattenPriceLimits, PRICE_NAMES } from '@stagedoor/contract/commerce/price-limits.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import { loadPriceLimits, lockFees, savePriceLimits } from '../../commerce/sales/index.ts';
import { SETTINGS_CHANGED_MESSAGE } from '../../identity/approvals/index.ts';
import { logAction } from '../../identity/audit-log/index.ts';

/**
 * Changes the price limits. Throws CONFLICT when they have changed since the operator loaded them, VALIDATION when a
 * maximum is below its minimum.
 */
export async function updatePriceLimits(
  ctx: Pick<Context, 'clock' | 'db' | 'siteStatus'>,
  operatorId: string,
  { from, to, reason }: BodyOf<typeof contract.updatePriceLimits>,
): Promise<ResponseInputOf<typeof contract.updatePriceLimits>> {
  const saved = await ctx.db.transaction(async (tx) => {
    // A concurrent change waits here.
    await lockFees(tx);
    const before = await loadPriceLimits(tx);
    const [current, expected, next] = [flattenPriceLimits(before), flattenPriceLimits(from), flattenPriceLimits(to)];
    const changed = PRICE_NAMES.filter((name) => next[name] !== current[name]);
    if (changed.length === 0) return before;
    if (PRICE_NAMES.some((name) => expected[name] !== current[name]))
      throw new AppError('CONFLICT', { message: SETTINGS_CHANGED_MESSAGE });
    const problem = findPriceLimitsProblem(to);
    if (problem) throw createFieldError(`to.${problem.kind}.max`, problem.message);
    await savePriceLimits(tx, before, to);
    const details = changed.flatMap((name) => [
      [name, next[name]],
      [`${name}Before`, current[name]],
    ]);
    await logAction(ctx, tx, {
      operatorId,
      action: 'settings.prices',
      subjectKind: 'settings',
      subjectId: 'prices',
      details: { reason, ...Object.fromEntries(details) },
    });
    return to;
  });
  ctx.siteStatus.invalidate();
  return saved;
}
