import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { differenceId } from '@stagedoor/contract/atoms/ids.ts';
import type { AnswerOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import { ALARMED, COMPARISONS, type Comparison, DIFFERENCE_KINDS } from '@stagedoor/contract/differences.ts';
import type { Alarm, checkLedgerNow, listAlarms as listRoute } from '@stagedoor/contract/ledger-desk.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Executor } from '../../kernel/db.ts';
import { job } from '../../kernel/jobs.ts';
import { pageOf, skipOf } from '../../kernel/offset.ts';
import type { Actor } from '../../kernel/session.ts';
import { findPeople } from '../accounts/index.ts';
import { noteAct } from '../audit/index.ts';
import {
  checkNow,
  countOpen,
  type DifferenceRow,
  explain,
  explanationsOf,
  lastRun,
  listAlarms,
  mayPayOut,
} from '../ledger/index.ts';
import { checkLogNow } from '../transparency/index.ts';

const isAlarmed = (comparison: string) => ALARMED.some((one) => one === comparison);
const textIn = (facts: unknown, name: string): string => {
  const value: unknown = typeof facts === 'object' && facts !== null ? Reflect.get(facts, name) : undefined;
  return typeof value === 'string' ? value : '';
};

async function present(db: Executor, rows: readonly DifferenceRow[]): Promise<Alarm[]> {
  const explanations = await explanationsOf(
    db,
    rows.map(({ id }) => id),
  );
  const people = await findPeople(
    db,
    explanations.flatMap(({ actor_id: actorId }) => actorId ?? []),
  );
  return rows.map((row) => {
    const why = explanations.findLast(({ difference_id: of }) => of === row.id);
    const operator = people.get(why?.actor_id ?? '')?.username ?? null;
    return {
      id: z.parse(differenceId, row.id),
      comparison: z.parse(z.enum(COMPARISONS), row.comparison),
      state: row.explained_at ? 'resolved' : row.resolved_at ? 'passed' : 'standing',
      check: row.key,
      examples: textIn(row.facts, 'examples'),
      openedAt: row.opened_at.toISOString(),
      seenAt: row.seen_at.toISOString(),
      passedAt: row.resolved_at?.toISOString() ?? null,
      resolved: row.explained_at && { at: row.explained_at.toISOString(), ground: why?.ground ?? '', operator },
    };
  });
}

async function lastCheck(db: Executor, comparison: Comparison) {
  const run = await lastRun(db, comparison);
  return { comparison, at: run?.ended_at.toISOString() ?? null, isClean: run ? run.outcome === 'clean' : null };
}

export async function viewAlarms(
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
  { limit, offset, is }: QueryOf<typeof listRoute>,
): Promise<AnswerOf<typeof listRoute>> {
  const skip = skipOf(offset);
  const { rows, total } = await listAlarms(db, is === 'over', { limit, skip });
  const [data, open, checks, mayPay, pending] = await Promise.all([
    present(db, rows),
    countOpen(db),
    Promise.all(COMPARISONS.map((comparison) => lastCheck(db, comparison))),
    mayPayOut(db),
    jobs.pending([checkJob.name]),
  ]);
  const words: Readonly<Record<string, string>> = DIFFERENCE_KINDS;
  return {
    ...pageOf(data, { limit, skip, total }),
    arePayoutsStopped: !mayPay,
    isChecking: pending.has(checkJob.name),
    checks,
    others: open
      .filter(({ comparison }) => !isAlarmed(comparison))
      .map(({ kind, count, oldestAt }) => ({ words: words[kind] ?? kind, count, oldestAt: oldestAt.toISOString() })),
  };
}

const checkJob = job('ledger-desk.check', z.object({}));

export function registerCheck(ctx: Context): void {
  ctx.jobs.define(
    checkJob,
    async () => {
      await checkNow(ctx, { isFull: true });
      await checkLogNow(ctx);
    },
    'comparing',
  );
}

export async function beginCheck(ctx: Context, { userId }: Actor): Promise<AnswerOf<typeof checkLedgerNow>> {
  await ctx.db.transaction(async (tx) => {
    await ctx.jobs.add(tx, checkJob, {}, { key: checkJob.name });
    await noteAct(ctx, tx, { operatorId: userId, act: 'ledger.check', subjectKind: 'ledger', subjectId: 'everything' });
  });
  return { info: 'Check started. Results appear here.' };
}

/**
 * Throws NOT_FOUND for an id that is not an alarm. Throws CONFLICT while the last check still found it, or when it is
 * already resolved.
 */
export async function resolve(ctx: Context, { userId }: Actor, id: string, ground: string): Promise<Alarm> {
  const row = await ctx.db.transaction(async (tx) => {
    const explained = await explain(tx, { id, actorId: userId, ground, at: ctx.clock.now() });
    if (!isAlarmed(explained.comparison)) throw new AppError('NOT_FOUND');
    const facts = { ground, comparison: explained.comparison, check: explained.key };
    await noteAct(ctx, tx, { operatorId: userId, act: 'alarm.resolve', subjectKind: 'alarm', subjectId: id, facts });
    return explained;
  });
  ctx.log.info({ alarmId: id, actorId: userId, check: row.key }, 'an alarm of the ledger was resolved');
  const [view] = await present(ctx.db, [row]);
  if (!view) throw new Error('a row has its view');
  return view;
}
