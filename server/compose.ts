/** This module is separate because `main.ts` starts with less. */
export { createApp } from './app.ts';
export { OWNED_SCHEMAS } from './modules/index.ts';
export { migrateDatabase } from './platform/database/migrate.ts';
