/**
 * Sales: charges of fans and the split between creator and platform. Depends on the ledger and accounts. Posts, wallet
 * and calls depend on it.
 */
export { type Charge, type Charged, charge, chargeNow, findCharge } from './charge.ts';
export {
  type CommissionFigures,
  commissionFigures,
  commissionsOf,
  endCommissions,
  openCommission,
  returnUnpaid,
  sharesOf,
} from './commissions.ts';
export { keepDoor, requireOpenDoor } from './door.ts';
export {
  type CreatorFee,
  changeSalesSettings,
  effectiveFee,
  type Fee,
  lockFees,
  lowestOwnFee,
  type OwnFee,
  ownFeeOf,
  ownFees,
  type Settings,
  salesSettings,
  setCreatorFee,
} from './fees.ts';
export {
  type Captured,
  captureFunds,
  extendFunds,
  feeOfHold,
  holdFunds,
  lockSpendable,
  type Spendable,
  spendableOf,
} from './holds.ts';
export {
  BEST_OF,
  bestOf,
  boughtBy,
  findSale,
  findSales,
  givenToward,
  listSalesForCreator,
  paidBy,
  reversalsOf,
  type Sale,
  type SalesPage,
  spentBy,
  spentWith,
} from './lists.ts';
export { manifest as room } from './manifest.ts';
export { ownLimitsOf } from './own-limits.ts';
export { type PendingMovement, pendingPage } from './pending.ts';
export {
  type EarningsMovement,
  type EarningsParts,
  earningsPeriod,
  earningsTotal,
  type Period,
  type WalletMovement,
  type WalletParts,
  walletPeriod,
} from './periods.ts';
export {
  changedPriceLimits,
  changePriceLimits,
  priceLimits,
  requirePriceWithin,
} from './prices.ts';
export { refundSale, type SaleRefund, type SaleRefunded } from './refund.ts';
export {
  findStatementLine,
  findStatementLines,
  listStatement,
  type Place,
  type StatementLine,
  type StatementPage,
} from './statement.ts';
export {
  type ChartPeriod,
  type ChartPoint,
  clearingDays,
  creatorBalance,
  creatorChart,
  creatorStats,
  type Earned,
  earnedTogether,
  earnedUntil,
  type Stat,
  type WalletView,
  walletOf,
  weekdayOf,
} from './stats.ts';
