/** No query here grows with the tables. */
import { statfs } from 'node:fs/promises';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { toUsd } from '@stagedoor/contract/atoms/money.ts';
import { operatorMay } from '@stagedoor/contract/operator-rights.ts';
import { type LiveState, retryJob, STATE_HOURS } from '@stagedoor/contract/state-desk.ts';
import type { Context } from '../../kernel/context.ts';
import { listFaults } from '../../kernel/faults.ts';
import { type JobCounts, jobsState, MOST_COUNTED, tryJobAgain } from '../../kernel/jobs-state.ts';
import { listNodes } from '../../kernel/node.ts';
import { askDatabase, createProbe } from '../../kernel/probe.ts';
import type { Actor } from '../../kernel/session.ts';
import { noteAct } from '../audit/index.ts';
import { countRunningCalls } from '../calls/index.ts';
import { paymentsState } from '../payments/index.ts';

const HOUR_MS = 60 * 60_000;
const ENCODING = new Set(['media.process', 'media.stream', 'media.encode', 'media.improve']);
const MAIL = new Set(['mail.send']);

type Part = LiveState['parts'][number];

async function answers(name: Part['name'], check: () => Promise<unknown>): Promise<Part> {
  try {
    await createProbe(check)();
    return { name, is: 'up' };
  } catch {
    return { name, is: 'down' };
  }
}

function partsOf({ db, redis, storage }: Context): Promise<Part[]> {
  return Promise.all([
    answers('database', () => askDatabase(db.pool)),
    answers('storage', () => storage.check()),
    { name: 'redis' as const, is: redis === undefined ? 'off' : redis.isAnswering() ? 'up' : 'down' } as const,
  ]);
}

/** Retries count as waiting. */
function queueOf(counts: readonly JobCounts[], kinds: ReadonlySet<string>) {
  const sum = { waiting: 0, running: 0, trying: 0, failed: 0 };
  for (const { task, due, later, running, trying, failed } of counts) {
    if (!kinds.has(task)) continue;
    sum.waiting += due + later;
    sum.running += running;
    sum.trying += trying;
    sum.failed += failed;
  }
  return sum;
}

/** The values are null if the system does not report the disk. */
async function diskOf(folder: string) {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { diskFreeBytes: bavail * bsize, diskBytes: blocks * bsize };
  } catch {
    return { diskFreeBytes: null, diskBytes: null };
  }
}

function mailWay({ smtpUrl, isProduction }: Context['config']): LiveState['mail']['way'] {
  if (smtpUrl) return 'smtp';
  return isProduction ? 'none' : 'mailbox';
}

function presentJobs({ counts, failures }: Awaited<ReturnType<typeof jobsState>>): LiveState['jobs'] {
  const seen = counts.reduce((sum, { due, later, running, failed }) => sum + due + later + running + failed, 0);
  return {
    isMore: seen >= MOST_COUNTED,
    kinds: counts.map((kind) => ({ ...kind, oldestAt: kind.oldestAt?.toISOString() ?? null })),
    failures: failures.map(({ runAt, failedAt, ...failure }) => ({
      ...failure,
      nextAt: failure.attempts < failure.maxAttempts ? runAt.toISOString() : null,
      failedAt: failedAt.toISOString(),
    })),
  };
}

async function presentNodes(ctx: Context): Promise<LiveState['nodes']> {
  const nodes = await listNodes(ctx.db);
  return nodes.map(({ id, role, version, startedAt, memoryBytes }) => ({
    ...{ id, isThis: id === ctx.node.id, role, version, memoryBytes },
    startedAt: startedAt.toISOString(),
  }));
}

/** Jobs by kind and processes are only for roles that can act on them, and for auditors. */
export async function viewState(ctx: Context, { roles = [] }: Pick<Actor, 'roles'>): Promise<LiveState> {
  const { clock, config, db } = ctx;
  const now = clock.now();
  const before = (hours: number) => new Date(now.getTime() - hours * HOUR_MS);
  const isWhole = roles.includes('auditor') || operatorMay(roles, retryJob);
  const [parts, jobs, payments, calls, disk, faults, nodes] = await Promise.all([
    partsOf(ctx),
    jobsState(db),
    paymentsState(db, before(STATE_HOURS.payments)),
    countRunningCalls(db),
    diskOf(config.dataDir),
    listFaults(db, before(STATE_HOURS.faults)),
    isWhole ? presentNodes(ctx) : null,
  ]);
  const { depositedCents, lastWebhookAt, lastAnswerAt, ...counted } = payments;
  return {
    at: now.toISOString(),
    parts,
    jobs: isWhole ? presentJobs(jobs) : null,
    mail: { way: mailWay(config), ...queueOf(jobs.counts, MAIL) },
    payments: {
      ...counted,
      isSandbox: config.payments.isSandbox,
      deposited: toUsd(depositedCents),
      lastWebhookAt: lastWebhookAt?.toISOString() ?? null,
      lastAnswerAt: lastAnswerAt?.toISOString() ?? null,
    },
    media: { store: config.storage.kind, ...queueOf(jobs.counts, ENCODING), ...disk },
    calls: {
      ...calls,
      provider: config.calls.provider,
      hasRelay: config.calls.turn !== undefined,
      isRelayOnly: config.calls.isRelayOnly,
    },
    faults: faults.map(({ refs, lastAt, ...fault }) => ({ ...fault, lastAt: lastAt.toISOString(), references: refs })),
    nodes,
  };
}

/** Retries a failed job at once. Throws NOT_FOUND when there is no such job or it is running. */
export function tryAgain(ctx: Context, actor: Actor, id: string): Promise<{ task: string }> {
  return ctx.db.transaction(async (tx) => {
    const task = await tryJobAgain(tx, id);
    if (task === undefined) throw new AppError('NOT_FOUND');
    await noteAct(ctx, tx, {
      operatorId: actor.userId,
      act: 'job.retry',
      subjectKind: 'job',
      subjectId: id,
      facts: { task },
    });
    return { task };
  });
}
