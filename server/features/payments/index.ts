import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { besideDeposits } from './beside.ts';
export type { ExportRow } from './ccbill/datalink.ts';
export { type DepositRow, depositByIdOrOrder, depositsByTransactions, hasPaid } from './deposits-store.ts';
export { countPutAside } from './desk.ts';
export { viewDifferences } from './differences.ts';
export { centsAtLeast } from './paging.ts';
export { cardWords, presentDebt } from './present.ts';
export { type BooksOf, reconcile } from './reconcile.ts';
export { type ProcessorDay, type ProcessorWay, processorDays, processorWay } from './reconciliation/days.ts';
export { dayOf, daysAfter } from './reconciliation/exports.ts';
export { bookSettlement } from './settlements.ts';
export { paymentsState } from './state.ts';

export const room = { ...manifest, register };
