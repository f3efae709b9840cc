/** All that the process loads before it serves, in one place: `main.ts` begins with less. */
export { createApp } from './app.ts';
export { HOLDINGS } from './features/index.ts';
export { migrate } from './kernel/migrate.ts';
