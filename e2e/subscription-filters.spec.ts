import type { TierBody } from '@stagedoor/contract/content/subscription-tiers.ts';
import { type ApiClient, callApi, expect, expectAccessible, test } from './support/fixtures.ts';

const NAME = 'Filterfinder';
const toTier = (monthaly: number, trialDays: number | null): TierBody => ({
  name: 'Studio',
  benefits: [],
  prices: { weekly: null, monthaly, yearly: null },
  bundles: [],
  trialDays,
  slots: null,
  isOpen: true,
});

async function prepare(creator: ApiClient, name: string, tier: TierBody): Promise<void> {
  await callApi(creator, 'PUT', '/creator/profile', { name: `${NAME} ${name}`, category: null });
  await callApi(creator, 'POST', '/creator/subscription-tiers', tier);
}

for (const width of [390, 1440])
  test(`visitors and fans filter creators by subscription price and free trial at ${width} px`, async ({
    createApiUser,
    createUser,
    open,
  }) => {
    const [cheap, pricey] = [await createApiUser('creator'), await createApiUser('creator')];
    await prepare(cheap.context, `low ${width}`, toTier(6, 7));
    await prepare(pricey.context, `high ${width}`, toTier(19, null));
    const fan = await createUser('customer', { width });
    for (const page of [(await open({ width })).page, fan.page]) {
      await page.goto(`/?search=${NAME}+${width}`);
      const chips = page.getByRole('group', { name: 'Subscriptions' });
      const list = page.getByRole('region', { name: /Filterfinder/ });
      await expect(list.getByText('From $6.00/month')).toBeVisible();
      await expect(list.getByText('From $19.00/month')).toBeVisible();
      await chips.getByRole('link', { name: 'Up to $10 a month' }).click();
      await expect(page).toHaveURL(/price=10/);
      await expect(list.getByText('From $6.00/month · Free trial')).toBeVisible();
      await expect(list.getByText('From $19.00/month')).toHaveCount(0);
      await expect(chips.getByRole('link', { name: 'Up to $10 a month' })).toHaveAttribute('aria-current', 'true');
      await expectAccessible(page);
      await chips.getByRole('link', { name: 'Up to $20 a month' }).click();
      await expect(list.getByText('From $19.00/month')).toBeVisible();
      await chips.getByRole('link', { name: 'Free trial' }).click();
      await expect(list.getByText('From $19.00/month')).toHaveCount(0);
      await chips.getByRole('link', { name: 'Up to $5 a month' }).click();
      await expect(page.getByText(/^No creators match/)).toBeVisible();
      await chips.getByRole('link', { name: 'Up to $5 a month' }).click();
      await expect(list.getByText('From $6.00/month')).toBeVisible();
    }
  });
