import type { Locator } from '@playwright/test';
import type { CallLog } from '@stagedoor/contract/messaging/calls.ts';
import {
  expectMedia,
  fetchCallDetail,
  findLatestCall,
  getCallDialog,
  getCallTime,
  openCallPages,
  openDeviceCheck,
  recordConnections,
  startCallByPage,
  TEST_CALL_SETTINGS,
} from './support/calls.ts';
import { getMessageField, startConversation } from './support/chat.ts';
import { type BrowserUser, callApi, expect, expectAccessible, test, waitForHydration } from './support/fixtures.ts';
import { NORMAL_PX, setFontSize, TWICE_PX } from './support/large-text.ts';
import { addFunds, fetchWalletBalance } from './support/money.ts';
import { expectTouchable } from './support/touch.ts';

test('a call runs from device check to receipt with video and sound on both sides, and is charged to the second', async ({
  createUser,
}) => {
  test.setTimeout(120_000);
  const pair = await openCallPages(createUser);
  const { creator, fan } = pair;
  await startConversation(fan, creator);
  const check = await openDeviceCheck(pair);
  await expect(check.getByRole('meter', { name: 'Microphone level' })).toBeVisible();
  await expectAccessible(fan.page);
  await check.getByRole('button', { name: /^Call / }).dblclick();
  const sheet = creator.page.getByRole('dialog', { name: 'Incoming video call' });
  await expect(sheet.getByText('about 16 min')).toBeVisible();
  await expect(getCallDialog(fan.page).getByRole('heading', { name: 'Ringing' })).toBeVisible();
  await expect(creator.page).toHaveTitle(/ is calling · Stagedoor$/);
  await expectAccessible(creator.page);
  await sheet.getByRole('button', { name: 'Accept $3.00/min' }).focus();
  await creator.page.keyboard.press('Enter');
  await expectMedia(pair);
  await expect(getCallTime(fan.page)).toHaveText(/^0:0[1-9]$/);
  await expectAccessible(fan.page);

  await getCallDialog(fan.page)
    .locator('.call-acts')
    .getByRole('button', { name: `Tip ${creator.username}` })
    .click();
  const tip = fan.page.getByRole('dialog', { name: `Tip ${creator.username}` });
  await expect(tip.getByText(/^Left in this call \$(49|50)\.\d\d$/)).toBeVisible();
  await tip.getByRole('button', { name: '$5.00' }).click();
  await tip.getByLabel('Add a message').fill('For the encore');
  // A toast is shown for five seconds, so the test watches for it before the press.
  const toast = creator.page.locator('.toast').filter({ hasText: 'For the encore' });
  await Promise.all([toast.waitFor(), tip.getByRole('button', { name: 'Tip $5.00' }).click()]);
  await expect(getCallDialog(creator.page).locator('.conv').getByText('For the encore', { exact: true })).toBeVisible();
  await expect(getCallDialog(creator.page).locator('.call-side__facts')).toContainText(/You earn\$[4-5]\.\d\d/);

  await fan.page.getByRole('button', { name: 'Turn camera off' }).click();
  await expect(getCallDialog(creator.page).locator('.stage__face')).toBeVisible();
  const desktopSize = fan.page.viewportSize();
  await fan.page.setViewportSize({ width: 320, height: 640 });
  await expectTouchable(getCallDialog(fan.page).getByRole('button', { name: 'End', exact: true }));
  const isWithin = async (part: Locator) => {
    const box = await part.boundingBox();
    return box !== null && box.x >= 0 && box.x + box.width <= 320 && box.width >= 44;
  };
  for (const part of await getCallDialog(fan.page).locator('.call-meter > *, .call-acts > *').all())
    await expect.poll(() => isWithin(part), { message: `${part} is in the window` }).toBe(true);
  await fan.page.setViewportSize({ width: 390, height: 844 });
  await fan.page.getByRole('button', { name: 'Minimize' }).click();
  const small = fan.page.getByRole('region', { name: /^Video call with / });
  await fan.page.locator('.tabbar').getByRole('link', { name: /^Chat/ }).click();
  await fan.page.getByRole('main').getByRole('link', { name: creator.username }).first().click();
  for (const part of [
    getMessageField(fan.page),
    fan.page.getByRole('button', { name: 'Record a voice message' }),
    fan.page.getByRole('button', { name: 'Chat details' }),
  ])
    await expectTouchable(part);
  await fan.page.goBack();
  if (desktopSize) await fan.page.setViewportSize(desktopSize);
  await fan.page.getByRole('link', { name: 'Wallet' }).first().click();
  await expect(fan.page).toHaveURL(/\/fan\/wallet$/);
  await expect(small).toBeVisible();
  await small.getByRole('button', { name: /^Back to the call/ }).click();
  // A page that opens behind the call is shown.
  await fan.page.goBack();
  await expect(fan.page).not.toHaveURL(/\/fan\/wallet$/);
  await small.getByRole('button', { name: /^Back to the call/ }).click();
  // A shorter call is free.
  await expect(getCallTime(fan.page)).toHaveText(/^(0:[2-5]\d|[1-9]:\d\d)$/, { timeout: 30_000 });

  // The page behind a minimized call stays in place when the other side ends the call, and when the receipt is closed.
  await creator.page.getByRole('button', { name: 'Minimize' }).click();
  await expect(creator.page.getByRole('region', { name: /^Video call with / })).toBeVisible();
  const getPageTop = () => creator.page.evaluate(() => document.getElementById('main')?.getBoundingClientRect().top);
  await creator.page.evaluate(() => {
    document.body.style.minHeight = '4000px';
    scrollTo(0, 400);
  });
  const pageTop = await getPageTop();

  await getCallDialog(fan.page)
    .getByRole('button', { name: 'End', exact: true })
    .or(getCallDialog(fan.page).getByRole('button', { name: 'End call' }))
    .first()
    .click();
  for (const { page } of [fan, creator])
    await expect(page.getByRole('dialog', { name: 'Receipt' }).getByText(/ seconds at \$3\.00\/min$/)).toBeVisible();
  expect(await getPageTop()).toBe(pageTop);
  await creator.page.keyboard.press('Escape');
  await expect(creator.page.getByRole('dialog', { name: 'Receipt' })).toBeHidden();
  expect(await getPageTop()).toBe(pageTop);
  await expectAccessible(fan.page);
  const log = await findLatestCall(fan);
  if (!log) throw new Error('no call in the history');
  const detail = await fetchCallDetail(fan, log.callLogId);
  expect(detail.amount).toBe(Math.floor(detail.chargedSeconds * 5) / 100);
  expect(detail.held).toBeCloseTo((detail.charged ?? 0) + (detail.released ?? 0), 2);
  expect(detail.tips).toMatchObject([{ amount: 5, note: 'For the encore' }]);
  expect(await fetchWalletBalance(fan.context)).toBeCloseTo(45 - detail.amount, 2);
  await expect
    .poll(async () => (await callApi<{ data: CallLog[] }>(fan.context, 'GET', '/call/call-history')).data.length)
    .toBe(1);
});

