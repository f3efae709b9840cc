/**
 * Kill switches, announcements and price limits of the admin console. They affect every user, so this test runs on a
 * separate server.
 */
import { logInAsOperator } from './support/admin.ts';
import {
  callApi,
  createConfirmedAccount,
  expect,
  expectAccessible,
  getBaseUrl,
  test,
  waitForHydration,
} from './support/fixtures.ts';
import { openTip } from './support/money.ts';
import { freePort, makeDataDir, type RunningServer, removeDataDir, startServer } from './support/server.ts';

const savedEnv = { url: process.env.STAGEDOOR_URL, dataDir: process.env.STAGEDOOR_DATA_DIR };
let dataDir = '';
let server: RunningServer | undefined;

test.beforeAll(async () => {
  dataDir = await makeDataDir();
  server = await startServer({ dataDir, port: await freePort(), hasDemo: false });
  Object.assign(process.env, { STAGEDOOR_URL: server.url, STAGEDOOR_DATA_DIR: dataDir });
});
test.afterAll(async () => {
  Object.assign(process.env, { STAGEDOOR_URL: savedEnv.url, STAGEDOOR_DATA_DIR: savedEnv.dataDir });
  await server?.end();
  await removeDataDir(dataDir);
});

test('open pages show a stopped sign-up, maintenance, an announcement and new tip limits as an owner sets them', async ({
  open,
  createUser,
  request,
}) => {
  const [fan, creator] = [await createUser('customer', { isPhone: true }), await createConfirmedAccount('creator')];
  const page = await logInAsOperator(await createUser('customer'), 'owner', '/admin/kill-switches');
  const adminNav = page.getByRole('navigation', { name: 'Console' });
  await fan.page.goto(`/profile/${creator.username}`);
  await waitForHydration(fan.page);
  const getSwitchItem = (title: string) =>
    page.getByRole('list', { name: 'Kill switches' }).locator('li').filter({ hasText: title }).first();
  const toggleSwitch = async (title: string, button: string, message?: string) => {
    const item = getSwitchItem(title);
    if (!(await item.getByRole('button', { name: button }).isVisible())) await item.locator('summary').press('Enter');
    if (message !== undefined) await item.getByLabel('Message to users').fill(message);
    await item.getByLabel('Reason').fill('The journey says so.');
    await item.getByRole('button', { name: button }).click();
  };
  await toggleSwitch('Sign-up', 'Stop sign-up');
  await expect(getSwitchItem('Sign-up').locator('summary')).toContainText('Stopped');
  const visitor = (await open()).page;
  await visitor.goto('/signup');
  await expect(visitor.getByText('Sign-up is temporarily closed.')).toBeVisible();
  await expect(visitor.getByRole('button', { name: 'Create account' })).toBeDisabled();
  await toggleSwitch('Sign-up', 'Resume sign-up');
  await expect(getSwitchItem('Sign-up').locator('summary')).toContainText('Running');

  const message = 'We move house until noon.';
  await toggleSwitch('Maintenance', 'Start maintenance', message);
  await expect(getSwitchItem('Maintenance').locator('summary')).toContainText('On');
  await expect(page.getByRole('list', { name: 'Changes' })).toContainText('Maintenance: on.');
  await expect.poll(async () => (await request.get(getBaseUrl())).text()).toContain(message);
  await expect(fan.page.getByText(message)).toBeVisible({ timeout: 30_000 });
  await expectAccessible(fan.page);
  await toggleSwitch('Maintenance', 'End maintenance');
  await expect(getSwitchItem('Maintenance').locator('summary')).toContainText('Off');

  await adminNav.getByRole('link', { name: 'Announcements' }).click();
  await page.getByLabel('Title').fill('Open studio night');
  await page.getByLabel('Text').fill('On Friday from eight.');
  const inTwoDays = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 16);
  await page.getByLabel('Until').fill(inTwoDays);
  await page.getByRole('button', { name: 'Publish' }).click();
  const announcement = page
    .getByRole('list', { name: 'Announcements' })
    .locator('li')
    .filter({ hasText: 'Open studio night' });
  await expect(announcement.locator('summary')).toContainText('Live');
  const bar = fan.page.getByRole('status').filter({ hasText: 'Open studio night' });
  await expect(bar).toBeVisible({ timeout: 30_000 });
  await expect(fan.page.getByText(message)).toHaveCount(0, { timeout: 30_000 });
  await bar.getByRole('button', { name: 'Close: Open studio night' }).click();
  await expect(bar).toHaveCount(0);

  const dialog = await openTip(fan.page, creator.username);
  await expect(dialog.getByText('From $1.00 to $200.00')).toBeVisible();
  await adminNav.getByRole('link', { name: 'Settings' }).click();
  const minField = page.getByLabel('Tip, minimum');
  const form = page.locator('form').filter({ has: minField });
  await minField.fill('0.49');
  await expect(form.getByText('Amount must be between $0.50 and $1,000.00')).toBeVisible();
  await minField.fill('201');
  await expect(form.getByText('Maximum is below minimum, $201.00.')).toBeVisible();
  await minField.fill('6');
  await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled();
  await form.getByLabel('Reason').fill('Small sums cost more than they bring');
  await form.getByRole('button', { name: 'Save' }).click();
  const change = page.getByRole('list', { name: 'Price limit history' }).getByRole('listitem').first();
  await expect(change).toContainText('Tip, minimum: $1.00 to $6.00');
  await expect(change).toContainText('Small sums cost more than they bring');
  await expect(dialog.getByText('From $6.00 to $200.00')).toBeVisible({ timeout: 30_000 });
  await expect(fan.page.getByText('Open studio night')).toHaveCount(0);
  await expect(dialog.getByRole('button', { name: '$5.00' })).toHaveCount(0);
  await dialog.getByLabel('Custom amount').fill('5.99');
  await expect(dialog.getByText('Amount must be between $6.00 and $200.00')).toBeVisible();
  const tip = callApi(fan.context, 'POST', `/tip/customer-send/${creator.id}`, { amount: 5.99, type: 'profile' });
  await expect(tip).rejects.toThrow(/400.*Amount must be between \$6\.00 and \$200\.00/);
  await expect
    .poll(async () => (await request.get(`${getBaseUrl()}/become-creator`)).text())
    .toContain('$6.00–$200.00');
});
