import * as z from 'zod/mini';

/** Trims the text and requires at least one character. */
export const createTextSchema = (maxLength: number, missingMessage: string) =>
  z
    .string(missingMessage)
    .check(z.trim(), z.minLength(1, missingMessage), z.maxLength(maxLength, `At most ${maxLength} characters`));

export const submissionResponse = z.object({ success: z.literal(true), reference: z.string(), message: z.string() });
