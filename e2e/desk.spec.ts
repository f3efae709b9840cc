import { copyPost } from './support/database.ts';
import { sitDown } from './support/desk.ts';
import { callApi, expect, hydrated, signUp, test } from './support/fixtures.ts';
import { publish } from './support/money.ts';

const QUEUE = '/admin/cases?view=mine&queue=reports';
const PAGE = 30;
type Listed = { data: { id: string }[] };

test('a queue longer than a page is browsed, dismissed together and decided by keyboard, also while others decide', async ({
  person,
  apiUser,
}) => {
  test.setTimeout(180_000);
  const [maker, fan] = [await apiUser('creator'), await apiUser('customer')];
  const desk = await sitDown(await person('customer'), 'moderator');
  const count = PAGE + 3;
  const postId = await publish(maker.context, { caption: 'The quay at night' });
  await copyPost(postId, count, fan.username);
  const posts = await callApi<Listed>(fan.context, 'GET', `/public/posts/${maker.id}?limit=50`);
  for (const post of posts.data.slice(0, count)) {
    const body = { reportUserId: maker.id, type: 'post', typeId: post.id, message: 'Spam' };
    await callApi(fan.context, 'POST', '/report/submit-report', body);
  }
  const reported = await callApi<Listed>(desk.context(), 'GET', `/admin/cases?q=${maker.username}&limit=50`);
  const cases = reported.data.map(({ id }) => id);
  expect(cases).toHaveLength(count);
  for (const id of cases) await callApi(desk.context(), 'POST', `/admin/cases/${id}/assign`, { isMine: true });
  const left = async () => (await callApi<Listed>(desk.context(), 'GET', '/admin/cases?view=mine&limit=50')).data;

  const title = desk.getByRole('heading', { name: 'Cases', level: 1 });
  await desk.goto(QUEUE);
  await hydrated(desk);
  await expect(title).toBeFocused();
  for (let press = 0; press < 3; press += 1) {
    await desk.keyboard.press('j');
    await desk.keyboard.press('x');
  }
  await expect(desk.getByText('3 cases selected')).toBeVisible();
  await desk.getByLabel('Reason').fill('Spam, all of it');
  await desk.getByRole('region', { name: 'Dismiss selected' }).getByRole('button', { name: 'Dismiss' }).press('Enter');
  await expect(desk.getByText('3 cases dismissed.')).toBeVisible();
  expect(await left()).toHaveLength(count - 3);
  await desk.getByRole('button', { name: 'Undo' }).click();
  await expect(desk.getByText('3 cases reopened.')).toBeVisible();
  expect(await left()).toHaveLength(count);

  await desk.goto(QUEUE);
  await hydrated(desk);
  await expect(title).toBeFocused();
  await desk.keyboard.press('j');
  await desk.keyboard.press('Enter');
  await expect(desk).toHaveURL(/\/admin\/cases\/[0-9a-f-]{36}\?view=mine&queue=reports$/);
  const head = desk.getByRole('heading', { level: 1 });
  const number = desk.locator('.case').getByText(/^SD-/).first();
  const walked: string[] = [];
  for (const key of ['j', 'j', 'k', 'k'] as const) {
    walked.push(desk.url());
    const before = (await number.textContent()) ?? '';
    await expect(head).toBeFocused();
    await desk.keyboard.press(key);
    // The address changes before the page does.
    await expect(number).not.toHaveText(before);
  }
  expect(walked[3]).toBe(walked[1]);
  expect(desk.url()).toBe(walked[0]);
  await expect(head).toBeFocused();
  await desk.keyboard.press('k');
  await expect(desk.getByText('This is the first one here.')).toBeVisible();

  const seen = new Set<string>();
  const decide = async () => {
    const address = desk.url();
    seen.add(new URL(address).pathname.split('/').at(-1) ?? '');
    await expect(head).toBeFocused();
    await desk.keyboard.press('d');
    await expect(desk.getByLabel('Reason')).toBeFocused();
    await desk.keyboard.type('Within the rules.');
    await desk.keyboard.press('Control+Enter');
    await expect(desk).not.toHaveURL(address);
  };
  for (let press = 0; press < 3; press += 1) await decide();
  const open = cases.filter((id) => !seen.has(id) && !desk.url().includes(id));
  await callApi(desk.context(), 'POST', '/admin/cases/dismiss', { ids: open.slice(0, -2), ground: 'Spam' });
  for (let press = 0; press < 3; press += 1) await decide();
  expect(seen.size).toBe(6);
  await expect(desk).toHaveURL(QUEUE);
  await expect(desk.getByText('No cases')).toBeVisible();
  expect(await left()).toEqual([]);
});

test('a user is blocked in a case that is opened about them, and unblocked again', async ({ person }) => {
  const fan = await signUp('customer');
  const desk = await sitDown(await person('customer'), 'moderator', `/admin/people/${fan.id}`);
  await desk.getByLabel('What did they do?').fill('Forty tickets about pills.');
  await desk.getByRole('button', { name: 'Open a case' }).press('Enter');
  await expect(desk.getByRole('heading', { name: `User under review: @${fan.username}` })).toBeVisible();
  await desk.getByRole('heading', { level: 1 }).press('b');
  await desk.getByLabel('Reason').fill('Rule 9: no advertising.');
  await desk.getByRole('button', { name: 'Permanently ban' }).press('Enter');
  await expect(desk.getByText('This was decided.')).toBeVisible();
  await desk.getByRole('button', { name: 'Reverse' }).press('Enter');
  await desk.getByLabel('Reason').fill('It was their brother.');
  await desk.getByRole('button', { name: 'Reverse' }).press('Enter');
  await expect(desk.getByText('Permanently banned, reversed')).toBeVisible();
});
