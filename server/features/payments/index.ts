/** Payments: deposits through the card processor. The wallet shows them; the balance grows by what the processor tells. */
import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { besideDeposits } from './beside.ts';
export type { ExportRow } from './ccbill/datalink.ts';
export { type DepositRow, depositsByTransactions, hasPaid } from './deposits-store.ts';
export { countPutAside } from './desk.ts';
export { centsAtLeast } from './paging.ts';
export { cardWords, presentDebt } from './present.ts';
export { type BooksOf, reconcile } from './reconcile.ts';

export const room = { ...manifest, register };
