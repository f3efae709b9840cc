/**
 * Tables for spreadsheets: RFC 4180 with CRLF, and a byte order mark, which they need to see UTF-8. Amounts have a dot and two
 * decimals, times are in UTC.
 */
export const BOM = '\uFEFF';

/** `-12.40`. */
export function amountText(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** `2026-11-18 12:00:00`. */
export function timeText(at: Date | null | undefined): string {
  return at ? at.toISOString().slice(0, 19).replace('T', ' ') : '';
}

/**
 * What somebody wrote. A spreadsheet would run it as a formula if it began like one: then an apostrophe comes first, also where
 * the cells of other spreadsheets begin, after a semicolon, a tab or the end of a line, also in quotation marks. Controls of direction
 * (UAX 9) are left out: one that is opened and never closed turns what stands beside it, amounts too. Letters bring their own direction.
 */
export function said(text: string): string {
  const apart = text.replace(/\p{Bidi_Control}/gu, '').replace(/([;\t\r\n][\s"]*)([=+\-@＝＋－＠])/g, "$1'$2");
  return /^[=+\-@\t\r\n＝＋－＠]/.test(apart) ? `'${apart}` : apart;
}

/** A row of cells. */
export function lineOf(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}
