import * as z from 'zod/mini';

/** A day (`YYYY-MM-DD`), not before `first`. PostgreSQL dates have no year 0. */
export const createDaySchema = (first: string, message: string) =>
  z.iso.date(message).check(z.refine((text) => text >= first, message));
export const day = createDaySchema('0001-01-01', 'Enter a date');
