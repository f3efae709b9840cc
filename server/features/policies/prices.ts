import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import type * as contract from '@stagedoor/contract/price-limits.ts';
import { flatPrices, PRICE_NAMES, pricesProblem } from '@stagedoor/contract/price-limits.ts';
import type { Context } from '../../kernel/context.ts';
import { noteAct } from '../audit/index.ts';
import { changePriceLimits, lockFees, priceLimits } from '../sales/index.ts';
import { CHANGED_MEANWHILE } from './fees.ts';

/**
 * Changes the price limits. Throws CONFLICT when they have changed since the operator loaded them, VALIDATION when a
 * maximum is below its minimum.
 */
export async function setPrices(
  ctx: Pick<Context, 'clock' | 'db' | 'switches'>,
  operatorId: string,
  { from, to, ground }: BodyOf<typeof contract.setPriceLimits>,
): Promise<AnswerOf<typeof contract.setPriceLimits>> {
  const now = await ctx.db.transaction(async (tx) => {
    // A concurrent change waits here.
    await lockFees(tx);
    const before = await priceLimits(tx);
    const [was, seen, will] = [flatPrices(before), flatPrices(from), flatPrices(to)];
    const changed = PRICE_NAMES.filter((name) => will[name] !== was[name]);
    if (changed.length === 0) return before;
    if (PRICE_NAMES.some((name) => seen[name] !== was[name]))
      throw new AppError('CONFLICT', { message: CHANGED_MEANWHILE });
    const problem = pricesProblem(to);
    if (problem) throw invalid(`to.${problem.kind}.max`, problem.message);
    await changePriceLimits(tx, before, to);
    const facts = changed.flatMap((name) => [
      [name, will[name]],
      [`${name}Before`, was[name]],
    ]);
    await noteAct(ctx, tx, {
      operatorId,
      act: 'settings.prices',
      subjectKind: 'settings',
      subjectId: 'prices',
      facts: { ground, ...Object.fromEntries(facts) },
    });
    return to;
  });
  ctx.switches.forget();
  return now;
}
