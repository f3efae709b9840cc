/** Spelled as in row G6. */
export const RECURRENCES = ['weekly', 'monthaly', 'yearly'] as const;
export type Recurrence = (typeof RECURRENCES)[number];
