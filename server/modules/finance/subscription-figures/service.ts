/** Months are in UTC. All figures come from one snapshot, so that they add up. */
import {
  COHORT_MONTHS,
  FIGURE_DAYS,
  type SubscriptionFigures,
  TRIAL_HISTORY_DAYS,
  TRIALS_TO_MEASURE,
} from '@stagedoor/contract/finance/subscription-figures.ts';
import { asCents, calculatePercent, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { Context } from '../../../platform/context.ts';
import { getEffectiveFee } from '../../commerce/sales/index.ts';
import * as store from './store.ts';

const DAY_MS = 86_400_000;
const MONTHS = 12;
/** The share of running trials that is assumed to continue, until enough trials have ended to measure it. */
const ASSUMED_STAY_PERCENT = 50;

const addDays = (at: Date, days: number) => new Date(at.getTime() + days * DAY_MS);
/** The start of the month that is `months` after the one of `at`. */
const toMonthStart = (at: Date, months: number) =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1));
const formatMonth = (at: Date) => at.toISOString().slice(0, 7);
const sum = <T>(items: readonly T[], pick: (item: T) => number) => items.reduce((total, item) => total + pick(item), 0);

function toChurn(left: number, of: number): SubscriptionFigures['churn'] {
  return { left, of, percent: of === 0 ? null : Math.round((left * 1_000) / of) / 10 };
}

function presentExpected(
  charges: store.ExpectedCharges,
  { finished_trials: finished, converted_trials: converted }: store.Counts,
  feePercent: number,
): SubscriptionFigures['expected'] {
  const isMeasured = finished >= TRIALS_TO_MEASURE;
  const stayPercent = isMeasured ? Math.round((converted * 100) / finished) : ASSUMED_STAY_PERCENT;
  const trialCents = calculatePercent(asCents(charges.trial_cents), stayPercent);
  const grossCents = asCents(charges.renewal_cents + trialCents - charges.loss_cents);
  const feeCents = calculatePercent(grossCents, feePercent);
  return {
    renewals: { count: charges.renewals, amount: toUsd(charges.renewal_cents) },
    trials: { count: charges.trials, amount: toUsd(trialCents), stayPercent, isMeasured },
    losses: { count: charges.losses, amount: toUsd(charges.loss_cents) },
    feePercent,
    fee: toUsd(feeCents),
    yours: toUsd(grossCents - feeCents),
  };
}

function presentMonths(rows: readonly { at: Date; cents: number }[], now: Date, recurringCents: number) {
  const byEnd = new Map(rows.map(({ at, cents }) => [at.getTime(), cents]));
  const past = Array.from({ length: MONTHS - 1 }, (_, index) => {
    const end = toMonthStart(now, index - MONTHS + 2);
    return { month: formatMonth(toMonthStart(end, -1)), amount: toUsd(byEnd.get(end.getTime()) ?? 0) };
  });
  return [...past, { month: formatMonth(now), amount: toUsd(recurringCents) }];
}

function presentCohorts(rows: readonly store.CohortRow[], now: Date): SubscriptionFigures['cohorts'] {
  const [first] = rows;
  if (!first) return [];
  const byMonth = new Map(rows.map((row) => [formatMonth(row.month), row]));
  return Array.from({ length: COHORT_MONTHS }, (_, index) => index + 1 - COHORT_MONTHS).flatMap((age) => {
    const start = toMonthStart(now, age);
    if (start < first.month) return [];
    const { fans = 0, staying = [] } = byMonth.get(formatMonth(start)) ?? {};
    const shares = fans === 0 ? [] : staying.slice(0, -age || 0).map((count) => Math.round((count * 100) / fans));
    return [{ month: formatMonth(start), fanCount: fans, shares: age === 0 ? [] : shares }];
  });
}

function presentTiers(tiers: readonly store.TierSum[]): Pick<SubscriptionFigures, 'tiers' | 'bundles' | 'offers'> {
  return {
    tiers: tiers.map((tier) => ({
      id: tier.id,
      name: tier.name,
      monthlyPrice: tier.monthly_cents === null ? null : toUsd(tier.monthly_cents),
      isDeleted: tier.is_deleted,
      subscriberCount: tier.subscribers,
      perMonth: toUsd(tier.recurring_cents + tier.saved_cents + tier.offer_saved_cents),
    })),
    bundles: { count: sum(tiers, ({ bundles }) => bundles), saved: toUsd(sum(tiers, (tier) => tier.saved_cents)) },
    offers: { count: sum(tiers, ({ offers }) => offers), saved: toUsd(sum(tiers, (tier) => tier.offer_saved_cents)) },
  };
}

export function viewFigures(ctx: Context, creatorId: string): Promise<SubscriptionFigures> {
  const now = ctx.clock.now();
  const from = addDays(now, -FIGURE_DAYS);
  const times = { from, previousFrom: addDays(from, -FIGURE_DAYS), trialsFrom: addDays(now, -TRIAL_HISTORY_DAYS) };
  return ctx.db.snapshot(async (db) => {
    const counts = await store.countSubscriptions(db, creatorId, times);
    const charges = await store.sumExpected(db, creatorId, addDays(now, FIGURE_DAYS));
    const tiers = await store.sumTiers(db, creatorId);
    const monthEnds = { from: toMonthStart(now, 2 - MONTHS), to: toMonthStart(now, 0) };
    const monthRows = await store.listRecurringByMonth(db, creatorId, monthEnds);
    const cohortTimes = { from: toMonthStart(now, 1 - COHORT_MONTHS), now, months: COHORT_MONTHS };
    const cohortRows = await store.listCohorts(db, creatorId, cohortTimes);
    const fee = await getEffectiveFee(db, creatorId, now);
    const recurringCents = sum(tiers, (tier) => tier.recurring_cents);
    const lastMonthCents = monthRows.find(({ at }) => at.getTime() === monthEnds.to.getTime())?.cents ?? 0;
    return {
      monthlyRecurring: toUsd(recurringCents),
      recurringChange: toUsd(recurringCents - lastMonthCents),
      subscriberCount: counts.subscribers,
      newCount: counts.joined,
      churn: toChurn(counts.left, counts.left_of),
      previousChurn: toChurn(counts.previous_left, counts.previous_of),
      expected: presentExpected(charges, counts, fee.percent),
      months: presentMonths(monthRows, now, recurringCents),
      ...presentTiers(tiers),
      cohorts: presentCohorts(cohortRows, now),
    };
  });
}
