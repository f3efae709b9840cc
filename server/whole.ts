/** This module is separate because `main.ts` starts with less. */
export { createApp } from './app.ts';
export { HOLDINGS } from './features/index.ts';
export { migrate } from './kernel/migrate.ts';
