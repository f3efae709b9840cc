import type { Page } from '@playwright/test';
import { converse, field, openThread } from './support/chat.ts';
import { callApi, expect, expectAccessible, hydrated, mailTo, test } from './support/fixtures.ts';

async function send(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

test('an invited helper writes for the creator and loses access as soon as they are removed', async ({ person }) => {
  const [creator, helper, fan] = await Promise.all([
    person('creator'),
    person('customer', { isPhone: true }),
    person('customer'),
  ]);
  const conversationId = await converse(fan, creator);

  const { page } = creator;
  await page.goto('/creator/team');
  await hydrated(page);
  await expect(page.getByText('Nobody yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Ask somebody' }).click();
  const dialog = page.getByRole('dialog', { name: 'Whom do you ask?' });
  await dialog.getByLabel('Username or email').fill('nobody.at.all');
  await dialog.getByRole('button', { name: 'Send the invitation' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('There is nobody of this name who could be asked.');
  await expectAccessible(page);
  await dialog.getByLabel('Username or email').fill(helper.username);
  await dialog.getByRole('button', { name: 'Send the invitation' }).click();
  await expect(page.getByRole('list', { name: 'Asked' })).toContainText(helper.username);

  const { links } = await mailTo(helper.email, /asks you into their team/);
  await helper.page.goto(links[0] ?? '');
  await hydrated(helper.page);
  const teams = helper.page.getByRole('region', { name: 'Teams you help' });
  await teams.getByRole('button', { name: 'Accept' }).click();
  await teams.getByRole('button', { name: /^Act for them/ }).click();
  await expect(helper.page).toHaveURL(/\/creator\/chat$/);
  await expect(helper.page.getByText(/you act for/i)).toBeVisible();
  const navigation = helper.page.getByRole('navigation').first();
  await expect(navigation.getByRole('link', { name: /Chat/ })).toBeVisible();
  await expect(navigation.getByRole('link', { name: 'Earnings' })).toHaveCount(0);
  await expectAccessible(helper.page);

  await openThread(fan.page, 'fan', conversationId);
  await openThread(helper.page, 'creator', conversationId);
  await send(helper.page, 'It is fired on Friday.');
  const heard = fan.page.locator('.msg', { hasText: 'It is fired on Friday.' });
  await expect(heard).toContainText(/by .+’s team/);
  await expect(heard).not.toContainText(helper.username);
  await openThread(page, 'creator', conversationId);
  await expect(page.locator('.msg', { hasText: 'It is fired on Friday.' })).toContainText(`by ${helper.username}`);

  await page.goto('/creator/team');
  await hydrated(page);
  await expect(page.getByRole('list', { name: 'What your team did' })).toContainText('Send a text');
  await page.getByRole('button', { name: `Change ${helper.username}` }).click();
  await page.getByRole('button', { name: /^Remove/ }).click();
  await expect(page.getByText('Nobody yet.')).toBeVisible();
  await send(helper.page, 'And on Saturday?');
  await expect(helper.page.getByText('Your session has ended.', { exact: false }).first()).toBeVisible();
  await expect(fan.page.getByText('And on Saturday?')).toHaveCount(0);
});

test('a helper opens the pages they have permission for, and stops acting for the creator with one press', async ({
  person,
}) => {
  const [creator, helper] = await Promise.all([person('creator'), person('customer')]);
  const body = { to: helper.username, rights: ['posts', 'figures'] };
  await callApi(creator.context, 'POST', '/creator/team/invitations', body);
  const { invitations } = await callApi<{ invitations: { id: string }[] }>(helper.context, 'GET', '/teams');
  await callApi(helper.context, 'POST', `/teams/invitations/${invitations[0]?.id}`, { isAccepted: true });
  const { page } = helper;
  await page.goto('/fan/profile#teams');
  await hydrated(page);
  await page.getByRole('button', { name: /^Act for them/ }).click();
  await expect(page).toHaveURL(/\/creator\/feed$/);
  await hydrated(page);
  for (const [path, heading] of [
    ['/creator/earning', 'Earnings'],
    ['/creator/post/add', 'New post'],
    ['/creator/media', 'Media'],
  ] as const) {
    await page.goto(path);
    await hydrated(page);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
  }
  await page.goto('/creator');
  await expect(page).toHaveURL(/\/creator\/feed$/);
  await hydrated(page);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page).toHaveURL(/\/fan\/profile#teams$/);
  await hydrated(page);
  await expect(page.getByRole('region', { name: 'Teams you help' })).toContainText('Posts, Figures');
});
