/** The desk’s live state and its switches, on a server of their own: what is stopped here is stopped for everybody, and what is announced is said in tabs that are open. */
import { generateSync } from 'otplib';
import { makeOperator } from './support/database.ts';
import { callApi, expect, expectAccessible, hydrated, logIn, PASSWORD, type Person, test } from './support/fixtures.ts';
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

test('an owner sees how the house stands, begins maintenance, stops sign-up, and lets both go on', async ({
  open,
  person,
}) => {
  test.setTimeout(120_000);
  const [owner, fan] = [await person('customer'), await person('customer', { isPhone: true })];
  const visitor = await open({ hasScript: false });
  await sitDown(owner);
  const { page } = owner;
  await page.goto('/admin/state');
  await hydrated(page);
  await expect(page.getByText('Everything answers, and nothing was given up.')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Processes that are up' })).toContainText('Pages and jobs (this one)');
  await expectAccessible(page);

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

  // Whoever looks around reads it, with script or without, and what they press says it.
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

  // A tab that is open learns by itself that it is over, and what is announced meanwhile.
  await page.goto('/admin/announcements');
  await hydrated(page);
  await page.getByLabel('Title').fill('Open studio night');
  await page.getByLabel('Text').fill('On Friday from eight.');
  const inTwoDays = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 16);
  await page.getByLabel('Until').fill(inTwoDays);
  await page.getByRole('button', { name: 'Announce' }).click();
  const said = page.getByRole('list', { name: 'Announcements' }).locator('li').filter({ hasText: 'Open studio night' });
  await expect(said.locator('summary')).toContainText('Is said');
  await expectAccessible(page);
  const bar = fan.page.getByRole('status').filter({ hasText: 'Open studio night' });
  await expect(bar).toBeVisible({ timeout: 30_000 });
  await expect(fan.page.getByText(words)).toHaveCount(0, { timeout: 30_000 });
  await expectAccessible(fan.page);
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
