import { asCents, type Cents } from '@stagedoor/contract/shared/money.ts';

/** Arizona uses UTC−7 all year. */
const ARIZONA_OFFSET_MS = 7 * 60 * 60 * 1000;

/**
 * Converts `45`, `45.0`, `45.00` or `45.0000` to cents. Returns undefined for anything else, including fractions of a
 * cent.
 */
export function parseCents(text: string | undefined): Cents | undefined {
  const match = /^(\d{1,9})(?:\.(\d{1,2})0{0,4})?$/.exec(text?.trim() ?? '');
  if (!match) return undefined;
  const [, whole = '0', fraction = ''] = match;
  return asCents(Number(whole) * 100 + Number(fraction.padEnd(2, '0')));
}

export function parseArizonaTime(text: string | undefined): Date | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2}):(\d{2})$/.exec(text?.trim() ?? '');
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number);
  const utc = Date.UTC(year, month - 1, day, hour, minute, second);
  const isReal = new Date(utc).toISOString().startsWith(`${match[1]}-${match[2]}-${match[3]}T${match[4]}`);
  return isReal ? new Date(utc + ARIZONA_OFFSET_MS) : undefined;
}

/** Parses a day of a renewal as CCBill formats it: `2026-03-31`, with or without a time. */
export function parseArizonaDay(text: string | undefined): Date | undefined {
  return parseArizonaTime(text?.trim().replace(/^(\d{4}-\d{2}-\d{2})$/, '$1 00:00:00'));
}

export function formatArizonaDay(at: Date): string {
  return formatArizonaTime(at).slice(0, 10);
}

export function formatArizonaTime(at: Date): string {
  return new Date(at.getTime() - ARIZONA_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ');
}

export function formatArizonaDigits(at: Date): string {
  return formatArizonaTime(at).replace(/\D/g, '');
}

export function parseArizonaDigits(text: string | undefined): Date | undefined {
  return parseArizonaTime(text?.trim().replace(/^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/, '$1-$2-$3 $4:$5:$6'));
}

/** CCBill ids are digit strings with leading zeros, so they are never parsed as numbers. */
export function isProcessorId(text: string | undefined): text is string {
  return text !== undefined && /^\d{1,32}$/.test(text);
}
