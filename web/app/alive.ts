/** Told on the window as the page comes alive, and once more when its parts listen: see hold-presses.ts. */
export const ALIVE = 'stagedoor:alive';
