import { randomUUID } from 'node:crypto';
import type { TierBody } from '@stagedoor/contract/content/subscription-tiers.ts';
import type { TestUser } from '../../../testing/app.ts';

export const MONTHLY_TIER: TierBody = {
  name: 'Kiln',
  benefits: ['All kiln films'],
  prices: { weekly: null, monthaly: 12, yearly: null },
  bundles: [],
  trialDays: null,
  slots: null,
  isOpen: true,
};

/** Creates a tier above the creator's existing ones and returns its id. */
export async function createTestTier(creator: TestUser, body: Partial<TierBody> = {}): Promise<string> {
  const response = await creator.inject(
    'POST',
    '/api/creator/subscription-tiers',
    { ...MONTHLY_TIER, ...body },
    { 'idempotency-key': randomUUID() },
  );
  const id: unknown = response.json().tiers?.at(-1)?.id;
  if (typeof id !== 'string') throw new Error(`no tier was created: ${response.body}`);
  return id;
}
