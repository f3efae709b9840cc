import type { listCreatorTiers } from '@stagedoor/contract/content/subscription-tiers.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { callApi, expect, expectAccessible, getBaseUrl, test, waitForHydration } from './support/fixtures.ts';
import { addFunds } from './support/money.ts';

type CreatorTiers = ResponseOf<typeof listCreatorTiers>;

async function fetchCreatorTiers(creatorId: string): Promise<CreatorTiers> {
  const response = await fetch(`${getBaseUrl()}/api/public/subscription-tiers/${creatorId}`);
  return (await response.json()) as CreatorTiers;
}
const fetchNames = async (creatorId: string) => (await fetchCreatorTiers(creatorId)).tiers.map(({ name }) => name);

test('a creator sets up tiers on a phone, changes a price, orders and closes them, and sees who subscribes', async ({
  createApiUser,
  createUser,
}) => {
  test.slow();
  const creator = await createUser('creator', { isPhone: true });
  const { page } = creator;
  await page.goto('/creator/subscription-tiers');
  await waitForHydration(page);
  await expect(page.getByText('No tiers yet.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add your first tier' }).tap();
  const panel = page.getByRole('dialog');
  await panel.getByLabel('Name').fill('Kiln');
  await panel.getByRole('button', { name: 'Create tier' }).tap();
  await expect(panel.getByText('Enter at least one price, or choose Free.')).toBeVisible();
  await panel.getByLabel('Benefit 1', { exact: true }).fill('All kiln films');
  await panel.getByLabel('Per month').fill('12');
  await expect(panel.getByText(/^You get \$\d+\.\d\d$/)).toBeVisible();
  await panel.getByLabel(/^3 months/).fill('10');
  await expect(panel.getByText('$32.40, $10.80 a month')).toBeVisible();
  await panel.getByLabel('Free trial in days').fill('7');
  await expectAccessible(page);
  await panel.getByRole('button', { name: 'Create tier' }).tap();
  await expect(page.getByText('$12.00 a month · $32.40 for 3 months')).toBeVisible();

  // Closing the panel with unsaved changes requires a confirmation.
  await page.getByRole('button', { name: 'Add tier' }).tap();
  await panel.getByLabel('Name').fill('Studio');
  await panel.getByRole('button', { name: 'Close' }).tap();
  await page.getByRole('button', { name: 'Keep editing' }).press('Enter');
  await panel.getByLabel('Per month').fill('6');
  await panel.getByRole('button', { name: 'Create tier' }).tap();
  await expect(panel).toBeHidden();
  await page.getByRole('button', { name: 'Move Studio up' }).tap();
  await expect.poll(() => fetchNames(creator.id)).toEqual(['Studio', 'Kiln']);

  const fan = await createApiUser('customer');
  await addFunds(fan.context, 100);
  const [, kiln] = (await fetchCreatorTiers(creator.id)).tiers;
  const terms = { recurrence: 'monthaly', count: 1, expected: { today: 0, renewal: 12 } };
  await callApi(fan.context, 'POST', '/customer/subscriptions', { tierId: kiln?.id, ...terms });

  await page.reload();
  await waitForHydration(page);
  await page.getByRole('button', { name: 'Edit Kiln' }).tap();
  await panel.getByLabel('Per month').fill('14');
  await expect(panel.getByText(/^New subscribers pay the new price now\. 1 subscriber who/)).toBeVisible();
  await panel.getByLabel('Open to new subscribers').tap();
  await panel.getByRole('button', { name: 'Save changes' }).tap();
  await expect(panel).toBeHidden();
  await expect(page.getByText('Closed to new subscribers')).toBeVisible();
  expect((await fetchCreatorTiers(creator.id)).tiers).toMatchObject([
    { name: 'Studio', isOpen: true },
    { name: 'Kiln', isOpen: false, options: [{ price: 14 }, { count: 3, price: 37.8 }] },
  ]);

  await page.goto('/creator/subscribers');
  await waitForHydration(page);
  const rows = page.getByRole('list', { name: 'Subscribers' }).getByRole('listitem');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('Kiln · monthly');
  await expectAccessible(page);
  await page.getByRole('link', { name: /^Trial\s*1$/ }).tap();
  await expect(page).toHaveURL(/filter=trial/);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download these subscribers as CSV' }).tap(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^stagedoor-subscribers-trial-\d{4}-\d\d-\d\d\.csv$/);
});
