/**
 * Daily reconciliation: compares orders, journal and webhooks with each other, and all of them with the export of the
 * processor in both directions. Moves no money. Differences are stored until they are gone, explained by an operator or
 * raised as an alarm.
 */
import type { Context } from '../../../platform/context.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import {
  findIncompleteSince,
  findLastRun,
  findRunState,
  listUnresolvedDifferences,
  runExclusiveComparison,
  saveRun,
} from '../../ledger/ledger-checks/index.ts';
import { CCBILL, type DataLink, findDataLink } from '../ccbill/index.ts';
import { findFirstOrderTime } from '../deposits/index.ts';
import {
  addProcessorDays,
  type ExportSchedule,
  findCoveredDays,
  getProcessorDayStart,
  listDueDays,
  requestDays,
  toProcessorDay,
} from './exports.ts';
import { compareOrders } from './orders.ts';
import { compareWithExport } from './processor.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

const EXPORT_SCHEDULE: ExportSchedule = { windowDays: 45, freshDays: 7, refreshDays: 7 };
/** The processor exports a day completely within this time after its end. */
const AFTER_DAY_MS = 2.5 * HOUR_MS;
const FULL_AFTER_MS = 6.5 * DAY_MS;
/** Days without an export before an alarm. Until then the export is requested every hour. */
const ALARM_AFTER_DAYS = 3;

export type ReconciliationContext = Pick<Context, 'clock' | 'config' | 'db' | 'log'>;

export type ExportSource = Pick<DataLink, 'exportRows'>;

const SET_READ_ONLY: SqlStatement = {
  name: 'reconciliation-compare-look',
  text: 'set transaction isolation level repeatable read, read only',
};

function readInSnapshot<T>({ db }: ReconciliationContext, read: (tx: Executor) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.run(SET_READ_ONLY, []);
    return read(tx);
  });
}

/** The day for which comparisons are due: the newest one whose previous day is over and exported. */
const getDueDay = ({ clock }: ReconciliationContext): string =>
  toProcessorDay(new Date(clock.now().getTime() - AFTER_DAY_MS));

type DueComparison = { day: string; isRepeat: boolean };

async function compareInternally(ctx: ReconciliationContext, { day, isRepeat }: DueComparison): Promise<void> {
  await runExclusiveComparison(ctx, 'orders', async () => {
    if (!isRepeat && (await findRunState(ctx.db, 'orders', day)) === 'completed') return;
    const startedAt = ctx.clock.now();
    const lastFull = await findLastRun(ctx.db, 'orders', { isFull: true });
    const isFull = !lastFull || startedAt.getTime() - lastFull.started_at.getTime() > FULL_AFTER_MS;
    const since = isFull ? null : getProcessorDayStart(addProcessorDays(day, -EXPORT_SCHEDULE.windowDays));
    const { differences, checkedCount } = await readInSnapshot(ctx, (tx) => compareOrders(tx, since));
    await saveRun(ctx, { comparison: 'orders', day, isFull, startedAt, checkedCount, result: { differences, since } });
  });
}

async function compareWithProcessor(ctx: ReconciliationContext, dataLink: ExportSource, day: string): Promise<void> {
  const startedAt = ctx.clock.now();
  const run = { comparison: 'processor', day, isFull: false, startedAt } as const;
  const firstAt = await findFirstOrderTime(ctx.db, CCBILL);
  if (!firstAt) return saveRun(ctx, { ...run, checkedCount: 0, result: { differences: [], since: null } });
  const first = toProcessorDay(firstAt);
  const unresolved = await listUnresolvedDifferences(ctx.db, 'processor');
  const differing = new Set(unresolved.flatMap(({ occurred_at: at }) => (at ? [toProcessorDay(at)] : [])));
  const due = await listDueDays(ctx.db, CCBILL, {
    today: day,
    first,
    now: startedAt,
    schedule: EXPORT_SCHEDULE,
    differing,
  });
  const incompleteReason = await requestDays(ctx, dataLink, CCBILL, due);
  const covered = await findCoveredDays(ctx.db, CCBILL);
  if (!covered)
    return saveRun(ctx, { ...run, checkedCount: 0, incompleteReason: incompleteReason ?? 'nothing is exported yet' });
  const since = addProcessorDays(day, -EXPORT_SCHEDULE.windowDays);
  const input = { provider: CCBILL, covered, first, since, subscriptions: unresolved.map(({ key }) => key) };
  const { checkedCount, ...result } = await readInSnapshot(ctx, (tx) => compareWithExport(tx, input));
  return saveRun(ctx, { ...run, checkedCount, incompleteReason, result });
}

function findSkipReason({ config }: ReconciliationContext): string | undefined {
  if (config.payments.isSandbox) return 'the sandbox is no processor';
  return config.payments.dataLink ? undefined : 'DataLink is not set up';
}

async function logMissingExport({ db, clock, log }: ReconciliationContext): Promise<void> {
  const since = await findIncompleteSince(db, 'processor');
  if (since && clock.now().getTime() - since.getTime() > ALARM_AFTER_DAYS * DAY_MS)
    log.error({ since }, 'the books have not been compared with the payment processor for days');
}

/**
 * Makes the comparisons that are due. Run it every hour, so that failed or missed ones are made up for. Without
 * DataLink only the internal comparison runs, and the missing one is reported once.
 */
export async function reconcile(
  ctx: ReconciliationContext,
  { isRepeat = false, dataLink }: { isRepeat?: boolean; dataLink?: ExportSource } = {},
): Promise<void> {
  const day = getDueDay(ctx);
  await compareInternally(ctx, { day, isRepeat });
  const skipReason = dataLink ? undefined : findSkipReason(ctx);
  const source = dataLink ?? findDataLink(ctx);
  await runExclusiveComparison(ctx, 'processor', async () => {
    const state = isRepeat ? undefined : await findRunState(ctx.db, 'processor', day);
    if (state === 'completed') return;
    if (skipReason === undefined && source) {
      await compareWithProcessor(ctx, source, day);
      await logMissingExport(ctx);
    } else if (state === undefined) {
      const run = { comparison: 'processor', day, isFull: false, startedAt: ctx.clock.now(), checkedCount: 0 } as const;
      await saveRun(ctx, { ...run, incompleteReason: skipReason });
    }
  });
}
