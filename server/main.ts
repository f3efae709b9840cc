/** The process: configuration, database, migrations, demo world, then serving until told to stop. */
import path from 'node:path';
import { type App, createApp } from './app.ts';
import { type Config, gapsOf, readConfig } from './kernel/config.ts';
import { createLogger } from './kernel/log.ts';
import { migrate } from './kernel/migrate.ts';
import { type EmbeddedPostgres, startPostgres } from './kernel/postgres.ts';

const DRAIN_MS = 15_000;

/** The environment as it is understood; what is wrong with it is said in sentences, without a stack. */
function configOrExit(): Config {
  try {
    return readConfig();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

const config = configOrExit();
const log = createLogger({ level: config.logLevel, isPretty: !config.isProduction });
let postgres: EmbeddedPostgres | undefined;
let app: App | undefined;
let isStopping = false;
const stopping = new AbortController();

/** The demo world, before anybody is let in: made on the first start. Answers what to say of it, if it is there. */
async function makeDemo({ ctx }: App, databaseUrl: string): Promise<string | undefined> {
  const { DEMO_REMINDER, seedDemo } = await import('./demo/seed.ts');
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  return (await seedDemo({ ctx, databaseUrl, print })) === 'foreign' ? undefined : DEMO_REMINDER;
}

async function hangDemoFilms({ ctx }: App): Promise<void> {
  const { hangFilms } = await import('./demo/films.ts');
  await hangFilms(ctx, stopping.signal);
}

async function start(): Promise<void> {
  for (const gap of gapsOf(config)) log.warn(gap);
  if (!config.databaseUrl) postgres = await startPostgres({ dataDir: path.join(config.dataDir, 'postgres'), log });
  const databaseUrl = config.databaseUrl ?? postgres?.url;
  if (!databaseUrl) throw new Error('There is no database.');
  const applied = await migrate(databaseUrl);
  if (applied.length > 0) log.info(`database brought up to date (${applied.length} migrations)`);

  app = await createApp({ config, databaseUrl, log });
  const demo = config.isDemo && config.isDevelopment ? await makeDemo(app, databaseUrl) : undefined;
  await app.start();
  await app.http.listen({ port: config.port, host: config.host });
  const address = app.http.server.address();
  const port = typeof address === 'object' && address ? address.port : config.port;
  process.stdout.write(`\n  Stagedoor is open at http://localhost:${port}\n${demo ? `  ${demo}\n` : ''}\n`);
  // Nobody waits for them.
  if (demo) void hangDemoFilms(app).catch(() => undefined);
}

/** Finishes what runs, within a limit, and ends the process. */
async function stop(exitCode: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  stopping.abort();
  setTimeout(() => {
    log.error('draining took too long');
    process.exit(1);
  }, DRAIN_MS).unref();
  await app?.close();
  await postgres?.stop();
  process.exit(exitCode);
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    log.info(`${signal}: finishing what runs`);
    void stop(0);
  });
}

try {
  await start();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  await stop(1);
}
