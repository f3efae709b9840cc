import { invalid } from '@stagedoor/contract/atoms/errors.ts';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import { toCents } from '@stagedoor/contract/atoms/money.ts';
import { cursorOf, readOffset } from '../../kernel/offset.ts';
import { NEWEST, type Place } from '../ledger/index.ts';

const DAY_MS = 86_400_000;
const BEGINNING = new Date(0);

/** `until` is exclusive. Throws VALIDATION when the days are in the wrong order. */
export function spanOf({ from, to }: { from?: string | undefined; to?: string | undefined }): {
  from: Date;
  until: Date;
} {
  if (from !== undefined && to !== undefined && from > to) throw invalid('to', 'End date is before start date');
  return {
    from: from === undefined ? BEGINNING : new Date(from),
    until: to === undefined ? NEWEST.at : new Date(Date.parse(to) + DAY_MS),
  };
}

/** Converts USD to cents. Throws VALIDATION for fractions of a cent. */
export function centsOf(sum: number | undefined): number | undefined {
  try {
    return sum === undefined ? undefined : toCents(sum);
  } catch {
    throw invalid('sum', 'Amounts have at most two decimals');
  }
}

function partsOf(offset: string): string[] | undefined {
  const { skip, after } = readOffset(offset);
  if (after === undefined && skip > 0) throw invalid('offset', 'Invalid offset');
  return after?.split(' ');
}

export type Resting = { after: Place; balanceCents: number | null };

export function cursorAt({ after: { at, id }, balanceCents }: Resting): string {
  return cursorOf([at.getTime(), id, ...(balanceCents === null ? [] : [balanceCents])].join(' '));
}

export function restingIn(offset: string): Resting | undefined {
  const parts = partsOf(offset);
  if (!parts) return undefined;
  const [time = '', id = '', balance] = parts;
  const isWhole = /^\d{1,15}$/.test(time) && isId(id) && (balance === undefined || /^-?\d{1,15}$/.test(balance));
  if (!isWhole || parts.length > 3) throw invalid('offset', 'Invalid offset');
  return { after: { at: new Date(Number(time)), id }, balanceCents: balance === undefined ? null : Number(balance) };
}

export const cursorAtLine = (line: number): string => cursorOf(`line ${line}`);

export function lineIn(offset: string): number {
  const parts = partsOf(offset);
  if (!parts) return Number.MAX_SAFE_INTEGER;
  const [word, line = ''] = parts;
  if (word !== 'line' || !/^\d{1,15}$/.test(line) || parts.length > 2) throw invalid('offset', 'Invalid offset');
  return Number(line);
}
