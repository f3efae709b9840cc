/**
 * Dispatched on `window` twice: when React has hydrated the page and when its effects have run (see hold-presses.ts).
 */
export const HYDRATION_EVENT = 'stagedoor:alive';