test('a declined and a cancelled call cost nothing and are in the history, and a creator requests a callback', async ({
  createUser,
}) => {
  const pair = await openCallPages(createUser);
  const { creator, fan } = pair;
  const second = await creator.context.newPage();
  await second.goto('/creator/calls');
  await waitForHydration(second);
  const other = second.getByRole('dialog', { name: 'Incoming video call' });
  const sheet = await startCallByPage(pair);
  await expect(other).toBeVisible();
  const desktopSize = creator.page.viewportSize();
  await creator.page.setViewportSize({ width: 390, height: 844 });
  await setFontSize(creator.page, TWICE_PX);
  await expect(creator.page.locator('body')).toHaveCSS('font-size', `${TWICE_PX}px`);
  for (const part of [sheet.getByRole('heading'), sheet.getByRole('button')]) await expectTouchable(part.first());
  await setFontSize(creator.page, NORMAL_PX);
  if (desktopSize) await creator.page.setViewportSize(desktopSize);
  await sheet.getByRole('button', { name: 'Decline' }).click();
  await expect(sheet).toHaveCount(0);
  await expect(other).toHaveCount(0);
  const busyDialog = fan.page.getByRole('dialog', { name: / is busy\.$/ });
  await expect(busyDialog.getByText(/^Nothing was charged/)).toBeVisible();
  await expectAccessible(fan.page);
  await busyDialog.getByRole('link', { name: 'Send a message' }).click();
  await fan.page.getByRole('link', { name: 'Calls' }).click();
  await expect(fan.page.getByRole('listitem').filter({ hasText: 'Video call, busy' })).toBeVisible();
  await creator.page.goto('/creator/chat?tab=callHistoryList');
  await expect(creator.page.getByRole('list', { name: 'Calls' }).getByRole('listitem')).toHaveText([
    /Video call, declined/,
  ]);
  await expectAccessible(creator.page);

  await startCallByPage(pair);
  await expect(other).toBeVisible();
  await getCallDialog(fan.page).getByRole('button', { name: 'Cancel' }).click();
  await expect(sheet).toHaveCount(0);
  await expect(other).toHaveCount(0);
  expect(await fetchWalletBalance(fan.context)).toBe(50);
  await creator.page.getByRole('button', { name: 'Request callback' }).click();
  await expect(creator.page.getByText('Callback requested')).toBeVisible();
  await expect(fan.page.getByText(/would like you to call back\.$/)).toBeVisible();
});

