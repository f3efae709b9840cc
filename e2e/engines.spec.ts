/**
 * A fan's main journey in WebKit and Firefox at the width of a phone, and a film in both: native HLS as on iPhones, and
 * Media Source Extensions. The player detects Safari by its native video presentation mode, which is stubbed here.
 */
import { write } from './support/chat.ts';
import { type Person, test } from './support/engines.ts';
import { callApi, expect, PASSWORD } from './support/fixtures.ts';
import { addFunds, CARDS, publish } from './support/money.ts';
import { sharedFilm } from './support/small-films.ts';

test.use({ isSavingData: false });

async function expectNoPan(fan: Person): Promise<void> {
  const width = await fan.ask('document.documentElement.scrollWidth');
  expect(width, `${await fan.url()} pans sideways`).toBeLessThanOrEqual(390);
}

async function logIn(fan: Person, username: string): Promise<void> {
  await fan.visit('/login');
  await fan.write('input', 'Username or email', username);
  await fan.write('input', 'Password', PASSWORD);
  await fan.press('button', 'Log in');
  await fan.reaches(/\/fan\/feed$/);
}

async function deposit(fan: Person): Promise<void> {
  await fan.visit('/fan/wallet');
  await expectNoPan(fan);
  await fan.press('main a', 'Add funds');
  await fan.press('label, [role=radio], input[type=radio]', /^30 credits/);
  await fan.reads(/You pay\s+\$306\.00/);
  await fan.press('button', 'Continue to payment');
  await fan.reads('Payment Information');
  await fan.press('button', /^Pay .*\$306\.00/);
  await fan.reads('Pay by card');
  await fan.write('input', 'Card number', CARDS.approved);
  await fan.write('input', 'Expires', '12/31');
  await fan.write('input', 'Security code', '123');
  await fan.press('button', /^Pay · /);
  await fan.reaches(/\/fan\/wallet\/return\?orderId=/);
  await fan.reads('Funds added');
}

const timeOf = (fan: Person) => () => fan.ask('document.querySelector("video")?.currentTime ?? 0');
const framesOf = (fan: Person) => () =>
  fan.ask('document.querySelector("video")?.getVideoPlaybackQuality().totalVideoFrames ?? 0');

async function watchNatively(fan: Person, caption: string): Promise<void> {
  const time = timeOf(fan);
  await fan.ask('HTMLVideoElement.prototype.webkitSetPresentationMode = () => undefined, true');
  await fan.press('button', `Play ${caption}`);
  await expect.poll(time, { timeout: 30_000 }).toBeGreaterThan(1);
  expect(await fan.ask('document.querySelector("video").currentSrc')).toMatch(/\.m3u8$/);
  expect(await fan.ask('document.querySelector("video").videoWidth')).toBeGreaterThan(0);
  await fan.ask('document.querySelector("video").currentTime = 40');
  await expect.poll(time, { timeout: 30_000 }).toBeGreaterThan(41);
}

async function watchByScript(fan: Person, caption: string): Promise<void> {
  await fan.press('button', `Play ${caption}`);
  await expect.poll(framesOf(fan), { timeout: 30_000 }).toBeGreaterThan(0);
  expect(await fan.ask('document.querySelector("video").currentSrc')).toMatch(/^blob:/);
  const bar = await fan.find('[role=slider]', 'Position');
  await bar.type('k');
  await expect.poll(() => fan.ask('document.querySelector("video").paused')).toBe(true);
  await bar.type('5');
  await expect.poll(async () => Math.round(Number(await timeOf(fan)()))).toBe(33);
}

async function watchAsVisitor(fan: Person, path: string, caption: string): Promise<void> {
  await fan.open(path);
  const film = await fan.find('video', caption);
  await film.type(' ');
  await expect.poll(framesOf(fan), { timeout: 30_000 }).toBeGreaterThan(0);
  // Structured data is no script.
  expect(await fan.ask(`document.querySelectorAll('script:not([type="application/ld+json"])').length`)).toBe(0);
}

for (const engine of ['WebKit', 'Firefox'] as const)
  test(`a fan on ${engine} at 390 px logs in, adds funds, follows, unlocks, tips, writes and watches a film`, async ({
    browser,
    apiUser,
    inEngine,
  }) => {
    test.setTimeout(240_000);
    const [maker, account] = [await apiUser('creator'), await apiUser('customer')];
    const work = `Evening ${maker.username}`;
    const profile = `/profile/${maker.username}`;
    await publish(maker.context, { caption: work, priceUsd: 12.35 });
    const { postId, caption } = await sharedFilm(browser);
    const fan = await inEngine(engine);
    if (engine === 'Firefox') await watchAsVisitor(fan, `/post/${postId}`, caption);
    await logIn(fan, account.username);
    expect(await fan.ask('innerWidth')).toBe(390);
    await expectNoPan(fan);
    if (engine === 'WebKit') await deposit(fan);
    else await addFunds(account.context, 300);

    await fan.visit(profile);
    await expectNoPan(fan);
    await fan.press('button', `Follow ${maker.username}`);
    await fan.find('button', `Following ${maker.username}`);
    if (engine === 'Firefox') await fan.press('button', 'Not now');
    await fan.press('main a', work);
    await fan.press('button', /^Unlock .*\$12\.35/);
    const picture = await fan.find('main img', 'Evening light');
    await expect.poll(() => picture.property('naturalWidth')).toBeGreaterThan(100);
    await fan.reads('$287.65');

    await fan.visit(profile);
    await fan.press('main button', `Tip ${maker.username}`);
    await fan.write('[role=dialog] input', 'Custom amount', '7.77');
    await fan.press('button', /^Tip .*\$7\.77/);
    await fan.reads(`You tipped ${maker.username} $7.77.`);

    await fan.visit(profile);
    await fan.press('main a', /^Message /);
    const words = await fan.find('textarea', /./);
    const before = Number(await words.property('offsetHeight'));
    await words.click();
    await words.type('May I ask about the kiln? '.repeat(8));
    await expect.poll(() => words.property('offsetHeight')).toBeGreaterThan(before * 1.8);
    await fan.press('button', 'Send');
    await fan.reaches(/\/fan\/chat\/[0-9a-f-]{36}$/);
    const conversation = new URL(await fan.url()).pathname.split('/').at(-1) ?? '';
    await callApi(maker.context, 'POST', `/message/conversation-response/${account.id}`, { status: 'accept' });
    await write(maker.context, conversation, 'It is wood-fired.');
    await fan.reads('It is wood-fired.');
    await fan.write('textarea', 'Message', 'Thank you!');
    await fan.press('button', 'Send');
    const received = () => callApi(maker.context, 'GET', `/message/list/${conversation}?limit=50`);
    await expect.poll(async () => JSON.stringify(await received())).toContain('Thank you!');
    await expectNoPan(fan);

    await fan.visit(`/post/${postId}`);
    await (engine === 'WebKit' ? watchNatively : watchByScript)(fan, caption);
  });
