/** This module is separate because `main.ts` starts with less. */
export { createApp } from './app.ts';
export { OWNED_SCHEMAS } from './features/index.ts';
export { migrateDatabase } from './kernel/migrate.ts';
