import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { Conversation } from '@stagedoor/contract/messaging/messages.ts';
import { getBubbles, getMessageField, openThread, startConversation, typeMessage } from './support/chat.ts';
import { type ApiClient, callApi, expect, logIn, test, waitForHydration } from './support/fixtures.ts';

test('a creator allows only followers to write, then requests, and declines one without notice to the fan', async ({
  createUser,
  createApiUser,
}) => {
  const [fan, creator] = [await createUser('customer'), await createUser('creator')];
  await creator.page.goto('/creator/chat');
  await waitForHydration(creator.page);
  await creator.page.getByRole('link', { name: 'Who can message you' }).click();
  const rules = creator.page.getByRole('radiogroup', { name: 'Who can message you' });
  await expect(rules.getByRole('radio', { name: /^Requests first/ })).toBeChecked();
  await expect(rules).toBeInViewport();

  await creator.context.route('**/api/message/settings', (route) => route.abort('internetdisconnected'));
  await rules.getByRole('radio', { name: /^Followers only/ }).click();
  await expect(rules.getByRole('radio', { name: /^Requests first/ })).toBeChecked();
  await expect(creator.page.getByText('Only followers can message you now.')).toHaveCount(0);
  await creator.context.unroute('**/api/message/settings');
  await rules.getByRole('radio', { name: /^Followers only/ }).click();
  await expect(creator.page.getByText('Only followers can message you now.')).toBeVisible();

  await fan.page.goto(`/profile/${creator.username}`);
  await waitForHydration(fan.page);
  await fan.page.getByRole('link', { name: /^Message / }).click();
  await expect(fan.page.getByText('only accepts messages from followers', { exact: false })).toBeVisible();
  await expect(fan.page.getByRole('textbox')).toHaveCount(0);
  await fan.page.getByRole('link', { name: 'View profile' }).click();
  await fan.page.getByRole('button', { name: /^Follow/ }).click();
  await expect(fan.page.getByRole('button', { name: /^Following/ })).toBeVisible();
  await fan.page.getByRole('link', { name: /^Message / }).click();
  await fan.page.getByRole('textbox').fill('Now I follow you.');
  await fan.page.getByRole('textbox').press('Enter');
  await expect(fan.page).toHaveURL(/\/fan\/chat\/[0-9a-f-]{36}$/);
  await expect(getMessageField(fan.page)).toBeVisible();

  await rules.getByRole('radio', { name: /^Requests first/ }).click();
  await expect(creator.page.getByText('New chats now start as requests.')).toBeVisible();
  const stranger = await createApiUser('customer');
  const body = { receiverId: creator.id, text: 'Psst. Look at my page.', clientId: randomUUID() };
  await callApi(stranger.context, 'POST', '/message/text', body);

  await creator.page.goto('/creator/chat');
  await waitForHydration(creator.page);
  await expect(creator.page.getByRole('link', { name: fan.username })).toBeVisible();
  await creator.page.getByRole('link', { name: 'Requests' }).click();
  await creator.page.getByRole('link', { name: stranger.username }).click();
  await expect(getBubbles(creator.page).getByText('Psst.', { exact: false })).toBeVisible();
  await creator.page.getByRole('button', { name: 'Decline' }).click();
  await expect(creator.page.getByText('You’re all caught up.')).toBeVisible();
  const { data } = await callApi<{ data: Conversation[] }>(stranger.context, 'GET', '/message/conversation-list');
  expect(data[0]?.info).toMatchObject({ request: 'requested', canSend: false });
});

function readDeviceStorage(page: Page): Promise<{ drafts: string[]; waiting: number }> {
  return page.evaluate(async () => {
    const drafts = Object.keys(localStorage).filter((key) => key.startsWith('draft:'));
    const names = (await indexedDB.databases()).map(({ name }) => name);
    if (!names.includes('stagedoor-chat')) return { drafts, waiting: 0 };
    const waiting = await new Promise<number>((resolve, reject) => {
      const opening = indexedDB.open('stagedoor-chat');
      opening.onerror = () => reject(opening.error);
      opening.onsuccess = () => {
        const database = opening.result;
        const counting = database.transaction('outbox').objectStore('outbox').count();
        counting.onerror = () => reject(counting.error);
        counting.onsuccess = () => {
          database.close();
          resolve(counting.result);
        };
      };
    });
    return { drafts, waiting };
  });
}

async function listTexts(context: ApiClient, id: string): Promise<string[]> {
  const { data } = await callApi<{ data: { text: string }[] }>(context, 'GET', `/message/list/${id}`);
  return data.map(({ text }) => text).toReversed();
}

test('unsent messages stay when the session ends, are sent after a log-in, and are removed at a log-out or another user’s log-in', async ({
  createUser,
  createApiUser,
  open,
}) => {
  const [fan, other, creator] = [
    await createUser('customer'),
    await createApiUser('customer'),
    await createApiUser('creator'),
  ];
  const id = await startConversation(fan, creator);
  const othersId = await startConversation(other, creator);
  const { page, context } = fan;
  await openThread(page, 'fan', id);
  await getMessageField(page).fill('Are you there?');
  const elsewhere = await open();
  await logIn(elsewhere.context, fan.username);
  await callApi(elsewhere.context, 'POST', '/auth/sessions/revoke-others');
  await expect(page.getByText('Your session expired. Log in again in another tab', { exact: false })).toBeVisible();
  await expect.poll(() => readDeviceStorage(page)).toEqual({ drafts: [`draft:${fan.id}:${id}`], waiting: 0 });
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('Not sent: your session expired. We’ll send it when you log in again.')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/fan/chat/${id}$`));
  await expect.poll(() => readDeviceStorage(page)).toEqual({ drafts: [], waiting: 1 });
  expect(await listTexts(creator.context, id)).toEqual(['Good evening.']);
  await logIn(context, fan.username);
  await expect
    .poll(() => listTexts(creator.context, id), { timeout: 40_000 })
    .toEqual(['Good evening.', 'Are you there?']);
  await expect(page.getByText('Not sent:', { exact: false })).toHaveCount(0);

  await context.route('**/api/message/text', (route) => route.abort('internetdisconnected'));
  const leaveUnsent = async (draft: string) => {
    await typeMessage(page, 'This one waits.');
    await expect(getBubbles(page).getByRole('img', { name: 'Sending' })).toHaveCount(1);
    await getMessageField(page).fill(draft);
    await expect.poll(() => readDeviceStorage(page)).toEqual({ drafts: [`draft:${fan.id}:${id}`], waiting: 1 });
  };
  await leaveUnsent('Between us:');
  await page.goto('/fan/profile');
  await waitForHydration(page);
  await page.getByRole('button', { name: 'Log out', exact: true }).last().click();
  await expect(page).toHaveURL(/\/$/);
  await expect.poll(() => readDeviceStorage(page)).toEqual({ drafts: [], waiting: 0 });

  await logIn(context, fan.username);
  await openThread(page, 'fan', id);
  await leaveUnsent('And this:');
  // The page is closed before the other user logs in because it would navigate away at an unknown moment.
  await page.goto('about:blank');
  await logIn(context, other.username);
  await context.unroute('**/api/message/text');
  await openThread(page, 'fan', othersId);
  await expect.poll(() => readDeviceStorage(page)).toEqual({ drafts: [], waiting: 0 });
  await expect(getMessageField(page)).toHaveValue('');
  await expect(getBubbles(page)).toHaveCount(1);
  expect(await listTexts(creator.context, id)).toEqual(['Good evening.', 'Are you there?']);
});
