/** Tests create the app with their own database. */
import { mkdir } from 'node:fs/promises';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { FastifyInstance } from 'fastify';
import { ROOMS, ROUTES } from './features/index.ts';
import { type Bound, createBind } from './kernel/bind.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import type { Config } from './kernel/config.ts';
import type { Context } from './kernel/context.ts';
import { openDatabase } from './kernel/db.ts';
import { serveDocs } from './kernel/docs.ts';
import { createEvents } from './kernel/events.ts';
import { createFaults } from './kernel/faults.ts';
import { sweepForms } from './kernel/form-reading.ts';
import { createHttp } from './kernel/http.ts';
import { createJobs } from './kernel/jobs.ts';
import { createLimits } from './kernel/limits.ts';
import type { Logger } from './kernel/log.ts';
import { createMailer } from './kernel/mail.ts';
import { createMetrics, measureRedis, serveMetrics } from './kernel/metrics.ts';
import { createNode } from './kernel/node.ts';
import { openStorage } from './kernel/open-storage.ts';
import { createPlaces } from './kernel/places.ts';
import { askDatabase, createProbe } from './kernel/probe.ts';
import { createProcessChannel } from './kernel/process-channel.ts';
import { createRealtime } from './kernel/realtime.ts';
import { createRedis } from './kernel/redis.ts';
import { createScanner } from './kernel/scanner.ts';
import { createSecurityLog } from './kernel/security-log.ts';
import { createSessions, type Ended } from './kernel/session.ts';
import { createSwitches } from './kernel/switches.ts';
import { mountPages } from './pages.ts';

export type App = {
  readonly http: FastifyInstance;
  readonly ctx: Context;
  readonly bound: Bound;
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
  newEventId?: () => string;
  /** How often it is checked whether the processes that run jobs are still there. */
  jobsLookMs?: number;
};

export async function createApp({
  config,
  databaseUrl,
  log,
  clock = systemClock,
  hasPages = true,
  newEventId,
  jobsLookMs,
}: AppOptions): Promise<App> {
  await mkdir(config.dataDir, { recursive: true });
  const sessions = createSessions(clock);
  // A worker has no sockets and leaves the outbox to other processes.
  const isWorker = config.role === 'worker';
  const channel = createProcessChannel(databaseUrl, () => db, log);
  const jobs = createJobs(databaseUrl, () => db, log, {
    concurrency: 2,
    ...(jobsLookMs === undefined ? {} : { lookMs: jobsLookMs }),
  });
  const events = createEvents({ db: () => db, jobs, channel, log, isRelay: !isWorker });
  const db = openDatabase(databaseUrl, {
    newEventId,
    maxConnections: config.databasePool,
    onCommit: newEventId ? undefined : () => events.wake(),
    onError: (error) => log.warn(`an idle database connection broke: ${error.message}`),
  });
  const redis = config.redisUrl ? createRedis(config.redisUrl, log, clock) : undefined;
  const limits = createLimits(clock, redis);
  const security = createSecurityLog(() => db, clock, log);
  const node = createNode(config, () => db, log);
  const places = createPlaces(config);
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
    node,
    places,
    redis,
    realtime: createRealtime({
      config,
      log,
      sessions,
      clock,
      limits,
      redis,
      places,
      security,
      elsewhere: isWorker
        ? (userId, name, payload, of) => channel.publish({ kind: 'user', userId, name, payload, of })
        : undefined,
    }),
    storage: await openStorage(config.storage),
    switches: createSwitches(log),
  };

  const faults = createFaults(() => db, clock, log);
  const http = await createHttp(config, log, sessions, security, faults);
  ctx.places.watch(http);
  const metrics = createMetrics(http);
  security.countBy(metrics.security);
  serveMetrics(http, metrics, config);
  if (redis) measureRedis(metrics, redis);
  const bound: Bound = new Map();
  let isDraining = false;
  const end = (ended: Ended) => {
    sessions.forget(ended);
    ctx.realtime.disconnect(ended);
  };

  http.get('/healthz', async () => ({ status: 'ok' }));
  const checks = {
    database: createProbe(() => askDatabase(db.pool)),
    storage: createProbe(() => ctx.storage.check()),
  };
  http.get('/readyz', async (_request, reply) => {
    const results = await Promise.allSettled(Object.values(checks).map((check) => check()));
    const failed = Object.keys(checks).filter((_, index) => results[index]?.status === 'rejected');
    const isReady = failed.length === 0 && !isDraining;
    // Without Redis everything works, but each process works for itself.
    const degraded = redis && !isWorker && !redis.isAnswering() ? ['redis'] : [];
    return reply.status(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'unavailable', failed, degraded });
  });

  for (const { register } of ROOMS)
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
      await sweepForms(ctx);
      // Workers need presence, because nothing is pushed to a user with an open page.
      if (isWorker) await redis?.open();
      else await ctx.realtime.attach(http.server);
      await channel.listen({
        hear: (said) => {
          if (said.kind === 'user') ctx.realtime.relayToUser(said.userId, said.name, said.payload, said.of);
          else if (said.kind === 'ended') end(said);
          else events.hear(said);
        },
        onHearing: (isHearing) => {
          sessions.trust(isHearing);
          if (isHearing) ctx.realtime.verify();
          events.onHearing(isHearing);
        },
      });
      if (!isWorker) events.start();
      if (config.role !== 'web') await jobs.start();
      await node.start();
    },
    close: async () => {
      isDraining = true;
      // Running requests keep their connections alive, so idle ones are closed repeatedly.
      const sweep = setInterval(() => http.server.closeIdleConnections(), 100);
      // Further events are relayed by other processes.
      await events.leave();
      await ctx.realtime.close();
      await http.close();
      clearInterval(sweep);
      await jobs.stop();
      await events.stop();
      await redis?.close();
      await channel.close();
      await security.close();
      await faults.close();
      await node.stop();
      await db.close();
    },
  };
}
