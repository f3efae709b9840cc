import { expect, expectAccessible, test, waitForHydration, waitForMail } from './support/fixtures.ts';
import { addFunds, CARDS, fetchWalletBalance, payByCard } from './support/money.ts';
import { createTier, fetchSubscriptions, getSubscribeSection } from './support/subscriptions.ts';
import { expectTouchable, tap } from './support/touch.ts';

test('a fan gives a subscription on a phone, and the recipient continues it', async ({ createApiUser, createUser }) => {
  const creator = await createApiUser('creator');
  await createTier(creator.context, { welcomeMessage: 'Welcome to the studio.' });
  const giver = await createUser('customer', { isPhone: true });
  const recipient = await createUser('customer', { isPhone: true });
  await addFunds(giver.context, 30);
  const dialog = giver.page.getByRole('dialog', { name: 'Give a subscription' });

  await test.step('the giver pays once, after a name that cannot receive it', async () => {
    const { page } = giver;
    await page.goto(`/profile/${creator.username}`);
    await waitForHydration(page);
    await tap(page, getSubscribeSection(page).getByRole('button', { name: 'More options' }));
    await tap(page, page.getByRole('menuitem', { name: 'Give as a gift' }));
    await expect(dialog).toContainText('$18.00 after');
    await expectAccessible(page);
    const give = dialog.getByRole('button', { name: /^Give \$12\.00 today/ });
    await expectTouchable(give);
    await tap(page, give);
    await expect(dialog.getByText('Enter a username')).toBeVisible();
    await dialog.getByLabel('Username of the fan').fill('nobody.like.this');
    await tap(page, give);
    await expect(dialog.getByText(/^This gift isn’t possible\./)).toBeVisible();
    await dialog.getByLabel('Username of the fan').fill(recipient.username);
    await tap(page, give);
    await expect(dialog).toBeHidden();
    await expect(page.getByText(/now has the subscription\.$/)).toBeVisible();
    expect(await fetchWalletBalance(giver.context)).toBe(18);
    await page.getByRole('button', { name: 'Receipt' }).click();
    await expect(page.getByRole('main')).toContainText(`Studio, a gift for @${recipient.username}`);
  });

  await test.step('the recipient gets a mail, finds the gift and continues it', async () => {
    const { page } = recipient;
    await waitForMail(recipient.email, /^You received a gift$/);
    await page.goto('/fan/subscriptions');
    await waitForHydration(page);
    const gifts = page.getByRole('region', { name: 'Gifts' });
    await expect(gifts).toContainText('A gift from');
    await expect(gifts).toContainText('If you continue, it costs $12.00/month from your balance');
    await expectAccessible(page);
    await tap(page, gifts.getByRole('button', { name: /^Continue Studio of/ }));
    await expect(gifts.getByRole('button', { name: /^Cancel Studio of/ })).toBeVisible();
    expect(await fetchSubscriptions(recipient.context)).toMatchObject([
      { isRenewing: true, gift: { username: giver.username }, nextCharge: { amount: 12 } },
    ]);
    await page.goto('/fan/chat');
    await expect(page.getByText('Welcome to the studio.').first()).toBeVisible();
  });
});

test('a fan who adds the missing funds of a gift returns to the dialog with the same choice', async ({
  createApiUser,
  createUser,
}) => {
  const creator = await createApiUser('creator');
  await createTier(creator.context, { prices: { weekly: null, monthaly: 12, yearly: 120 } });
  const recipient = await createApiUser('customer');
  const { page, context } = await createUser('customer', { isPhone: true });
  const dialog = page.getByRole('dialog', { name: 'Give a subscription' });
  await page.goto(`/profile/${creator.username}`);
  await waitForHydration(page);
  await tap(page, getSubscribeSection(page).getByRole('button', { name: 'More options' }));
  await tap(page, page.getByRole('menuitem', { name: 'Give as a gift' }));
  await dialog.getByLabel('Username of the fan').fill(recipient.username);
  await dialog.getByLabel('Tier and period').selectOption({ label: 'Studio, Yearly, $120.00' });
  await expect(dialog).toContainText('$120.00 missing');
  await tap(page, dialog.getByRole('link', { name: 'Add funds and give' }));
  await expect(page.getByLabel('Amount in dollars')).toHaveValue('120');
  await tap(page, page.getByRole('button', { name: 'Continue to payment' }));
  await tap(page, page.getByRole('button', { name: /^Pay \$/ }));
  await payByCard(page, CARDS.approved);
  await tap(page, page.getByRole('link', { name: 'Continue' }));
  await expect(dialog.getByLabel('Username of the fan')).toHaveValue(recipient.username);
  await expect(page).not.toHaveURL(/gift=/);
  await tap(page, dialog.getByRole('button', { name: /^Give \$120\.00 today/ }));
  await expect(page.getByText(/now has the subscription\.$/)).toBeVisible();
  expect(await fetchWalletBalance(context)).toBe(0);
});
