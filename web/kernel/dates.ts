/** Dates and lengths as people read them. Rendered in UTC on the server and in the browser alike, so that hydration agrees. */

const DAY_MS = 86_400_000;
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });
// Words are looked up: a list of posts says twenty dates, and a formatter takes its time for each.
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'];

function short(date: Date): string {
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
}

function withYear(date: Date): string {
  return `${short(date)} ${date.getUTCFullYear()}`;
}

function dayOf(date: Date): number {
  return Math.floor(date.getTime() / DAY_MS);
}

/** "12 Nov", with the year when it is another. */
export function formatShortDay(iso: string, now: string): string {
  const date = new Date(iso);
  return date.getUTCFullYear() === new Date(now).getUTCFullYear() ? short(date) : withYear(date);
}

/** Today, Yesterday, the weekday within a week, else "12 Nov", with the year when it is another. `now` in ISO form. */
export function formatDay(iso: string, now: string): string {
  const date = new Date(iso);
  const today = new Date(now);
  const days = dayOf(today) - dayOf(date);
  if (days === 0) return 'Today';
  if (days === 1) return 'Yesterday';
  if (days > 1 && days < 7) return WEEKDAYS[date.getUTCDay()] ?? '';
  return formatShortDay(iso, now);
}

/** Of a day that comes: Today, Tomorrow, else "Sunday 23 Nov", with the year when it is another. `now` in ISO form. */
export function formatComingDay(iso: string, now: string): string {
  const [date, today] = [new Date(iso), new Date(now)];
  const days = dayOf(date) - dayOf(today);
  if (days === 0) return 'Today';
  if (days === 1) return 'Tomorrow';
  return `${WEEKDAYS[date.getUTCDay()]} ${formatShortDay(iso, now)}`;
}

/** "Today, 21:14 UTC": of a list. What happens between people is told by the reader's own clock (docs/decisions/0166). */
export function formatDayTime(iso: string, now: string): string {
  return `${formatDay(iso, now)}, ${clock.format(new Date(iso))} UTC`;
}

/** A day within a sentence: "sent today". */
export const withinSentence = (day: string): string =>
  day.replace(/^(?:Today|Yesterday)/, (word) => word.toLowerCase());

/** "12 Nov 2026, 21:14 UTC", for receipts. */
export function formatExact(iso: string): string {
  const date = new Date(iso);
  return `${withYear(date)}, ${clock.format(date)} UTC`;
}

/** Row C12: mm:ss, or hh:mm:ss past an hour, to the nearest second: a film of 75 s is a frame shorter as a file says it. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 60) % 60, whole % 60];
  if (whole >= 3600) parts.unshift(Math.floor(whole / 3600));
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** How long people talked: "1:34", "1:02:09". A file's length is {@link formatDuration}'s. */
export function formatTalk(seconds: number): string {
  return formatDuration(seconds).replace(/^0/, '');
}

/** Where one is in something, as {@link formatDuration} says its length: rounded down, but at its end where it ends. */
export function formatPosition(seconds: number, length: number): string {
  return formatDuration(seconds >= length - 0.05 ? length : Math.floor(seconds));
}

/** "1 photo", "9 photos", with thousands separated. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
