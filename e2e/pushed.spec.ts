import type { BrowserContext, Page } from '@playwright/test';
import { startPushService } from '../server/features/notifications/push/testing.ts';
import { atWork } from './support/app-worker.ts';
import { withWindows } from './support/browsers.ts';
import { baseUrl, callApi, expect, expectAccessible, hydrated, logIn, signUp, test } from './support/fixtures.ts';
import { publish } from './support/money.ts';

test.use({ serviceWorkers: 'allow', launchOptions: withWindows });

const MAC_SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Safari/605.1.15';

/** Stubs the browser's push subscription, which needs a network. Everything else is real. */
async function standInForSubscribing(context: BrowserContext, subscription: object): Promise<void> {
  await context.addInitScript((made) => {
    const key = 'standInSubscribed';
    const answer = {
      ...made,
      toJSON: () => made,
      unsubscribe: async () => {
        localStorage.removeItem(key);
        return true;
      },
    };
    Object.assign(PushManager.prototype, {
      subscribe: async () => {
        localStorage.setItem(key, 'yes');
        return answer;
      },
      getSubscription: async () => (localStorage.getItem(key) ? answer : null),
    });
  }, subscription);
}

async function deliver(page: Page, data: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ scopeURL, isDeleted }) => scopeURL.endsWith('/push/') && !isDeleted);
      if (found) resolve(found.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  const registrationId = await registered;
  await devtools.send('ServiceWorker.deliverPushMessage', { origin: new URL(baseUrl()).origin, registrationId, data });
}

const shownPushes = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration('/push/');
    return (await registration?.getNotifications())?.map(({ title, body, tag }) => ({ title, body, tag })) ?? [];
  });

/** Triggers the worker's click handler, because the notifications of the operating system cannot be clicked here. */
async function pressPush(context: BrowserContext, tag: string): Promise<void> {
  const worker = context.serviceWorkers().find((one) => one.url().endsWith('/push-worker.js'));
  if (!worker) throw new Error('there is no worker of pushes');
  await worker.evaluate(async (pressed) => {
    const registration: ServiceWorkerRegistration = Reflect.get(self, 'registration');
    const [notification] = await registration.getNotifications({ tag: pressed });
    const Press: new (type: string, init: object) => Event = Reflect.get(self, 'NotificationEvent');
    self.dispatchEvent(new Press('notificationclick', { notification }));
  }, tag);
}

async function changeSubscription(context: BrowserContext, given: { old: string; next: object }): Promise<void> {
  const worker = context.serviceWorkers().find((one) => one.url().endsWith('/push-worker.js'));
  if (!worker) throw new Error('there is no worker of pushes');
  await worker.evaluate(({ old, next }) => {
    const Change: new (type: string) => Event = Reflect.get(self, 'ExtendableEvent');
    const newSubscription = { toJSON: () => next };
    self.dispatchEvent(
      Object.assign(new Change('pushsubscriptionchange'), { oldSubscription: { endpoint: old }, newSubscription }),
    );
  }, given);
}

