import {
  listBillingOptions,
  type OwnTier,
  type SubscriptionTier,
} from '@stagedoor/contract/content/subscription-tiers.ts';
import { toUsd } from '@stagedoor/contract/shared/money.ts';
import type { CountedTierRow, TierRow } from './store.ts';

const toPrice = (cents: number | null) => (cents === null ? null : toUsd(cents));

export function toPrices(row: Pick<TierRow, 'weekly_cents' | 'monthly_cents' | 'yearly_cents'>): OwnTier['prices'] {
  return {
    weekly: toPrice(row.weekly_cents),
    monthaly: toPrice(row.monthly_cents),
    yearly: toPrice(row.yearly_cents),
  };
}

export function presentTier(row: CountedTierRow): SubscriptionTier {
  const options = listBillingOptions({ prices: toPrices(row), bundles: row.bundles });
  return {
    id: row.id,
    position: row.position ?? 0,
    name: row.name,
    benefits: row.benefits,
    isFree: options.length === 0,
    options,
    trialDays: row.trial_days,
    slotsLeft: row.slots === null ? null : Math.max(row.slots - row.subscriber_count, 0),
    isOpen: row.is_open,
    postCount: row.post_count,
    mediaCount: row.media_count,
  };
}

export function presentOwnTier(row: CountedTierRow): OwnTier {
  return {
    ...presentTier(row),
    prices: toPrices(row),
    bundles: row.bundles,
    slots: row.slots,
    welcomeMessage: row.welcome_message,
    subscriberCount: row.subscriber_count,
  };
}
