import type { Page } from '@playwright/test';
import { bubbles, converse, field, idOf, openThread, say, settled } from './support/chat.ts';
import { callApi, expect, hydrated, logIn, test } from './support/fixtures.ts';

async function begin(page: Page, creatorName: string): Promise<void> {
  await page.goto(`/profile/${creatorName}`);
  await hydrated(page);
  await page.getByRole('link', { name: /^Message / }).click();
}

test('a creator allows only followers to write, then requests, and declines one without notice to the fan', async ({
  person,
}) => {
  const [fan, stranger, creator] = [await person('customer'), await person('customer'), await person('creator')];
  await creator.page.goto('/creator/chat');
  await hydrated(creator.page);
  await creator.page.getByRole('link', { name: 'Who can write to you' }).click();
  const rules = creator.page.getByRole('radiogroup', { name: 'Who can write to you' });
  await expect(rules.getByRole('radio', { name: /^By request/ })).toBeChecked();
  await expect(rules).toBeInViewport();

  await creator.context.route('**/api/message/settings', (route) => route.abort('internetdisconnected'));
  await rules.getByRole('radio', { name: /^Followers only/ }).click();
  await expect(rules.getByRole('radio', { name: /^By request/ })).toBeChecked();
  await expect(creator.page.getByText('Only your followers can begin a chat now.')).toHaveCount(0);
  await creator.context.unroute('**/api/message/settings');
  await rules.getByRole('radio', { name: /^Followers only/ }).click();
  await expect(creator.page.getByText('Only your followers can begin a chat now.')).toBeVisible();

  await begin(fan.page, creator.username);
  await expect(fan.page.getByText('takes messages from followers only', { exact: false })).toBeVisible();
  await expect(fan.page.getByRole('textbox')).toHaveCount(0);
  await fan.page.getByRole('link', { name: 'See their profile' }).click();
  await fan.page.getByRole('button', { name: /^Follow/ }).click();
  await expect(fan.page.getByRole('button', { name: /^Following/ })).toBeVisible();
  await fan.page.getByRole('link', { name: /^Message / }).click();
  await fan.page.getByRole('textbox').fill('Now I follow you.');
  await fan.page.getByRole('textbox').press('Enter');
  await expect(fan.page).toHaveURL(/\/fan\/chat\/[0-9a-f-]{36}$/);
  await expect(field(fan.page)).toBeVisible();

  await creator.page.reload();
  await hydrated(creator.page);
  await expect(rules.getByRole('radio', { name: /^Followers only/ })).toBeChecked();
  await rules.getByRole('radio', { name: /^By request/ }).click();
  await expect(creator.page.getByText('First messages are requests now.')).toBeVisible();
  await begin(stranger.page, creator.username);
  await stranger.page.getByRole('textbox').fill('Psst. Look at my page.');
  await stranger.page.getByRole('textbox').press('Enter');
  await expect(stranger.page.getByText('has your message', { exact: false })).toBeVisible();

  await creator.page.goto('/creator/chat');
  await hydrated(creator.page);
  await expect(creator.page.getByRole('link', { name: fan.username })).toBeVisible();
  await creator.page.getByRole('link', { name: 'Requests' }).click();
  await creator.page.getByRole('link', { name: stranger.username }).click();
  await expect(bubbles(creator.page).getByText('Psst.', { exact: false })).toBeVisible();
  await creator.page.getByRole('button', { name: 'Decline' }).click();
  await expect(creator.page.getByRole('button', { name: 'Decline' })).toHaveCount(0);
  await creator.page.goto('/creator/chat?tab=requests');
  await expect(creator.page.getByText('Nobody is waiting for your answer.')).toBeVisible();
  await stranger.page.reload();
  await settled(stranger.page);
  await expect(stranger.page.getByText('has your message', { exact: false })).toBeVisible();
  await expect(field(stranger.page)).toHaveCount(0);
});

