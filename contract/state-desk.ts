/** The live state as operators see it: what the house is doing at this moment, and a failed job that is tried again. */
import * as z from 'zod/mini';
import { instant } from './atoms/ids.ts';
import { route } from './atoms/route.ts';

/** How far back failures of calls to us, and what the processor sent, are counted. */
export const STATE_HOURS = { faults: 24, payments: 1 } as const;

const count = z.number();

/** What jobs there are of one kind. `due`: could run now; `later`: has its time; `trying`: failed and is tried again; `failed`: given up. */
const jobKind = z.object({
  task: z.string(),
  due: count,
  later: count,
  running: count,
  trying: count,
  failed: count,
  /** Since when the one that has waited longest could have run. */
  oldestAt: z.nullable(instant),
});

export const jobFailure = z.object({
  id: z.string(),
  task: z.string(),
  attempts: count,
  maxAttempts: count,
  /** Its words without anything that may be somebody's. */
  error: z.string(),
  /** When it is tried next; null where it is given up. */
  nextAt: z.nullable(instant),
  failedAt: instant,
});
export type JobFailure = z.infer<typeof jobFailure>;

const queue = z.object({ waiting: count, running: count, trying: count, failed: count });

export const liveState = z.object({
  at: instant,
  /** What answers of what we stand on. `off`: not set up here. */
  parts: z.array(z.object({ name: z.enum(['database', 'storage', 'redis']), is: z.enum(['up', 'down', 'off']) })),
  /** Left out for support. */
  jobs: z.nullable(
    z.object({
      /** Whether there are more than were looked at. */
      isMore: z.boolean(),
      kinds: z.array(jobKind),
      failures: z.array(jobFailure),
    }),
  ),
  mail: z.extend(queue, {
    /** `smtp`; `mailbox`, in development; `none`: nothing can be sent. */
    way: z.enum(['smtp', 'mailbox', 'none']),
  }),
  payments: z.object({
    isSandbox: z.boolean(),
    /** Of the last hour. */
    webhooks: count,
    /** What waits for a person, whenever it came. */
    quarantined: count,
    deposits: count,
    /** Sum of those deposits, in USD. */
    deposited: z.number(),
    /** When the processor's last post came. */
    lastWebhookAt: z.nullable(instant),
    /** When the processor last answered what we asked. */
    lastAnswerAt: z.nullable(instant),
  }),
  media: z.extend(queue, {
    store: z.enum(['local', 's3']),
    /** Of the disk on which uploads land. */
    diskFreeBytes: z.nullable(z.number()),
    diskBytes: z.nullable(z.number()),
  }),
  calls: z.object({
    open: count,
    running: count,
    provider: z.enum(['webrtc', 'livekit']),
    /** Whether a relay is set, and whether everything goes through it. */
    hasRelay: z.boolean(),
    isRelayOnly: z.boolean(),
  }),
  faults: z.array(
    z.object({
      /** A method and a route's pattern. */
      route: z.string(),
      code: z.string(),
      count,
      lastAt: instant,
      /** The newest of what error pages call the reference. */
      references: z.array(z.string()),
    }),
  ),
  /** Left out for support. */
  nodes: z.nullable(
    z.array(
      z.object({
        id: z.string(),
        /** Whether it is the one that answered. */
        isThis: z.boolean(),
        role: z.string(),
        version: z.string(),
        startedAt: instant,
        memoryBytes: z.number(),
      }),
    ),
  ),
});
export type LiveState = z.infer<typeof liveState>;

export const readState = route({
  method: 'GET',
  path: '/admin/state',
  summary: 'What the house is doing: jobs, mail, payments, media, calls, faults, processes',
  auth: 'operator',
  rate: 'read',
  response: liveState,
});

export const retryJob = route({
  method: 'POST',
  path: '/admin/state/jobs/:id/retry',
  summary: 'Lets a job that failed be tried at once, from its first attempt on',
  auth: 'operator',
  rate: 'write',
  errors: ['NOT_FOUND'],
  params: z.object({ id: z.string().check(z.regex(/^[1-9]\d{0,17}$/, 'Invalid id')) }),
  response: z.object({ task: z.string() }),
});
