import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { listMailSubjects, listNotificationKinds } from '../../../testing/inbox.ts';
import { remindFans } from './reminders.ts';
import { renewDueSubscriptions } from './renewals.ts';
import { createScene, DAY_MS, type Scene, signUpFan, startSubscription } from './scenes.testing.ts';
import { createTestOffer, createTestTier } from './testing.ts';

const START = new Date('2027-01-01T12:00:00Z');
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ now: START });
});
afterAll(() => app.close());

const monthly = (monthaly: number) => ({ weekly: null, monthaly, yearly: null });

/** Returns how many reminders the fan got by a day after the start. */
async function countReminders({ fan }: Scene, days: number, start = START): Promise<number> {
  app.clock.set(new Date(start.getTime() + days * DAY_MS));
  await Promise.all([remindFans(app.ctx), remindFans(app.ctx)]);
  const kinds = await listNotificationKinds(app, fan);
  return kinds.filter((kind) => kind === 'renewalReminder').length;
}

describe('reminders', () => {
  it('come once, three days before each renewal of $20.00 or more', async () => {
    app.clock.set(START);
    const scene = await createScene(app, { tier: { prices: monthly(20) }, options: { renewal: 20 } });
    expect(await countReminders(scene, 27)).toBe(0);
    expect(await countReminders(scene, 28)).toBe(1);
    expect(await countReminders(scene, 30)).toBe(1);
    app.clock.set(new Date('2027-02-01T12:00:00Z'));
    await renewDueSubscriptions(app.ctx);
    expect(await countReminders(scene, 0, new Date('2027-02-26T12:00:00Z'))).toBe(2);
    expect(await listMailSubjects(app, scene.fan)).toEqual([
      'Your subscription renews soon',
      'Your subscription renews soon',
    ]);
  });

  it('do not come before cheaper renewals, nor after a cancellation', async () => {
    app.clock.set(START);
    const cheap = await createScene(app, { tier: { prices: monthly(19.99) }, options: { renewal: 19.99 } });
    const canceled = await createScene(app, { tier: { prices: monthly(20) }, options: { renewal: 20 } });
    await canceled.fan.inject('POST', `/api/customer/subscriptions/${canceled.subscriptionId}/cancel`);
    expect(await countReminders(cheap, 30)).toBe(0);
    expect(await countReminders(canceled, 30)).toBe(0);
  });

  it('come before each yearly renewal and the end of a bundle of a year', async () => {
    app.clock.set(START);
    const yearly = await createScene(app, {
      tier: { prices: { weekly: null, monthaly: null, yearly: 15 } },
      options: { recurrence: 'yearly', renewal: 15 },
    });
    const bundle = await createScene(app, {
      tier: { prices: monthly(3), bundles: [{ months: 12, percentOff: 50 }] },
      options: { count: 12, renewal: 18 },
    });
    expect(await countReminders(yearly, 361)).toBe(0);
    expect(await countReminders(yearly, 362)).toBe(1);
    expect(await countReminders(bundle, 362)).toBe(1);
  });

  it('come before the first charge after a discount, even if the price is low', async () => {
    app.clock.set(START);
    const creator = await app.signUp('creator');
    const tierId = await createTestTier(creator);
    await createTestOffer(creator, START, { periods: 1 });
    const fan = await signUpFan(app);
    const subscriptionId = await startSubscription(fan, tierId, { offer: 'SPRING', today: 6 });
    expect(await countReminders({ creator, fan, tierId, subscriptionId }, 28)).toBe(1);
    expect(await listMailSubjects(app, fan)).toEqual(['Your discount ends soon']);
  });

  it.each([
    { trialDays: 7, silent: 3, reminded: 4 },
    { trialDays: 3, silent: undefined, reminded: 0 },
    { trialDays: 2, silent: 0, reminded: 1 },
  ])('come before the end of a trial of $trialDays days', async ({ trialDays, silent, reminded }) => {
    app.clock.set(START);
    const scene = await createScene(app, { tier: { trialDays }, options: { today: 0 } });
    if (silent !== undefined) expect(await countReminders(scene, silent)).toBe(0);
    expect(await countReminders(scene, reminded)).toBe(1);
    expect(await listMailSubjects(app, scene.fan)).toEqual(['Your trial ends soon']);
  });
});

describe('a failed renewal', () => {
  it('is notified of each time and mailed the first and the last time, with the end', async () => {
    app.clock.set(START);
    const { fan, creator } = await createScene(app, { cents: 1_200 });
    for (let day = 31; day <= 37; day += 1) {
      app.clock.set(new Date(START.getTime() + day * DAY_MS));
      await renewDueSubscriptions(app.ctx);
      await app.ctx.events.waitUntilIdle();
    }
    const subjects = await listMailSubjects(app, fan);
    expect(subjects[0]).toBe('A renewal failed');
    expect(subjects.slice(-2)).toEqual(['Your subscription is about to end', 'Your subscription has ended']);
    expect(subjects).toHaveLength(3);
    expect(await listNotificationKinds(app, fan)).toEqual(
      expect.arrayContaining(['renewalFailed', 'subscriptionEnded']),
    );
    expect(await listNotificationKinds(app, creator)).toEqual(
      expect.arrayContaining(['newSubscriber', 'subscriberLeft']),
    );
  });
});
