import type { Conversation } from '@stagedoor/contract/messaging/messages.ts';
import { TEST_CALL_SETTINGS } from './support/calls.ts';
import { openThread, sendTextMessage, startConversation } from './support/chat.ts';
import { callApi, expect, test, waitForHydration } from './support/fixtures.ts';
import { addFunds, publishPictures } from './support/money.ts';

const DELAY_MS = 6_000;

test('what changed before a late socket connected is shown once it has: presence, call terms, balance, unread, goal, prices and new posts', async ({
  createUser,
  createApiUser,
}) => {
  const [creator, other, fan] = [
    await createUser('creator'),
    await createApiUser('creator'),
    await createUser('customer'),
  ];
  await callApi(creator.context, 'PUT', '/creator/call-settings', TEST_CALL_SETTINGS);
  await callApi(fan.context, 'POST', `/customer/follow/${creator.id}`, { isFollowed: true });
  await addFunds(fan.context, 50);
  const { goal: created } = await callApi<{ goal: { id: string } }>(creator.context, 'POST', '/creator/tip-goal', {
    title: 'A new kiln',
    target: 100,
  });
  const paidPostId = await publishPictures(creator.context, { caption: 'For sale', priceUsd: 5 });
  // A page that is scrolled past 200 px has the bar for new posts.
  for (const caption of ['One', 'Two']) await publishPictures(creator.context, { caption });
  const conversationId = await startConversation(fan, creator);
  const otherConversationId = await startConversation(fan, other);

  let connect = (): void => undefined;
  const connected = new Promise<void>((resolve) => {
    connect = resolve;
  });
  await fan.context.routeWebSocket(/\/socket\.io\//, async (socket) => {
    await connected;
    socket.connectToServer();
  });
  const [profile, feed, chat] = [fan.page, await fan.context.newPage(), await fan.context.newPage()];
  await profile.goto(`/profile/${creator.username}`);
  await feed.goto('/fan/feed');
  await openThread(chat, 'fan', conversationId);
  for (const page of [profile, feed, chat]) await waitForHydration(page);
  const callButton = profile.getByRole('main').getByRole('button', { name: '/min' });
  const threadCallButton = chat.getByRole('button', { name: /^Video call, / });
  const goal = profile.getByRole('region', { name: 'A new kiln' });
  const paidPost = feed.getByRole('article', { name: 'For sale' });
  const unread = profile.getByRole('link', { name: /^Chat/ }).filter({ hasText: 'unread' });
  await expect(callButton).toHaveText(/^Offline.*\$3\.00/);
  await expect(threadCallButton).toBeDisabled();
  await expect(goal).toContainText('$0.00 of $100.00');
  await expect(profile.getByRole('link', { name: 'Available $50.00' }).first()).toBeVisible();
  await expect(unread).toHaveCount(0);
  await expect(paidPost).toContainText('$5.00');
  await feed.evaluate(() => scrollTo(0, 900));

  await callApi(creator.context, 'PUT', '/creator/call-settings', { ...TEST_CALL_SETTINGS, videoRate: 4 });
  await creator.page.goto('/creator');
  await expect
    .poll(async () => {
      const path = `/message/conversation/${conversationId}`;
      return (await callApi<{ data: Conversation }>(fan.context, 'GET', path)).data.user.status;
    })
    .toBe('online');
  await callApi(fan.context, 'POST', `/tip/customer-send/${creator.id}`, {
    amount: 10,
    type: 'profile',
    goalId: created.id,
  });
  await sendTextMessage(other.context, otherConversationId, 'Are you there?');
  const { media } = await callApi<{ media: { id: string }[] }>(creator.context, 'GET', `/post/${paidPostId}`);
  await callApi(creator.context, 'PATCH', `/post/${paidPostId}`, {
    caption: 'For sale',
    price: 7,
    media: media.map(({ id }) => ({ id, alt: '' })),
  });
  await publishPictures(creator.context, { caption: 'Fresh' });
  for (const page of [profile, feed, chat])
    await page.waitForFunction((delayMs) => performance.now() > delayMs, DELAY_MS);
  await expect(callButton).toHaveText(/^Offline/);
  connect();

  await expect(callButton).toHaveText(/^Call.*\$4\.00/);
  await expect(callButton).toHaveAttribute('aria-disabled', 'false');
  await expect(chat.getByText('Online now').first()).toBeVisible();
  await expect(threadCallButton).toBeEnabled();
  await expect(threadCallButton).toHaveAccessibleName(/\$4\.00/);
  await expect(goal).toContainText('$10.00 of $100.00');
  for (const page of [profile, feed, chat])
    await expect(page.getByRole('link', { name: 'Available $40.00' }).first()).toBeVisible();
  await expect(unread.first()).toBeVisible();
  await expect(feed.getByRole('article', { name: 'Fresh' })).toBeAttached();
  await expect(paidPost).toContainText('$7.00');
  await expect(feed.getByRole('status').filter({ hasText: 'New Post' })).toBeVisible();
});
