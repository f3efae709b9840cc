import type { listAdminCalls } from '@stagedoor/contract/admin/calls.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { toUsd } from '@stagedoor/contract/shared/money.ts';
import type { QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { parseIdOffset, toCursor } from '../../../platform/database/pagination.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { findUserSummaries } from '../../identity/accounts/index.ts';
import { logAction } from '../../identity/audit-log/index.ts';
import { CALL_COLUMNS, type Call } from './call/sides.ts';
import { applyEvent, type CallTimelineEntry, calculateChargeAt, getConnectedMsAt } from './call/state-machine.ts';
import { runCallStep } from './call/step.ts';
import { getCurrentTime, presentUser } from './call/view.ts';
import { listTimeline } from './history/receipt.ts';
import * as texts from './texts.ts';

type AdminCallPage = ResponseInputOf<typeof listAdminCalls>;
type AdminCallView = AdminCallPage['data'][number];
type AdminCallRow = Call & { stopReason: string | null; stoppedBy: string | null };

const ADMIN_COLUMNS = `${CALL_COLUMNS}, c.stop_reason as "stopReason", c.stopped_by as "stoppedBy"`;
const STATE_CONDITIONS = {
  open: 'c.ended_at is null',
  stopped: 'c.stop_reason is not null',
} as const;
const createListStatement = (state: keyof typeof STATE_CONDITIONS): SqlStatement => ({
  name: `calls-admin-${state}`,
  text: `select ${ADMIN_COLUMNS}, (select count(*) from calls c where ${STATE_CONDITIONS[state]}) as "totalCount" from calls c
    where ${STATE_CONDITIONS[state]} and c.id < $1::uuid order by c.id desc limit $2 offset $3`,
});
const LIST_STATEMENTS = { open: createListStatement('open'), stopped: createListStatement('stopped') } as const;

async function presentAdminCalls(ctx: Context, rows: readonly AdminCallRow[]): Promise<AdminCallView[]> {
  const at = await getCurrentTime(ctx);
  const ids = rows.flatMap(({ fanId, creatorId, stoppedBy }) => [fanId, creatorId, ...(stoppedBy ? [stoppedBy] : [])]);
  const users = await findUserSummaries(ctx.db, ids);
  return rows.map((call) => ({
    callLogId: call.id,
    kind: call.kind,
    status: call.status,
    reason: call.reason,
    fan: presentUser(users, call.fanId),
    creator: presentUser(users, call.creatorId),
    createdAt: call.createdAt.toISOString(),
    answeredAt: call.answeredAt?.toISOString() ?? null,
    endedAt: call.endedAt?.toISOString() ?? null,
    isRunning: call.runningSince !== null,
    durationSeconds: Math.floor(getConnectedMsAt(call, at) / 1000),
    amountPerMinute: toUsd(call.rateCents),
    held: toUsd(call.heldCents),
    amount: toUsd(call.endedAt === null ? calculateChargeAt(call, at) : call.chargedCents),
    stopped:
      call.stopReason !== null && call.stoppedBy !== null
        ? { operator: presentUser(users, call.stoppedBy).username, reason: call.stopReason }
        : null,
  }));
}

export async function viewAdminCalls(
  ctx: Context,
  { limit, offset, state }: QueryOf<typeof listAdminCalls>,
): Promise<AdminCallPage> {
  const { skip, before } = parseIdOffset(offset);
  const rows = await ctx.db.run<AdminCallRow & { totalCount: number }>(LIST_STATEMENTS[state], [
    before,
    limit + 1,
    skip,
  ]);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    data: await presentAdminCalls(ctx, shown),
    limit,
    totalCount: rows[0]?.totalCount ?? 0,
    ...(rows.length > limit && last ? { nextOffset: toCursor(last.id) } : {}),
  };
}

const COUNT_OPEN: SqlStatement = {
  name: 'calls-admin-count',
  text: 'select count(*) as count, min(created_at) as since from calls where ended_at is null',
};

export async function countOpenCalls(db: Executor): Promise<{ count: number; since: Date | null }> {
  const [row] = await db.run<{ count: number; since: Date | null }>(COUNT_OPEN, []);
  return row ?? { count: 0, since: null };
}

const COUNT_RUNNING: SqlStatement = {
  name: 'calls-admin-running',
  text: 'select count(*)::int as open, count(running_since)::int as running from calls where ended_at is null',
};

export async function countRunningCalls(db: Executor): Promise<{ open: number; running: number }> {
  const [row] = await db.run<{ open: number; running: number }>(COUNT_RUNNING, []);
  return row ?? { open: 0, running: 0 };
}

const SAVE_STOP: SqlStatement = {
  name: 'calls-stopped-by',
  text: 'update calls set stop_reason = $2, stopped_by = $3 where id = $1',
};
const FIND: SqlStatement = { name: 'calls-admin-find', text: `select ${ADMIN_COLUMNS} from calls c where c.id = $1` };

export async function findAdminCall(
  ctx: Context,
  id: string,
): Promise<{ view: AdminCallView; timeline: CallTimelineEntry[]; saleId: string | null } | undefined> {
  const [row] = await ctx.db.run<AdminCallRow>(FIND, [id]);
  const [view] = row ? await presentAdminCalls(ctx, [row]) : [];
  if (!row || !view) return undefined;
  return { view, timeline: await listTimeline(ctx.db, id), saleId: row.chargedCents > 0 ? row.transactionId : null };
}

/** Throws NOT_FOUND, CONFLICT (already over). */
export async function stopByOperator(ctx: Context, actor: Actor, id: string, reason: string): Promise<AdminCallView> {
  let isStopped = false;
  const result = await runCallStep(
    ctx,
    id,
    async (step, tx) => {
      isStopped = applyEvent(step, 'stopped');
      if (isStopped) await tx.run(SAVE_STOP, [id, reason, actor.userId]);
    },
    {
      onSaved: async (tx) => {
        const entry = {
          operatorId: actor.userId,
          action: 'call.end',
          subjectKind: 'call',
          subjectId: id,
          details: { reason },
        };
        if (isStopped) await logAction(ctx, tx, entry);
      },
    },
  );
  if (!result) throw new AppError('NOT_FOUND');
  if (!isStopped) throw new AppError('CONFLICT', { message: texts.callHasEnded });
  const [view] = await presentAdminCalls(ctx, await ctx.db.run<AdminCallRow>(FIND, [id]));
  if (!view) throw new AppError('NOT_FOUND');
  return view;
}
