import { Readable } from 'node:stream';
import {
  type getLedgerReconciliation,
  type LedgerTotals,
  RECONCILIATION_DAYS,
} from '@stagedoor/contract/admin/ledger.ts';
import { createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { toUsd } from '@stagedoor/contract/shared/money.ts';
import type { FileResponse, QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import { BOM, formatCsvAmount, formatCsvTime, toCsvRow, toSafeCell } from '../../../platform/csv.ts';
import type { Executor } from '../../../platform/database/db.ts';
import {
  addProcessorDays,
  getProcessorTotals,
  listProcessorDays,
  type ProcessorDay,
  type ProcessorTotals,
  toProcessorDay,
  viewDifferences,
} from '../../commerce/reconciliation/index.ts';
import { listLedgerTotals } from '../../ledger/ledger/index.ts';
import { listUnresolvedDifferences } from '../../ledger/ledger-checks/index.ts';
import { formatAccountLabel } from './account-labels.ts';
import * as texts from './texts.ts';

type ReconciliationView = ResponseInputOf<typeof getLedgerReconciliation>;
type ReconciliationPeriod = QueryOf<typeof getLedgerReconciliation>;

const DEFAULT_DAYS = 14;
const DAY_MS = 86_400_000;

function getPeriod({ clock }: Pick<Context, 'clock'>, query: ReconciliationPeriod): { from: string; to: string } {
  const to = query.to ?? toProcessorDay(clock.now());
  const from = query.from ?? addProcessorDays(to, 1 - DEFAULT_DAYS);
  if (from > to) throw createFieldError('to', texts.endDateIsBeforeStart);
  if (Date.parse(to) - Date.parse(from) >= RECONCILIATION_DAYS * DAY_MS)
    throw createFieldError('from', formatText(texts.reconciliationRangeLimit, { days: RECONCILIATION_DAYS }));
  return { from, to };
}

async function getTotals(db: Executor, at: Date): Promise<LedgerTotals> {
  const totals = await listLedgerTotals(db);
  const toSide = (isDebit: boolean) =>
    totals
      .filter((one) => one.isDebit === isDebit && (one.cents !== 0 || one.accounts > 1))
      .map(({ pattern, accounts, cents }) => ({
        key: pattern,
        label: formatAccountLabel(pattern),
        accounts,
        amount: toUsd(cents),
      }));
  const sumSide = (isDebit: boolean) =>
    toUsd(totals.filter((one) => one.isDebit === isDebit).reduce((total, { cents }) => total + cents, 0));
  return {
    at: at.toISOString(),
    assets: toSide(true),
    liabilities: toSide(false),
    assetsTotal: sumSide(true),
    liabilitiesTotal: sumSide(false),
  };
}

async function countDifferencesByDay(db: Executor): Promise<ReadonlyMap<string, { open: number; explained: number }>> {
  const rows = [
    ...(await listUnresolvedDifferences(db, 'processor')),
    ...(await listUnresolvedDifferences(db, 'orders')),
  ];
  const byDay = new Map<string, { open: number; explained: number }>();
  for (const { occurred_at: at, explained_at: explainedAt } of rows) {
    if (!at) continue;
    const day = byDay.get(toProcessorDay(at)) ?? { open: 0, explained: 0 };
    byDay.set(toProcessorDay(at), day);
    day[explainedAt ? 'explained' : 'open'] += 1;
  }
  return byDay;
}

function presentDay(
  { day, requestedAt, theirs, ours }: ProcessorDay,
  counts: { open: number; explained: number } | undefined,
) {
  const compareAmounts = (name: 'sold' | 'refunded' | 'chargedBack') => ({
    theirs: requestedAt ? toUsd(theirs[name]) : null,
    ours: toUsd(ours[name]),
  });
  return {
    day,
    queriedAt: requestedAt?.toISOString() ?? null,
    sold: compareAmounts('sold'),
    refunded: compareAmounts('refunded'),
    chargedBack: compareAmounts('chargedBack'),
    open: counts?.open ?? 0,
    explained: counts?.explained ?? 0,
  };
}

const presentProcessorBalance = ({
  sold,
  refunded,
  chargedBack,
  settled,
  owed,
}: ProcessorTotals): ReconciliationView['processorBalance'] => ({
  sold: toUsd(sold),
  refunded: toUsd(refunded),
  chargedBack: toUsd(chargedBack),
  settled: toUsd(settled),
  owed: toUsd(owed),
});

/** Throws VALIDATION for days in the wrong order or for too many days. */
export function getReconciliation(
  ctx: Pick<Context, 'clock' | 'db'>,
  query: ReconciliationPeriod,
): Promise<ReconciliationView> {
  const { from, to } = getPeriod(ctx, query);
  return ctx.db.snapshot(async (db) => {
    const totals = await getTotals(db, ctx.clock.now());
    const processorBalance = presentProcessorBalance(await getProcessorTotals(db));
    const days = await listProcessorDays(db, from, to);
    const countsByDay = await countDifferencesByDay(db);
    return { totals, processorBalance, from, to, days: days.map((day) => presentDay(day, countsByDay.get(day.day))) };
  });
}

const CSV_HEADER = ['Row', 'What', 'Day', 'Theirs', 'Ours', 'Difference', 'State', 'Detail'];
const formatCsvUsd = (usd: number | null) => (usd === null ? '' : formatCsvAmount(Math.round(usd * 100)));
const formatDifference = (theirs: number | null, ours: number | null) =>
  theirs === null || ours === null ? '' : formatCsvAmount(Math.round(theirs * 100) - Math.round(ours * 100));

const toTotalRow = (title: string, label: string, ours: number) => [
  'total',
  `${title}: ${label}`,
  '',
  '',
  formatCsvUsd(ours),
  '',
  '',
  '',
];

function listTotalRows({ assets, liabilities, assetsTotal, liabilitiesTotal }: LedgerTotals): string[][] {
  return [
    ...assets.map(({ label, amount }) => toTotalRow('have', label, amount)),
    toTotalRow('have', 'all', assetsTotal),
    ...liabilities.map(({ label, amount }) => toTotalRow('owe', label, amount)),
    toTotalRow('owe', 'all', liabilitiesTotal),
  ];
}

const listProcessorRows = ({
  sold,
  refunded,
  chargedBack,
  settled,
  owed,
}: ReconciliationView['processorBalance']): string[][] => [
  toTotalRow('processor', 'sold', sold),
  toTotalRow('processor', 'refunded', refunded),
  toTotalRow('processor', 'charged back', chargedBack),
  toTotalRow('processor', 'settled', settled),
  toTotalRow('processor', 'owes us', owed),
];

function listDayRows({ day, queriedAt, open, explained, ...sides }: ReconciliationView['days'][number]): string[][] {
  const state = queriedAt === null ? 'not fetched' : '';
  const detail =
    open + explained === 0 ? '' : formatText(texts.openAndExplained, { openCount: open, explainedCount: explained });
  return (['sold', 'refunded', 'chargedBack'] as const).map((name) => {
    const { theirs, ours } = sides[name];
    const title = { sold: 'Sold', refunded: 'Refunded', chargedBack: texts.chargedBack }[name];
    return ['day', title, day, formatCsvUsd(theirs), formatCsvUsd(ours), formatDifference(theirs, ours), state, detail];
  });
}

const PAGE_SIZE = 50;

async function* readDifferenceRows(ctx: Pick<Context, 'db'>): AsyncGenerator<string[][]> {
  for (const state of ['open', 'explained'] as const)
    for (let offset: string | undefined = '0'; offset !== undefined; ) {
      const page: Awaited<ReturnType<typeof viewDifferences>> = await viewDifferences(ctx, {
        state,
        offset,
        limit: PAGE_SIZE,
      });
      yield page.data.map(({ label, key, occurredAt, theirs, ours, explanations }) => [
        'difference',
        label,
        formatCsvTime(occurredAt === null ? null : new Date(occurredAt)),
        formatCsvUsd(theirs),
        formatCsvUsd(ours),
        formatDifference(theirs, ours),
        state,
        [key, ...explanations.map(({ reason }) => reason)].join(': '),
      ]);
      offset = page.nextOffset;
    }
}

/** Escapes text that users may have written, so that a spreadsheet never runs it as a formula. Amounts stay numbers. */
const formatRow = ([
  row = '',
  title = '',
  day = '',
  theirs = '',
  ours = '',
  difference = '',
  state = '',
  detail = '',
]: readonly string[]) => toCsvRow([row, toSafeCell(title), day, theirs, ours, difference, state, toSafeCell(detail)]);

async function* writeCsv(ctx: Pick<Context, 'db'>, { totals, processorBalance, days }: ReconciliationView) {
  const rows = [...listTotalRows(totals), ...listProcessorRows(processorBalance), ...days.flatMap(listDayRows)];
  yield Buffer.from(BOM + toCsvRow(CSV_HEADER) + rows.map(formatRow).join(''));
  for await (const page of readDifferenceRows(ctx)) yield Buffer.from(page.map(formatRow).join(''));
}

export async function exportReconciliation(
  ctx: Pick<Context, 'clock' | 'db'>,
  query: ReconciliationPeriod,
): Promise<FileResponse> {
  const view = await getReconciliation(ctx, query);
  return {
    name: `reconciliation-${view.from}-${view.to}.csv`,
    type: 'text/csv; charset=utf-8',
    body: Readable.from(writeCsv(ctx, view)),
  };
}
