/**
 * The time zone of the reader. A cookie sends it to the server, so that the page that the server renders and the hydrated
 * page show the same times. Operators read UTC everywhere.
 */

import { isTimeZone, TIME_ZONE_COOKIE } from '@stagedoor/contract/shared/time-zone-names.ts';
import { getOwnZone } from '../ui/own-zone.ts';
import { writeCookie } from './cookies.ts';

export const UTC = 'UTC';
export const TIME_ZONE_SECONDS = 400 * 86_400;
const MAX_ZONE_LENGTH = 60;

/** Returns UTC for an unknown zone. */
export function parseTimeZone(name: string | undefined): string {
  return name !== undefined && name.length <= MAX_ZONE_LENGTH && isTimeZone(name) ? name : UTC;
}

let browserZone: string | undefined;
let findRequestZone: (() => string | undefined) | undefined;

/** On the server, each request has a zone of its own. */
export function setRequestZone(find: () => string | undefined): void {
  findRequestZone = find;
}

export function getTimeZone(): string {
  if (findRequestZone) return findRequestZone() ?? UTC;
  if (typeof document === 'undefined') return browserZone ?? UTC;
  browserZone ??= parseTimeZone(document.documentElement.dataset.zone);
  return browserZone;
}

/** Takes over the zone of this browser. Returns whether the page shows another one until it renders again. */
export function updateTimeZone(own = getOwnZone()): boolean {
  const zone = own === 'Etc/UTC' ? UTC : own;
  if (zone === getTimeZone()) return false;
  browserZone = zone;
  if (typeof document !== 'undefined') writeCookie(TIME_ZONE_COOKIE, zone, TIME_ZONE_SECONDS);
  return true;
}

const OFFSET_STEP_MS = 15 * 60_000;
const MAX_OFFSETS = 5_000;
const offsets = new Map<string, number>();
const formats = new Map<string, Intl.DateTimeFormat>();

function calculateOffsetMs(zone: string, at: number): number {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
  formats.set(zone, format);
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const read = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const local = Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'), read('second'));
  return local - Math.floor(at / 1000) * 1000;
}

/** How far the reader's clock is ahead of UTC at an instant. Offsets change at quarters of an hour at most. */
export function getTimeZoneOffsetMs(at: number): number {
  const zone = getTimeZone();
  if (zone === UTC || !Number.isFinite(at)) return 0;
  const start = Math.floor(at / OFFSET_STEP_MS) * OFFSET_STEP_MS;
  const key = `${zone} ${start}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  if (offsets.size >= MAX_OFFSETS) offsets.clear();
  const offset = calculateOffsetMs(zone, start);
  offsets.set(key, offset);
  return offset;
}
