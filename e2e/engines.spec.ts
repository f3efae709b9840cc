/**
 * A fan's main journey in WebKit and Firefox at the width of a phone, and native HLS as on iPhones. The player detects
 * Safari by its native video presentation mode, which is stubbed here.
 */
import { bubbles, field } from './support/chat.ts';
import { type Person, test } from './support/engines.ts';
import { publishFilm } from './support/films.ts';
import { expect, hydrated, PASSWORD, signUp } from './support/fixtures.ts';
import { CARDS, publish } from './support/money.ts';

test.use({ isSavingData: false });

async function logIn(fan: Person, username: string): Promise<void> {
  await fan.visit('/login');
  await fan.write('input', 'Username or email', username);
  await fan.write('input', 'Password', PASSWORD);
  await fan.press('button', 'Log in');
  await fan.reaches(/\/fan\/feed$/);
}

async function deposit(fan: Person): Promise<void> {
  await fan.visit('/fan/wallet');
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
  await fan.reads('The money is in your wallet');
}

for (const engine of ['WebKit', 'Firefox'] as const)
  test(`a fan on ${engine} at 390 px logs in, adds funds, follows, unlocks, tips and writes`, async ({
    person,
    inEngine,
  }) => {
    test.setTimeout(180_000);
    const maker = await person('creator');
    const caption = `Evening ${maker.username}`;
    const profile = `/profile/${maker.username}`;
    await publish(maker.context, { caption, priceUsd: 12.35 });
    const { username } = await signUp('customer');
    const fan = await inEngine(engine);
    await logIn(fan, username);
    expect(await fan.ask('innerWidth')).toBe(390);
    await deposit(fan);

    await fan.visit(profile);
    await fan.press('button', `Follow ${maker.username}`);
    await fan.find('button', `Following ${maker.username}`);
    if (engine === 'Firefox') await fan.press('button', 'Not now');
    await fan.press('main a', caption);
    await fan.press('button', /^Unlock .*\$12\.35/);
    const picture = await fan.find('main img', 'Evening light');
    await expect.poll(() => picture.property('naturalWidth')).toBeGreaterThan(100);
    await fan.reads('$287.65');

    await fan.visit(profile);
    await fan.press('main button', `Tip ${maker.username}`);
    await fan.write('[role=dialog] input', 'Your own amount', '7.77');
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
    const thread = new URL(await fan.url()).pathname;

    await maker.page.goto(thread.replace('/fan/', '/creator/'));
    await hydrated(maker.page);
    await maker.page.getByRole('button', { name: 'Accept' }).click();
    await field(maker.page).fill('It is wood-fired.');
    await field(maker.page).press('Enter');
    await fan.reads('It is wood-fired.');
    await fan.write('textarea', 'Message', 'Thank you!');
    await fan.press('button', 'Send');
    await expect(bubbles(maker.page).filter({ hasText: 'Thank you!' })).toBeVisible();

    for (const page of ['/fan/feed', '/fan/wallet', '/fan/media', thread, profile]) {
      await fan.visit(page);
      expect(await fan.ask('document.documentElement.scrollWidth'), `${page} pans sideways`).toBeLessThanOrEqual(390);
    }
  });

test('WebKit plays the HLS stream natively and seeks in it', async ({ person, inEngine }) => {
  test.setTimeout(180_000);
  const maker = await person('creator');
  const { postId } = await publishFilm(maker.context, { caption: 'By itself', isDone: true });
  const { username } = await signUp('customer');
  const fan = await inEngine('WebKit');
  await logIn(fan, username);
  await fan.visit(`/post/${postId}`);
  await fan.ask('HTMLVideoElement.prototype.webkitSetPresentationMode = () => undefined, true');
  await fan.press('button', /^Play By itself/);
  const time = () => fan.ask('document.querySelector("video")?.currentTime ?? 0');
  await expect.poll(time, { timeout: 30_000 }).toBeGreaterThan(1);
  expect(await fan.ask('document.querySelector("video").currentSrc')).toMatch(/\.m3u8$/);
  expect(await fan.ask('document.querySelector("video").videoWidth')).toBeGreaterThan(0);
  await fan.ask('document.querySelector("video").currentTime = 40');
  await expect.poll(time, { timeout: 30_000 }).toBeGreaterThan(41);
});
