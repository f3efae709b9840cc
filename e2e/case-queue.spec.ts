import { logInAsOperator } from './support/admin.ts';
import { copyPost } from './support/database.ts';
import { callApi, createConfirmedAccount, expect, test, waitForHydration } from './support/fixtures.ts';
import { publishPictures } from './support/money.ts';

const QUEUE_PATH = '/admin/cases?view=mine&queue=reports';
const PAGE = 30;
type IdList = { data: { id: string }[] };

test('a queue longer than a page is browsed, dismissed together and decided by keyboard, also while others decide', async ({
  createUser,
  createApiUser,
}) => {
  test.setTimeout(180_000);
  const [creator, fan] = [await createApiUser('creator'), await createApiUser('customer')];
  const adminPage = await logInAsOperator(await createUser('customer'), 'moderator');
  const count = PAGE + 3;
  const postId = await publishPictures(creator.context, { caption: 'The quay at night' });
  await copyPost(postId, count, fan.username);
  const posts = await callApi<IdList>(fan.context, 'GET', `/public/posts/${creator.id}?limit=50`);
  for (const post of posts.data.slice(0, count)) {
    const body = { reportUserId: creator.id, type: 'post', typeId: post.id, message: 'Spam' };
    await callApi(fan.context, 'POST', '/report/submit-report', body);
  }
  const reported = await callApi<IdList>(adminPage.context(), 'GET', `/admin/cases?q=${creator.username}&limit=50`);
  const cases = reported.data.map(({ id }) => id);
  expect(cases).toHaveLength(count);
  for (const id of cases) await callApi(adminPage.context(), 'POST', `/admin/cases/${id}/assign`, { isMine: true });
  const listMine = async () =>
    (await callApi<IdList>(adminPage.context(), 'GET', '/admin/cases?view=mine&limit=50')).data;

  const title = adminPage.getByRole('heading', { name: 'Cases', level: 1 });
  await adminPage.goto(QUEUE_PATH);
  await waitForHydration(adminPage);
  await expect(title).toBeFocused();
  for (let press = 0; press < 3; press += 1) {
    await adminPage.keyboard.press('j');
    await adminPage.keyboard.press('x');
  }
  await expect(adminPage.getByText('3 cases selected')).toBeVisible();
  await adminPage.getByLabel('Reason').fill('Spam, all of it');
  await adminPage
    .getByRole('region', { name: 'Dismiss selected' })
    .getByRole('button', { name: 'Dismiss' })
    .press('Enter');
  await expect(adminPage.getByText('3 cases dismissed.')).toBeVisible();
  expect(await listMine()).toHaveLength(count - 3);
  await adminPage.getByRole('button', { name: 'Undo' }).click();
  await expect(adminPage.getByText('3 cases reopened.')).toBeVisible();
  expect(await listMine()).toHaveLength(count);

  await adminPage.goto(QUEUE_PATH);
  await waitForHydration(adminPage);
  await expect(title).toBeFocused();
  await adminPage.keyboard.press('j');
  await adminPage.keyboard.press('Enter');
  await expect(adminPage).toHaveURL(/\/admin\/cases\/[0-9a-f-]{36}\?view=mine&queue=reports$/);
  const heading = adminPage.getByRole('heading', { level: 1 });
  const caseNumber = adminPage.locator('.case').getByText(/^SD-/).first();
  const visited: string[] = [];
  for (const key of ['j', 'j', 'k', 'k'] as const) {
    visited.push(adminPage.url());
    const before = (await caseNumber.textContent()) ?? '';
    await expect(heading).toBeFocused();
    await adminPage.keyboard.press(key);
    // The address changes before the page does.
    await expect(caseNumber).not.toHaveText(before);
  }
  expect(visited[3]).toBe(visited[1]);
  expect(adminPage.url()).toBe(visited[0]);
  await expect(heading).toBeFocused();
  await adminPage.keyboard.press('k');
  await expect(adminPage.getByText('This is the first one here.')).toBeVisible();

  const decidedIds = new Set<string>();
  const dismissCurrent = async () => {
    const address = adminPage.url();
    decidedIds.add(new URL(address).pathname.split('/').at(-1) ?? '');
    await expect(heading).toBeFocused();
    await adminPage.keyboard.press('d');
    await expect(adminPage.getByLabel('Reason')).toBeFocused();
    await adminPage.keyboard.type('Within the rules.');
    await adminPage.keyboard.press('Control+Enter');
    await expect(adminPage).not.toHaveURL(address);
  };
  for (let press = 0; press < 3; press += 1) await dismissCurrent();
  const remainingIds = cases.filter((id) => !decidedIds.has(id) && !adminPage.url().includes(id));
  await callApi(adminPage.context(), 'POST', '/admin/cases/dismiss', {
    ids: remainingIds.slice(0, -2),
    reason: 'Spam',
  });
  for (let press = 0; press < 3; press += 1) await dismissCurrent();
  expect(decidedIds.size).toBe(6);
  await expect(adminPage).toHaveURL(QUEUE_PATH);
  await expect(adminPage.getByText('No cases')).toBeVisible();
  expect(await listMine()).toEqual([]);
});

test('a user is blocked in a case that is opened about them, and unblocked again', async ({ createUser }) => {
  const fan = await createConfirmedAccount('customer');
  const adminPage = await logInAsOperator(await createUser('customer'), 'moderator', `/admin/users/${fan.id}`);
  await adminPage.getByLabel('What did they do?').fill('Forty tickets about pills.');
  await adminPage.getByRole('button', { name: 'Open a case' }).press('Enter');
  await expect(adminPage.getByRole('heading', { name: `User under review: @${fan.username}` })).toBeVisible();
  await adminPage.getByRole('heading', { level: 1 }).press('b');
  await adminPage.getByLabel('Reason').fill('Rule 9: no advertising.');
  await adminPage.getByRole('button', { name: 'Permanently ban' }).press('Enter');
  await expect(adminPage.getByText('This was decided.')).toBeVisible();
  await adminPage.getByRole('button', { name: 'Reverse' }).press('Enter');
  await adminPage.getByLabel('Reason').fill('It was their brother.');
  await adminPage.getByRole('button', { name: 'Reverse' }).press('Enter');
  await expect(adminPage.getByText('Permanently banned, reversed')).toBeVisible();
});
