/**
 * ACH files in the NACHA format: 94 characters per line, one batch of credits to persons (PPD). Implemented here
 * because the available libraries do not follow the specification (docs/adr/0020).
 */

import { AppError } from '@stagedoor/contract/shared/errors.ts';
import * as texts from './texts.ts';

export type AchOriginator = {
  destination: string;
  destinationName: string;
  /** Ten characters that identify the sender to the bank. */
  origin: string;
  originName: string;
  companyName: string;
  companyId: string;
  /** The first eight digits of the originating bank's routing number. */
  odfi: string;
};

export type AchEntry = {
  routing: string;
  account: string;
  isSavings: boolean;
  cents: number;
  id: string;
  name: string;
};

export type AchFile = {
  originator: AchOriginator;
  createdAt: Date;
  effectiveOn: Date;
  modifier: string;
  entries: readonly AchEntry[];
};

const CREDITS = '220';
const LINES_PER_BLOCK = 10;
const DAY_MS = 24 * 60 * 60_000;

/** Names are transliterated before. */
const toPlainText = (text: string) =>
  text
    .toUpperCase()
    .replace(/[^ -~]/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
const padText = (text: string, width: number) => text.slice(0, width).padEnd(width);
function padNumber(value: number | string, width: number): string {
  const digits = String(value);
  if (digits.length > width) throw new RangeError(`${digits} does not fit into ${width} places`);
  return digits.padStart(width, '0');
}
const formatDate = (at: Date) => at.toISOString().slice(2, 10).replaceAll('-', '');
const formatTime = (at: Date) => at.toISOString().slice(11, 16).replace(':', '');

/** The entry hash: the last ten digits of the sum of routing numbers, which reveals a truncated file. */
function calculateEntryHash(entries: readonly AchEntry[]): string {
  const sum = entries.reduce((total, { routing }) => total + Number(routing.slice(0, 8)), 0);
  return padNumber(sum % 10 ** 10, 10);
}

function formatEntry(entry: AchEntry, index: number, odfi: string): string {
  const { routing, account, isSavings, cents, id, name } = entry;
  const trace = odfi + padNumber(index + 1, 7);
  return `6${isSavings ? '32' : '22'}${routing}${padText(account, 17)}${padNumber(cents, 10)}${padText(id, 15)}${padText(toPlainText(name), 22)}  0${trace}`;
}

/** Returns the file with a line feed after each line. Throws RangeError for an amount that does not fit. */
export function formatAchFile({ originator, createdAt, effectiveOn, modifier, entries }: AchFile): string {
  const { destination, origin, companyId, odfi } = originator;
  const batch = padNumber(1, 7);
  const total = entries.reduce((sum, { cents }) => sum + cents, 0);
  const head = `101 ${destination}${padText(origin, 10)}${formatDate(createdAt)}${formatTime(createdAt)}${modifier}094101`;
  const lines = [
    `${head}${padText(toPlainText(originator.destinationName), 23)}${padText(toPlainText(originator.originName), 23)}${' '.repeat(8)}`,
    `5${CREDITS}${padText(toPlainText(originator.companyName), 16)}${' '.repeat(20)}${padText(companyId, 10)}PPD${padText('PAYOUT', 10)}${formatDate(createdAt)}${formatDate(effectiveOn)}   1${odfi}${batch}`,
    ...entries.map((entry, index) => formatEntry(entry, index, odfi)),
  ];
  const sums = `${calculateEntryHash(entries)}${padNumber(0, 12)}${padNumber(total, 12)}`;
  lines.push(
    `8${CREDITS}${padNumber(entries.length, 6)}${sums}${padText(companyId, 10)}${' '.repeat(25)}${odfi}${batch}`,
  );
  const blocks = Math.ceil((lines.length + 1) / LINES_PER_BLOCK);
  lines.push(`9${padNumber(1, 6)}${padNumber(blocks, 6)}${padNumber(entries.length, 8)}${sums}${' '.repeat(39)}`);
  while (lines.length < blocks * LINES_PER_BLOCK) lines.push('9'.repeat(94));
  return lines.map((line) => `${line}\n`).join('');
}

/** Returns the second weekday after a day in UTC, when a bank that takes the file today pays it. */
export function getEffectiveDate(at: Date): Date {
  let day = new Date(at);
  for (let remaining = 2; remaining > 0; ) {
    day = new Date(day.getTime() + DAY_MS);
    if (day.getUTCDay() !== 0 && day.getUTCDay() !== 6) remaining -= 1;
  }
  return day;
}

/** Returns the modifier of a file by its index on the day, from 0. Throws CONFLICT after 36 files. */
export function getModifier(index: number): string {
  const modifier = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'[index];
  if (modifier === undefined) throw new AppError('CONFLICT', { message: texts.bankFileDailyLimit });
  return modifier;
}
