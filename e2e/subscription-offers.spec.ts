import type { listOwnOffers } from '@stagedoor/contract/content/subscription-offers.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { type ApiClient, callApi, expect, expectAccessible, test, waitForHydration } from './support/fixtures.ts';
import { addFunds, CARDS, fetchWalletBalance, payByCard } from './support/money.ts';
import { signUpAndLogIn } from './support/signup.ts';
import { createTier, fetchSubscriptions, getSubscribeSection } from './support/subscriptions.ts';
import { tap } from './support/touch.ts';

const fetchOffers = async (creator: ApiClient) =>
  (await callApi<ResponseOf<typeof listOwnOffers>>(creator, 'GET', '/creator/subscription-offers')).offers;
async function createOffer(creator: ApiClient): Promise<void> {
  const endsAt = new Date(Date.now() + 20 * 86_400_000).toISOString();
  await callApi(creator, 'POST', '/creator/subscription-offers', {
    ...{ code: 'SPRING', percentOff: 50, periods: 3, tierId: null, audience: 'everyone', maxUses: null, endsAt },
  });
}

test('a creator creates an offer on a phone, copies its link, sees its uses and closes it', async ({
  createApiUser,
  createUser,
}) => {
  const creator = await createUser('creator', { isPhone: true, timeZone: 'Europe/Lisbon' });
  const { page, context } = creator;
  const tier = await createTier(context);
  await page.goto('/creator/subscription-tiers');
  await waitForHydration(page);
  const offers = page.getByRole('region', { name: 'Offers' });
  const panel = page.getByRole('dialog', { name: 'New offer' });
  await tap(page, offers.getByRole('button', { name: 'Add offer' }));
  await tap(page, panel.getByRole('button', { name: 'Create offer' }));
  await expect(panel.getByText('Use 3 to 20 letters and digits')).toBeVisible();
  await panel.getByLabel('Code').fill('spring20');
  await panel.getByLabel('Percent off').fill('50');
  await panel.getByLabel('For how many payments').fill('3');
  await tap(page, panel.getByText('New subscribers', { exact: true }));
  await panel.getByLabel('How many fans can use it').fill('5');
  await expect(panel).toContainText('$6.00');
  await expectAccessible(page);
  await tap(page, panel.getByRole('button', { name: 'Create offer' }));
  await expect(panel).toBeHidden();
  await expect(offers.getByRole('listitem')).toContainText(
    '50% off the first 3 payments · All paid tiers · New subscribers',
  );
  await expect(offers.getByRole('listitem')).toContainText('0 of 5 used');
  await expectAccessible(page);

  const fan = await createApiUser('customer');
  await addFunds(fan.context, 50);
  const [offer] = await fetchOffers(context);
  await callApi(fan.context, 'POST', '/customer/subscriptions', {
    ...{ tierId: tier.id, recurrence: 'monthaly', count: 1, offer: offer?.code },
    expected: { today: 6, renewal: 6, afterOffer: 12 },
  });
  expect(await fetchWalletBalance(fan.context)).toBe(44);
  await page.reload();
  await waitForHydration(page);
  await expect(offers.getByRole('listitem')).toContainText('1 of 5 used');
  await tap(page, offers.getByRole('button', { name: 'Close SPRING20' }));
  await tap(
    page,
    page.getByRole('dialog', { name: 'Close SPRING20?' }).getByRole('button', { name: 'Close', exact: true }).last(),
  );
  await expect(offers.getByRole('listitem')).toContainText('Closed');
  expect(await fetchOffers(context)).toMatchObject([{ state: 'closed', useCount: 1 }]);
});

test('a visitor on a phone follows a link, and the discount survives the sign-up and the log-in', async ({
  createApiUser,
  open,
}) => {
  test.slow();
  const creator = await createApiUser('creator');
  await createTier(creator.context);
  await createOffer(creator.context);
  const { page } = await open({ isPhone: true });
  await page.goto(`/profile/${creator.username}?offer=spring#subscribe`);
  await expect(getSubscribeSection(page)).toContainText('SPRING: 50% off the first 3 payments');
  await expect(getSubscribeSection(page)).toContainText('$6.00');
  await expect(getSubscribeSection(page)).toContainText('50% off the first 3 payments, then $12.00/month');
  await expectAccessible(page);
  await page.goto(`/profile/${creator.username}?offer=UNKNOWN#subscribe`);
  await expect(getSubscribeSection(page)).toContainText('This code doesn’t work.');
  await expect(getSubscribeSection(page)).toContainText('$12.00');
  await page.goto(`/profile/${creator.username}?offer=spring#subscribe`);
  await page.getByRole('link', { name: 'Subscribe to Studio $6.00 today' }).click();
  await waitForHydration(page);
  await signUpAndLogIn(page, 'offer');
  const dialog = page.getByRole('dialog', { name: 'Subscribe to Studio' });
  await expect(dialog).toContainText('SPRING: 50% off the first 3 payments.');
  await expect(dialog).toContainText('$6.00 missing');
});

test('a fan enters a code in the dialog, adds the missing funds and pays the discounted price', async ({
  createApiUser,
  createUser,
}) => {
  test.slow();
  const creator = await createApiUser('creator');
  await createTier(creator.context);
  await createOffer(creator.context);
  const { page, context } = await createUser('customer', { isPhone: true, timeZone: 'Europe/Lisbon' });
  const dialog = page.getByRole('dialog', { name: 'Subscribe to Studio' });
  await page.goto(`/profile/${creator.username}`);
  await waitForHydration(page);
  await tap(page, page.getByRole('button', { name: 'Subscribe to Studio $12.00 today' }));
  await tap(page, dialog.getByRole('button', { name: 'Have a code?' }));
  await dialog.getByLabel('Code').fill('WRONG');
  await tap(page, dialog.getByRole('button', { name: 'Apply' }));
  await expect(dialog).toContainText('This code doesn’t work.');
  await dialog.getByLabel('Code').fill('spring');
  await tap(page, dialog.getByRole('button', { name: 'Apply' }));
  await expect(dialog).toContainText('SPRING: 50% off the first 3 payments.');
  await expect(dialog).toContainText('$6.00 missing');
  await expectAccessible(page);
  await tap(page, dialog.getByRole('link', { name: 'Add funds and subscribe' }));
  await page.getByLabel('Amount in dollars').fill('50');
  await tap(page, page.getByRole('button', { name: 'Continue to payment' }));
  await tap(page, page.getByRole('button', { name: /^Pay \$/ }));
  await payByCard(page, CARDS.approved);
  await tap(page, page.getByRole('link', { name: 'Continue' }));
  await expect(dialog).toContainText('SPRING: 50% off the first 3 payments.');
  await tap(page, dialog.getByRole('button', { name: 'Subscribe $6.00 today' }));
  await expect(getSubscribeSection(page).getByRole('heading', { name: 'You’re subscribed to Studio' })).toBeVisible();
  expect(await fetchWalletBalance(context)).toBe(44);
  expect(await fetchSubscriptions(context)).toMatchObject([
    { price: 12, discount: { percentOff: 50, periodsLeft: 2 }, nextCharge: { amount: 6 } },
  ]);
  await page.goto('/fan/subscriptions');
  await expect(page.getByRole('main')).toContainText('50% off the next 2 payments, then $12.00.');
});
