import type { Page } from '@playwright/test';
import { FAIR_SHARE } from '@stagedoor/contract/fair-share.ts';
import { copyPost, giveTick } from './support/database.ts';
import { sitDown } from './support/desk.ts';
import { callApi, expect, expectAccessible, hydrated, type Person, test } from './support/fixtures.ts';
import { publish } from './support/money.ts';

type Listed = { data: { id: string }[]; nextOffset?: string };

async function takeReports(desk: Page, { maker, fan, count }: { maker: Person; fan: Person; count: number }) {
  const postId = await publish(maker.context, { caption: 'The quay at night', priceUsd: 0, pictures: 1 });
  await copyPost(postId, count, fan.username);
  const { id } = maker;
  const posts = await callApi<Listed>(fan.context, 'GET', `/public/posts/${id}?limit=50`);
  for (const post of posts.data.slice(0, count)) {
    const body = { reportUserId: id, type: 'post', typeId: post.id, message: 'Spam' };
    await callApi(fan.context, 'POST', '/report/submit-report', body);
  }
  const { data } = await callApi<Listed>(desk.context(), 'GET', `/admin/cases?q=${maker.username}&limit=50`);
  expect(data).toHaveLength(count);
  for (const one of data) await callApi(desk.context(), 'POST', `/admin/cases/${one.id}/assign`, { isMine: true });
  return data.map(({ id: caseId }) => caseId);
}

const PAGE = 30;

test('a queue longer than a page is decided to its end by keyboard, also while others decide', async ({ person }) => {
  test.setTimeout(180_000);
  const [maker, fan] = [await person('creator'), await person('customer')];
  const desk = await sitDown(await person('customer'), 'moderator');
  const count = PAGE + 3;
  const cases = await takeReports(desk, { maker, fan, count });
  const queue = '/admin/cases?view=mine&queue=reports';
  await desk.goto(queue);
  await hydrated(desk);
  await expect(desk.getByRole('heading', { name: 'Cases', level: 1 })).toBeFocused();
  await desk.keyboard.press('j');
  await desk.keyboard.press('Enter');
  const head = desk.getByRole('heading', { level: 1 });
  await expect(desk).toHaveURL(/\/admin\/cases\/[0-9a-f-]{36}\?view=mine&queue=reports$/);
  const seen = new Set<string>();
  const decide = async () => {
    const address = desk.url();
    seen.add(new URL(address).pathname.split('/').at(-1) ?? '');
    await expect(head).toBeFocused();
    await desk.keyboard.press('d');
    await expect(desk.getByLabel('Ground')).toBeFocused();
    await desk.keyboard.type('Within the rules.');
    await desk.keyboard.press('Control+Enter');
    await expect(desk).not.toHaveURL(address);
  };
  for (let press = 0; press < 3; press += 1) await decide();
  const open = cases.filter((id) => !seen.has(id) && !desk.url().includes(id));
  await callApi(desk.context(), 'POST', '/admin/cases/dismiss', { ids: open.slice(0, -2), ground: 'Spam' });
  for (let press = 0; press < 3; press += 1) await decide();
  expect(seen.size).toBe(6);
  await expect(desk).toHaveURL(queue);
  await expect(desk.getByText('No case is here.')).toBeVisible();
  const left = await callApi<Listed>(desk.context(), 'GET', `/admin/cases?view=mine`);
  expect(left.data).toEqual([]);
});

