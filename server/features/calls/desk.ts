import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import type { listDeskCalls } from '@stagedoor/contract/calls-desk.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Statement } from '../../kernel/db.ts';
import { cursorOf, readIdOffset } from '../../kernel/offset.ts';
import type { Actor } from '../../kernel/session.ts';
import { findPeople } from '../accounts/index.ts';
import { noteAct } from '../audit/index.ts';
import { chargeAt, happen, type Moment, talkedAt } from './call/course.ts';
import { type Call, COLUMNS } from './call/sides.ts';
import { take } from './call/turn.ts';
import { presentInstant, presentOther } from './call/view.ts';
import { momentsOf } from './history/receipt.ts';

type Page = AnswerOf<typeof listDeskCalls>;
type View = Page['data'][number];
type Row = Call & { stopGround: string | null; stoppedBy: string | null };

const ALL = `${COLUMNS}, c.stop_ground as "stopGround", c.stopped_by as "stoppedBy"`;
const IS_WANTED = {
  open: 'c.ended_at is null',
  stopped: 'c.stop_ground is not null',
} as const;
const listOf = (state: keyof typeof IS_WANTED): Statement => ({
  name: `calls-desk-${state}`,
  text: `select ${ALL}, (select count(*) from calls c where ${IS_WANTED[state]}) as "totalCount" from calls c
    where ${IS_WANTED[state]} and c.id < $1::uuid order by c.id desc limit $2 offset $3`,
});
const LIST = { open: listOf('open'), stopped: listOf('stopped') } as const;

async function present(ctx: Context, rows: readonly Row[]): Promise<View[]> {
  const at = await presentInstant(ctx);
  const ids = rows.flatMap(({ fanId, creatorId, stoppedBy }) => [fanId, creatorId, ...(stoppedBy ? [stoppedBy] : [])]);
  const people = await findPeople(ctx.db, ids);
  return rows.map((call) => ({
    callLogId: call.id,
    kind: call.kind,
    status: call.status,
    reason: call.reason,
    fan: presentOther(people, call.fanId),
    creator: presentOther(people, call.creatorId),
    createdAt: call.createdAt.toISOString(),
    answeredAt: call.answeredAt?.toISOString() ?? null,
    endedAt: call.endedAt?.toISOString() ?? null,
    isRunning: call.runningSince !== null,
    durationSeconds: Math.floor(talkedAt(call, at) / 1000),
    amountPerMinute: toUsd(call.rateCents),
    held: toUsd(call.heldCents),
    amount: toUsd(call.endedAt === null ? chargeAt(call, at) : call.chargedCents),
    stopped:
      call.stopGround !== null && call.stoppedBy !== null
        ? { operator: presentOther(people, call.stoppedBy).username, ground: call.stopGround }
        : null,
  }));
}

export async function listDesk(ctx: Context, { limit, offset, state }: QueryOf<typeof listDeskCalls>): Promise<Page> {
  const { skip, before } = readIdOffset(offset);
  const rows = await ctx.db.run<Row & { totalCount: number }>(LIST[state], [before, limit + 1, skip]);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    data: await present(ctx, shown),
    limit,
    totalCount: rows[0]?.totalCount ?? 0,
    ...(rows.length > limit && last ? { nextOffset: cursorOf(last.id) } : {}),
  };
}

const OPEN: Statement = {
  name: 'calls-desk-count',
  text: 'select count(*) as count, min(created_at) as since from calls where ended_at is null',
};

export async function countOpenCalls(db: Executor): Promise<{ count: number; since: Date | null }> {
  const [row] = await db.run<{ count: number; since: Date | null }>(OPEN, []);
  return row ?? { count: 0, since: null };
}

const RUNNING: Statement = {
  name: 'calls-desk-running',
  text: 'select count(*)::int as open, count(running_since)::int as running from calls where ended_at is null',
};

export async function countRunningCalls(db: Executor): Promise<{ open: number; running: number }> {
  const [row] = await db.run<{ open: number; running: number }>(RUNNING, []);
  return row ?? { open: 0, running: 0 };
}

const KEEP: Statement = {
  name: 'calls-stopped-by',
  text: 'update calls set stop_ground = $2, stopped_by = $3 where id = $1',
};
const FIND: Statement = { name: 'calls-desk-find', text: `select ${ALL} from calls c where c.id = $1` };

export async function findDeskCall(
  ctx: Context,
  id: string,
): Promise<{ view: View; timeline: Moment[]; saleId: string | null } | undefined> {
  const [row] = await ctx.db.run<Row>(FIND, [id]);
  const [view] = row ? await present(ctx, [row]) : [];
  if (!row || !view) return undefined;
  return { view, timeline: await momentsOf(ctx.db, id), saleId: row.chargedCents > 0 ? row.transactionId : null };
}

/** Throws NOT_FOUND, CONFLICT (already over). */
export async function stopByOperator(ctx: Context, actor: Actor, id: string, ground: string): Promise<View> {
  let isStopped = false;
  const taken = await take(
    ctx,
    id,
    async (turn, tx) => {
      isStopped = happen(turn, 'stopped');
      if (isStopped) await tx.run(KEEP, [id, ground, actor.userId]);
    },
    {
      afterwards: async (tx) => {
        const act = {
          operatorId: actor.userId,
          act: 'call.end',
          subjectKind: 'call',
          subjectId: id,
          facts: { ground },
        };
        if (isStopped) await noteAct(ctx, tx, act);
      },
    },
  );
  if (!taken) throw new AppError('NOT_FOUND');
  if (!isStopped) throw new AppError('CONFLICT', { message: 'This call has ended.' });
  const [view] = await present(ctx, await ctx.db.run<Row>(FIND, [id]));
  if (!view) throw new AppError('NOT_FOUND');
  return view;
}
