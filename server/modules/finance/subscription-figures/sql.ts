/** SQL fragments for a subscription `s`. */
import { toDiscountedSql } from '../../content/subscriptions/index.ts';

/** What a price costs per month, in cents. */
export const toMonthlySql = (price: string) =>
  `(${price} * case s.recurrence when 'weekly' then 52 when 'monthaly' then 12 else 1 end)::numeric / (12 * s.recurrence_count)`;

/** The discounted price of the current period, or during a trial of the first one. In cents. */
export const CURRENT_PRICE = `coalesce(${toDiscountedSql('s', 's.price_cents')}, s.price_cents)`;

/** A free tier has no paid period. */
export const IS_PAID = 's.paid_until is not null';
export const IS_TRIAL = `s.ended_at is null and ${IS_PAID} and s.period_number = 0 and s.failed_attempts = 0`;
export const IS_CANCELED = `s.ended_at is null and ${IS_PAID} and not s.is_renewing`;
export const IS_RECURRING = `s.ended_at is null and ${IS_PAID} and s.is_renewing and s.period_number > 0`;
