/** Without the schema library, because every page of the web app loads it. */

/** The cookie with the time zone in which pages show times. */
export const TIME_ZONE_COOKIE = 'zone';

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return name !== '';
  } catch {
    return false;
  }
}
