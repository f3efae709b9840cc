/** Values as CCBill writes them: decimal amounts in several spellings, times of Arizona without a zone, ids led by zeros. */
import { asCents, type Cents } from '@stagedoor/contract/atoms/money.ts';

/** Arizona keeps UTC−7 all year. */
const ARIZONA_OFFSET_MS = 7 * 60 * 60 * 1000;

/** `45`, `45.0`, `45.00` or `45.0000` to cents; undefined for anything else, such as fractions of a cent. */
export function centsOf(text: string | undefined): Cents | undefined {
  const match = /^(\d{1,9})(?:\.(\d{1,2})0{0,4})?$/.exec(text?.trim() ?? '');
  if (!match) return undefined;
  const [, whole = '0', fraction = ''] = match;
  return asCents(Number(whole) * 100 + Number(fraction.padEnd(2, '0')));
}

/** `2017-08-28 06:06:03` of Arizona to an instant; undefined when it is not such a time. */
export function instantOf(text: string | undefined): Date | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2}):(\d{2})$/.exec(text?.trim() ?? '');
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number);
  const utc = Date.UTC(year, month - 1, day, hour, minute, second);
  const isReal = new Date(utc).toISOString().startsWith(`${match[1]}-${match[2]}-${match[3]}T${match[4]}`);
  return isReal ? new Date(utc + ARIZONA_OFFSET_MS) : undefined;
}

/** An instant as CCBill's posts write it. */
export function arizonaText(at: Date): string {
  return new Date(at.getTime() - ARIZONA_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ');
}

/** An instant as DataLink's queries write it: `YYYYMMDDHHMMSS`. */
export function arizonaDigits(at: Date): string {
  return arizonaText(at).replace(/\D/g, '');
}

/** `YYYYMMDDHHMMSS` of Arizona to an instant; also the spelling of posts. */
export function instantOfDigits(text: string | undefined): Date | undefined {
  return instantOf(text?.trim().replace(/^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/, '$1-$2-$3 $4:$5:$6'));
}

/** Whether a text is one of CCBill's ids: digits, never a number, since zeros lead. */
export function isProcessorId(text: string | undefined): text is string {
  return text !== undefined && /^\d{1,32}$/.test(text);
}
