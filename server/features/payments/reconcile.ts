/**
 * Daily reconciliation: compares orders, journal and webhooks with each other, and all of them with the export of the
 * processor in both directions. Moves no money. Differences are stored until they are gone, explained by an operator or
 * raised as an alarm.
 */
import type { Context } from '../../kernel/context.ts';
import type { Executor, Statement } from '../../kernel/db.ts';
import { compareAlone, keepRun, lastRun, standingDifferences, stateOfRun, undoneSince } from '../ledger/index.ts';
import { createDataLink, type DataLink } from './ccbill/datalink.ts';
import { CCBILL } from './ccbill/ours.ts';
import { firstOrderAt } from './deposits-store.ts';
import { askDays, type Beat, dayOf, daysAfter, daysCovered, daysDue, startOf } from './reconciliation/exports.ts';
import { compareOrders } from './reconciliation/orders.ts';
import { compareWithExport } from './reconciliation/processor.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

const BEAT: Beat = { windowDays: 45, freshDays: 7, againDays: 7 };
/** The processor exports a day completely within this time after its end. */
const AFTER_DAY_MS = 2.5 * HOUR_MS;
const FULL_AFTER_MS = 6.5 * DAY_MS;
/** Days without an export before an alarm. Until then the export is requested every hour. */
const ALARM_AFTER_DAYS = 3;

export type Comparing = Pick<Context, 'clock' | 'config' | 'db' | 'log'>;

export type BooksOf = Pick<DataLink, 'exportRows'>;

export function dataLinkOf({ config }: Pick<Context, 'config'>): DataLink | undefined {
  const { dataLink, account, subaccount } = config.payments;
  return dataLink && createDataLink({ ...dataLink, account, subaccount });
}

const LOOK: Statement = {
  name: 'payments-compare-look',
  text: 'set transaction isolation level repeatable read, read only',
};

function inSnapshot<T>({ db }: Comparing, look: (tx: Executor) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.run(LOOK, []);
    return look(tx);
  });
}

/** The day for which comparisons are due: the newest one whose previous day is over and exported. */
const dueDay = ({ clock }: Comparing): string => dayOf(new Date(clock.now().getTime() - AFTER_DAY_MS));

type Due = { day: string; isAgain: boolean };

async function compareInside(ctx: Comparing, { day, isAgain }: Due): Promise<void> {
  await compareAlone(ctx, 'orders', async () => {
    if (!isAgain && (await stateOfRun(ctx.db, 'orders', day)) === 'made') return;
    const startedAt = ctx.clock.now();
    const whole = await lastRun(ctx.db, 'orders', { isFull: true });
    const isFull = !whole || startedAt.getTime() - whole.started_at.getTime() > FULL_AFTER_MS;
    const since = isFull ? null : startOf(daysAfter(day, -BEAT.windowDays));
    const { differences, lookedAt } = await inSnapshot(ctx, (tx) => compareOrders(tx, since));
    await keepRun(ctx, { comparison: 'orders', day, isFull, startedAt, lookedAt, found: { differences, since } });
  });
}

async function compareOutside(ctx: Comparing, dataLink: BooksOf, day: string): Promise<void> {
  const startedAt = ctx.clock.now();
  const run = { comparison: 'processor', day, isFull: false, startedAt } as const;
  const firstAt = await firstOrderAt(ctx.db, CCBILL);
  if (!firstAt) return keepRun(ctx, { ...run, lookedAt: 0, found: { differences: [], since: null } });
  const first = dayOf(firstAt);
  const standing = await standingDifferences(ctx.db, 'processor');
  const differing = new Set(standing.flatMap(({ about_at: at }) => (at ? [dayOf(at)] : [])));
  const due = await daysDue(ctx.db, CCBILL, { today: day, first, now: startedAt, beat: BEAT, differing });
  const undone = await askDays(ctx, dataLink, CCBILL, due);
  const covered = await daysCovered(ctx.db, CCBILL);
  if (!covered) return keepRun(ctx, { ...run, lookedAt: 0, undone: undone ?? 'nothing is exported yet' });
  const since = daysAfter(day, -BEAT.windowDays);
  const asked = { provider: CCBILL, covered, first, since, subscriptions: standing.map(({ key }) => key) };
  const { lookedAt, ...found } = await inSnapshot(ctx, (tx) => compareWithExport(tx, asked));
  return keepRun(ctx, { ...run, lookedAt, undone, found });
}

function whyNotAsked({ config }: Comparing): string | undefined {
  if (config.payments.isSandbox) return 'the sandbox is no processor';
  return config.payments.dataLink ? undefined : 'DataLink is not set up';
}

async function alarmOfAbsence({ db, clock, log }: Comparing): Promise<void> {
  const since = await undoneSince(db, 'processor');
  if (since && clock.now().getTime() - since.getTime() > ALARM_AFTER_DAYS * DAY_MS)
    log.error({ since }, 'the books have not been compared with the payment processor for days');
}

/**
 * Makes the comparisons that are due. Run it every hour, so that failed or missed ones are made up for. Without
 * DataLink only the internal comparison runs, and the missing one is reported once.
 */
export async function reconcile(
  ctx: Comparing,
  { isAgain = false, dataLink }: { isAgain?: boolean; dataLink?: BooksOf } = {},
): Promise<void> {
  const day = dueDay(ctx);
  await compareInside(ctx, { day, isAgain });
  const why = dataLink ? undefined : whyNotAsked(ctx);
  const reachable = dataLink ?? dataLinkOf(ctx);
  await compareAlone(ctx, 'processor', async () => {
    const state = isAgain ? undefined : await stateOfRun(ctx.db, 'processor', day);
    if (state === 'made') return;
    if (why === undefined && reachable) {
      await compareOutside(ctx, reachable, day);
      await alarmOfAbsence(ctx);
    } else if (state === undefined) {
      const run = { comparison: 'processor', day, isFull: false, startedAt: ctx.clock.now(), lookedAt: 0 } as const;
      await keepRun(ctx, { ...run, undone: why });
    }
  });
}
