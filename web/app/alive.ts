/**
 * Dispatched on `window` twice: when React has hydrated the page and when its effects have run (see hold-presses.ts).
 */
export const ALIVE = 'stagedoor:alive';
