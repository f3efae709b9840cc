/** The process: configuration, database, migrations, demo world, then serving until told to stop. */
import { createApp } from './app.ts';
import { readConfig } from './kernel/config.ts';
import { createLogger } from './kernel/log.ts';
import { migrate } from './kernel/migrate.ts';
import { startPostgres } from './kernel/postgres.ts';

const DRAIN_MS = 15_000;

async function main(): Promise<void> {
  const config = readConfig();
  const log = createLogger({ level: config.logLevel, isPretty: !config.isProduction });
  const postgres = config.databaseUrl ? undefined : await startPostgres({ dataDir: config.dataDir, log });
  const databaseUrl = config.databaseUrl ?? postgres?.url;
  if (!databaseUrl) throw new Error('no database');
  const applied = await migrate(databaseUrl);
  if (applied.length > 0) log.info(`database brought up to date (${applied.length} migrations)`);

  const app = await createApp({ config, databaseUrl, log });
  await app.start();
  await app.http.listen({ port: config.port, host: config.host });
  const address = app.http.server.address();
  const port = typeof address === 'object' && address ? address.port : config.port;
  process.stdout.write(`\n  Stagedoor is open at http://localhost:${port}\n\n`);

  let isStopping = false;
  const stop = async (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info(`${signal}: finishing what runs`);
    const limit = setTimeout(() => {
      log.error('draining took too long');
      process.exit(1);
    }, DRAIN_MS);
    limit.unref();
    await app.close();
    await postgres?.stop();
    process.exit(0);
  };
  process.once('SIGTERM', () => void stop('SIGTERM'));
  process.once('SIGINT', () => void stop('SIGINT'));
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
  setTimeout(() => process.exit(1), 500).unref();
}
