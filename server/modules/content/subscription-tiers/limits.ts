/** Limits of operators for what a tier offers. What it offered before stays valid. */
import { getPriceLimit } from '@stagedoor/contract/content/subscription-tiers.ts';
import { createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { toUsd } from '@stagedoor/contract/shared/money.ts';
import { formatPriceRule } from '@stagedoor/contract/shared/prices.ts';
import { RECURRENCES } from '@stagedoor/contract/shared/recurrence.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { loadPriceLimits } from '../../commerce/sales/index.ts';
import { loadSubscriptionSettings } from './settings.ts';
import type { TierValues } from './store.ts';
import * as texts from './texts.ts';

const PRICE_COLUMNS = { weekly: 'weekly_cents', monthaly: 'monthly_cents', yearly: 'yearly_cents' } as const;

/** Throws VALIDATION for a price or trial that is beyond the current limits and differs from before. */
export async function requireTierInLimits(db: Executor, tier: TierValues, before?: TierValues): Promise<void> {
  const { subscription } = await loadPriceLimits(db);
  for (const recurrence of RECURRENCES) {
    const column = PRICE_COLUMNS[recurrence];
    const cents = tier[column];
    if (cents === null || cents === before?.[column]) continue;
    const limit = getPriceLimit(recurrence, subscription);
    const price = toUsd(cents);
    if (price < limit.min || price > limit.max)
      throw createFieldError(`prices.${recurrence}`, formatPriceRule('subscription', limit));
  }
  if (tier.trial_days === null || tier.trial_days === before?.trial_days) return;
  const { trialDaysMax } = await loadSubscriptionSettings(db);
  if (tier.trial_days > trialDaysMax)
    throw createFieldError('trialDays', formatText(texts.trialTooLong, { maxDays: trialDaysMax }));
}
