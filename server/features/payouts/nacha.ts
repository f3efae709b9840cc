/**
 * ACH files in the NACHA format: 94 characters per line, one batch of credits to persons (PPD). Implemented here
 * because the available libraries do not follow the specification (docs/adr/0020).
 */

import { AppError } from '@stagedoor/contract/atoms/errors.ts';

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
const LINES_A_BLOCK = 10;
const DAY_MS = 24 * 60 * 60_000;

const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[^ -~]/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
const left = (text: string, width: number) => text.slice(0, width).padEnd(width);
function right(value: number | string, width: number): string {
  const digits = String(value);
  if (digits.length > width) throw new RangeError(`${digits} does not fit into ${width} places`);
  return digits.padStart(width, '0');
}
const dateOf = (at: Date) => at.toISOString().slice(2, 10).replaceAll('-', '');
const timeOf = (at: Date) => at.toISOString().slice(11, 16).replace(':', '');

/** The entry hash: the last ten digits of the sum of routing numbers, which reveals a truncated file. */
function hashOf(entries: readonly AchEntry[]): string {
  const sum = entries.reduce((total, { routing }) => total + Number(routing.slice(0, 8)), 0);
  return right(sum % 10 ** 10, 10);
}

function entryOf(entry: AchEntry, index: number, odfi: string): string {
  const { routing, account, isSavings, cents, id, name } = entry;
  const trace = odfi + right(index + 1, 7);
  return `6${isSavings ? '32' : '22'}${routing}${left(account, 17)}${right(cents, 10)}${left(id, 15)}${left(plain(name), 22)}  0${trace}`;
}

/** Returns the file with a line feed after each line. Throws RangeError for an amount that does not fit. */
export function achFile({ originator, createdAt, effectiveOn, modifier, entries }: AchFile): string {
  const { destination, origin, companyId, odfi } = originator;
  const batch = right(1, 7);
  const total = entries.reduce((sum, { cents }) => sum + cents, 0);
  const head = `101 ${destination}${left(origin, 10)}${dateOf(createdAt)}${timeOf(createdAt)}${modifier}094101`;
  const lines = [
    `${head}${left(plain(originator.destinationName), 23)}${left(plain(originator.originName), 23)}${' '.repeat(8)}`,
    `5${CREDITS}${left(plain(originator.companyName), 16)}${' '.repeat(20)}${left(companyId, 10)}PPD${left('PAYOUT', 10)}${dateOf(createdAt)}${dateOf(effectiveOn)}   1${odfi}${batch}`,
    ...entries.map((entry, index) => entryOf(entry, index, odfi)),
  ];
  const sums = `${hashOf(entries)}${right(0, 12)}${right(total, 12)}`;
  lines.push(`8${CREDITS}${right(entries.length, 6)}${sums}${left(companyId, 10)}${' '.repeat(25)}${odfi}${batch}`);
  const blocks = Math.ceil((lines.length + 1) / LINES_A_BLOCK);
  lines.push(`9${right(1, 6)}${right(blocks, 6)}${right(entries.length, 8)}${sums}${' '.repeat(39)}`);
  while (lines.length < blocks * LINES_A_BLOCK) lines.push('9'.repeat(94));
  return lines.map((line) => `${line}\n`).join('');
}

/** Returns the second weekday after a day in UTC, when a bank that takes the file today pays it. */
export function effectiveAfter(at: Date): Date {
  let day = new Date(at);
  for (let left = 2; left > 0; ) {
    day = new Date(day.getTime() + DAY_MS);
    if (day.getUTCDay() !== 0 && day.getUTCDay() !== 6) left -= 1;
  }
  return day;
}

/** Returns the modifier of a file by its index on the day, from 0. Throws CONFLICT after 36 files. */
export function modifierOf(index: number): string {
  const modifier = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'[index];
  if (modifier === undefined) throw new AppError('CONFLICT', { message: 'A bank takes at most 36 files a day.' });
  return modifier;
}
