/** Shown wherever a blocked account is detected (row A12). */
export const BLOCKED_WORDS = 'This account is blocked. Write to us, and a person will look at it.';
