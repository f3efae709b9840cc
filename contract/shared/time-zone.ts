import * as z from 'zod/mini';

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return name !== '';
  } catch {
    return false;
  }
}

/** An IANA time zone such as "Europe/Lisbon". */
export const timeZone = z.string().check(
  z.maxLength(60),
  z.refine((name) => isTimeZone(name), 'Choose a time zone'),
);
