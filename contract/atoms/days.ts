/** Days of the calendar, `YYYY-MM-DD`, as people and programs ask with them. */
import * as z from 'zod/mini';

/** A day from `first` on. The calendar that dates are kept in has no year 0. */
export const dayFrom = (first: string, message: string) =>
  z.iso.date(message).check(z.refine((text) => text >= first, message));
export const day = dayFrom('0001-01-01', 'Please enter a date');
