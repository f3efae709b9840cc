import { ACCOUNT_DELETION_DAYS, UNCLAIMED_BALANCE_DAYS } from '@stagedoor/contract/identity/account-deletion.ts';
import type { UserType } from '@stagedoor/contract/identity/accounts.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatMinute } from '@stagedoor/contract/shared/times.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { afterIdSql } from '../../../platform/database/pagination.ts';
import { defineJob, type JobAttempt } from '../../../platform/jobs/jobs.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { eraseAccount, findUser, markErasing, reauthenticate, suspendForDeletion } from '../accounts/index.ts';
import { createDeletionMail, createUnclaimedMail } from './mails.ts';
import { type DeletionMoment, type LeavingUser, listDeletionSteps } from './steps.ts';
import * as texts from './texts.ts';

const DAY_MS = 24 * 60 * 60_000;
const BATCH_SIZE = 100;

export const eraseJob = defineJob('accountDeletion.erase', z.object({ userId: z.string() }));

const CONSEQUENCES_FOR_ALL = [
  texts.deletionHiddenPeriod,
  texts.deletedPersonalData,
  texts.transactionRecordsRetained,
  texts.usernameReserved,
] as const;
const CONSEQUENCES_FOR_CREATORS = [texts.deletedCreatorContent, texts.identityDocumentsRetained] as const;
const CONSEQUENCES_FOR_FANS = [texts.purchasesLostHint] as const;

function listCommonConsequences(type: UserType): string[] {
  return [...CONSEQUENCES_FOR_ALL, ...(type === 'creator' ? CONSEQUENCES_FOR_CREATORS : CONSEQUENCES_FOR_FANS)];
}

async function collectObstacles(
  ctx: Context,
  db: Executor,
  leavingUser: LeavingUser,
  moment: DeletionMoment,
): Promise<string[]> {
  const obstacles: string[] = [];
  for (const { listObstacles } of listDeletionSteps(ctx))
    obstacles.push(...((await listObstacles?.(db, leavingUser, moment)) ?? []));
  return obstacles;
}

function toLeavingUser({ userId, type, username }: Actor): LeavingUser {
  // Operator accounts are removed by other operators.
  if (type === 'operator') throw new AppError('FORBIDDEN');
  return { userId, type, username };
}

/** Returns what prevents the deletion and its consequences. Throws FORBIDDEN for operators. */
export async function getDeletionPreview(ctx: Context, actor: Actor) {
  const leavingUser = toLeavingUser(actor);
  const moduleConsequences: string[] = [];
  for (const { listConsequences } of listDeletionSteps(ctx))
    moduleConsequences.push(...((await listConsequences?.(ctx.db, leavingUser)) ?? []));
  return {
    obstacles: await collectObstacles(ctx, ctx.db, leavingUser, 'requested'),
    consequences: [...listCommonConsequences(leavingUser.type), ...moduleConsequences],
  };
}

const REQUEST: SqlStatement = {
  name: 'account-deletions-request',
  text: `insert into account_deletions as c (user_id, requested_at, due_at) values ($1, $2, $3)
    on conflict (user_id) do update set requested_at = excluded.requested_at, due_at = excluded.due_at, started_at = null,
      notified_at = null where c.completed_at is null`,
};

/**
 * Schedules the deletion of the account in 14 days and suspends it until then. Throws CONFLICT while something prevents it, FORBIDDEN for
 * operators, and as reauthenticate.
 */
export async function requestDeletion(
  ctx: Context,
  actor: Actor,
  reauthentication: { currentPassword: string; code?: string | undefined },
): Promise<{ dueAt: string; info: string }> {
  const leavingUser = toLeavingUser(actor);
  const confirmReauthentication = await reauthenticate(ctx, actor, reauthentication);
  const now = ctx.clock.now();
  const dueAt = new Date(now.getTime() + ACCOUNT_DELETION_DAYS * DAY_MS);
  const finishSuspension = await ctx.db.transaction(async (tx) => {
    const user = await confirmReauthentication(tx);
    const [obstacle] = await collectObstacles(ctx, tx, leavingUser, 'requested');
    if (obstacle) throw new AppError('CONFLICT', { message: obstacle });
    await tx.run(REQUEST, [user.id, now, dueAt]);
    await ctx.mailer.send(tx, createDeletionMail(user, ctx.config.publicUrl, dueAt));
    return suspendForDeletion(ctx, tx, user);
  });
  finishSuspension();
  ctx.security.note({ kind: 'deletionRequested', userId: actor.userId });
  return {
    dueAt: dueAt.toISOString(),
    info: formatText(texts.deletionScheduled, { date: formatMinute(dueAt) }),
  };
}

