import type { Purse, Subscription } from '@stagedoor/contract/content/subscriptions.ts';
import { toDayKey } from '../../../platform/dates.ts';
import { addDays, addPeriod } from './billing.ts';

const DAYS = 30;

export type UpcomingCharge = { key: string; day: string; creatorName: string; amount: number; purse: Purse };

/** The charges of the next 30 days, in the order of their days. A weekly subscription has several. */
export function listUpcomingCharges(subscriptions: readonly Subscription[], now: string): UpcomingCharge[] {
  const lastDay = addDays(toDayKey(now), DAYS);
  const charges: UpcomingCharge[] = [];
  for (const { id, creator, nextCharge, recurrence, count, purse, cardPeriodDays } of subscriptions) {
    if (!nextCharge) continue;
    const addOne = (day: string) =>
      cardPeriodDays === null ? addPeriod(day, { recurrence, count }) : addDays(day, cardPeriodDays);
    for (let day = toDayKey(nextCharge.at); day <= lastDay; day = addOne(day))
      charges.push({ key: `${id} ${day}`, day, creatorName: creator.name, amount: nextCharge.amount, purse });
  }
  return charges.sort((a, b) => a.day.localeCompare(b.day));
}

export function sumCharges(charges: readonly UpcomingCharge[]): number {
  return Math.round(charges.reduce((sum, { amount }) => sum + amount * 100, 0)) / 100;
}
