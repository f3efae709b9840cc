/** With STAGEDOOR_DATABASE=on-demand, tests that need PostgreSQL start it themselves (database.ts). */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, startTestPostgres } from './database.ts';

const cache = fileURLToPath(new URL('../../.cache', import.meta.url));
// Tests start many processes. With this cache Node compiles each module only once.
process.env.NODE_COMPILE_CACHE ??= join(cache, 'compile');

export default async function setup(): Promise<() => Promise<void>> {
  if (process.env.STAGEDOOR_DATABASE === 'on-demand') return async () => undefined;
  const postgres = await startTestPostgres();
  try {
    const database = await createTestDatabase();
    await database.drop();
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  return () => postgres.stop();
}
