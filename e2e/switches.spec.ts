/**
 * Kill switches, announcements and price limits of the admin console. They affect every user, so these tests run on a
 * separate server.
 */
import { generateSync } from 'otplib';
import { makeOperator } from './support/database.ts';
import { callApi, expect, expectAccessible, hydrated, logIn, PASSWORD, type Person, test } from './support/fixtures.ts';
import { openTip } from './support/money.ts';
import { freePort, makeDataDir, type RunningServer, removeDataDir, startServer } from './support/server.ts';

const shared = { url: process.env.STAGEDOOR_URL, dataDir: process.env.STAGEDOOR_DATA_DIR };
let dataDir = '';
let server: RunningServer | undefined;

test.beforeAll(async () => {
  dataDir = await makeDataDir();
  server = await startServer({ dataDir, port: await freePort(), hasDemo: false });
  Object.assign(process.env, { STAGEDOOR_URL: server.url, STAGEDOOR_DATA_DIR: dataDir });
});
test.afterAll(async () => {
  Object.assign(process.env, { STAGEDOOR_URL: shared.url, STAGEDOOR_DATA_DIR: shared.dataDir });
  await server?.end();
  await removeDataDir(dataDir);
});

async function sitDown({ context, username }: Person): Promise<void> {
  await makeOperator(username, ['owner']);
  await logIn(context, username);
  const begin = { currentPassword: PASSWORD };
  const { secret } = await callApi<{ secret: string }>(context, 'POST', '/auth/two-factor/begin', begin);
  await callApi(context, 'POST', '/auth/two-factor/enable', { code: generateSync({ secret }) });
}

test('an owner sees the system status, and open tabs show maintenance, an announcement and a stopped sign-up', async ({
  open,
  person,
}) => {
  const [owner, fan] = [await person('customer'), await person('customer', { isPhone: true })];
  const visitor = await open({ hasScript: false });
  await sitDown(owner);
  const { page } = owner;
  await page.goto('/admin/state');
  await hydrated(page);
  await expect(page.getByText('Everything answers, and nothing was given up.')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Processes that are up' })).toContainText('Pages and jobs (this one)');

  await page.goto('/admin/switches');
  await hydrated(page);
  const line = (title: string) =>
    page.getByRole('list', { name: 'Switches' }).locator('li').filter({ hasText: title }).first();
  const turn = async (title: string, button: string, words?: string) => {
    const one = line(title);
    if (!(await one.getByRole('button', { name: button }).isVisible())) await one.locator('summary').press('Enter');
    if (words !== undefined) await one.getByLabel('What people are told').fill(words);
    await one.getByLabel('Why').fill('The journey says so.');
    await one.getByRole('button', { name: button }).click();
  };
  const words = 'We move house until noon.';
  await turn('Maintenance', 'Begin maintenance', words);
  await expect(line('Maintenance').locator('summary')).toContainText('On');
  await expectAccessible(page);
  await expect(page.getByRole('list', { name: 'Changes' })).toContainText('Maintenance: on.');

  const read = async (where: typeof page, path: string) => {
    await where.goto(path);
    await expect(where.getByText(words)).toBeVisible();
  };
  await read(visitor.page, '/');
  await read(fan.page, '/fan/follow');
  await hydrated(fan.page);
  await expectAccessible(fan.page);
  await expect(callApi(fan.context, 'POST', '/notifications/read', {})).rejects.toThrow(/503.*We move house/);

  await turn('Maintenance', 'End maintenance');
  await expect(line('Maintenance').locator('summary')).toContainText('Off');

  await page.goto('/admin/announcements');
  await hydrated(page);
  await page.getByLabel('Title').fill('Open studio night');
  await page.getByLabel('Text').fill('On Friday from eight.');
  const inTwoDays = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 16);
  await page.getByLabel('Until').fill(inTwoDays);
  await page.getByRole('button', { name: 'Announce' }).click();
  const said = page.getByRole('list', { name: 'Announcements' }).locator('li').filter({ hasText: 'Open studio night' });
  await expect(said.locator('summary')).toContainText('Is said');
  const bar = fan.page.getByRole('status').filter({ hasText: 'Open studio night' });
  await expect(bar).toBeVisible({ timeout: 30_000 });
  await expect(fan.page.getByText(words)).toHaveCount(0, { timeout: 30_000 });
  await bar.getByRole('button', { name: 'Close: Open studio night' }).click();
  await expect(bar).toHaveCount(0);
  await fan.page.reload();
  await hydrated(fan.page);
  await expect(bar).toHaveCount(0);

  await page.goto('/admin/switches');
  await hydrated(page);
  await turn('Sign-up', 'Stop sign-up');
  await expect(line('Sign-up').locator('summary')).toContainText('Stopped');
  await expect(async () => {
    await visitor.page.goto('/');
    await expect(visitor.page.getByText(words)).toHaveCount(0, { timeout: 500 });
  }).toPass();
  const other = await open();
  await other.page.goto('/signup');
  await expect(other.page.getByText('Sign-up is closed for the moment.')).toBeVisible();
  await expect(other.page.getByRole('button', { name: 'Create account' })).toBeDisabled();
  await expectAccessible(other.page);
  await turn('Sign-up', 'Open sign-up');
  await expect(line('Sign-up').locator('summary')).toContainText('Goes on');
});

