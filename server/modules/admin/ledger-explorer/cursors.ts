import { createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import { toCents } from '@stagedoor/contract/shared/money.ts';
import { parseOffset, toCursor } from '../../../platform/database/pagination.ts';
import { NEWEST_TRANSACTION, type TransactionCursor } from '../../ledger/ledger/index.ts';
import * as texts from './texts.ts';

const DAY_MS = 86_400_000;
const EPOCH = new Date(0);

/** `until` is exclusive. Throws VALIDATION when the days are in the wrong order. */
export function parsePeriod({ from, to }: { from?: string | undefined; to?: string | undefined }): {
  from: Date;
  until: Date;
} {
  if (from !== undefined && to !== undefined && from > to) throw createFieldError('to', texts.endDateIsBeforeStart);
  return {
    from: from === undefined ? EPOCH : new Date(from),
    until: to === undefined ? NEWEST_TRANSACTION.at : new Date(Date.parse(to) + DAY_MS),
  };
}

/** Converts USD to cents. Throws VALIDATION for fractions of a cent. */
export function toFilterCents(sum: number | undefined): number | undefined {
  try {
    return sum === undefined ? undefined : toCents(sum);
  } catch {
    throw createFieldError('sum', texts.tooManyDecimals);
  }
}

function parseCursor(offset: string): string[] | undefined {
  const { skip, after } = parseOffset(offset);
  if (after === undefined && skip > 0) throw createFieldError('offset', texts.invalidOffset);
  return after?.split(' ');
}

export type StatementPosition = { after: TransactionCursor; balanceCents: number | null };

export function toPositionCursor({ after: { at, id }, balanceCents }: StatementPosition): string {
  return toCursor([at.getTime(), id, ...(balanceCents === null ? [] : [balanceCents])].join(' '));
}

export function parsePosition(offset: string): StatementPosition | undefined {
  const parts = parseCursor(offset);
  if (!parts) return undefined;
  const [time = '', id = '', balance] = parts;
  const isValid = /^\d{1,15}$/.test(time) && isId(id) && (balance === undefined || /^-?\d{1,15}$/.test(balance));
  if (!isValid || parts.length > 3) throw createFieldError('offset', texts.invalidOffset);
  return { after: { at: new Date(Number(time)), id }, balanceCents: balance === undefined ? null : Number(balance) };
}

export const toLineCursor = (line: number): string => toCursor(`line ${line}`);

export function parseLineCursor(offset: string): number {
  const parts = parseCursor(offset);
  if (!parts) return Number.MAX_SAFE_INTEGER;
  const [prefix, line = ''] = parts;
  if (prefix !== 'line' || !/^\d{1,15}$/.test(line) || parts.length > 2)
    throw createFieldError('offset', texts.invalidOffset);
  return Number(line);
}
