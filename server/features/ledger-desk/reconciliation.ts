import { Readable } from 'node:stream';
import { invalid } from '@stagedoor/contract/atoms/errors.ts';
import { toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, FileAnswer, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import { type LedgerTotals, type ledgerReconciliation, RECONCILIATION_DAYS } from '@stagedoor/contract/ledger-desk.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor } from '../../kernel/db.ts';
import { amountText, BOM, lineOf, said, timeText } from '../../kernel/spreadsheet.ts';
import { ledgerTotals, standingDifferences } from '../ledger/index.ts';
import {
  dayOf,
  daysAfter,
  type ProcessorDay,
  type ProcessorWay,
  processorDays,
  processorWay,
  viewDifferences,
} from '../payments/index.ts';
import { accountWords } from './words.ts';

type View = AnswerOf<typeof ledgerReconciliation>;
type Period = QueryOf<typeof ledgerReconciliation>;

const USUAL_DAYS = 14;
const DAY_MS = 86_400_000;

function periodOf({ clock }: Pick<Context, 'clock'>, asked: Period): { from: string; to: string } {
  const to = asked.to ?? dayOf(clock.now());
  const from = asked.from ?? daysAfter(to, 1 - USUAL_DAYS);
  if (from > to) throw invalid('to', 'End date is before start date');
  if (Date.parse(to) - Date.parse(from) >= RECONCILIATION_DAYS * DAY_MS)
    throw invalid('from', `At most ${RECONCILIATION_DAYS} days`);
  return { from, to };
}

async function totalsOf(db: Executor, at: Date): Promise<LedgerTotals> {
  const all = await ledgerTotals(db);
  const side = (isDebit: boolean) =>
    all
      .filter((one) => one.isDebit === isDebit && (one.cents !== 0 || one.accounts > 1))
      .map(({ pattern, accounts, cents }) => ({
        key: pattern,
        words: accountWords(pattern),
        accounts,
        amount: toUsd(cents),
      }));
  const sum = (isDebit: boolean) =>
    toUsd(all.filter((one) => one.isDebit === isDebit).reduce((total, { cents }) => total + cents, 0));
  return { at: at.toISOString(), have: side(true), owe: side(false), haveSum: sum(true), oweSum: sum(false) };
}

async function differencesByDay(db: Executor): Promise<ReadonlyMap<string, { open: number; explained: number }>> {
  const rows = [...(await standingDifferences(db, 'processor')), ...(await standingDifferences(db, 'orders'))];
  const byDay = new Map<string, { open: number; explained: number }>();
  for (const { about_at: at, explained_at: explainedAt } of rows) {
    if (!at) continue;
    const day = byDay.get(dayOf(at)) ?? { open: 0, explained: 0 };
    byDay.set(dayOf(at), day);
    day[explainedAt ? 'explained' : 'open'] += 1;
  }
  return byDay;
}

function present({ day, askedAt, theirs, ours }: ProcessorDay, about: { open: number; explained: number } | undefined) {
  const both = (name: 'sold' | 'refunded' | 'chargedBack') => ({
    theirs: askedAt ? toUsd(theirs[name]) : null,
    ours: toUsd(ours[name]),
  });
  return {
    day,
    askedAt: askedAt?.toISOString() ?? null,
    sold: both('sold'),
    refunded: both('refunded'),
    chargedBack: both('chargedBack'),
    open: about?.open ?? 0,
    explained: about?.explained ?? 0,
  };
}

const presentWay = ({ sold, refunded, chargedBack, settled, owed }: ProcessorWay): View['way'] => ({
  sold: toUsd(sold),
  refunded: toUsd(refunded),
  chargedBack: toUsd(chargedBack),
  settled: toUsd(settled),
  owed: toUsd(owed),
});

/** Throws VALIDATION for days in the wrong order or for too many days. */
export function viewReconciliation(ctx: Pick<Context, 'clock' | 'db'>, asked: Period): Promise<View> {
  const { from, to } = periodOf(ctx, asked);
  return ctx.db.snapshot(async (db) => {
    const totals = await totalsOf(db, ctx.clock.now());
    const way = presentWay(await processorWay(db));
    const days = await processorDays(db, from, to);
    const about = await differencesByDay(db);
    return { totals, way, from, to, days: days.map((day) => present(day, about.get(day.day))) };
  });
}

const HEAD = ['Row', 'What', 'Day', 'Theirs', 'Ours', 'Difference', 'State', 'Detail'];
const text = (usd: number | null) => (usd === null ? '' : amountText(Math.round(usd * 100)));
const less = (theirs: number | null, ours: number | null) =>
  theirs === null || ours === null ? '' : amountText(Math.round(theirs * 100) - Math.round(ours * 100));

const sum = (what: string, words: string, ours: number) => [
  'total',
  `${what}: ${words}`,
  '',
  '',
  text(ours),
  '',
  '',
  '',
];

function totalLines({ have, owe, haveSum, oweSum }: LedgerTotals): string[][] {
  return [
    ...have.map(({ words, amount }) => sum('have', words, amount)),
    sum('have', 'all', haveSum),
    ...owe.map(({ words, amount }) => sum('owe', words, amount)),
    sum('owe', 'all', oweSum),
  ];
}

const wayLines = ({ sold, refunded, chargedBack, settled, owed }: View['way']): string[][] => [
  sum('processor', 'sold', sold),
  sum('processor', 'refunded', refunded),
  sum('processor', 'charged back', chargedBack),
  sum('processor', 'settled', settled),
  sum('processor', 'owes us', owed),
];

function dayLines({ day, askedAt, open, explained, ...sides }: View['days'][number]): string[][] {
  const state = askedAt === null ? 'not fetched' : '';
  const detail = open + explained === 0 ? '' : `${open} open, ${explained} explained`;
  return (['sold', 'refunded', 'chargedBack'] as const).map((name) => {
    const { theirs, ours } = sides[name];
    const what = { sold: 'Sold', refunded: 'Refunded', chargedBack: 'Charged back' }[name];
    return ['day', what, day, text(theirs), text(ours), less(theirs, ours), state, detail];
  });
}

const AT_ONCE = 50;

async function* differenceLines(ctx: Pick<Context, 'db'>): AsyncGenerator<string[][]> {
  for (const state of ['open', 'explained'] as const)
    for (let offset: string | undefined = '0'; offset !== undefined; ) {
      const page: Awaited<ReturnType<typeof viewDifferences>> = await viewDifferences(ctx, {
        state,
        offset,
        limit: AT_ONCE,
      });
      yield page.data.map(({ words, key, aboutAt, theirs, ours, explanations }) => [
        'difference',
        words,
        timeText(aboutAt === null ? null : new Date(aboutAt)),
        text(theirs),
        text(ours),
        less(theirs, ours),
        state,
        [key, ...explanations.map(({ ground }) => ground)].join(': '),
      ]);
      offset = page.nextOffset;
    }
}

/** Escapes text that users may have written, so that a spreadsheet never runs it as a formula. Amounts stay numbers. */
const rowOf = ([
  row = '',
  what = '',
  day = '',
  theirs = '',
  ours = '',
  difference = '',
  state = '',
  detail = '',
]: readonly string[]) => lineOf([row, said(what), day, theirs, ours, difference, state, said(detail)]);

async function* written(ctx: Pick<Context, 'db'>, { totals, way, days }: View) {
  const lines = [...totalLines(totals), ...wayLines(way), ...days.flatMap(dayLines)];
  yield Buffer.from(BOM + lineOf(HEAD) + lines.map(rowOf).join(''));
  for await (const page of differenceLines(ctx)) yield Buffer.from(page.map(rowOf).join(''));
}

export async function reconciliationFile(ctx: Pick<Context, 'clock' | 'db'>, asked: Period): Promise<FileAnswer> {
  const view = await viewReconciliation(ctx, asked);
  return {
    name: `reconciliation-${view.from}-${view.to}.csv`,
    type: 'text/csv; charset=utf-8',
    body: Readable.from(written(ctx, view)),
  };
}
