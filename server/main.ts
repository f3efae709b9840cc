import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from './app.ts';
import { type Config, listConfigWarnings, readConfig } from './platform/config.ts';
import { createLogger } from './platform/log.ts';
import { claimDataFolder, prepareDatabaseFolder } from './platform/postgres/data-folder.ts';
import { type EmbeddedPostgres, startPostgres } from './platform/postgres/postgres.ts';
import type { PathClaim } from './platform/postgres/process-lock.ts';

const DRAIN_MS = 15_000;

/** Errors are printed without a stack trace. */
function readConfigOrExit(): Config {
  try {
    return readConfig();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

// Files are readable only by this user.
process.umask(0o077);
const config = readConfigOrExit();
const log = createLogger({ level: config.logLevel, isPretty: !config.isProduction });
const stopping = new AbortController();
let started: Promise<void> | undefined;
let claim: PathClaim | undefined;
let embedded: Promise<EmbeddedPostgres> | undefined;
let app: App | undefined;
let hasEnded = false;

async function createDemo({ ctx }: App, databaseUrl: string): Promise<string | undefined> {
  const { DEMO_REMINDER, mailDemoStaffCodes, seedDemo } = await import('./demo/seed.ts');
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  const seeded = await seedDemo({ ctx, databaseUrl, print, signal: stopping.signal });
  if (seeded === 'foreign') return undefined;
  await mailDemoStaffCodes(ctx);
  return DEMO_REMINDER;
}

async function attachDemoFilms({ ctx }: App): Promise<void> {
  const { publishFilms } = await import('./demo/films.ts');
  await publishFilms(ctx, stopping.signal);
}

/** Only one server may use the database folder. Workers and, with Redis, other nodes may connect too. */
async function openEmbedded(signal: AbortSignal): Promise<EmbeddedPostgres> {
  const dataDir = prepareDatabaseFolder(config.dataDir);
  if (config.role !== 'worker' && !config.redisUrl) claim = claimDataFolder(config.dataDir);
  embedded = startPostgres({ dataDir, log, signal });
  return embedded;
}

async function start({ signal }: AbortController): Promise<void> {
  for (const warning of listConfigWarnings(config)) log.warn(warning);
  const { databaseUrl, databaseOwnerUrl } = config;
  const configured = databaseUrl && databaseOwnerUrl ? { url: databaseUrl, ownerUrl: databaseOwnerUrl } : undefined;
  const opening = configured ?? openEmbedded(signal);
  // PostgreSQL starts while the app is loaded.
  const loading = import('./compose.ts');
  const { url, ownerUrl } = await opening;
  const { createApp, OWNED_SCHEMAS, migrateDatabase } = await loading;
  const { migrations, functions, hasExcessRights } = await migrateDatabase(ownerUrl, {
    signal,
    product: { url, schemas: OWNED_SCHEMAS },
  });
  if (hasExcessRights)
    log.warn(
      'the role of DATABASE_URL may change the books: give it a role of its own, and the owner to DATABASE_OWNER_URL',
    );
  if (migrations.length > 0) log.info(`database brought up to date (${migrations.length} migrations)`);
  else if (functions.length > 0) log.info(`functions of the database are now this release's: ${functions.join(', ')}`);

  signal.throwIfAborted();
  app = await createApp({ config, databaseUrl: url, log });
  const demo = config.shouldSeedDemo && config.isDevelopment ? await createDemo(app, url) : undefined;
  signal.throwIfAborted();
  await app.start();
  signal.throwIfAborted();
  await app.http.listen({ port: config.port, host: config.host });
  const address = app.http.server.address();
  const port = typeof address === 'object' && address ? address.port : config.port;
  claim?.note(`http://localhost:${port}`);
  process.stdout.write(`\n  Stagedoor is running at http://localhost:${port}\n${demo ? `  ${demo}\n` : ''}\n`);
  if (demo) void attachDemoFilms(app).catch(() => undefined);
}

async function drain(): Promise<'drained'> {
  await started?.catch(() => undefined);
  await app?.close();
  return 'drained';
}

/** PostgreSQL must not outlive this process. */
async function stop(exitCode: number): Promise<void> {
  if (stopping.signal.aborted) return;
  stopping.abort();
  const end = await Promise.race([drain(), sleep(DRAIN_MS)]).catch((error: unknown) => error);
  if (end !== 'drained') log.error(end instanceof Error ? { err: end } : {}, 'what ran could not be finished');
  const postgres = await embedded?.catch(() => undefined);
  await postgres?.stop().catch((error: unknown) => log.error({ err: error }, 'PostgreSQL could not be stopped'));
  claim?.release();
  hasEnded = true;
  process.exit(end === 'drained' ? exitCode : 1);
}

// A signal may arrive twice: to the process group, and forwarded by the parent.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (!stopping.signal.aborted) log.info(`${signal}: shutting down`);
    void stop(0);
  });
}

// The terminal may be gone, for example. Writing the error may then fail too.
process.on('uncaughtException', (error) => {
  if (hasEnded) process.exit();
  if (stopping.signal.aborted) return;
  void stop(1);
  process.stderr.write(`${error.stack ?? error.message}\n`);
});

started = start(stopping);
try {
  await started;
} catch (error) {
  if (!stopping.signal.aborted) process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  await stop(1);
}
