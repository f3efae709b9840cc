/** The journeys' database, for what has no page yet: an operator's acts. Journeys about money never write here. */
import path from 'node:path';
import pg from 'pg';
import { postgresUrl } from '../../server/kernel/postgres.ts';

/** Blocks an account, as an operator does. */
export async function blockAccount(username: string): Promise<void> {
  const dataDir = process.env.STAGEDOOR_DATA_DIR;
  if (!dataDir) throw new Error('the global set-up has not started the server');
  const client = new pg.Client({ connectionString: postgresUrl(path.join(dataDir, 'postgres')) });
  await client.connect();
  try {
    await client.query('update users set is_blocked = true where username = $1', [username]);
  } finally {
    await client.end();
  }
}