function keptOnDevice(page: Page): Promise<{ drafts: string[]; waiting: number }> {
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

test('unsent messages stay for their author and are removed at a log-out or another user’s log-in', async ({
  person,
  open,
}) => {
  const [fan, other, creator] = [await person('customer'), await person('customer'), await person('creator')];
  const id = await converse(fan, creator);
  const othersId = await converse(other, creator);
  const fanId = await idOf(fan.context);
  const write = async (draft: string) => {
    await openThread(fan.page, 'fan', id);
    await say(fan.page, 'This one waits.');
    await expect(bubbles(fan.page).getByRole('img', { name: 'Sending' })).toHaveCount(1);
    await field(fan.page).fill(draft);
    await expect.poll(() => keptOnDevice(fan.page)).toEqual({ drafts: [`draft:${fanId}:${id}`], waiting: 1 });
  };
  await fan.context.route('**/api/message/text', (route) => route.abort('internetdisconnected'));
  await write('Between us:');
  await fan.page.goto('/fan/profile');
  await hydrated(fan.page);
  await fan.page.getByRole('button', { name: 'Log out', exact: true }).last().click();
  await expect(fan.page).toHaveURL(/\/$/);
  await expect.poll(() => keptOnDevice(fan.page)).toEqual({ drafts: [], waiting: 0 });

  // A session that was ended remotely removes nothing. The page keeps the unsent messages and the text in the field.
  await logIn(fan.context, fan.username);
  await write('And this:');
  const phone = await open({ width: 390 });
  await logIn(phone.context, fan.username);
  await field(fan.page).pressSequentially(' one');
  await callApi(phone.context, 'POST', '/auth/sessions/revoke-others');
  await expect(
    fan.page.getByText('Your session has ended. Log in again in another tab', { exact: false }),
  ).toBeVisible();
  await expect(fan.page).toHaveURL(new RegExp(`${id}$`));
  await expect.poll(() => keptOnDevice(fan.page)).toEqual({ drafts: [`draft:${fanId}:${id}`], waiting: 1 });
  await logIn(fan.context, fan.username);
  await openThread(fan.page, 'fan', id);
  await expect(field(fan.page)).toHaveValue('And this: one');
  await expect(bubbles(fan.page).getByRole('img', { name: 'Sending' })).toHaveCount(1);

  // The page is closed before the other user logs in because it would navigate away at an unknown moment.
  await fan.page.goto('about:blank');
  await logIn(fan.context, other.username);
  await fan.context.unroute('**/api/message/text');
  await openThread(fan.page, 'fan', othersId);
  await expect.poll(() => keptOnDevice(fan.page)).toEqual({ drafts: [], waiting: 0 });
  await expect(field(fan.page)).toHaveValue('');
  await expect(bubbles(fan.page)).toHaveCount(1);
  await openThread(creator.page, 'creator', id);
  await expect(bubbles(creator.page)).toHaveCount(1);
});

test('a muted creator is listed under Muted until unmuted', async ({ person }) => {
  const [fan, creator] = [await person('customer'), await person('creator')];
  const id = await converse(fan, creator);
  const { page, context } = fan;
  await callApi(context, 'POST', `/customer/follow/${await idOf(creator.context)}`, { isFollowed: true });
  await openThread(page, 'fan', id);
  await page.getByRole('button', { name: 'Conversation details' }).click();
  const mute = page.getByRole('switch', { name: /^Mute/ });
  await mute.click();
  await expect(mute).toBeChecked();
  await page.goto('/fan/follow');
  await page.getByRole('link', { name: /^Muted/ }).click();
  await expect(page).toHaveURL(/\/fan\/follow\?tab=muted$/);
  const followed = page.getByRole('list', { name: 'Followed creators' });
  await expect(followed.getByRole('link', { name: creator.username })).toBeVisible();
  await callApi(context, 'POST', `/message/mute-unmute/${id}`, { isMuted: false });
  await page.reload();
  await expect(page.getByText('Nobody you follow is muted.')).toBeVisible();
});
