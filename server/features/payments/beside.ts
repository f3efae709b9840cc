/** Hooks that other modules run in the transaction that credits a deposit or books a debt for a reversed one. */
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';

/** Each hook runs under the wallet lock of the fan. */
export type BesideDeposits = {
  credited(tx: Transaction, deposit: { fanId: string; at: Date }): Promise<void>;
  owed(tx: Transaction, debt: { fanId: string; cents: number; at: Date }): Promise<void>;
};
const besideOf = new WeakMap<Context, BesideDeposits[]>();

export function besideDeposits(ctx: Context, beside: BesideDeposits): void {
  besideOf.set(ctx, [...besides(ctx), beside]);
}

export function besides(ctx: Context): readonly BesideDeposits[] {
  return besideOf.get(ctx) ?? [];
}
