/** With STAGEDOOR_DATABASE=on-demand, tests that need PostgreSQL start it themselves (database.ts). */
import { startTestPostgres, testDatabase } from './database.ts';

export default async function setup(): Promise<() => Promise<void>> {
  if (process.env.STAGEDOOR_DATABASE === 'on-demand') return async () => undefined;
  const postgres = await startTestPostgres();
  try {
    const database = await testDatabase();
    await database.drop();
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  return () => postgres.stop();
}
