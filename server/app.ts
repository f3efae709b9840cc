/** Tests create the app with their own database. */
import { mkdir } from 'node:fs/promises';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { FastifyInstance } from 'fastify';
import { MODULES_IN_ORDER, ROUTES } from './modules/index.ts';
import { mountPages } from './pages.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { createClockCheck } from './platform/clock-check.ts';
import type { Config } from './platform/config.ts';
import type { Context } from './platform/context.ts';
import { openDatabase } from './platform/database/db.ts';
import { createErrorStats } from './platform/error-stats.ts';
import { createEvents } from './platform/events/events.ts';
import { createProcessChannel } from './platform/events/process-channel.ts';
import { createProcessRegistry } from './platform/events/process-registry.ts';
import { createGeoBlocking } from './platform/geo.ts';
import { serveDocs } from './platform/http/docs.ts';
import { checkDatabase, createHealthCheck } from './platform/http/health.ts';
import { createHttp } from './platform/http/http.ts';
import { deleteStaleForms } from './platform/http/multipart-limits.ts';
import { type BoundRoutes, createBind } from './platform/http/routing.ts';
import { createJobs } from './platform/jobs/jobs.ts';
import { createRateLimits } from './platform/limits/rate-limit.ts';
import type { Logger } from './platform/log.ts';
import { createMailer } from './platform/mail.ts';
import { createMetrics, measureClock, measureRedis, serveMetrics } from './platform/metrics.ts';
import { createRealtime } from './platform/realtime/realtime.ts';
import { createRedis } from './platform/realtime/redis.ts';
import { createSecurityLogger } from './platform/security/security-log.ts';
import { createSessionCache, type EndedSessions } from './platform/security/session.ts';
import { createSiteStatusCache } from './platform/site-status.ts';
import { openStorage } from './platform/storage/open-storage.ts';
import { createScanner } from './platform/storage/scanner.ts';

export type App = {
  readonly http: FastifyInstance;
  readonly ctx: Context;
  readonly bound: BoundRoutes;
  start(): Promise<void>;
  close(): Promise<void>;
};

export type AppOptions = {
  config: Config;
  databaseUrl: string;
  log: Logger;
  clock?: Clock;
  /** Off in API tests because pages need a build. */
  hasPages?: boolean;
  /** For a simulated clock: event ids carry its time, and events are relayed only on demand. */
  createEventId?: () => string;
  /** How often it is checked whether the processes that run jobs are still there. */
  jobsCheckMs?: number;
  /** Off by default for a simulated clock, which is not that of the machine. */
  isClockChecked?: boolean;
};