test('a follower is prompted for pushes, which are encrypted for the device, shown, and open their page', async ({
  person,
  apiUser,
}) => {
  const port = Number(process.env.STAGEDOOR_PUSH_PORT);
  test.skip(!port, 'the server that is there knows no stand-in for a push service');
  const [maker, fan] = [await apiUser('creator'), await person('customer')];
  const { publicKey } = await callApi<{ publicKey: string }>(fan.context, 'GET', '/web-notify/vapidPublicKey');
  const service = await startPushService(() => publicKey, port);
  await standInForSubscribing(fan.context, service.device('phone'));
  await fan.context.grantPermissions(['notifications'], { origin: baseUrl() });
  const { page, context } = fan;
  await page.goto(`/profile/${maker.username}`);
  await atWork(page);

  await page
    .getByRole('button', { name: /^Follow / })
    .first()
    .click();
  const asked = page.getByRole('dialog', { name: 'Turn on notifications?' });
  await expect(asked).toBeVisible();
  await expectAccessible(page);
  await asked.getByRole('button', { name: 'Turn on' }).click();
  await expect(asked).toHaveCount(0);

  await page.goto('/fan/notifications');
  await hydrated(page);
  const push = page.getByRole('switch', { name: /Push notifications on this device/ });
  await expect(push).toBeChecked();
  await push.click();
  await expect(push).not.toBeChecked();
  await push.click();
  await expect(push).toBeChecked();
  const devices = page.getByRole('list', { name: 'Devices with push notifications' });
  await expect(devices.getByRole('listitem')).toHaveText([/This device/]);

  // Nothing is pushed while a page is open.
  await page.goto('about:blank');
  await expect(async () => {
    await publish(maker.context, { caption: 'A wall of small drawings' });
    await expect.poll(() => service.delivered.length, { timeout: 4_000 }).toBeGreaterThan(0);
  }).toPass();
  expect(service.faults).toEqual([]);
  const [delivered] = service.delivered;
  if (!delivered) throw new Error('nothing was pushed');
  expect(delivered.message.notification).toMatchObject({ title: 'Stagedoor', body: 'Something new for you' });
  const { pathname } = new URL(delivered.message.notification.navigate);
  expect(pathname).toMatch(/^\/post\/[\w-]+$/);

  await page.goto('/fan/follow');
  await atWork(page);
  await deliver(page, JSON.stringify(delivered.message));
  const { tag } = delivered.message.notification;
  await expect.poll(() => shownPushes(page)).toEqual([{ title: 'Stagedoor', body: 'Something new for you', tag }]);
  await pressPush(context, tag);
  await expect(page).toHaveURL(new RegExp(`${pathname}$`));
  const alert = new URL(delivered.message.notification.navigate).searchParams.get('alert');
  type Lines = { data: { firstId: string }[] };
  const unread = async () => (await callApi<Lines>(context, 'GET', '/notifications?tab=unread')).data;
  await expect.poll(async () => (await unread()).map(({ firstId }) => firstId)).not.toContain(alert);

  const ring = { ...delivered.message.notification, tag: 'ring' };
  const message = { ...delivered.message, notification: ring };
  const shownTags = async () => (await shownPushes(page)).map((one) => one.tag);
  await expect(async () => {
    await deliver(page, JSON.stringify(message));
    await expect.poll(shownTags, { timeout: 3_000 }).toContain('ring');
  }).toPass();
  await deliver(page, JSON.stringify({ ...message, notification: { ...ring, silent: true, data: { close: true } } }));
  await expect.poll(shownTags).not.toContain('ring');

  await page.goto('about:blank');
  const given = { old: `${service.origin}/push/phone`, next: service.device('phone-renewed') };
  const askedBefore = service.asked('phone');
  await changeSubscription(context, given);
  await expect(async () => {
    await publish(maker.context, { caption: 'Another wall' });
    const reached = () => service.delivered.map(({ device }) => device);
    await expect.poll(reached, { timeout: 4_000 }).toContain('phone-renewed');
  }).toPass();
  expect(service.asked('phone')).toBe(askedBefore);
  expect(service.faults).toEqual([]);
  await service.close();
});

test('Safari without Web Push asks with its own dialog and sends its device token', async ({ browser }) => {
  const [maker, fan] = [await signUp('creator'), await signUp('customer')];
  const context = await browser.newContext({ baseURL: baseUrl(), userAgent: MAC_SAFARI, reducedMotion: 'reduce' });
  await context.addInitScript(() => {
    Reflect.deleteProperty(window, 'PushManager');
    const key = 'standInAllowed';
    const allowed = () =>
      localStorage.getItem(key)
        ? { permission: 'granted', deviceToken: 'ab'.repeat(32) }
        : { permission: 'default', deviceToken: null };
    const pushNotification = {
      permission: allowed,
      requestPermission: (url: string, id: string, info: object, answered: (given: object) => void) => {
        localStorage.setItem(key, JSON.stringify([url, id, info]));
        answered(allowed());
      },
    };
    Object.assign(window, { safari: { pushNotification } });
  });
  await logIn(context, fan.username);
  const page = await context.newPage();
  const means = { websitePushId: 'web.example.stagedoor', webServiceUrl: 'https://stagedoor.example/a', ticket: 't' };
  await page.route('**/api/web-notify/safari', (route) => route.fulfill({ json: means }));
  const told: unknown[] = [];
  await page.route('**/api/web-notify/subscribe', (route) => {
    told.push(route.request().postDataJSON());
    return route.fulfill({ json: { success: true } });
  });
  await page.goto(`/profile/${maker.username}`);
  await atWork(page);
  await page
    .getByRole('button', { name: /^Follow / })
    .first()
    .click();
  const asked = page.getByRole('dialog', { name: 'Enable Safari Notifications' });
  await expect(asked.getByRole('button', { name: 'Cancel' })).toBeVisible();
  await asked.getByRole('button', { name: 'Enable Notifications' }).click();
  await expect(asked).toHaveCount(0);
  expect(told).toEqual([{ deviceToken: 'ab'.repeat(32) }]);
  expect(await page.evaluate(() => localStorage.getItem('standInAllowed'))).toBe(
    JSON.stringify([means.webServiceUrl, means.websitePushId, { ticket: 't' }]),
  );
  await context.close();
});
