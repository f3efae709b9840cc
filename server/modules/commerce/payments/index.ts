import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { countNeedsReview } from './admin.ts';
export type { ExportRow } from './ccbill/datalink.ts';
export { registerDepositHook } from './deposit-hooks.ts';
export { type DepositRow, findDepositByIdOrOrder, hasPaid, listDepositsByTransactions } from './deposits-store.ts';
export { viewDifferences } from './differences.ts';
export { toCentsRoundedUp } from './paging.ts';
export { getPaymentsStatus } from './payments-status.ts';
export { formatCardLabel, presentDebt } from './present.ts';
export { type ExportSource, reconcile } from './reconcile.ts';
export {
  getProcessorTotals,
  listProcessorDays,
  type ProcessorDay,
  type ProcessorTotals,
} from './reconciliation/days.ts';
export { addProcessorDays, toProcessorDay } from './reconciliation/exports.ts';
export { bookSettlement } from './settlements.ts';

export const featureModule = { ...manifest, register };