export async function createApp({
  config,
  databaseUrl,
  log,
  clock = systemClock,
  hasPages = true,
  createEventId,
  jobsCheckMs,
  isClockChecked = clock === systemClock,
}: AppOptions): Promise<App> {
  await mkdir(config.dataDir, { recursive: true });
  const sessions = createSessionCache(clock);
  // A worker has no sockets and leaves the outbox to other processes.
  const isWorker = config.role === 'worker';
  const channel = createProcessChannel(databaseUrl, () => db, log);
  const jobs = createJobs(databaseUrl, () => db, log, {
    concurrency: 2,
    ...(jobsCheckMs === undefined ? {} : { checkMs: jobsCheckMs }),
  });
  const events = createEvents({ db: () => db, jobs, channel, log, isRelay: !isWorker });
  const db = openDatabase(databaseUrl, {
    createEventId,
    maxConnections: config.databasePool,
    onCommit: createEventId ? undefined : () => events.wake(),
    onError: (error) => log.warn(`an idle database connection broke: ${error.message}`),
  });
  const redis = config.redisUrl ? createRedis(config.redisUrl, log, clock) : undefined;
  const limits = createRateLimits(clock, redis, config.rateFactor);
  const security = createSecurityLogger(() => db, clock, log);
  const clockCheck = isClockChecked ? createClockCheck(clock, () => db, log) : undefined;
  const processRegistry = createProcessRegistry(config, () => db, log, clockCheck?.getOffsetMs);
  const geo = createGeoBlocking(config);
  const ctx: Context = {
    config,
    db,
    clock,
    log,
    events,
    jobs,
    limits,
    scanner: config.scannerUrl ? createScanner(config.scannerUrl, log) : undefined,
    security,
    sessions,
    mailer: createMailer(config, jobs),
    processRegistry,
    geo,
    hooks: {},
    redis,
    realtime: createRealtime({
      config,
      log,
      sessions,
      clock,
      limits,
      redis,
      geo,
      security,
      publishElsewhere: isWorker
        ? (userId, name, payload, aboutCreatorId) =>
            channel.publish({ kind: 'user', userId, name, payload, aboutCreatorId })
        : undefined,
    }),
    storage: await openStorage(config.storage),
    siteStatus: createSiteStatusCache(log),
  };

  const errorStats = createErrorStats(() => db, clock, log);
  const http = await createHttp(config, log, sessions, security, errorStats);
  ctx.geo.addRequestHook(http);
  const metrics = createMetrics(http);
  security.setCounter(metrics.security);
  serveMetrics(http, metrics, config);
  if (clockCheck) measureClock(metrics, clockCheck.getOffsetMs);
  if (redis) measureRedis(metrics, redis);
  const bound: BoundRoutes = new Map();
  let isDraining = false;
  const dropSessions = (ended: EndedSessions) => {
    sessions.invalidate(ended);
    ctx.realtime.disconnect(ended);
  };

  http.get('/healthz', async () => ({ status: 'ok' }));
  const checks = {
    database: createHealthCheck(() => checkDatabase(db.pool)),
    storage: createHealthCheck(() => ctx.storage.check()),
    ...(clockCheck && { clock: async () => clockCheck.requireRightClock() }),
  };
  http.get('/readyz', async (_request, reply) => {
    const results = await Promise.allSettled(Object.values(checks).map((check) => check()));
    const failed = Object.keys(checks).filter((_, index) => results[index]?.status === 'rejected');
    const isReady = failed.length === 0 && !isDraining;
    // Without Redis everything works, but each process works for itself.
    const degraded = redis && !isWorker && !redis.isAvailable() ? ['redis'] : [];
    return reply.status(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'unavailable', failed, degraded });
  });

  for (const { register } of MODULES_IN_ORDER)
    await register?.({ app: http, ctx, bind: createBind(http, ctx, bound), metrics: metrics.registry });

  await serveDocs(http, config.publicUrl, ROUTES);
  http.all('/api/*', async () => {
    throw new AppError('NOT_FOUND');
  });
  if (hasPages) await mountPages({ app: http, ctx, bound });

  return {
    http,
    ctx,
    bound,
    start: async () => {
      await deleteStaleForms(ctx);
      await clockCheck?.start();
      // Workers need presence, because nothing is pushed to a user with an open page.
      if (isWorker) await redis?.open();
      else await ctx.realtime.attach(http.server);
      await channel.listen({
        receive: (message) => {
          if (message.kind === 'user')
            ctx.realtime.relayToUser(message.userId, message.name, message.payload, message.aboutCreatorId);
          else if (message.kind === 'ended') dropSessions(message);
          else events.receive(message);
        },
        onListening: (isListening) => {
          sessions.setListening(isListening);
          if (isListening) ctx.realtime.verify();
          events.onListening(isListening);
        },
      });
      if (!isWorker) events.start();
      if (config.role !== 'web') await jobs.start();
      await processRegistry.start();
    },
    close: async () => {
      isDraining = true;
      clockCheck?.stop();
      // Running requests keep their connections alive, so idle ones are closed repeatedly.
      const sweep = setInterval(() => http.server.closeIdleConnections(), 100);
      // Further events are relayed by other processes.
      await events.stopRelaying();
      await ctx.realtime.close();
      await http.close();
      clearInterval(sweep);
      await jobs.stop();
      await events.stop();
      await redis?.close();
      await channel.close();
      await security.close();
      await errorStats.close();
      await processRegistry.stop();
      await db.close();
    },
  };
}
