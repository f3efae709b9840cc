import * as z from 'zod/mini';
import { isTimeZone } from './time-zone-names.ts';

/** An IANA time zone such as "Europe/Lisbon". */
export const timeZone = z.string().check(
  z.maxLength(60),
  z.refine((name) => isTimeZone(name), 'Choose a time zone'),
);
