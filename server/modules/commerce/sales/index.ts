/**
 * Sales: charges of fans and the split between creator and platform. Depends on the ledger and accounts. Posts, wallet
 * and calls depend on it.
 */
export { type ChargeInput, type ChargeResult, chargeFan, chargeFanNow, findCharge } from './charge.ts';
export {
  type CommissionTotals,
  endCommissions,
  getCommissionRates,
  getCommissionTotals,
  reverseUnpaidCommissions,
  startCommission,
  sumCommissionsByUser,
} from './commissions.ts';
export {
  type CreatorFeeTerms,
  type CustomFeeTerms,
  type EffectiveFee,
  findCustomFee,
  findLowestCustomFee,
  getEffectiveFee,
  getSalesSettings,
  listCustomFees,
  lockFees,
  type SalesTerms,
  setCreatorFee,
  updateSalesSettings,
} from './fees.ts';
export {
  type CapturedFunds,
  captureFunds,
  extendFunds,
  getHoldFee,
  holdFunds,
  lockSpendable,
  presentSpendingBound,
  reduceFunds,
  type SpendableFunds,
  toSpendable,
} from './holds.ts';
export {
  findSale,
  listPaymentsByFan,
  listSaleReversals,
  listSalesByIds,
  listSalesForCreator,
  listSalesToFans,
  listSpendingByKind,
  listTipsBetween,
  listTopEarners,
  MAX_RANKED_SALES,
  type Sale,
  type SalesPageInput,
  sumSpending,
  sumTipsTowardGoal,
} from './lists.ts';
export { manifest as featureModule } from './manifest.ts';
export { listPendingMovements, type PendingMovement } from './pending.ts';
export {
  type EarningsBalances,
  type EarningsMovement,
  getEarningsPeriod,
  getWalletPeriod,
  sumEarnings,
  type UtcPeriod,
  type WalletBalances,
  type WalletMovement,
} from './periods.ts';
export {
  listChangedPriceLimits,
  loadPriceLimits,
  requirePriceInLimits,
  savePriceLimits,
} from './prices.ts';
export { type RefundInput, type RefundResult, refundSale } from './refund.ts';
export { registerSellerEligibility, requireSellerEligible } from './seller-gate.ts';
export { getFanSpendingLimits, requireAllowedSpending } from './spending-limits.ts';
export {
  findStatementLine,
  listStatement,
  listStatementLinesByIds,
  type StatementCursor,
  type StatementLine,
  type StatementPage,
  type StatementRow,
} from './statement.ts';
export {
  addEarnings,
  type ChartPeriod,
  type ChartPoint,
  type DailyStat,
  type EarningsSum,
  getEarningsBalance,
  getEarningsUntil,
  getFanWallet,
  getSalesChart,
  getSalesStats,
  listPendingByDay,
  toWeekday,
  type WalletView,
} from './stats.ts';