test('a call continues after a lost connection, a reload and in another tab, and the gaps are not charged', async ({
  createUser,
}) => {
  test.setTimeout(120_000);
  const pair = await openCallPages(createUser);
  const { creator, fan } = pair;
  const second = await creator.context.newPage();
  await second.addInitScript(recordConnections);
  await second.goto('/creator/calls');
  await waitForHydration(second);
  await callApi(creator.context, 'POST', '/creator/tip-goal', { title: 'A new camera', target: 100 });
  await creator.page.goto('/creator/profile');
  await waitForHydration(creator.page);
  await creator.page.getByRole('button', { name: 'End goal' }).click();
  const confirmation = creator.page.getByRole('dialog', { name: 'End this goal?' });
  await expect(confirmation).toBeVisible();
  await (await startCallByPage(pair)).getByRole('button', { name: /^Accept/ }).click();
  await expectMedia(pair);
  await expect(confirmation).toBeHidden();
  await getCallDialog(creator.page).getByRole('button', { name: 'Mute microphone' }).click();
  await getCallDialog(creator.page).getByRole('button', { name: 'Unmute microphone' }).click();
  await expect(getCallTime(fan.page)).toHaveText(/^0:(?!00|01)\d\d$/);
  const getSeconds = async () => Number((await getCallTime(fan.page).textContent())?.slice(2));
  const before = await getSeconds();
  await fan.context.setOffline(true);
  const getReconnectingStatus = ({ page }: BrowserUser) =>
    getCallDialog(page).getByRole('status').filter({ hasText: 'Reconnecting' });
  await expect(getReconnectingStatus(fan)).toContainText('You’re not charged.', { timeout: 20_000 });
  await expect(getReconnectingStatus(creator)).toContainText('Nothing is charged.', { timeout: 20_000 });
  const frozenTime = await getCallTime(creator.page).textContent();
  // The clock stops at the last heartbeat that the server received from the fan.
  expect(await getSeconds()).toBeLessThan(before + 6);
  await expect(getReconnectingStatus(fan)).toContainText(
    `Billing paused at ${await getCallTime(fan.page).textContent()}.`,
  );
  expect(await getCallTime(creator.page).textContent()).toBe(frozenTime);
  await fan.context.setOffline(false);
  for (const one of [fan, creator]) await expect(getReconnectingStatus(one)).toHaveCount(0, { timeout: 25_000 });
  await expectMedia(pair);

  const elsewhere = second.getByRole('region', { name: 'Call on another device' });
  await expect(elsewhere).toBeVisible();
  await getCallDialog(fan.page).getByRole('button', { name: 'Minimize' }).click();
  await fan.page.getByRole('link', { name: /^Available \$/ }).click();
  await fan.page.getByRole('link', { name: 'Custom amount in dollars' }).click();
  const deposit = fan.page.getByRole('dialog', { name: 'Add funds' });
  await deposit.getByLabel('Amount in dollars').fill('30');
  const opened = fan.context.waitForEvent('page');
  await deposit.getByRole('link', { name: 'Continue in a new tab' }).click();
  const payment = await opened;
  await expect(payment.getByRole('dialog', { name: 'Payment information' })).toContainText('$30.00 balance');
  await payment.close();
  const bar = fan.page.getByRole('region', { name: /^Video call with / });
  await bar.getByRole('button', { name: 'Mute microphone' }).click();
  await expect(deposit).toBeVisible();
  const prompts: string[] = [];
  fan.page.once('dialog', (dialog) => {
    prompts.push(dialog.type());
    return dialog.accept();
  });
  await fan.page.reload();
  expect(prompts).toEqual(['beforeunload']);
  await expectMedia(pair);
  await expect(deposit).toBeVisible();
  await bar.getByRole('button', { name: 'Mute microphone' }).click();
  await elsewhere.getByRole('button', { name: 'Switch to this device' }).click();
  await expectMedia({ creator: { ...creator, page: second }, fan });
  await expect(getCallDialog(creator.page)).toHaveCount(0);
  await confirmation.getByRole('button', { name: 'Cancel' }).click();
  await expect(confirmation).toBeHidden();
  await getCallDialog(second).getByRole('button', { name: 'End call' }).click();
  await expect(fan.page.getByRole('dialog', { name: 'Receipt' })).toBeVisible();
  const receipt = second.getByRole('dialog', { name: 'Receipt' });
  await expect(receipt.getByText('Connection lost, billing stops').first()).toBeVisible();
  await receipt.getByRole('link', { name: 'Back to chat' }).click();
  await expect(second).toHaveURL(/\/creator\/chat\/[\da-f-]{36}$/);
  await expect.poll(async () => (await findLatestCall(fan))?.endedAt ?? null).not.toBeNull();
  const log = await findLatestCall(fan);
  const { timeline, durationSeconds } = await fetchCallDetail(fan, log?.callLogId ?? '');
  expect(timeline.filter(({ event }) => event === 'clockStarts').length).toBeGreaterThanOrEqual(4);
  let connectedMs = 0;
  let since: number | undefined;
  for (const { event, at } of timeline) {
    if (event === 'clockStarts') since = Date.parse(at);
    else if (since !== undefined && (event === 'clockStops' || event === 'over')) {
      connectedMs += Date.parse(at) - since;
      since = undefined;
    }
  }
  expect(Math.abs(connectedMs / 1000 - durationSeconds)).toBeLessThan(1.1);
});

