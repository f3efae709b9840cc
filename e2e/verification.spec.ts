import type { Page } from '@playwright/test';
import { VERIFICATION_MESSAGES } from '@stagedoor/contract/compliance/verification.ts';
import sharp from 'sharp';
import { logInAsOperator } from './support/admin.ts';
import { expect, expectAccessible, test, waitForHydration, waitForMail } from './support/fixtures.ts';

const PAGE = '/creator/profile/verification';
const ADMIN_PATH = '/admin/verifications';
const LEGAL_NAME = 'Mirele Adaeze Okonkwo';

const makeFace = () =>
  sharp({ create: { width: 900, height: 900, channels: 3, background: '#87796a' } })
    .png()
    .toBuffer();

async function fillDetails(page: Page): Promise<void> {
  await page.goto(PAGE);
  await waitForHydration(page);
  await expect(page).toHaveURL(`${PAGE}?step=details`);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.locator('span').getByText('Choose a country')).toBeVisible();
  await page.getByLabel('Full legal name').fill(LEGAL_NAME);
  await page.getByLabel('Date of birth').fill('1993-06-14');
  await page.getByLabel('Issuing country').selectOption('NL');
  await page.getByLabel('Document').selectOption('passport');
  await page.getByRole('button', { name: 'Continue' }).click();
}

async function trackCameras(page: Page): Promise<() => Promise<number>> {
  // The permission prompt needs a browser window, which tests do not have.
  await page.context().grantPermissions(['camera']);
  await page.addInitScript(() => {
    const tracks: MediaStreamTrack[] = [];
    const getOriginalStream = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (constraints) => {
      const stream = await getOriginalStream(constraints);
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

async function takePassport(page: Page, countCameras: () => Promise<number>): Promise<void> {
  await expect(page.getByRole('heading', { name: 'The page with your photo' })).toBeVisible();
  await expect(page.getByText(/^(?:Bring all four|Sharp and well lit|Too |Glare\. |Hold still|Blurry)/)).toBeVisible();
  await page.getByRole('button', { name: 'Take photo' }).click();
  await expect(page.getByRole('heading', { name: 'Can you read every line?' })).toBeFocused();
  expect(await countCameras(), 'the camera is off again').toBe(0);
  await page.getByRole('button', { name: /^Larger/ }).click();
  await page.getByRole('button', { name: 'Use this photo' }).click();
  await expect(page).toHaveURL(`${PAGE}?step=selfie`);
}

async function chooseFace(page: Page): Promise<void> {
  await page
    .getByLabel('Upload a photo instead')
    .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: await makeFace() });
  await expect(page.getByRole('heading', { name: 'Can you see your whole face?' })).toBeVisible();
}

test('a creator submits documents, has to submit one again, and is verified', async ({ createUser }) => {
  const creator = await createUser('creator', { isPhone: true, isUnverified: true });
  const adminPage = await logInAsOperator(await createUser('customer'), 'moderator');
  const { page } = creator;
  const countCameras = await trackCameras(page);
  await fillDetails(page);
  await expect(page).toHaveURL(`${PAGE}?step=idFront`);
  await page.reload();
  await waitForHydration(page);
  await takePassport(page, countCameras);

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
  await expect(page.getByText(VERIFICATION_MESSAGES.submitted ?? '', { exact: true })).toBeVisible();
  await expect(page.getByText('2 business days left')).toBeVisible();

  await adminPage.goto(ADMIN_PATH);
  await waitForHydration(adminPage);
  const row = adminPage.getByRole('link', { name: creator.username });
  await adminPage.getByRole('heading', { name: 'Verification' }).focus();
  for (let presses = 0; presses < 30 && !(await row.evaluate((link) => link.matches(':focus'))); presses += 1)
    await adminPage.keyboard.press('j');
  await adminPage.keyboard.press('Enter');
  await expect(adminPage.getByRole('img', { name: 'Selfie' })).toBeVisible();
  await expect(adminPage.getByText(LEGAL_NAME)).toBeVisible();
  await adminPage.getByRole('heading', { name: creator.username }).press('f');
  await adminPage.getByRole('checkbox', { name: 'Selfie' }).press('Space');
  const failureText = adminPage.getByText(VERIFICATION_MESSAGES.failed ?? '', { exact: true });
  await expect(failureText).toBeVisible();
  await expectAccessible(adminPage);
  await adminPage.getByRole('button', { name: 'Request again' }).press('Enter');
  await expect(adminPage.getByText('New documents requested.')).toBeVisible();

  await page.goto(PAGE);
  await waitForHydration(page);
  await expect(page.getByText(VERIFICATION_MESSAGES.failed ?? '', { exact: true })).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Passport' })).toContainText('Accepted');
  await page.getByRole('link', { name: 'Retake your selfie' }).click();
  await expect(page.getByText('Your face is too dark. Face a window.')).toBeVisible();
  await chooseFace(page);
  await page.getByRole('button', { name: 'Use this photo' }).click();
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('heading', { name: 'Under review' })).toBeVisible();

  await adminPage.goto(`${ADMIN_PATH}/${creator.id}`);
  await waitForHydration(adminPage);
  await adminPage.getByRole('heading', { name: creator.username }).press('v');
  await adminPage.getByRole('button', { name: 'Verify' }).click();
  await expect(adminPage.getByText('Verified.', { exact: true })).toBeVisible();
  await waitForMail(creator.email, /About your Stagedoor account/);
  await page.goto(PAGE);
  await expect(page.getByRole('heading', { name: 'You’re verified' })).toBeVisible();
});
