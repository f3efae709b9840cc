/** Shown wherever a blocked account is detected (row A12). */
export const BLOCKED_MESSAGE = 'This account is blocked. Contact us and we’ll review it.';
