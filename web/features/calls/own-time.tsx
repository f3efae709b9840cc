/** When a call was, in a list: by the reader's own clock, as the thread beside it says it (docs/decisions/0166). */
import { dayLabel, timeOf, useZone } from '../../kernel/own-time.ts';

/** "Today, 21:14". `at` and `now` in ISO form. */
export function dayTimeOf(at: string, now: string, zone?: string): string {
  return `${dayLabel(at, now, zone)}, ${timeOf(at, zone)}`;
}

/** Its line has its height before the time is shown. */
export function OwnTime({ at, now }: { at: string; now: string }) {
  const zone = useZone();
  return (
    <time dateTime={at} className={zone === undefined ? 'invisible' : undefined}>
      {dayTimeOf(at, now, zone)}
    </time>
  );
}
