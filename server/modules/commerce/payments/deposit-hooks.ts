/** Hooks that other modules run in the transaction that credits a deposit or books a debt for a reversed one. */
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';

/** Each hook runs under the wallet lock of the fan. */
export type DepositHook = {
  onCredited(tx: DbTransaction, deposit: { fanId: string; at: Date }): Promise<void>;
  onDebt(tx: DbTransaction, debt: { fanId: string; cents: number; at: Date }): Promise<void>;
};
const hooksByContext = new WeakMap<Context, DepositHook[]>();

export function registerDepositHook(ctx: Context, hook: DepositHook): void {
  hooksByContext.set(ctx, [...getDepositHooks(ctx), hook]);
}

export function getDepositHooks(ctx: Context): readonly DepositHook[] {
  return hooksByContext.get(ctx) ?? [];
}
