/** Before the first test: PostgreSQL runs and the migrated template exists. After the last: PostgreSQL stops. */
import { startTestPostgres, testDatabase } from './database.ts';

export default async function setup(): Promise<() => Promise<void>> {
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
