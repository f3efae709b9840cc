/**
 * CSV for spreadsheets: RFC 4180 with CRLF, and a byte order mark so that they detect UTF-8. Amounts have a dot and two
 * decimals, times are in UTC.
 */
export const BOM = '\uFEFF';

export function formatCsvAmount(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export function formatCsvTime(at: Date | null | undefined): string {
  return at ? at.toISOString().slice(0, 19).replace('T', ' ') : '';
}

/**
 * Protects a cell of user text against formula injection, also after semicolons, tabs and line ends, where some
 * spreadsheets begin a cell. Removes directional controls (UAX 9), because an unclosed one reverses neighboring cells.
 */
export function toSafeCell(text: string): string {
  const escaped = text.replace(/\p{Bidi_Control}/gu, '').replace(/([;\t\r\n][\s"]*)([=+\-@＝＋－＠])/g, "$1'$2");
  return /^[=+\-@\t\r\n＝＋－＠]/.test(escaped) ? `'${escaped}` : escaped;
}

export function toCsvRow(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}
