import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { getBubbles, openThread, startConversation } from './support/chat.ts';
import { getPlayerState, makeSound, publishTestFilm } from './support/films.ts';
import { type ApiClient, addSession, callApi, expect, getBaseUrl, test, waitForHydration } from './support/fixtures.ts';
import { tap } from './support/touch.ts';

/** Sends a voice message of 24 s, as the composer does after a recording. */
async function sendVoiceMessage(context: ApiClient, conversationId: string): Promise<void> {
  const waveform = JSON.stringify(Array.from({ length: 40 }, (_, index) => (index % 10) / 10));
  const response = await context.request.post(`${getBaseUrl()}/api/message/media-message`, {
    headers: { 'idempotency-key': randomUUID() },
    multipart: {
      conversationId,
      clientId: randomUUID(),
      durationSeconds: '24',
      waveform,
      file: { name: 'voice.m4a', mimeType: 'audio/mp4', buffer: await makeSound() },
    },
  });
  expect(response.status(), await response.text()).toBe(200);
}

async function expectToPlay(page: Page): Promise<void> {
  await expect.poll(async () => (await getPlayerState(page)).time).toBeGreaterThan(0.5);
  expect(await getPlayerState(page)).toMatchObject({ isPaused: false });
}

for (const isPhone of [false, true])
  test(`sound plays at the first press in chat, feed, post and library on a ${isPhone ? 'phone' : 'desktop'}`, async ({
    createUser,
    createApiUser,
    open,
  }) => {
    const [creator, fan] = [await createApiUser('creator'), await createUser('customer', { isPhone })];
    const caption = 'A sound to press';
    const { mediaId } = await publishTestFilm(creator.context, { caption, kind: 'audio' });
    await callApi(fan.context, 'POST', `/customer/follow/${creator.id}`, { isFollowed: true });
    const id = await startConversation(fan, creator);
    await sendVoiceMessage(creator.context, id);
    const { page } = fan;
    const pressPlay = async (on: Page, scope: Page | Locator = on) => {
      const play = scope.getByRole('button', { name: /^Play / }).first();
      if (isPhone) await tap(on, play);
      else await play.click();
      await expectToPlay(on);
    };

    await openThread(page, 'fan', id);
    await pressPlay(page, getBubbles(page));
    await page.goto('/fan/feed');
    await waitForHydration(page);
    await pressPlay(page, page.getByRole('article', { name: caption }));
    // A player that is scrolled away pauses, and plays on at the next press.
    await page.evaluate(() => {
      document.body.style.minHeight = '4000px';
      scrollTo(0, 3_000);
    });
    await expect.poll(async () => (await getPlayerState(page)).isPaused).toBe(true);

    await page.goto(`/profile/${creator.username}`);
    await waitForHydration(page);
    await page.getByRole('link', { name: caption }).first().click();
    await expect(page.getByRole('heading', { level: 1, name: caption })).toBeVisible();
    await pressPlay(page);

    const library = await open({ isPhone });
    await addSession(library.context, creator.id);
    await library.page.goto(`/creator/media/${mediaId}`);
    await waitForHydration(library.page);
    await pressPlay(library.page);
  });
