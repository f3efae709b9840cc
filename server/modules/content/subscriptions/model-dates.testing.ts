/**
 * Date arithmetic of the reference model. It uses the time zones of JavaScript, the product those of PostgreSQL, and shares no
 * code with the product.
 */
const DAY_MS = 86_400_000;
export type ModelUnit = 'weekly' | 'monthaly' | 'yearly';

const formats = new Map<string, Intl.DateTimeFormat>();
function getFormat(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zone, hourCycle: 'h23', era: 'short', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  formats.set(zone, format);
  return format;
}

/** The wall clock of a zone as milliseconds, as if the zone were UTC. */
function toWallMs(instantMs: number, zone: string): number {
  const parts = new Map(
    getFormat(zone)
      .formatToParts(instantMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const seconds = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return seconds + (((instantMs % 1000) + 1000) % 1000);
}

/**
 * A wall clock that a day does not have counts with the offset before the change, one that a day has twice with the offset
 * after it.
 */
function toInstantMs(wallMs: number, zone: string): number {
  const getOffset = (instantMs: number) => toWallMs(instantMs, zone) - instantMs;
  const before = wallMs - getOffset(wallMs - DAY_MS);
  const after = wallMs - getOffset(wallMs + DAY_MS);
  return toWallMs(after, zone) === wallMs ? after : before;
}

export function addDays(instantMs: number, zone: string, days: number): number {
  return toInstantMs(toWallMs(instantMs, zone) + days * DAY_MS, zone);
}

function addMonths(wallMs: number, months: number): number {
  const from = new Date(wallMs);
  const month = from.getUTCFullYear() * 12 + from.getUTCMonth() + months;
  const [year, monthOfYear] = [Math.floor(month / 12), month % 12];
  const lastDay = new Date(Date.UTC(year, monthOfYear + 1, 0)).getUTCDate();
  const day = Date.UTC(year, monthOfYear, Math.min(from.getUTCDate(), lastDay));
  return day + (((wallMs % DAY_MS) + DAY_MS) % DAY_MS);
}

/** When the n-th period after an anchor ends. */
export function getPeriodEnd(
  { anchorMs, zone, unit, count }: { anchorMs: number; zone: string; unit: ModelUnit; count: number },
  n: number,
): number {
  if (unit === 'weekly') return addDays(anchorMs, zone, 7 * count * n);
  const months = (unit === 'yearly' ? 12 : 1) * count * n;
  return toInstantMs(addMonths(toWallMs(anchorMs, zone), months), zone);
}
