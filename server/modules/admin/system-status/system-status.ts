/** No query here grows with the tables. */
import { statfs } from 'node:fs/promises';
import { canOperatorCallRoute } from '@stagedoor/contract/admin/operator-rights.ts';
import { retryJob, SYSTEM_STATUS_HOURS, type SystemStatus } from '@stagedoor/contract/admin/system-status.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { toUsd } from '@stagedoor/contract/shared/money.ts';
import type { Context } from '../../../platform/context.ts';
import { listErrorStats } from '../../../platform/error-stats.ts';
import { listProcesses } from '../../../platform/events/process-registry.ts';
import { checkDatabase, createHealthCheck } from '../../../platform/http/health.ts';
import { getJobsStatus, type JobCountsRow, MAX_COUNTED, retryFailedJob } from '../../../platform/jobs/jobs-status.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { getDepositsStatus } from '../../commerce/deposits/index.ts';
import { findLastExportTime } from '../../commerce/reconciliation/index.ts';
import { logAction } from '../../identity/audit-log/index.ts';
import { countRunningCalls } from '../../messaging/calls/index.ts';

const HOUR_MS = 60 * 60_000;
const ENCODING = new Set(['media.process', 'media.stream', 'media.encode', 'media.improve']);
const MAIL = new Set(['mail.send']);

type ServiceStatus = SystemStatus['services'][number];

async function checkService(name: ServiceStatus['name'], check: () => Promise<unknown>): Promise<ServiceStatus> {
  try {
    await createHealthCheck(check)();
    return { name, status: 'up' };
  } catch {
    return { name, status: 'down' };
  }
}

function checkServices({ db, redis, storage }: Context): Promise<ServiceStatus[]> {
  return Promise.all([
    checkService('database', () => checkDatabase(db.pool)),
    checkService('storage', () => storage.check()),
    { name: 'redis' as const, status: redis === undefined ? 'off' : redis.isAvailable() ? 'up' : 'down' } as const,
  ]);
}

/** Retries count as waiting. */
function sumQueue(counts: readonly JobCountsRow[], kinds: ReadonlySet<string>) {
  const sum = { waiting: 0, running: 0, retrying: 0, failed: 0 };
  for (const { task, due, scheduled, running, retrying, failed } of counts) {
    if (!kinds.has(task)) continue;
    sum.waiting += due + scheduled;
    sum.running += running;
    sum.retrying += retrying;
    sum.failed += failed;
  }
  return sum;
}

/** The values are null if the system does not report the disk. */
async function getDiskSpace(folder: string) {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { diskFreeBytes: bavail * bsize, diskBytes: blocks * bsize };
  } catch {
    return { diskFreeBytes: null, diskBytes: null };
  }
}

function getMailTransport({ smtpUrl, isProduction }: Context['config']): SystemStatus['mail']['transport'] {
  if (smtpUrl) return 'smtp';
  return isProduction ? 'none' : 'mailbox';
}

function presentJobs({ counts, failures }: Awaited<ReturnType<typeof getJobsStatus>>): SystemStatus['jobs'] {
  const countedJobs = counts.reduce(
    (sum, { due, scheduled, running, failed }) => sum + due + scheduled + running + failed,
    0,
  );
  return {
    isMore: countedJobs >= MAX_COUNTED,
    kinds: counts.map(({ oldestAt, ...kind }) => ({ ...kind, oldestAt: oldestAt?.toISOString() ?? null })),
    failures: failures.map(({ runAt, failedAt, ...failure }) => ({
      ...failure,
      nextAt: failure.attempts < failure.maxAttempts ? runAt.toISOString() : null,
      failedAt: failedAt.toISOString(),
    })),
  };
}

async function presentProcesses(ctx: Context): Promise<SystemStatus['processes']> {
  const processes = await listProcesses(ctx.db);
  return processes.map(({ id, role, version, startedAt, memoryBytes, clockOffsetMs }) => ({
    ...{ id, isCurrent: id === ctx.processRegistry.id, role, version, memoryBytes, clockOffsetMs },
    startedAt: startedAt.toISOString(),
  }));
}

/** Jobs by kind and processes are only for roles that can act on them, and for auditors. */
export async function getSystemStatus(ctx: Context, { roles = [] }: Pick<Actor, 'roles'>): Promise<SystemStatus> {
  const { clock, config, db } = ctx;
  const now = clock.now();
  const subtractHours = (hours: number) => new Date(now.getTime() - hours * HOUR_MS);
  const canSeeAll = roles.includes('auditor') || canOperatorCallRoute(roles, retryJob);
  const [services, jobs, deposits, lastExportAt, calls, disk, errorStats, processes] = await Promise.all([
    checkServices(ctx),
    getJobsStatus(db),
    getDepositsStatus(db, subtractHours(SYSTEM_STATUS_HOURS.payments)),
    findLastExportTime(db),
    countRunningCalls(db),
    getDiskSpace(config.dataDir),
    listErrorStats(db, subtractHours(SYSTEM_STATUS_HOURS.errorStats)),
    canSeeAll ? presentProcesses(ctx) : null,
  ]);
  const { depositedCents, lastWebhookAt, ...counted } = deposits;
  return {
    at: now.toISOString(),
    services,
    jobs: canSeeAll ? presentJobs(jobs) : null,
    mail: { transport: getMailTransport(config), ...sumQueue(jobs.counts, MAIL) },
    payments: {
      ...counted,
      isSandbox: config.payments.isSandbox,
      deposited: toUsd(depositedCents),
      lastWebhookAt: lastWebhookAt?.toISOString() ?? null,
      lastResponseAt: lastExportAt?.toISOString() ?? null,
    },
    media: { store: config.storage.kind, ...sumQueue(jobs.counts, ENCODING), ...disk },
    calls: {
      ...calls,
      provider: config.calls.provider,
      hasRelay: config.calls.turn !== undefined,
      isRelayOnly: config.calls.isRelayOnly,
    },
    errorStats: errorStats.map(({ refs, lastAt, ...errorStat }) => ({
      ...errorStat,
      lastAt: lastAt.toISOString(),
      references: refs,
    })),
    processes,
  };
}

/** Retries a failed job at once. Throws NOT_FOUND when there is no such job or it is running. */
export function retryJobAsOperator(ctx: Context, actor: Actor, id: string): Promise<{ task: string }> {
  return ctx.db.transaction(async (tx) => {
    const task = await retryFailedJob(tx, id);
    if (task === undefined) throw new AppError('NOT_FOUND');
    await logAction(ctx, tx, {
      operatorId: actor.userId,
      action: 'job.retry',
      subjectKind: 'job',
      subjectId: id,
      details: { task },
    });
    return { task };
  });
}
