/**
 * A fan's main journey in WebKit and Firefox at the width of a phone, and a film in both: native HLS as on iPhones, and
 * Media Source Extensions. The player detects Safari by its native video presentation mode, which is stubbed here.
 */

import { type EngineUser, test } from './support/browser-engines.ts';
import { sendTextMessage } from './support/chat.ts';
import { callApi, expect, PASSWORD } from './support/fixtures.ts';
import { addFunds, CARDS, publishPictures } from './support/money.ts';
import { getSharedFilm } from './support/small-films.ts';

test.use({ isSavingData: false });

async function expectNoHorizontalScroll(fan: EngineUser): Promise<void> {
  const width = await fan.evaluate('document.documentElement.scrollWidth');
  expect(width, `${await fan.url()} pans sideways`).toBeLessThanOrEqual(390);
}

async function logIn(fan: EngineUser, username: string): Promise<void> {
  await fan.visit('/login');
  await fan.write('input', 'Username or email', username);
  await fan.write('input', 'Password', PASSWORD);
  await fan.press('button', 'Log in');
  await fan.expectUrl(/\/fan\/feed$/);
}

async function deposit(fan: EngineUser): Promise<void> {
  await fan.visit('/fan/wallet');
  await expectNoHorizontalScroll(fan);
  await fan.press('main a', 'Add funds');
  await fan.press('label, [role=radio], input[type=radio]', /^30 credits/);
  await fan.expectText(/You pay\s+\$306\.00/);
  await fan.press('button', 'Continue to payment');
  await fan.expectText('Payment Information');
  await fan.press('button', /^Pay .*\$306\.00/);
  await fan.expectText('Pay by card');
  await fan.write('input', 'Card number', CARDS.approved);
  await fan.write('input', 'Expires', '12/31');
  await fan.write('input', 'Security code', '123');
  await fan.press('button', /^Pay · /);
  await fan.expectUrl(/\/fan\/wallet\/return\?orderId=/);
  await fan.expectText('Funds added');
}

const createTimeReader = (fan: EngineUser) => () => fan.evaluate('document.querySelector("video")?.currentTime ?? 0');
const createFrameReader = (fan: EngineUser) => () =>
  fan.evaluate('document.querySelector("video")?.getVideoPlaybackQuality().totalVideoFrames ?? 0');

async function watchNatively(fan: EngineUser, caption: string): Promise<void> {
  const time = createTimeReader(fan);
  await fan.evaluate('HTMLVideoElement.prototype.webkitSetPresentationMode = () => undefined, true');
  await fan.press('button', `Play ${caption}`);
  await expect.poll(time, { timeout: 30_000 }).toBeGreaterThan(1);
  expect(await fan.evaluate('document.querySelector("video").currentSrc')).toMatch(/\.m3u8$/);
  expect(await fan.evaluate('document.querySelector("video").videoWidth')).toBeGreaterThan(0);
  await fan.evaluate('document.querySelector("video").currentTime = 40');
  await expect.poll(time, { timeout: 30_000 }).toBeGreaterThan(41);
}

async function watchByScript(fan: EngineUser, caption: string): Promise<void> {
  await fan.press('button', `Play ${caption}`);
  await expect.poll(createFrameReader(fan), { timeout: 30_000 }).toBeGreaterThan(0);
  expect(await fan.evaluate('document.querySelector("video").currentSrc')).toMatch(/^blob:/);
  const bar = await fan.find('[role=slider]', 'Position');
  await bar.type('k');
  await expect.poll(() => fan.evaluate('document.querySelector("video").paused')).toBe(true);
  await bar.type('5');
  await expect.poll(async () => Math.round(Number(await createTimeReader(fan)()))).toBe(33);
}

async function watchAsVisitor(fan: EngineUser, path: string, caption: string): Promise<void> {
  await fan.open(path);
  const film = await fan.find('video', caption);
  await film.type(' ');
  await expect.poll(createFrameReader(fan), { timeout: 30_000 }).toBeGreaterThan(0);
  // Structured data is no script.
  expect(await fan.evaluate(`document.querySelectorAll('script:not([type="application/ld+json"])').length`)).toBe(0);
}

for (const engine of ['WebKit', 'Firefox'] as const)
  test(`a fan on ${engine} at 390 px logs in, adds funds, follows, unlocks, tips, writes and watches a film`, async ({
    browser,
    createApiUser,
    openEngine,
  }) => {
    test.setTimeout(240_000);
    const [creator, account] = [await createApiUser('creator'), await createApiUser('customer')];
    const pictureCaption = `Evening ${creator.username}`;
    const profile = `/profile/${creator.username}`;
    await publishPictures(creator.context, { caption: pictureCaption, priceUsd: 12.35 });
    const { postId, caption } = await getSharedFilm(browser);
    const fan = await openEngine(engine);
    if (engine === 'Firefox') await watchAsVisitor(fan, `/post/${postId}`, caption);
    await logIn(fan, account.username);
    expect(await fan.evaluate('innerWidth')).toBe(390);
    await expectNoHorizontalScroll(fan);
    if (engine === 'WebKit') await deposit(fan);
    else await addFunds(account.context, 300);

    await fan.visit(profile);
    await expectNoHorizontalScroll(fan);
    await fan.press('button', `Follow ${creator.username}`);
    await fan.find('button', `Following ${creator.username}`);
    if (engine === 'Firefox') await fan.press('button', 'Not now');
    await fan.press('main a', pictureCaption);
    await fan.press('button', /^Unlock .*\$12\.35/);
    const picture = await fan.find('main img', 'Evening light');
    await expect.poll(() => picture.property('naturalWidth')).toBeGreaterThan(100);
    await fan.expectText('$287.65');

    await fan.visit(profile);
    await fan.press('main button', `Tip ${creator.username}`);
    await fan.write('[role=dialog] input', 'Custom amount', '7.77');
    await fan.press('button', /^Tip .*\$7\.77/);
    await fan.expectText(`You tipped ${creator.username} $7.77.`);

    await fan.visit(profile);
    await fan.press('main a', /^Message /);
    const textarea = await fan.find('textarea', /./);
    const before = Number(await textarea.property('offsetHeight'));
    await textarea.click();
    await textarea.type('May I ask about the kiln? '.repeat(8));
    await expect.poll(() => textarea.property('offsetHeight')).toBeGreaterThan(before * 1.8);
    await fan.press('button', 'Send');
    await fan.expectUrl(/\/fan\/chat\/[0-9a-f-]{36}$/);
    const conversation = new URL(await fan.url()).pathname.split('/').at(-1) ?? '';
    await callApi(creator.context, 'POST', `/message/conversation-response/${account.id}`, { status: 'accept' });
    await sendTextMessage(creator.context, conversation, 'It is wood-fired.');
    await fan.expectText('It is wood-fired.');
    await fan.write('textarea', 'Message', 'Thank you!');
    await fan.press('button', 'Send');
    const listMessages = () => callApi(creator.context, 'GET', `/message/list/${conversation}?limit=50`);
    await expect.poll(async () => JSON.stringify(await listMessages())).toContain('Thank you!');
    await expectNoHorizontalScroll(fan);

    await fan.visit(`/post/${postId}`);
    await (engine === 'WebKit' ? watchNatively : watchByScript)(fan, caption);
  });