test('cases are browsed without deciding, in both directions and to both ends', async ({ person }) => {
  const [maker, fan] = [await person('creator'), await person('customer')];
  const desk = await sitDown(await person('customer'), 'moderator');
  await takeReports(desk, { maker, fan, count: 3 });
  await desk.goto('/admin/cases?view=mine');
  await hydrated(desk);
  await expect(desk.getByRole('heading', { name: 'Cases', level: 1 })).toBeFocused();
  await desk.keyboard.press('j');
  await desk.keyboard.press('Enter');
  await expect(desk).toHaveURL(/\/[0-9a-f-]{36}\?view=mine$/);
  const head = desk.getByRole('heading', { level: 1 });
  const walked: string[] = [];
  const number = desk.locator('.case').getByText(/^SD-/).first();
  const go = async (key: 'j' | 'k') => {
    walked.push(desk.url());
    const before = (await number.textContent()) ?? '';
    await expect(head).toBeFocused();
    await desk.keyboard.press(key);
    // The address changes before the page does.
    await expect(number).not.toHaveText(before);
  };
  for (const key of ['j', 'j', 'k', 'k'] as const) await go(key);
  expect(walked[3]).toBe(walked[1]);
  expect(desk.url()).toBe(walked[0]);
  await expect(head).toBeFocused();
  await desk.keyboard.press('k');
  await expect(desk.getByText('This is the first one here.')).toBeVisible();

  await desk.goto('/admin/cases?view=mine');
  await hydrated(desk);
  await expect(desk.getByRole('heading', { name: 'Cases', level: 1 })).toBeFocused();
  for (let count = 0; count < 3; count += 1) {
    await desk.keyboard.press('j');
    await desk.keyboard.press('x');
  }
  await expect(desk.getByText('3 cases chosen')).toBeVisible();
  await desk.getByLabel('Why').fill('Spam, all of it');
  await desk.getByRole('button', { name: 'Dismiss them' }).press('Enter');
  await expect(desk.getByText('No case is here.')).toBeVisible();
  await desk.getByRole('button', { name: 'Undo' }).click();
  await expect(desk.getByText('3 cases open again.')).toBeVisible();
  await expect(desk.getByRole('list', { name: 'Cases' }).getByRole('listitem')).toHaveCount(3);
});

