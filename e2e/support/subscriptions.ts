import type { Page } from '@playwright/test';
import type { OwnTier, TierBody } from '@stagedoor/contract/content/subscription-tiers.ts';
import type { listSubscriptions } from '@stagedoor/contract/content/subscriptions.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { type ApiClient, callApi } from './fixtures.ts';

export const MONTHLY_TIER: TierBody = {
  name: 'Studio',
  benefits: ['New posts the day they are made'],
  prices: { weekly: null, monthaly: 12, yearly: null },
  bundles: [],
  trialDays: null,
  slots: null,
  isOpen: true,
};

/** Creates a tier like {@link MONTHLY_TIER} with other properties. It becomes the highest one. */
export async function createTier(creator: ApiClient, properties: Partial<TierBody> = {}): Promise<OwnTier> {
  const body = { ...MONTHLY_TIER, ...properties };
  const { tiers } = await callApi<{ tiers: OwnTier[] }>(creator, 'POST', '/creator/subscription-tiers', body);
  const tier = tiers.at(-1);
  if (!tier) throw new Error('no tier was created');
  return tier;
}

export async function fetchSubscriptions(fan: ApiClient) {
  return (await callApi<ResponseOf<typeof listSubscriptions>>(fan, 'GET', '/customer/subscriptions')).data;
}

/** The tiers on a creator's profile. */
export const getSubscribeSection = (page: Page) => page.getByRole('region', { name: 'Subscribe', exact: true });
