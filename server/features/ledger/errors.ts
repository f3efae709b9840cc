/** Maps SQLSTATEs of the ledger functions (class SD) to AppErrors. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { formatCents } from '@stagedoor/contract/atoms/money.ts';
import { minuteText } from '@stagedoor/contract/atoms/times.ts';
import { LIMIT_PERIODS, type LimitPeriod, limitName } from '@stagedoor/contract/own-limits.ts';
import { isUniqueViolation } from '../../kernel/db.ts';

/**
 * The same operation ran concurrently. A retry finds its result. The code is that of a serialization failure, so that
 * kernel/db.ts retries the transaction.
 */
export class AtTheSameMoment extends Error {
  readonly code = '40001';
}

function isAtTheSameMoment(error: Error & { code: string }): boolean {
  return error.code === '40001' || isUniqueViolation(error, 'ledger_transactions_operation');
}

export function spendingBlocked(owedCents: number): AppError {
  const why =
    owedCents > 0
      ? `Spending is paused: you owe ${formatCents(owedCents)} because a payment was reversed. See your wallet.`
      : 'Spending is paused on this account. See your wallet for details.';
  return new AppError('FORBIDDEN', { message: why, href: PATHS.fanWallet });
}

const RESETS: Record<LimitPeriod, string> = {
  day: 'It resets at midnight UTC.',
  week: 'It resets on Monday at midnight UTC.',
  month: 'It resets on the first of the month, at midnight UTC.',
};

function aboveLimit(detail: string): AppError {
  const [name, cents] = detail.split(' ');
  const period = LIMIT_PERIODS.find((each) => each === name) ?? 'day';
  return new AppError('FORBIDDEN', {
    message: `This is above your ${limitName(period)} of ${formatCents(Number(cents))}. ${RESETS[period]}`,
  });
}

export function onBreak(until: Date): AppError {
  return new AppError('FORBIDDEN', {
    message: `Spending is paused until ${minuteText(until)}. It can’t be ended early.`,
  });
}

export function refusalOf(code: string, detail: string): AppError | undefined {
  switch (code) {
    case 'SD402':
      return new AppError('INSUFFICIENT_FUNDS');
    case 'SD403':
      return spendingBlocked(Number(detail));
    case 'SD404':
      return new AppError('NOT_FOUND');
    case 'SD409':
      return new AppError('CONFLICT', { message: 'This operation id was used for another request.' });
    case 'SD410':
      return aboveLimit(detail);
    case 'SD413':
      return onBreak(new Date(detail));
    case 'SD411':
      return new AppError('CONFLICT', { message: 'This is more than is left to refund.' });
    case 'SD412':
      return new AppError('CONFLICT', { message: 'This hold was already settled.' });
    default:
      return undefined;
  }
}

function hasCode(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

/**
 * Awaits `work` and turns ledger refusals into AppErrors (INSUFFICIENT_FUNDS, FORBIDDEN, NOT_FOUND, CONFLICT).
 * Concurrent duplicates become {@link AtTheSameMoment}.
 */
export async function refusing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!hasCode(error)) throw error;
    if (isAtTheSameMoment(error)) throw new AtTheSameMoment(error.message, { cause: error });
    const detail = 'detail' in error && typeof error.detail === 'string' ? error.detail : '';
    throw refusalOf(error.code, detail) ?? error;
  }
}
