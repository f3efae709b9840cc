/** Puts the house together: kernel, rooms, pages. A pure factory: tests use it on their own database. */
import { mkdir } from 'node:fs/promises';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { FastifyInstance } from 'fastify';
import { FEATURES } from './features/index.ts';
import { type Bound, createBind } from './kernel/bind.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import type { Config } from './kernel/config.ts';
import type { Context } from './kernel/context.ts';
import { openDatabase } from './kernel/db.ts';
import { serveDocs } from './kernel/docs.ts';
import { createEvents } from './kernel/events.ts';
import { createHttp } from './kernel/http.ts';
import { createJobs } from './kernel/jobs.ts';
import type { Logger } from './kernel/log.ts';
import { createMailer } from './kernel/mail.ts';
import { createMetrics, serveMetrics } from './kernel/metrics.ts';
import { createRealtime } from './kernel/realtime.ts';
import { createSessions } from './kernel/session.ts';
import { localStorage, type Storage } from './kernel/storage.ts';
import { createWire } from './kernel/wire.ts';
import { mountPages } from './pages.ts';

export type App = {
  readonly http: FastifyInstance;
  readonly ctx: Context;
  readonly bound: Bound;
  /** Starts sockets, relay and jobs, as the role asks. */
  start(): Promise<void>;
  /** Takes no more work, finishes what runs, closes everything. */
  close(): Promise<void>;
};

export type AppOptions = {
  config: Config;
  databaseUrl: string;
  log: Logger;
  clock?: Clock /** Off in API tests: pages need a build. */;
  hasPages?: boolean;
};

/** S3's client is fetched only where it is used: it takes 35 MB. */
async function openStorage(storage: Config['storage']): Promise<Storage> {
  if (storage.kind === 'local') return localStorage(storage.dir);
  const { s3Storage } = await import('./kernel/storage-s3.ts');
  return s3Storage(storage);
}

export async function createApp({
  config,
  databaseUrl,
  log,
  clock = systemClock,
  hasPages = true,
}: AppOptions): Promise<App> {
  await mkdir(config.dataDir, { recursive: true });
  const sessions = createSessions(clock);
  // Reactions speak to sockets and purge what is kept in memory: they run where both are.
  const isWorker = config.role === 'worker';
  const events = createEvents(() => db, log);
  const wire = createWire(databaseUrl, () => db, log);
  const db = openDatabase(databaseUrl, {
    maxConnections: config.databasePool,
    onCommit: () => (isWorker ? wire.say({ kind: 'wake' }) : events.wake()),
    onError: (error) => log.warn(`an idle database connection broke: ${error.message}`),
  });
  const jobs = createJobs(() => db, log, { concurrency: 2 });
  const ctx: Context = {
    config,
    db,
    clock,
    log,
    events,
    jobs,
    sessions,
    mailer: createMailer(config, jobs),
    realtime: createRealtime(
      config,
      log,
      sessions,
      clock,
      isWorker ? (userId, name, payload) => wire.say({ kind: 'user', userId, name, payload }) : undefined,
    ),
    storage: await openStorage(config.storage),
  };

  const http = await createHttp(config, log, sessions);
  const metrics = createMetrics(http);
  serveMetrics(http, metrics, config);
  const bound: Bound = new Map();
  let isDraining = false;

  http.get('/healthz', async () => ({ status: 'ok' }));
  http.get('/readyz', async (_request, reply) => {
    const checks = {
      database: db.pool.query('select 1 from graphile_worker.jobs limit 1'),
      storage: ctx.storage.check(),
    };
    const results = await Promise.allSettled(Object.values(checks));
    const failed = Object.keys(checks).filter((_, index) => results[index]?.status === 'rejected');
    const isReady = failed.length === 0 && !isDraining;
    return reply.status(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'unavailable', failed });
  });

  for (const register of FEATURES) await register({ app: http, ctx, bind: createBind(http, ctx, bound) });

  await serveDocs(http, config.publicUrl);
  http.all('/api/*', async () => {
    throw new AppError('NOT_FOUND');
  });
  if (hasPages) await mountPages({ app: http, ctx, bound });

  return {
    http,
    ctx,
    bound,
    start: async () => {
      if (!isWorker) {
        await ctx.realtime.attach(http.server);
        await wire.listen((said) => {
          if (said.kind === 'wake') events.wake();
          else ctx.realtime.relayToUser(said.userId, said.name, said.payload);
        });
        events.start();
      }
      if (config.role !== 'web') await jobs.start();
    },
    close: async () => {
      isDraining = true;
      // What is being answered when closing begins leaves its connection open for more: nobody waits for that.
      const sweep = setInterval(() => http.server.closeIdleConnections(), 100);
      await ctx.realtime.close();
      await http.close();
      clearInterval(sweep);
      await jobs.stop();
      await events.stop();
      await wire.close();
      await db.close();
    },
  };
}
