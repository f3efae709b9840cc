import type { CallLog } from '@stagedoor/contract/calls.ts';
import { SETTINGS } from './support/calls.ts';
import { callApi, expect, hydrated, test } from './support/fixtures.ts';
import { addFunds } from './support/money.ts';

test('an unanswered call is listed on the fan’s home page, and shows when the creator asks for a callback', async ({
  person,
}) => {
  const creator = await person('creator');
  await callApi(creator.context, 'PUT', '/creator/call-settings', SETTINGS);
  const fan = await person('customer', { isPhone: true });
  await addFunds(fan.context, 50);
  const started = { creatorId: creator.id, type: 'video', amountPerMinute: 3, device: 'a-device-of-the-fan' };
  const { callLogId } = await callApi<{ callLogId: string }>(fan.context, 'POST', '/call/start', started);
  await fan.page.goto('/fan');
  await hydrated(fan.page);
  const missed = fan.page.getByRole('region', { name: 'Missed calls' }).getByRole('listitem');
  await expect(missed).toContainText('Video call, not reached');
  await callApi<CallLog>(creator.context, 'POST', `/call/call-back/${callLogId}`);
  await expect(missed).toContainText('Asks you to call again');
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
  // The switch is shown optimistically and is enabled again once it is saved.
  await expect(calls).toBeEnabled();
  await creator.page.goto('/creator/calls');
  await expect(creator.page.getByRole('switch', { name: /^Take calls/ })).not.toBeChecked();
});
