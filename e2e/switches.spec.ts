/**
 * Kill switches, announcements and price limits of the admin console. They affect every user, so this test runs on a
 * separate server.
 */
import { sitDown } from './support/desk.ts';
import { baseUrl, callApi, expect, expectAccessible, hydrated, signUp, test } from './support/fixtures.ts';
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

test('open pages show a stopped sign-up, maintenance, an announcement and new tip limits as an owner sets them', async ({
  open,
  person,
  request,
}) => {
  const [fan, maker] = [await person('customer', { isPhone: true }), await signUp('creator')];
  const page = await sitDown(await person('customer'), 'owner', '/admin/switches');
  const desk = page.getByRole('navigation', { name: 'Console' });
  await fan.page.goto(`/profile/${maker.username}`);
  await hydrated(fan.page);
  const line = (title: string) =>
    page.getByRole('list', { name: 'Kill switches' }).locator('li').filter({ hasText: title }).first();
  const turn = async (title: string, button: string, words?: string) => {
    const one = line(title);
    if (!(await one.getByRole('button', { name: button }).isVisible())) await one.locator('summary').press('Enter');
    if (words !== undefined) await one.getByLabel('Message to users').fill(words);
    await one.getByLabel('Reason').fill('The journey says so.');
    await one.getByRole('button', { name: button }).click();
  };
  await turn('Sign-up', 'Stop sign-up');
  await expect(line('Sign-up').locator('summary')).toContainText('Stopped');
  const visitor = (await open()).page;
  await visitor.goto('/signup');
  await expect(visitor.getByText('Sign-up is temporarily closed.')).toBeVisible();
  await expect(visitor.getByRole('button', { name: 'Create account' })).toBeDisabled();
  await turn('Sign-up', 'Resume sign-up');
  await expect(line('Sign-up').locator('summary')).toContainText('Running');

  const words = 'We move house until noon.';
  await turn('Maintenance', 'Start maintenance', words);
  await expect(line('Maintenance').locator('summary')).toContainText('On');
  await expect(page.getByRole('list', { name: 'Changes' })).toContainText('Maintenance: on.');
  await expect.poll(async () => (await request.get(baseUrl())).text()).toContain(words);
  await expect(fan.page.getByText(words)).toBeVisible({ timeout: 30_000 });
  await expectAccessible(fan.page);
  await turn('Maintenance', 'End maintenance');
  await expect(line('Maintenance').locator('summary')).toContainText('Off');

  await desk.getByRole('link', { name: 'Announcements' }).click();
  await page.getByLabel('Title').fill('Open studio night');
  await page.getByLabel('Text').fill('On Friday from eight.');
  const inTwoDays = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 16);
  await page.getByLabel('Until').fill(inTwoDays);
  await page.getByRole('button', { name: 'Publish' }).click();
  const said = page.getByRole('list', { name: 'Announcements' }).locator('li').filter({ hasText: 'Open studio night' });
  await expect(said.locator('summary')).toContainText('Live');
  const bar = fan.page.getByRole('status').filter({ hasText: 'Open studio night' });
  await expect(bar).toBeVisible({ timeout: 30_000 });
  await expect(fan.page.getByText(words)).toHaveCount(0, { timeout: 30_000 });
  await bar.getByRole('button', { name: 'Close: Open studio night' }).click();
  await expect(bar).toHaveCount(0);

  const dialog = await openTip(fan.page, maker.username);
  await expect(dialog.getByText('From $1.00 to $200.00')).toBeVisible();
  await desk.getByRole('link', { name: 'Settings' }).click();
  const least = page.getByLabel('Tip, minimum');
  const form = page.locator('form').filter({ has: least });
  await least.fill('0.49');
  await expect(form.getByText('Amount must be between $0.50 and $1,000.00')).toBeVisible();
  await least.fill('201');
  await expect(form.getByText('Maximum is below minimum, $201.00.')).toBeVisible();
  await least.fill('6');
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
  const tip = callApi(fan.context, 'POST', `/tip/customer-send/${maker.id}`, { amount: 5.99, type: 'profile' });
  await expect(tip).rejects.toThrow(/400.*Amount must be between \$6\.00 and \$200\.00/);
  await expect.poll(async () => (await request.get(`${baseUrl()}/become-creator`)).text()).toContain('$6.00–$200.00');
});
