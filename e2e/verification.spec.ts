import type { Page } from '@playwright/test';
import { VERIFICATION_WORDS } from '@stagedoor/contract/verification.ts';
import sharp from 'sharp';
import { sitDown } from './support/desk.ts';
import { expect, expectAccessible, hydrated, mailTo, test } from './support/fixtures.ts';

const PAGE = '/creator/profile/verification';
const DESK = '/admin/verifications';
const LEGAL_NAME = 'Mirele Adaeze Okonkwo';

const face = () =>
  sharp({ create: { width: 900, height: 900, channels: 3, background: '#87796a' } })
    .png()
    .toBuffer();

async function fillDetails(page: Page): Promise<void> {
  await page.goto(PAGE);
  await hydrated(page);
  await expect(page).toHaveURL(`${PAGE}?step=details`);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.locator('span').getByText('Choose a country')).toBeVisible();
  await page.getByLabel('Full legal name').fill(LEGAL_NAME);
  await page.getByLabel('Date of birth').fill('1993-06-14');
  await page.getByLabel('Issuing country').selectOption('NL');
  await page.getByLabel('Document').selectOption('passport');
  await page.getByRole('button', { name: 'Continue' }).click();
}

async function watchCameras(page: Page): Promise<() => Promise<number>> {
  // The permission prompt needs a browser window, which tests do not have.
  await page.context().grantPermissions(['camera']);
  await page.addInitScript(() => {
    const tracks: MediaStreamTrack[] = [];
    const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (rules) => {
      const stream = await ask(rules);
      tracks.push(...stream.getTracks());
      return stream;
    };
    Object.assign(window, { countCameras: () => tracks.filter(({ readyState }) => readyState === 'live').length });
  });
  return () =>
    page.evaluate(() => {
      const count: unknown = Reflect.get(window, 'countCameras');
      return typeof count === 'function' ? Number(count()) : -1;
    });
}

async function takePassport(page: Page, cameras: () => Promise<number>): Promise<void> {
  await expect(page.getByRole('heading', { name: 'The page with your photo' })).toBeVisible();
  await expect(page.getByText(/^(?:Bring all four|Sharp and well lit|Too |Glare\. |Hold still|Blurry)/)).toBeVisible();
  await page.getByRole('button', { name: 'Take photo' }).click();
  await expect(page.getByRole('heading', { name: 'Can you read every line?' })).toBeFocused();
  expect(await cameras(), 'the camera is off again').toBe(0);
  await page.getByRole('button', { name: /^Larger/ }).click();
  await page.getByRole('button', { name: 'Use this photo' }).click();
  await expect(page).toHaveURL(`${PAGE}?step=selfie`);
}

async function chooseFace(page: Page): Promise<void> {
  await page
    .getByLabel('Upload a photo instead')
    .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: await face() });
  await expect(page.getByRole('heading', { name: 'Can you see your whole face?' })).toBeVisible();
}

test('a creator submits documents, is asked for one again, and is verified', async ({ person }) => {
  const maker = await person('creator', { isPhone: true, isNewcomer: true });
  const desk = await sitDown(await person('customer'), 'moderator');
  const { page } = maker;
  const cameras = await watchCameras(page);
  await fillDetails(page);
  await expect(page).toHaveURL(`${PAGE}?step=idFront`);
  await page.reload();
  await hydrated(page);
  await takePassport(page, cameras);

  await page.goBack();
  await expect(page.getByText(/^Sent today.*encrypted/)).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await chooseFace(page);
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Use this photo' }).click();
  await expect(page.getByText(/Can’t connect/).first()).toBeVisible();
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Send again' }).click();

  await expect(page.getByRole('region', { name: 'Creator agreement' })).toBeVisible();
  await page.getByRole('button', { name: 'Sign and submit' }).click();
  await expect(page.getByText('Sign above or type your full legal name.')).toBeVisible();
  await page.getByLabel('Or type your full legal name').fill('Somebody Else');
  await page.getByRole('button', { name: 'Sign and submit' }).click();
  await expect(page.getByText('Sign with your full legal name, as in your details.')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Or type your full legal name').fill(LEGAL_NAME);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Sign and submit' }).press('Enter');
  await expect(page.getByText(VERIFICATION_WORDS.submitted ?? '', { exact: true })).toBeVisible();
  await expect(page.getByText('2 business days left')).toBeVisible();

  await desk.goto(DESK);
  await hydrated(desk);
  const row = desk.getByRole('link', { name: maker.username });
  await desk.getByRole('heading', { name: 'Verification' }).focus();
  for (let presses = 0; presses < 30 && !(await row.evaluate((link) => link.matches(':focus'))); presses += 1)
    await desk.keyboard.press('j');
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('img', { name: 'Selfie' })).toBeVisible();
  await expect(desk.getByText(LEGAL_NAME)).toBeVisible();
  await desk.getByRole('heading', { name: maker.username }).press('f');
  await desk.getByRole('checkbox', { name: 'Selfie' }).press('Space');
  const told = desk.getByText(VERIFICATION_WORDS.failed ?? '', { exact: true });
  await expect(told).toBeVisible();
  await expectAccessible(desk);
  await desk.getByRole('button', { name: 'Request again' }).press('Enter');
  await expect(desk.getByText('New documents requested.')).toBeVisible();

  await page.goto(PAGE);
  await hydrated(page);
  await expect(page.getByText(VERIFICATION_WORDS.failed ?? '', { exact: true })).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Passport' })).toContainText('Accepted');
  await page.getByRole('link', { name: 'Retake your selfie' }).click();
  await expect(page.getByText('Your face is too dark. Face a window.')).toBeVisible();
  await chooseFace(page);
  await page.getByRole('button', { name: 'Use this photo' }).click();
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('heading', { name: 'Under review' })).toBeVisible();

  await desk.goto(`${DESK}/${maker.id}`);
  await hydrated(desk);
  await desk.getByRole('heading', { name: maker.username }).press('v');
  await desk.getByRole('button', { name: 'Verify' }).click();
  await expect(desk.getByText('Verified.', { exact: true })).toBeVisible();
  await mailTo(maker.email, /About your Stagedoor account/);
  await page.goto(PAGE);
  await expect(page.getByRole('heading', { name: 'You’re verified' })).toBeVisible();
});
