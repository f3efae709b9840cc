import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Config } from './config.ts';
import type { Redis } from './realtime/redis.ts';

export type Metrics = { readonly registry: Registry; readonly events: Counter; readonly security: Counter };

let processRegistry: Registry | undefined;

/** Created once per process, because the observers of the default metrics never end. */
function processMetrics(): Registry {
  if (processRegistry) return processRegistry;
  processRegistry = new Registry();
  collectDefaultMetrics({ register: processRegistry });
  return processRegistry;
}

export function createMetrics(app: FastifyInstance): Metrics {
  processMetrics();
  const registry = new Registry();
  const requestSeconds = new Histogram({
    name: 'http_request_seconds',
    help: 'Response time',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5],
    registers: [registry],
  });
  const events = new Counter({
    name: 'stagedoor_events_total',
    help: 'Emitted events',
    labelNames: ['type'],
    registers: [registry],
  });
  const security = new Counter({
    name: 'stagedoor_security_events_total',
    help: 'Events in the security log',
    labelNames: ['kind'],
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    requestSeconds.observe(
      { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
    done();
  });
  return { registry, events, security };
}

export function measureClock({ registry }: Metrics, getOffsetMs: () => number | null): void {
  new Gauge({
    name: 'stagedoor_clock_offset_seconds',
    help: 'How far the clock of this machine is ahead of that of the database',
    registers: [registry],
    collect() {
      this.set((getOffsetMs() ?? Number.NaN) / 1000);
    },
  });
}

export function measureRedis({ registry }: Metrics, redis: Redis): void {
  new Gauge({
    name: 'stagedoor_redis_up',
    help: 'Whether Redis responds',
    registers: [registry],
    collect() {
      this.set(redis.isAvailable() ? 1 : 0);
    },
  });
  new Counter({
    name: 'stagedoor_redis_bypassed_total',
    help: 'Operations that continued without Redis',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(redis.countBypassed());
    },
  });
}

/** Serves /metrics to loopback, or with `Authorization: Bearer METRICS_TOKEN`. */
export function serveMetrics(app: FastifyInstance, metrics: Metrics, config: Config): void {
  app.get('/metrics', async (request, reply) => {
    const isAllowed = config.metricsToken
      ? request.headers.authorization === `Bearer ${config.metricsToken}`
      : !config.isProduction && ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(request.ip);
    if (!isAllowed) return reply.callNotFound();
    const merged = Registry.merge([processMetrics(), metrics.registry]);
    return reply.type(merged.contentType).send(await merged.metrics());
  });
}
