/**
 * Dispatched on `window` twice: when React has hydrated the page and when its effects have run (see pre-hydration-replay.ts).
 */
export const HYDRATION_EVENT = 'stagedoor:alive';
