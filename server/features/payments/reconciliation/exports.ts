/** Requests the exports of the processor day by day and stores them, so that any period can be compared. */
import { createHash } from 'node:crypto';
import type { Context } from '../../../kernel/context.ts';
import type { Executor, Statement, Transaction } from '../../../kernel/db.ts';
import { type DataLink, type Export, NoExport } from '../ccbill/datalink.ts';
import { arizonaText, instantOf } from '../ccbill/values.ts';

const DAY_MS = 24 * 60 * 60_000;

export function dayOf(at: Date): string {
  return arizonaText(at).slice(0, 10);
}

/** Returns the start of a processor day. Throws RangeError for an invalid day. */
export function startOf(day: string): Date {
  const start = instantOf(`${day} 00:00:00`);
  if (!start) throw new RangeError(`not a day: ${day}`);
  return start;
}

export function daysAfter(day: string, count: number): string {
  return dayOf(new Date(startOf(day).getTime() + count * DAY_MS));
}

type Kept = readonly [type: string | null, subscriptionId: string, amountCents: number | null];

function keptOf({ rows, unreadable }: Export): Kept[] {
  const moving = rows.flatMap(({ type, subscriptionId, amountCents }): Kept[] =>
    amountCents === undefined ? [] : [[type, subscriptionId, amountCents]],
  );
  const traces = unreadable.map(
    (line): Kept => [null, createHash('sha256').update(line).digest('hex').slice(0, 16), null],
  );
  return [...moving, ...traces].sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

const DAYS: Statement = {
  name: 'payments-export-days',
  text: `select day::text as day, asked_at as "askedAt" from processor_export_days where provider = $1 order by day desc`,
};
const ROWS: Statement = {
  name: 'payments-export-rows',
  text: 'select type, subscription_id, amount_cents from processor_exports where provider = $1 and day = $2::date order by line',
};
const ASKED: Statement = {
  name: 'payments-export-asked',
  text: `insert into processor_export_days as d (provider, day, asked_at, changed_at) values ($1, $2::date, $3, $3)
    on conflict (provider, day) do update set asked_at = excluded.asked_at, changed_at = case when $4 then excluded.changed_at else d.changed_at end`,
};
const DROP: Statement = {
  name: 'payments-export-drop',
  text: 'delete from processor_exports where provider = $1 and day = $2::date',
};
const KEEP: Statement = {
  name: 'payments-export-keep',
  text: `insert into processor_exports (provider, day, line, type, subscription_id, amount_cents)
    select $1, $2::date, k.line, k.type, k.subscription_id, k.cents
    from unnest($3::text[], $4::text[], $5::bigint[]) with ordinality as k (type, subscription_id, cents, line)`,
};

/** Replaces the stored export of a day. Throws when the response is empty but rows are known. */
async function keepDay(tx: Transaction, provider: string, day: string, exported: Export, at: Date): Promise<void> {
  const rows = keptOf(exported);
  const before = await tx.run<{ type: string; subscription_id: string; amount_cents: number }>(ROWS, [provider, day]);
  const known = before.map((row) => [row.type, row.subscription_id, row.amount_cents]);
  if (exported.isSilent && known.length > 0) throw new NoExport('DataLink answered nothing, and rows are known');
  const isChanged = JSON.stringify(known) !== JSON.stringify(rows);
  await tx.run(ASKED, [provider, day, at, isChanged]);
  if (!isChanged) return;
  await tx.run(DROP, [provider, day]);
  await tx.run(KEEP, [
    provider,
    day,
    rows.map(([type]) => type),
    rows.map(([, subscriptionId]) => subscriptionId),
    rows.map(([, , cents]) => cents),
  ]);
}

/** After this many failures in a row the problem is not the single day, so the run stops. */
const MOST_IN_A_ROW = 3;

export async function askDays(
  { db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>,
  dataLink: Pick<DataLink, 'exportRows'>,
  provider: string,
  days: readonly string[],
): Promise<string | undefined> {
  const failed: string[] = [];
  let inARow = 0;
  for (const day of days) {
    const from = startOf(day);
    try {
      const exported = await dataLink.exportRows(from, new Date(from.getTime() + DAY_MS - 1000));
      await db.transaction((tx) => keepDay(tx, provider, day, exported, clock.now()));
      inARow = 0;
    } catch (error) {
      const why = error instanceof Error ? error.message : 'could not be asked for';
      if (error instanceof NoExport) log.error({ day, why }, 'the payment processor answered with what is no export');
      failed.push(`${day}: ${why}`);
      inARow += 1;
      if (inARow === MOST_IN_A_ROW) break;
    }
  }
  return failed.length === 0 ? undefined : failed.join('; ');
}

export type Beat = {
  /** The number of days to compare, because chargebacks come late. */
  windowDays: number;
  /** The newest days are requested every night, because rows may come late. So are days with a difference. */
  freshDays: number;
  /** Other days are requested again after this many days, because only corrections change them. */
  againDays: number;
};

export async function daysDue(
  db: Executor,
  provider: string,
  {
    today,
    first,
    now,
    beat,
    differing,
  }: { today: string; first: string; now: Date; beat: Beat; differing: ReadonlySet<string> },
): Promise<string[]> {
  const asked = new Map((await db.run<{ day: string; askedAt: Date }>(DAYS, [provider])).map((row) => [row.day, row]));
  const start = daysAfter(today, -beat.windowDays);
  const fresh = daysAfter(today, -beat.freshDays);
  // Half a day less, so that the request happens at the same hour of the day.
  const stale = now.getTime() - (beat.againDays - 0.5) * DAY_MS;
  const never: string[] = [];
  const again: string[] = [];
  for (let day = first > start ? first : start; day < today; day = daysAfter(day, 1)) {
    const known = asked.get(day);
    if (!known) never.push(day);
    else if (day >= fresh || differing.has(day) || known.askedAt.getTime() < stale) again.push(day);
  }
  return [...never, ...again];
}

export async function daysCovered(
  db: Executor,
  provider: string,
): Promise<{ from: string; until: string } | undefined> {
  const days = (await db.run<{ day: string }>(DAYS, [provider])).map(({ day }) => day);
  const [newest] = days;
  if (newest === undefined) return undefined;
  const gap = days.findIndex((day, index) => day !== daysAfter(newest, -index));
  return { from: (gap < 0 ? days.at(-1) : days[gap - 1]) ?? newest, until: daysAfter(newest, 1) };
}
