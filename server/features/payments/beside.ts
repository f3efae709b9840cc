/** What rooms above do in the transaction that credits a deposit, or leaves a fan owing for one that was taken back. */
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';

/** Each is called under the lock of the fan's wallet. */
export type BesideDeposits = {
  credited(tx: Transaction, deposit: { fanId: string; at: Date }): Promise<void>;
  /** What was taken back and the wallet could not cover, in cents. */
  owed(tx: Transaction, debt: { fanId: string; cents: number; at: Date }): Promise<void>;
};
const besideOf = new WeakMap<Context, BesideDeposits[]>();

/** Has that done besides, from now on. */
export function besideDeposits(ctx: Context, beside: BesideDeposits): void {
  besideOf.set(ctx, [...besides(ctx), beside]);
}

/** Everything that is to be done besides. */
export function besides(ctx: Context): readonly BesideDeposits[] {
  return besideOf.get(ctx) ?? [];
}