const LIST_DUE: SqlStatement = {
  name: 'account-deletions-due',
  text: `select c.user_id as "userId" from account_deletions c where c.completed_at is null and c.due_at <= $1 and ${afterIdSql('c.user_id', '$2')}
    order by c.user_id limit $3`,
};
const MARK_STARTED: SqlStatement = {
  name: 'account-deletions-start',
  text: 'update account_deletions set started_at = coalesce(started_at, $2) where user_id = $1 and completed_at is null and due_at <= $2 returning user_id',
};
const POSTPONE: SqlStatement = {
  name: 'account-deletions-postpone',
  text: 'update account_deletions set due_at = $2 where user_id = $1 and started_at is null and completed_at is null',
};
const DELETE_REQUEST: SqlStatement = {
  name: 'account-deletions-delete',
  text: 'delete from account_deletions where user_id = $1 and started_at is null and completed_at is null',
};
const MARK_COMPLETED: SqlStatement = {
  name: 'account-deletions-complete',
  text: 'update account_deletions set completed_at = coalesce(completed_at, $2) where user_id = $1 and started_at is not null',
};

export async function startDueDeletions(ctx: Context): Promise<void> {
  for (let after: string | null = null; ; ) {
    const due: { userId: string }[] = await ctx.db.run<{ userId: string }>(LIST_DUE, [
      ctx.clock.now(),
      after,
      BATCH_SIZE,
    ]);
    for (const { userId } of due) await ctx.jobs.add(ctx.db, eraseJob, { userId }, { key: `closing:${userId}` });
    after = due.at(-1)?.userId ?? null;
    if (due.length < BATCH_SIZE) return;
  }
}

type DeletionState = { started: Date | null; requested: Date; notified: Date | null };
const FIND_STATE: SqlStatement = {
  name: 'account-deletions-state',
  text: 'select started_at as started, requested_at as requested, notified_at as notified from account_deletions where user_id = $1',
};
const MARK_NOTIFIED: SqlStatement = {
  name: 'account-deletions-notified',
  text: 'update account_deletions set notified_at = $2 where user_id = $1',
};

async function isUnclaimed(
  ctx: Context,
  tx: DbTransaction,
  leavingUser: LeavingUser,
  { requested, notified }: DeletionState,
): Promise<boolean> {
  const unclaimed: string[] = [];
  for (const { listUnclaimed } of listDeletionSteps(ctx))
    unclaimed.push(...((await listUnclaimed?.(tx, leavingUser)) ?? []));
  const now = ctx.clock.now();
  const until = new Date(requested.getTime() + (ACCOUNT_DELETION_DAYS + UNCLAIMED_BALANCE_DAYS) * DAY_MS);
  if (unclaimed.length === 0 || now >= until) return false;
  if (notified) return true;
  const user = await findUser(tx, leavingUser.userId);
  if (user) await ctx.mailer.send(tx, createUnclaimedMail(user, ctx.config.publicUrl, { claims: unclaimed, until }));
  await tx.run(MARK_NOTIFIED, [leavingUser.userId, now]);
  return true;
}

/** The `beforeDeletion` steps run even if the deletion must wait. */
async function mustWait(
  ctx: Context,
  tx: DbTransaction,
  leavingUser: LeavingUser,
  state: DeletionState,
): Promise<boolean> {
  for (const { beforeDeletion } of listDeletionSteps(ctx)) await beforeDeletion?.(tx, leavingUser);
  if ((await collectObstacles(ctx, tx, leavingUser, 'due')).length > 0) return true;
  return isUnclaimed(ctx, tx, leavingUser, state);
}

/** Starts the erasure under the account's lock, so that a concurrent log-in either comes first or is refused. */
function startErasure(ctx: Context, userId: string): Promise<LeavingUser | undefined> {
  return ctx.db.transaction(async (tx) => {
    const user = await findUser(tx, userId, { isLocked: true });
    if (!user) return undefined;
    const leavingUser = { userId: user.id, type: user.type, username: user.username };
    const now = ctx.clock.now();
    // Nothing is erased while an operator has blocked the account. The deletion request
    // survives a reversal of the block.
    if (user.is_deletion_held) return undefined;
    const [state] = await tx.run<DeletionState>(FIND_STATE, [userId]);
    if (state?.started === null && !user.is_deletion_pending) {
      await tx.run(DELETE_REQUEST, [userId]);
      return undefined;
    }
    if (state?.started === null && (await mustWait(ctx, tx, leavingUser, state))) {
      await tx.run(POSTPONE, [userId, new Date(now.getTime() + DAY_MS)]);
      return undefined;
    }
    if ((await tx.run(MARK_STARTED, [userId, now])).length === 0) return undefined;
    await markErasing(tx, userId);
    return leavingUser;
  });
}

/** Each module erases its data, and the account itself comes last. An interrupted run is continued. */
export async function eraseUser(ctx: Context, userId: string, { signal }: Pick<JobAttempt, 'signal'>): Promise<void> {
  const leavingUser = await startErasure(ctx, userId);
  if (!leavingUser) return;
  for (const step of listDeletionSteps(ctx)) {
    signal?.throwIfAborted();
    await step.erase?.(ctx, leavingUser, signal);
  }
  await ctx.db.transaction(async (tx) => {
    await eraseAccount(ctx, tx, userId);
    await tx.run(MARK_COMPLETED, [userId, ctx.clock.now()]);
  });
  ctx.sessions.invalidate({ userIds: [userId] });
  ctx.realtime.disconnect({ userIds: [userId] });
  ctx.security.note({ kind: 'accountDeleted', userId });
}
