/** System status for operators. */
import * as z from 'zod/mini';
import { instant } from '../shared/ids.ts';
import { route } from '../shared/route.ts';

/** A difference from the clock of the database that is reported, and one with which a process is not ready. */
export const CLOCK_LIMITS = { reportedMs: 2_000, maxMs: 30_000 } as const;

export const SYSTEM_STATUS_HOURS = { errorStats: 24, payments: 1 } as const;

const count = z.number();

/** `due`: can run now. `scheduled`: runs later. `retrying`: will be retried. `failed`: given up. */
const jobKind = z.object({
  task: z.string(),
  due: count,
  scheduled: count,
  running: count,
  retrying: count,
  failed: count,
  oldestAt: z.nullable(instant),
});

export const jobFailure = z.object({
  id: z.string(),
  task: z.string(),
  attempts: count,
  maxAttempts: count,
  error: z.string(),
  nextAt: z.nullable(instant),
  failedAt: instant,
});
export type JobFailure = z.infer<typeof jobFailure>;

const queue = z.object({ waiting: count, running: count, retrying: count, failed: count });

export const systemStatus = z.object({
  at: instant,
  services: z.array(
    z.object({ name: z.enum(['database', 'storage', 'redis']), status: z.enum(['up', 'down', 'off']) }),
  ),
  /** Null for the support role. */
  jobs: z.nullable(
    z.object({
      isMore: z.boolean(),
      kinds: z.array(jobKind),
      failures: z.array(jobFailure),
    }),
  ),
  mail: z.extend(queue, {
    transport: z.enum(['smtp', 'mailbox', 'none']),
  }),
  payments: z.object({
    isSandbox: z.boolean(),
    webhooks: count,
    /** Of any age. */
    quarantined: count,
    deposits: count,
    deposited: z.number(),
    lastWebhookAt: z.nullable(instant),
    lastResponseAt: z.nullable(instant),
  }),
  media: z.extend(queue, {
    store: z.enum(['local', 's3']),
    diskFreeBytes: z.nullable(z.number()),
    diskBytes: z.nullable(z.number()),
  }),
  calls: z.object({
    open: count,
    running: count,
    provider: z.enum(['webrtc', 'livekit']),
    hasRelay: z.boolean(),
    isRelayOnly: z.boolean(),
  }),
  errorStats: z.array(
    z.object({
      route: z.string(),
      code: z.string(),
      count,
      lastAt: instant,
      references: z.array(z.string()),
    }),
  ),
  /** Null for the support role. */
  processes: z.nullable(
    z.array(
      z.object({
        id: z.string(),
        isCurrent: z.boolean(),
        role: z.string(),
        version: z.string(),
        startedAt: instant,
        memoryBytes: z.number(),
        /** How far its clock is ahead of that of the database. Null if it was not compared yet. */
        clockOffsetMs: z.nullable(z.number()),
      }),
    ),
  ),
});
export type SystemStatus = z.infer<typeof systemStatus>;

export const getSystemStatus = route({
  method: 'GET',
  path: '/admin/system',
  summary: 'Get the system status: jobs, mail, payments, media, calls, errors and processes',
  auth: 'operator',
  rate: 'read',
  response: systemStatus,
});

export const retryJob = route({
  method: 'POST',
  path: '/admin/system/jobs/:id/retry',
  summary: 'Retry a failed job now, with its attempts reset',
  auth: 'operator',
  rate: 'write',
  errors: ['NOT_FOUND'],
  params: z.object({ id: z.string().check(z.regex(/^[1-9]\d{0,17}$/, 'Invalid id')) }),
  response: z.object({ task: z.string() }),
});
