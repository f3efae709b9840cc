import type { Page } from '@playwright/test';
import { converse, field, openThread } from './support/chat.ts';
import { callApi, expect, expectAccessible, hydrated, mailTo, test } from './support/fixtures.ts';

async function send(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

test('an invited helper opens the permitted pages and writes for the creator, stops with one press, and loses access as soon as they are removed', async ({
  apiUser,
  person,
}) => {
  const [creator, helper, fan] = [
    await person('creator'),
    await person('customer', { isPhone: true }),
    await apiUser('customer'),
  ];
  const conversationId = await converse(fan, creator);
  const texts = async () => {
    const path = `/message/list/${conversationId}?limit=50`;
    return (await callApi<{ data: { text: string }[] }>(fan.context, 'GET', path)).data.map(({ text }) => text);
  };

  const { page } = creator;
  await page.goto('/creator/team');
  await hydrated(page);
  await expect(page.getByText('No team members yet')).toBeVisible();
  await page.getByRole('button', { name: 'Invite someone' }).click();
  const dialog = page.getByRole('dialog', { name: 'Who do you want to invite?' });
  await dialog.getByLabel('Username or email').fill('nobody.at.all');
  await dialog.getByRole('button', { name: 'Send invite' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('No account with that username can be invited.');
  await dialog.getByLabel('Username or email').fill(helper.username);
  await dialog.getByRole('button', { name: 'Send invite' }).click();
  await expect(page.getByRole('list', { name: 'Invited' })).toContainText(helper.username);

  const { links } = await mailTo(helper.email, /invited to a team/);
  await helper.page.goto(links[0] ?? '');
  await hydrated(helper.page);
  const teams = helper.page.getByRole('region', { name: 'Teams you’re on' });
  await teams.getByRole('button', { name: 'Accept' }).click();
  const act = teams.getByRole('button', { name: /^Switch to / });
  await act.click();
  await expect(helper.page).toHaveURL(/\/creator\/chat$/);
  await expect(helper.page.getByText(/you’re acting as/i)).toBeVisible();
  const navigation = helper.page.getByRole('navigation').first();
  await expect(navigation.getByRole('link', { name: /Chat/ })).toBeVisible();
  await expect(navigation.getByRole('link', { name: 'Earnings' })).toHaveCount(0);
  await expectAccessible(helper.page);
  await hydrated(helper.page);
  await helper.page.getByRole('button', { name: 'Stop' }).click();
  await expect(helper.page).toHaveURL(/\/fan\/profile#teams$/);

  const rights = ['chat', 'posts', 'figures'];
  await callApi(creator.context, 'PATCH', `/creator/team/members/${helper.id}`, { rights });
  await hydrated(helper.page);
  await act.click();
  await expect(helper.page).toHaveURL(/\/creator\/chat$/);
  for (const [path, heading] of [
    ['/creator/earning', 'Earnings'],
    ['/creator/post/add', 'New post'],
    ['/creator/media', 'Media'],
  ] as const) {
    const answer = await helper.context.request.get(path);
    expect(answer.status(), path).toBe(200);
    expect(await answer.text()).toContain(`>${heading}</h1>`);
  }
  expect((await helper.context.request.get('/creator')).url()).toMatch(/\/creator\/chat$/);
  await openThread(helper.page, 'creator', conversationId);
  await send(helper.page, 'It is fired on Friday.');
  const sent = helper.page.locator('.msg', { hasText: 'It is fired on Friday.' });
  await expect(sent).toContainText(`by ${helper.username}`);
  await expect.poll(texts).toContain('It is fired on Friday.');

  await page.reload();
  await hydrated(page);
  await expect(page.getByRole('list', { name: 'Team activity' })).toContainText('Send a text message');
  await page.getByRole('button', { name: `Change ${helper.username}` }).click();
  await page.getByRole('button', { name: /^Remove/ }).click();
  await expect(page.getByText('No team members yet')).toBeVisible();
  await send(helper.page, 'And on Saturday?');
  await expect(helper.page.getByText(/Your session (?:has )?(?:ended|expired)\./).first()).toBeVisible();
  expect(await texts()).not.toContain('And on Saturday?');
});
