/**
 * The ledger: double-entry accounts for all money. Every money module depends on it, and it depends on no other feature
 * module.
 */
import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './upkeep.ts';

export { countAlarms, listAlarms, mayPayOut } from './alarms.ts';
export { type CheckReport, checkLedger, type SumsReport, wordsOf } from './check.ts';
export { addMaturity, clearDue, unclear } from './clearing.ts';
export type { DebtPart } from './debt-parts.ts';
export {
  countDebtors,
  debtParts,
  debtsOf,
  fansInDebt,
  type Standing,
  setSpendingBlocked,
  settledBalance,
  standingOf,
  writeOffDebt,
} from './debts.ts';
export {
  type Credited,
  creditDeposit,
  type Deposit,
  findByEvent,
  type NotWon,
  type Reversal,
  type Reversed,
  reverseDeposit,
  unwinChargeback,
  type Won,
  winChargeback,
} from './deposits.ts';
export { AtTheSameMoment, refusing, spendingBlocked } from './errors.ts';
export {
  type Brief,
  type FoundTransaction,
  findTransaction,
  findTransactions,
  NEWEST,
  type Place,
  searchTransactions,
  type Transaction as LedgerTransaction,
  transactionsNamed,
  transactionsTold,
} from './explore.ts';
export {
  compareAlone,
  countOpen,
  countOpenDifferences,
  type DifferenceRow,
  differenceStateOf,
  explain,
  explanationsOf,
  type Found,
  keepRun,
  lastRun,
  listDifferences,
  listRuns,
  standingDifferences,
  stateOfRun,
  undoneSince,
} from './findings.ts';
export {
  type Extended,
  extendHold,
  findHold,
  type Hold,
  placeHold,
  releaseExpiredHolds,
  releaseHold,
  resolveHold,
} from './holds.ts';
export {
  hasMoved,
  legsOf,
  lockAccounts,
  lockWallet,
  setDailyLimit,
  type WalletBalance,
  walletBalance,
} from './lines.ts';
export { checkNow, differencesIn, FULL_AFTER_MS } from './nightly.ts';
export {
  pausedUntil,
  pauseSpending,
  requireNoPause,
  type SpendingLimit,
  setOwnLimit,
  spendingLimits,
  withdrawRaise,
} from './own-limits.ts';
export {
  accountsOf,
  balanceBefore,
  findAccount,
  type LedgerAccount,
  type Line,
  ledgerTotals,
  linesPage,
  movementsPage,
  type Wanted,
} from './pages.ts';
export {
  account,
  balanceOf,
  type External,
  findOperation,
  hashRequest,
  type Leg,
  type Operation,
  type Posted,
  type Posting,
  post,
  rollInflows,
} from './post.ts';

export const room = { ...manifest, register };
