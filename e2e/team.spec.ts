import { getMessageField, openThread, sendTextMessage, startConversation } from './support/chat.ts';
import { callApi, expect, expectAccessible, test, waitForHydration, waitForMail } from './support/fixtures.ts';

test('an invited helper opens the permitted pages and writes for the creator, stops with one press, and loses access as soon as they are removed', async ({
  createApiUser,
  createUser,
}) => {
  const [creator, helper, fan] = [
    await createUser('creator'),
    await createUser('customer', { isPhone: true }),
    await createApiUser('customer'),
  ];
  const conversationId = await startConversation(fan, creator);
  const listTexts = async () => {
    const path = `/message/list/${conversationId}?limit=50`;
    return (await callApi<{ data: { text: string }[] }>(fan.context, 'GET', path)).data.map(({ text }) => text);
  };

  const { page } = creator;
  await page.goto('/creator/team');
  await waitForHydration(page);
  await expect(page.getByText('No team members yet')).toBeVisible();
  await page.getByRole('button', { name: 'Invite someone' }).click();
  const dialog = page.getByRole('dialog', { name: 'Who do you want to invite?' });
  await dialog.getByLabel('Username or email').fill('nobody.at.all');
  await dialog.getByRole('button', { name: 'Send invite' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('No account with that username can be invited.');
  await dialog.getByLabel('Username or email').fill(helper.username);
  await dialog.getByRole('button', { name: 'Send invite' }).click();
  await expect(page.getByRole('list', { name: 'Invited' })).toContainText(helper.username);

  const { links } = await waitForMail(helper.email, /invited to a team/);
  await helper.page.goto(links[0] ?? '');
  await waitForHydration(helper.page);
  const teams = helper.page.getByRole('region', { name: 'Teams you’re on' });
  await teams.getByRole('button', { name: 'Accept' }).click();
  const delegateButton = teams.getByRole('button', { name: /^Switch to / });
  await delegateButton.click();
  await expect(helper.page).toHaveURL(/\/creator\/chat$/);
  await expect(helper.page.getByText(/you’re acting as/i)).toBeVisible();
  const navigation = helper.page.getByRole('navigation').first();
  await expect(navigation.getByRole('link', { name: /Chat/ })).toBeVisible();
  await expect(navigation.getByRole('link', { name: 'Earnings' })).toHaveCount(0);
  await expectAccessible(helper.page);
  await waitForHydration(helper.page);
  await helper.page.getByRole('button', { name: 'Stop' }).click();
  await expect(helper.page).toHaveURL(/\/fan\/profile#teams$/);

  const rights = ['chat', 'posts', 'figures'];
  await callApi(creator.context, 'PATCH', `/creator/team/members/${helper.id}`, { rights });
  await waitForHydration(helper.page);
  await delegateButton.click();
  await expect(helper.page).toHaveURL(/\/creator\/chat$/);
  for (const [path, heading] of [
    ['/creator/earning', 'Earnings'],
    ['/creator/post/add', 'New post'],
    ['/creator/media', 'Media'],
  ] as const) {
    const response = await helper.context.request.get(path);
    expect(response.status(), path).toBe(200);
    expect(await response.text()).toContain(`>${heading}</h1>`);
  }
  expect((await helper.context.request.get('/creator')).url()).toMatch(/\/creator\/chat$/);
  await openThread(helper.page, 'creator', conversationId);
  await getMessageField(helper.page).fill('It is fired on Friday.');
  await helper.page.getByRole('button', { name: 'Send', exact: true }).click();
  const sent = helper.page.locator('.msg', { hasText: 'It is fired on Friday.' });
  await expect(sent).toContainText(`by ${helper.username}`);
  await expect.poll(listTexts).toContain('It is fired on Friday.');

  await page.reload();
  await waitForHydration(page);
  await expect(page.getByRole('list', { name: 'Team activity' })).toContainText('Send a text message');
  await page.getByRole('button', { name: `Change ${helper.username}` }).click();
  await page.getByRole('button', { name: /^Remove/ }).click();
  await expect(page.getByText('No team members yet')).toBeVisible();
  await expect(helper.page.getByText(/^Your session has expired\./).first()).toBeVisible();
  await expect(sendTextMessage(helper.context, conversationId, 'And on Saturday?')).rejects.toThrow('answered 401');
  expect(await listTexts()).not.toContain('And on Saturday?');
});
