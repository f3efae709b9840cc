/** Maps SQLSTATEs of the ledger functions (class SD) to AppErrors. */

import { formatLimitName, LIMIT_PERIODS, type LimitPeriod } from '@stagedoor/contract/commerce/limit-periods.ts';
import { PATHS, SPENDING_LIMITS_PATH } from '@stagedoor/contract/shared/addresses.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatCents } from '@stagedoor/contract/shared/money.ts';
import { formatMinute } from '@stagedoor/contract/shared/times.ts';
import { isUniqueViolation } from '../../../platform/database/db.ts';
import * as texts from './texts.ts';

/**
 * The same operation ran concurrently. A retry finds its result. The code is that of a serialization failure, so that
 * platform/database/db.ts retries the transaction.
 */
export class ConcurrentOperationError extends Error {
  readonly code = '40001';
}

function isConcurrentOperation(error: Error & { code: string }): boolean {
  return error.code === '40001' || isUniqueViolation(error, 'ledger_transactions_operation');
}

export function createSpendingBlockedError(owedCents: number): AppError {
  const message =
    owedCents > 0
      ? formatText(texts.spendingPausedByDebt, { owedAmount: formatCents(owedCents) })
      : texts.spendingPaused;
  return new AppError('FORBIDDEN', { message, href: PATHS.fanWallet });
}

const RESET_MESSAGES: Record<LimitPeriod, string> = {
  day: texts.limitResetsDaily,
  week: texts.limitResetsWeekly,
  month: texts.limitResetsMonthly,
};

function createLimitError(detail: string): AppError {
  const [name, cents] = detail.split(' ');
  const period = LIMIT_PERIODS.find((each) => each === name) ?? 'day';
  const formatMessage = (resetHint: string) =>
    formatText(texts.spendingLimitExceeded, {
      limitName: formatLimitName(period),
      limitAmount: formatCents(Number(cents)),
      resetHint,
    });
  return new AppError('FORBIDDEN', {
    message: formatMessage(RESET_MESSAGES[period]),
    localMessage: { text: formatMessage(texts.limitResetsAt), endOf: period },
    href: SPENDING_LIMITS_PATH,
  });
}

export function createSpendingBreakError(until: Date): AppError {
  return new AppError('FORBIDDEN', {
    message: formatText(texts.spendingPausedUntil, { endDate: formatMinute(until) }),
    href: SPENDING_LIMITS_PATH,
  });
}

export function toLedgerRefusal(code: string, detail: string): AppError | undefined {
  switch (code) {
    case 'SD402':
      return new AppError('INSUFFICIENT_FUNDS');
    case 'SD403':
      return createSpendingBlockedError(Number(detail));
    case 'SD404':
      return new AppError('NOT_FOUND');
    case 'SD409':
      return new AppError('CONFLICT', { message: texts.operationIdAlreadyUsed });
    case 'SD410':
      return createLimitError(detail);
    case 'SD413':
      return createSpendingBreakError(new Date(detail));
    default:
      return undefined;
  }
}

function hasCode(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

/**
 * Awaits `work` and turns ledger refusals into AppErrors (INSUFFICIENT_FUNDS, FORBIDDEN, NOT_FOUND, CONFLICT).
 * Concurrent duplicates become {@link ConcurrentOperationError}.
 */
export async function translateRefusals<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!hasCode(error)) throw error;
    if (isConcurrentOperation(error)) throw new ConcurrentOperationError(error.message, { cause: error });
    const detail = 'detail' in error && typeof error.detail === 'string' ? error.detail : '';
    throw toLedgerRefusal(error.code, detail) ?? error;
  }
}