test('a user who floods the help desk is blocked from the ticket and unblocked again', async ({ person }) => {
  const fan = await person('customer');
  const support = await sitDown(await person('customer', { isPhone: true }), 'support');
  const moderator = await sitDown(await person('customer'), 'moderator');
  const ask = { subject: 'Cheap pills', message: 'Buy them here.' };
  const { id } = await callApi<{ id: string }>(fan.context, 'POST', '/helpdesk/tickets', ask);
  await support.goto(`/admin/cases/${id}`);
  await hydrated(support);
  await support.getByText('Open a case about them').tap();
  await support.getByLabel('What they did').fill('Forty tickets about pills.');
  await expectAccessible(support);
  await support.getByRole('button', { name: 'Open a case' }).tap();
  await expect(support.getByRole('heading', { name: `Person looked at: @${fan.username}` })).toBeVisible();
  await expect(support.getByRole('radio')).toHaveCount(0);

  await moderator.goto(support.url());
  await hydrated(moderator);
  await expect(moderator.getByText(/Seen in SD-/).first()).toBeVisible();
  await moderator.getByRole('heading', { level: 1 }).press('b');
  await moderator.getByLabel('Ground').fill('Rule 9: no advertising.');
  await moderator.getByRole('button', { name: 'Block for good' }).press('Enter');
  await expect(moderator.getByText('This was decided.')).toBeVisible();
  await fan.page.goto('/fan/helpdesk');
  await expect(fan.page).toHaveURL(/\/login/);
  await moderator.getByRole('button', { name: 'Take it back' }).press('Enter');
  await moderator.getByLabel('Why').fill('It was their brother.');
  await moderator.getByRole('button', { name: 'Take it back' }).press('Enter');
  await expect(moderator.getByText('Blocked for good, taken back')).toBeVisible();

  await moderator.getByRole('link', { name: fan.username }).first().press('Enter');
  await expect(moderator).toHaveURL(/\/admin\/people\//);
  await moderator.getByLabel('What they did').fill('And again.');
  await moderator.getByRole('button', { name: 'Open a case' }).press('Enter');
  await expect(moderator).toHaveURL(/\/admin\/cases\//);
  await moderator.getByRole('heading', { level: 1 }).press('d');
  await moderator.keyboard.type('Nothing came of it.');
  await moderator.keyboard.press('Control+Enter');
  await expect(moderator.getByText('This was decided.')).toBeVisible();
  await moderator.getByRole('button', { name: 'Undo' }).click();
  await expect(moderator.getByText('1 case open again.')).toBeVisible();
  await expect(moderator.getByRole('radio').first()).toBeVisible();
});

test('a canned response is saved, changed and deleted, and Undo restores it', async ({ person }) => {
  const fan = await person('customer');
  const desk = await sitDown(await person('customer', { isPhone: true }), 'support');
  const ask = { subject: 'A receipt', message: 'Where is it?' };
  const { id } = await callApi<{ id: string }>(fan.context, 'POST', '/helpdesk/tickets', ask);
  await desk.goto(`/admin/cases/${id}`);
  await hydrated(desk);
  const words = desk.getByLabel('What they read');
  const title = `Receipts ${fan.username}`;
  await words.fill('In your wallet.');
  await desk.getByText('Keep this answer').tap();
  await desk.getByLabel('What it is called').fill(title);
  await desk.getByRole('button', { name: 'Keep it' }).tap();
  await expect(desk.getByText(`Change or let go of “${title}”`)).toBeVisible();
  await words.fill('In your wallet, under Transactions.');
  await expectAccessible(desk);
  await desk.getByRole('button', { name: 'Change it to this' }).tap();
  await expect(desk.getByText('Changed for everybody.')).toBeVisible();
  const kept = async () => {
    const { data } = await callApi<{ data: { title: string; text: string }[] }>(
      desk.context(),
      'GET',
      '/admin/saved-answers',
    );
    return data.find((answer) => answer.title === title)?.text;
  };
  expect(await kept()).toBe('In your wallet, under Transactions.');
  await desk.getByRole('button', { name: 'Let go of it' }).tap();
  await expect(desk.getByText('Keep this answer')).toBeVisible();
  expect(await kept()).toBeUndefined();
  await desk.getByRole('button', { name: 'Undo' }).tap();
  await expect(desk.getByText('Kept again.')).toBeVisible();
  expect(await kept()).toBe('In your wallet, under Transactions.');
});

test('the daily draw of new creators is shown with its rule and each creator’s slot', async ({ person }) => {
  const maker = await person('creator');
  await publish(maker.context, { caption: 'A first glaze', priceUsd: 0, pictures: 1 });
  await giveTick(maker.username);
  const desk = await sitDown(await person('customer'), 'support');
  // A draw is cached for one minute.
  const inDraw = async () => (await callApi<{ count: number }>(desk.context(), 'GET', '/admin/newcomers')).count;
  await expect.poll(inDraw, { timeout: 90_000 }).toBeGreaterThan(0);
  await desk.goto('/admin/newcomers');
  await hydrated(desk);
  await expect(desk.getByRole('heading', { name: 'New creators', level: 1 })).toBeFocused();
  const places = desk.getByRole('list', { name: 'Who has a place today' }).getByRole('listitem');
  const count = await places.count();
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThanOrEqual(FAIR_SHARE.most);
  for (let index = 0; index < count; index += 1)
    await expect(places.nth(index)).toContainText(`Place ${(index + 1) * FAIR_SHARE.every}`);
  await desk.keyboard.press('j');
  await desk.keyboard.press('Enter');
  await expect(desk).toHaveURL(/\/admin\/people\/[0-9a-f-]{36}$/);
  await desk.goBack();
  await places
    .first()
    .getByRole('link', { name: /^Profile of/ })
    .click();
  await expect(desk).toHaveURL(/\/profile\/[\w.-]+$/);
  await desk.goBack();
  await desk.getByRole('link', { name: 'What everybody reads of it' }).click();
  await expect(desk).toHaveURL(/\/discovery#newcomers$/);
});
