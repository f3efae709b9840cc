/** Hooks that other modules run in the transaction that credits a deposit or books a debt for a reversed one. */
import type { DbTransaction } from '../../../platform/database/db.ts';
import { defineKeyedHook } from '../../../platform/hooks.ts';

/** Each hook runs under the wallet lock of the fan. */
export type DepositHook = {
  onCredited(tx: DbTransaction, deposit: { fanId: string; at: Date }): Promise<void>;
  onDebt(tx: DbTransaction, debt: { fanId: string; cents: number; at: Date }): Promise<void>;
};
const depositHooks = defineKeyedHook<DepositHook>('deposits.depositHook');
export const registerDepositHook = depositHooks.register;
export const listDepositHooks = depositHooks.list;
