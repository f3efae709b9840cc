/** What both sides of paid calls are shown beside a call itself: what was missed, the switch in the shell, and a line that is lost here. */
import type { CallLog } from '@stagedoor/contract/calls.ts';
import { callApi, expect, hydrated, test } from './support/fixtures.ts';
import { addFunds } from './support/money.ts';

const SETTINGS = { isAvailable: true, videoRate: 3, audioRate: 2, shortestMinutes: 1, hours: [], timeZone: 'UTC' };

test('a call that nobody answered waits on the fan’s home, and says who asks for another', async ({ person }) => {
  const creator = await person('creator');
  await callApi(creator.context, 'PUT', '/creator/call-settings', SETTINGS);
  const fan = await person('customer', { isPhone: true });
  await addFunds(fan.context, 50);
  const { id: creatorId } = await callApi<{ id: string }>(creator.context, 'GET', '/auth/user');
  const started = { creatorId, type: 'video', amountPerMinute: 3, device: 'a-device-of-the-fan' };
  const { callLogId } = await callApi<{ callLogId: string }>(fan.context, 'POST', '/call/start', started);
  await fan.page.goto('/fan');
  await hydrated(fan.page);
  const missed = fan.page.getByRole('region', { name: 'Missed calls' }).getByRole('listitem');
  await expect(missed).toContainText('Video call, not reached');
  await callApi<CallLog>(creator.context, 'POST', `/call/call-back/${callLogId}`);
  await expect(missed).toContainText('Asks you to call again');
  // The address of a receipt opens it once, and the browser's way back closes it.
  const receipt = `/fan/chat?tab=callHistoryList&call=${callLogId}`;
  await fan.page.evaluate(`void __reactRouterDataRouter.navigate(${JSON.stringify(receipt)})`);
  await expect(fan.page.getByRole('dialog', { name: 'Receipt' })).toBeVisible();
  await expect(fan.page).toHaveURL(/\?tab=callHistoryList$/);
  await fan.page.goBack();
  await expect(fan.page).toHaveURL(/\/fan$/);
  await expect(fan.page.getByRole('dialog', { name: 'Receipt' })).toBeHidden();

  await creator.page.goto('/creator/chat');
  const calls = creator.page.getByRole('switch', { name: 'Fans can call you' });
  await expect(calls).toBeChecked();
  await calls.click();
  await expect(calls).not.toBeChecked();
  // It is shown before it is kept, and pressed again only then.
  await expect(calls).toBeEnabled();
  await creator.page.goto('/creator/calls');
  await expect(creator.page.getByRole('switch', { name: /^Take calls/ })).not.toBeChecked();
});

test('whose own line is lost sees the clock stand', async ({ person }) => {
  const [creator, fan] = [await person('creator'), await person('customer')];
  await callApi(creator.context, 'PUT', '/creator/call-settings', SETTINGS);
  await addFunds(fan.context, 50);
  for (const { context } of [creator, fan]) await context.grantPermissions(['camera', 'microphone']);
  await creator.page.goto('/creator');
  await expect(async () => {
    await fan.page.goto(`/profile/${creator.username}`);
    await fan.page.getByRole('button', { name: 'Call $3.00/min' }).click({ timeout: 3_000 });
  }).toPass({ timeout: 20_000 });
  await fan.page
    .getByRole('dialog')
    .getByRole('button', { name: /^Call / })
    .click();
  await creator.page.getByRole('button', { name: /^Accept/ }).click();
  const stage = fan.page.getByRole('dialog', { name: /^Video call with / });
  const time = stage.locator('.call-side .call-time');
  // A busy machine may not look in the very second.
  await expect(time).toHaveText(/^0:(?!00|01)\d\d$/);
  await fan.context.setOffline(true);
  const slip = stage.getByRole('status').filter({ hasText: 'Reconnecting' });
  await expect(slip).toContainText('You’re not charged.', { timeout: 12_000 });
  const stood = (await time.textContent()) ?? '';
  await expect(slip).toContainText(`The clock stands at ${stood}.`);
  // It stands where the server heard this side last.
  expect(Number(stood.slice(2))).toBeLessThan(8);
  await fan.context.setOffline(false);
  await expect(slip).toHaveCount(0, { timeout: 20_000 });
  await stage.getByRole('button', { name: 'End call' }).click();
});
