import sharp from 'sharp';
import { sitDown } from './support/desk.ts';
import { baseUrl, callApi, hydrated, test } from './support/fixtures.ts';
import { publish } from './support/money.ts';

const OUT = '/tmp/desk-shots';
const square = (background: string) =>
  sharp({ create: { width: 900, height: 500, channels: 3, background } })
    .png()
    .toBuffer();

test('look', async ({ open, person }) => {
  test.setTimeout(600_000);
  const [maker, fan] = [await person('creator'), await person('customer')];
  const hang = async (which: string, colour: string) =>
    maker.context.request.post(`${baseUrl()}/api/creator/profile/${which}`, {
      multipart: { file: { name: 'me.png', mimeType: 'image/png', buffer: await square(colour) } },
    });
  await hang('avatar', '#a33');
  await hang('cover', '#357');
  const put = (bio: string) =>
    maker.context.request.put(`${baseUrl()}/api/creator/profile`, {
      data: {
        name: 'Ana Marsh',
        craft: 'Potter',
        city: 'Porto',
        category: null,
        bio,
        ownLinks: [{ label: 'Shop', url: 'https://marsh.shop/jars' }],
      },
    });
  await put('Moon jars by night, thrown on the quay.\nOrders by mail.');
  const { id } = await callApi<{ id: string }>(maker.context, 'GET', '/auth/user');
  const fanId = (await callApi<{ id: string }>(fan.context, 'GET', '/auth/user')).id;
  const report = (message: string) =>
    callApi<{ reference: string }>(fan.context, 'POST', '/report/submit-report', {
      reportUserId: id,
      type: 'profile',
      typeId: id,
      message,
    });
  await report('That is my face.');
  await report('Really.');
  await hang('avatar', '#3a3');
  await put('Nothing to see here.');
  const account = await person('customer');
  const desk = await sitDown(account, 'moderator');
  const { data } = await callApi<{ data: { id: string }[] }>(desk.context(), 'GET', `/admin/cases?q=${maker.username}`);
  const ticket = await callApi<{ id: string }>(fan.context, 'POST', '/helpdesk/tickets', {
    subject: 'A receipt',
    message: 'Where is it?',
  });
  const post = await publish(maker.context, { caption: 'The quay at night' });
  await callApi((await open()).context, 'POST', '/public/copyright-notices', {
    ...{ name: 'Bea', email: `claim-${maker.username}@example.com`, address: '1 Example Street' },
    ...{ telephone: '+1 555 0100', signature: 'Bea', work: 'My photograph.', places: `/post/${post}` },
    ...{ isGoodFaith: true, isAccurate: true },
  });
  const state = await desk.context().storageState();
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [390, 1440]) {
      const { page, context } = await open({ colorScheme, width });
      await context.addCookies(state.cookies);
      const shot = (name: string) =>
        page.screenshot({ path: `${OUT}/${name}-${width}-${colorScheme}.png`, fullPage: true });
      await page.goto(`/admin/cases/${data[0]?.id}?view=open`);
      await hydrated(page);
      await page.getByRole('heading', { level: 1 }).press('v');
      await page.getByText('As it is now').waitFor();
      await page.waitForLoadState('networkidle');
      await page.getByRole('heading', { level: 1 }).press('r');
      await page.getByRole('checkbox', { name: 'picture' }).check();
      await page.getByLabel('Ground').fill('It is somebody else’s face.');
      await shot('profile');
      await page.goto(`/admin/cases/${ticket.id}`);
      await hydrated(page);
      await page.getByLabel('What they read').fill('In your wallet.');
      await page.getByText('Keep this answer').click();
      await page.getByText('Open a case about them').click();
      await shot('ticket');
      await page.goto(`/admin/people/${fanId}`);
      await hydrated(page);
      await shot('person');
      await page.goto('/dmca/counter?of=x');
      await shot('counter-none');
    }
});