test('the prices, hours and switch that a creator sets apply to fans, visitors and every page', async ({
  createUser,
  open,
}) => {
  const { creator, fan } = await openCallPages(createUser);
  const visitor = (await open()).page;
  const { page } = creator;
  await page
    .getByRole('navigation', { name: 'Main' })
    .first()
    .getByRole('link', { name: /^Calls/ })
    .click();
  await page.getByLabel('Video, per minute').fill('0.50');
  await expect(page.getByLabel('Video, per minute')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  await page.getByLabel('Video, per minute').fill('4.25');
  await page.getByRole('switch', { name: /^Voice calls/ }).click();
  await page.getByRole('switch', { name: /^Any time/ }).click();
  await page.getByLabel('Time zone').selectOption('America/New_York');
  await page.getByRole('button', { name: 'Add hours for Sunday' }).click();
  await page.getByLabel('Sunday from').fill('02:30');
  await expect(
    page.getByText(/^02:30 doesn’t exist on Sunday \d+ March \d{4}, when clocks go forward\.$/),
  ).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('switch', { name: /^Any time/ }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('All changes saved.')).toBeVisible();
  await fan.page.goto(`/profile/${creator.username}`);
  await expect(fan.page.getByRole('button', { name: 'Call $4.25/min' })).toBeVisible();
  await visitor.goto(`/profile/${creator.username}`);
  const signupLink = visitor.getByRole('link', { name: 'Call $4.25/min' });
  await expect(signupLink).toHaveAttribute('href', /^\/signup\?for=call/);
  const takeCallsSwitch = page.getByRole('switch', { name: /^Take calls/ });
  await takeCallsSwitch.click();
  await expect(page.getByText(/^Calls are off/)).toBeVisible();
  // The switch is shown optimistically and is enabled again once it is saved.
  await expect(takeCallsSwitch).toBeEnabled();
  await expect(page.getByRole('switch', { name: 'Fans can call you' })).not.toBeChecked();
  await fan.page.reload();
  await expect(fan.page.getByRole('button', { name: 'No calls now' })).toBeDisabled();
  await expect(async () => {
    await visitor.reload();
    await expect(visitor.getByRole('button', { name: 'No calls now' })).toBeDisabled({ timeout: 500 });
  }).toPass();
  await expect(signupLink).toHaveCount(0);
});

test('an unanswered call is listed on the fan’s home page, and shows when the creator requests a callback', async ({
  createUser,
  createApiUser,
}) => {
  const creator = await createApiUser('creator');
  await callApi(creator.context, 'PUT', '/creator/call-settings', TEST_CALL_SETTINGS);
  const fan = await createUser('customer', { isPhone: true });
  await addFunds(fan.context, 50);
  const started = { creatorId: creator.id, type: 'video', amountPerMinute: 3, device: 'a-device-of-the-fan' };
  const { callLogId } = await callApi<{ callLogId: string }>(fan.context, 'POST', '/call/start', started);
  await fan.page.goto('/fan');
  await waitForHydration(fan.page);
  const missed = fan.page.getByRole('region', { name: 'Missed calls' }).getByRole('listitem');
  await expect(missed).toContainText('Video call, no answer');
  await callApi<CallLog>(creator.context, 'POST', `/call/callback/${callLogId}`);
  await expect(missed).toContainText('Wants you to call back');
  const receipt = `/fan/chat?tab=callHistoryList&call=${callLogId}`;
  await fan.page.evaluate(`void __reactRouterDataRouter.navigate(${JSON.stringify(receipt)})`);
  await expect(fan.page.getByRole('dialog', { name: 'Receipt' })).toBeVisible();
  await expect(fan.page).toHaveURL(/\?tab=callHistoryList$/);
  await fan.page.goBack();
  await expect(fan.page).toHaveURL(/\/fan$/);
  await expect(fan.page.getByRole('dialog', { name: 'Receipt' })).toBeHidden();
});
