/** Requests the exports of the processor day by day and stores them, so that any period can be compared. */
import { createHash } from 'node:crypto';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import {
  type DataLink,
  type DataLinkExport,
  formatArizonaTime,
  InvalidExportError,
  parseArizonaTime,
} from '../ccbill/index.ts';

const DAY_MS = 24 * 60 * 60_000;

export function toProcessorDay(at: Date): string {
  return formatArizonaTime(at).slice(0, 10);
}

/** Returns the start of a processor day. Throws RangeError for an invalid day. */
export function getProcessorDayStart(day: string): Date {
  const start = parseArizonaTime(`${day} 00:00:00`);
  if (!start) throw new RangeError(`not a day: ${day}`);
  return start;
}

export function addProcessorDays(day: string, count: number): string {
  return toProcessorDay(new Date(getProcessorDayStart(day).getTime() + count * DAY_MS));
}

type StoredRow = readonly [type: string | null, subscriptionId: string, amountCents: number | null];

function toStoredRows({ rows, unreadable }: DataLinkExport): StoredRow[] {
  const moving = rows.flatMap(({ type, subscriptionId, amountCents }): StoredRow[] =>
    amountCents === undefined ? [] : [[type, subscriptionId, amountCents]],
  );
  const traces = unreadable.map(
    (line): StoredRow => [null, createHash('sha256').update(line).digest('hex').slice(0, 16), null],
  );
  return [...moving, ...traces].sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

const DAYS: SqlStatement = {
  name: 'reconciliation-export-days',
  text: `select day::text as day, requested_at as "requestedAt" from processor_export_days where provider = $1 order by day desc`,
};
const ROWS: SqlStatement = {
  name: 'reconciliation-export-rows',
  text: 'select type, subscription_id, amount_cents from processor_exports where provider = $1 and day = $2::date order by line',
};
const UPSERT_DAY: SqlStatement = {
  name: 'reconciliation-export-upsert-day',
  text: `insert into processor_export_days as d (provider, day, requested_at, changed_at) values ($1, $2::date, $3, $3)
    on conflict (provider, day) do update set requested_at = excluded.requested_at, changed_at = case when $4 then excluded.changed_at else d.changed_at end`,
};
const DELETE_ROWS: SqlStatement = {
  name: 'reconciliation-export-drop',
  text: 'delete from processor_exports where provider = $1 and day = $2::date',
};
const INSERT_ROWS: SqlStatement = {
  name: 'reconciliation-export-insert',
  text: `insert into processor_exports (provider, day, line, type, subscription_id, amount_cents)
    select $1, $2::date, k.line, k.type, k.subscription_id, k.cents
    from unnest($3::text[], $4::text[], $5::bigint[]) with ordinality as k (type, subscription_id, cents, line)`,
};

/** Replaces the stored export of a day. Throws when the response is empty but rows are known. */
async function saveDay(
  tx: DbTransaction,
  provider: string,
  day: string,
  exported: DataLinkExport,
  at: Date,
): Promise<void> {
  const rows = toStoredRows(exported);
  const before = await tx.run<{ type: string; subscription_id: string; amount_cents: number }>(ROWS, [provider, day]);
  const known = before.map((row) => [row.type, row.subscription_id, row.amount_cents]);
  if (exported.isEmpty && known.length > 0)
    throw new InvalidExportError('DataLink answered nothing, and rows are known');
  const isChanged = JSON.stringify(known) !== JSON.stringify(rows);
  await tx.run(UPSERT_DAY, [provider, day, at, isChanged]);
  if (!isChanged) return;
  await tx.run(DELETE_ROWS, [provider, day]);
  await tx.run(INSERT_ROWS, [
    provider,
    day,
    rows.map(([type]) => type),
    rows.map(([, subscriptionId]) => subscriptionId),
    rows.map(([, , cents]) => cents),
  ]);
}

/** After this many failures in a row the problem is not the single day, so the run stops. */
const MAX_CONSECUTIVE_FAILURES = 3;

export async function requestDays(
  { db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>,
  dataLink: Pick<DataLink, 'exportRows'>,
  provider: string,
  days: readonly string[],
): Promise<string | undefined> {
  const failed: string[] = [];
  let consecutiveFailures = 0;
  for (const day of days) {
    const from = getProcessorDayStart(day);
    try {
      const exported = await dataLink.exportRows(from, new Date(from.getTime() + DAY_MS - 1000));
      await db.transaction((tx) => saveDay(tx, provider, day, exported, clock.now()));
      consecutiveFailures = 0;
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'could not be requested';
      if (error instanceof InvalidExportError)
        log.error({ day, reason }, 'the payment processor answered with what is no export');
      failed.push(`${day}: ${reason}`);
      consecutiveFailures += 1;
      if (consecutiveFailures === MAX_CONSECUTIVE_FAILURES) break;
    }
  }
  return failed.length === 0 ? undefined : failed.join('; ');
}

export type ExportSchedule = {
  /** The number of days to compare, because chargebacks come late. */
  windowDays: number;
  /** The newest days are requested every night, because rows may come late. So are days with a difference. */
  freshDays: number;
  /** Other days are requested again after this many days, because only corrections change them. */
  refreshDays: number;
};

export async function listDueDays(
  db: Executor,
  provider: string,
  {
    today,
    first,
    now,
    schedule,
    differing,
  }: { today: string; first: string; now: Date; schedule: ExportSchedule; differing: ReadonlySet<string> },
): Promise<string[]> {
  const requestedDays = new Map(
    (await db.run<{ day: string; requestedAt: Date }>(DAYS, [provider])).map((row) => [row.day, row]),
  );
  const start = addProcessorDays(today, -schedule.windowDays);
  const fresh = addProcessorDays(today, -schedule.freshDays);
  // Half a day less, so that the request happens at the same hour of the day.
  const stale = now.getTime() - (schedule.refreshDays - 0.5) * DAY_MS;
  const missing: string[] = [];
  const stored: string[] = [];
  for (let day = first > start ? first : start; day < today; day = addProcessorDays(day, 1)) {
    const known = requestedDays.get(day);
    if (!known) missing.push(day);
    else if (day >= fresh || differing.has(day) || known.requestedAt.getTime() < stale) stored.push(day);
  }
  return [...missing, ...stored];
}

export async function findCoveredDays(
  db: Executor,
  provider: string,
): Promise<{ from: string; until: string } | undefined> {
  const days = (await db.run<{ day: string }>(DAYS, [provider])).map(({ day }) => day);
  const [newest] = days;
  if (newest === undefined) return undefined;
  const gap = days.findIndex((day, index) => day !== addProcessorDays(newest, -index));
  return { from: (gap < 0 ? days.at(-1) : days[gap - 1]) ?? newest, until: addProcessorDays(newest, 1) };
}

const LAST_TIME: SqlStatement = {
  name: 'reconciliation-export-last-time',
  text: 'select max(requested_at) as at from processor_export_days',
};

/** Returns when the processor last answered a request for an export. */
export async function findLastExportTime(db: Executor): Promise<Date | null> {
  const [row] = await db.run<{ at: Date | null }>(LAST_TIME, []);
  return row?.at ?? null;
}