test('an owner changes the tip limits, which apply to an open dialog, the server and the public prices', async ({
  open,
  person,
}) => {
  const [owner, fan] = [await person('customer'), await person('customer', { isPhone: true })];
  const maker = await person('creator');
  const visitor = await open({ hasScript: false });
  await sitDown(owner);
  await fan.page.goto(`/profile/${maker.username}`);
  await hydrated(fan.page);
  const dialog = await openTip(fan.page, maker.username);
  await expect(dialog.getByText('From $1.00 to $200.00')).toBeVisible();
  await visitor.page.goto('/pricing');
  await expect(visitor.page.getByRole('row', { name: /^One tip/ })).toContainText('$1.00$200.00');

  const { page } = owner;
  await page.goto('/admin/settings');
  await hydrated(page);
  const least = page.getByLabel('A tip, at least');
  const form = page.locator('form').filter({ has: least });
  await least.fill('0.49');
  await expect(form.getByText('Amount must be between $0.50 and $1,000.00')).toBeVisible();
  await least.fill('201');
  await expect(form.getByText('The highest is below the lowest, $201.00.')).toBeVisible();
  await least.fill('6');
  await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled();
  await form.getByLabel('Why').fill('Small sums cost more than they bring');
  await form.getByRole('button', { name: 'Save' }).click();
  const change = page.getByRole('list', { name: 'Prices, as they were limited' }).getByRole('listitem').first();
  await expect(change).toContainText('A tip, at least: $1.00 to $6.00');
  await expect(change).toContainText('Small sums cost more than they bring');

  await expect(dialog.getByText('From $6.00 to $200.00')).toBeVisible({ timeout: 30_000 });
  await expect(dialog.getByRole('button', { name: '$5.00' })).toHaveCount(0);
  await dialog.getByLabel('Your own amount').fill('5.99');
  await expect(dialog.getByText('Amount must be between $6.00 and $200.00')).toBeVisible();
  const { id } = await callApi<{ id: string }>(maker.context, 'GET', '/auth/user');
  const tip = (amount: number) => callApi(fan.context, 'POST', `/tip/customer-send/${id}`, { amount, type: 'profile' });
  await expect(tip(5.99)).rejects.toThrow(/400.*Amount must be between \$6\.00 and \$200\.00/);
  await expect(tip(6)).rejects.toThrow(/INSUFFICIENT_FUNDS/);
  await visitor.page.goto('/pricing');
  await expect(visitor.page.getByRole('row', { name: /^One tip/ })).toContainText('$6.00$200.00');
  expect(await (await visitor.context.request.get('/become-creator')).text()).toContain('$6.00–$200.00');
  await maker.page.goto('/creator/fees');
  await hydrated(maker.page);
  await expect(maker.page.getByText('$6.00 to $200.00, as a fan likes')).toBeVisible();
});
