/** Sales: what fans pay creators and how it is shared. Above the ledger and accounts; posts, wallet and calls charge here. */
export { type Charge, type Charged, charge, chargeNow, SALE_KINDS, type SaleKind } from './charge.ts';
