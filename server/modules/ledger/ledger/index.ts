/** The ledger: double-entry accounts for all money. It depends on no other module. */
import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './scheduled-jobs.ts';

export { addPendingClearing, clearDue, reverseClearing } from './clearing.ts';
export type { DebtPart } from './debt-parts.ts';
export {
  countDebtors,
  getSpendingStatus,
  listDebtorIds,
  listDebtParts,
  listDebts,
  type SpendingStatus,
  setSpendingBlocked,
  settleDebt,
  writeOffDebt,
} from './debts.ts';
export {
  type CreditedDeposit,
  calculateReversal,
  creditDeposit,
  type DepositReversal,
  findTransactionByEvent,
  type LedgerDeposit,
  type ReversedDeposit,
  type ReversedWin,
  recordChargebackWin,
  reverseChargebackWin,
  reverseDeposit,
  type WonChargeback,
} from './deposits.ts';
export { ConcurrentOperationError, createSpendingBlockedError, translateRefusals } from './errors.ts';
export {
  type ExtendedHold,
  extendHold,
  getHold,
  type Hold,
  placeHold,
  reduceHold,
  releaseExpiredHolds,
  releaseHold,
  requireAllowedSpending,
  resolveHold,
  type SpendingRequest,
} from './holds.ts';
export {
  account,
  type ExternalEvent,
  findOperation,
  getBalance,
  hashRequest,
  type LedgerOperation,
  type Leg,
  type PostedTransaction,
  type Posting,
  postTransaction,
  sumInflows,
} from './post.ts';
export {
  type FanSpendingLimit,
  findPauseEnd,
  listFanSpendingLimits,
  pauseSpending,
  requireNotPaused,
  setFanSpendingLimit,
  withdrawIncrease,
} from './spending-limits.ts';
export {
  type AccountLine,
  type AccountRow,
  findAccount,
  getBalanceBefore,
  type LineFilter,
  listAccountLines,
  listAccountMovements,
  listAccounts,
  listLedgerTotals,
} from './statement-pages.ts';
export {
  getWalletBalance,
  hasMovedMoney,
  listLegs,
  lockAccounts,
  lockWallet,
  setDailyLimit,
  type WalletBalance,
} from './transaction-legs.ts';
export {
  findTransaction,
  findTransactionIds,
  findTransactionIdsByRef,
  type LinkedTransaction,
  listTransactionsByIds,
  NEWEST_TRANSACTION,
  searchTransactions,
  type TransactionCursor,
  type TransactionDetails as LedgerTransaction,
  type TransactionMatch,
} from './transaction-search.ts';

export const featureModule = { ...manifest, register };
