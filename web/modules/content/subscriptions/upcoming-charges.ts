import type { PaymentSource, Subscription } from '@stagedoor/contract/content/subscriptions.ts';
import { toDayKey } from '../../../platform/dates.ts';
import { addDays, addPeriod } from './billing.ts';

const DAYS = 30;

export type UpcomingCharge = {
  key: string;
  day: string;
  creatorName: string;
  amount: number;
  paymentSource: PaymentSource;
};

/** The charges of the next 30 days, in the order of their days. A weekly subscription has several. */
export function listUpcomingCharges(subscriptions: readonly Subscription[], now: string): UpcomingCharge[] {
  const lastDay = addDays(toDayKey(now), DAYS);
  const charges: UpcomingCharge[] = [];
  for (const subscription of subscriptions) {
    const { id, creator, nextCharge, price, discount, recurrence, count, paymentSource, cardPeriodDays } = subscription;
    if (!nextCharge) continue;
    const addOne = (day: string) =>
      cardPeriodDays === null ? addPeriod(day, { recurrence, count }) : addDays(day, cardPeriodDays);
    let discountsLeft = discount?.periodsLeft ?? 0;
    for (let day = toDayKey(nextCharge.at); day <= lastDay; day = addOne(day)) {
      const amount = discount && discountsLeft <= 0 ? price : nextCharge.amount;
      charges.push({ key: `${id} ${day}`, day, creatorName: creator.name, amount, paymentSource });
      discountsLeft -= 1;
    }
  }
  return charges.sort((a, b) => a.day.localeCompare(b.day));
}

export function sumCharges(charges: readonly UpcomingCharge[]): number {
  return Math.round(charges.reduce((sum, { amount }) => sum + amount * 100, 0)) / 100;
}

/** Whether the first payment at a higher price still has the discount. */
export function isNewPriceDiscounted({ discount, newPrice, paidUntil, recurrence, count }: Subscription): boolean {
  if (!discount || !newPrice || !paidUntil) return false;
  const firstDay = toDayKey(newPrice.from);
  let paymentsBefore = 0;
  for (let day = toDayKey(paidUntil); day < firstDay; day = addPeriod(day, { recurrence, count })) paymentsBefore += 1;
  return discount.periodsLeft > paymentsBefore;
}
