import type { BrowserContext, Page } from '@playwright/test';
import { startPushService } from '../server/modules/notifications/push/testing.ts';
import { windowedOptions } from './support/browsers.ts';
import {
  callApi,
  createConfirmedAccount,
  expect,
  expectAccessible,
  getBaseUrl,
  logIn,
  test,
  waitForHydration,
} from './support/fixtures.ts';
import { publishPictures } from './support/money.ts';
import { waitForServiceWorker } from './support/service-worker.ts';

test.use({ serviceWorkers: 'allow', launchOptions: windowedOptions });

const MAC_SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Safari/605.1.15';

/** Stubs the browser's push subscription, which needs a network. Everything else is real. */
async function stubPushSubscription(context: BrowserContext, subscription: object): Promise<void> {
  await context.addInitScript((stub) => {
    const key = 'standInSubscribed';
    const fakeSubscription = {
      ...stub,
      toJSON: () => stub,
      unsubscribe: async () => {
        localStorage.removeItem(key);
        return true;
      },
    };
    Object.assign(PushManager.prototype, {
      subscribe: async () => {
        localStorage.setItem(key, 'yes');
        return fakeSubscription;
      },
      getSubscription: async () => (localStorage.getItem(key) ? fakeSubscription : null),
    });
  }, subscription);
}

async function deliverPush(page: Page, data: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const registration = registrations.find(({ scopeURL, isDeleted }) => scopeURL.endsWith('/push/') && !isDeleted);
      if (registration) resolve(registration.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  const registrationId = await registered;
  await devtools.send('ServiceWorker.deliverPushMessage', {
    origin: new URL(getBaseUrl()).origin,
    registrationId,
    data,
  });
}

const listShownPushes = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration('/push/');
    return (await registration?.getNotifications())?.map(({ title, body, tag }) => ({ title, body, tag })) ?? [];
  });

/** Triggers the worker's click handler, because the notifications of the operating system cannot be clicked here. */
async function clickPush(context: BrowserContext, tag: string): Promise<void> {
  const worker = context.serviceWorkers().find((one) => one.url().endsWith('/push-worker.js'));
  if (!worker) throw new Error('there is no worker of pushes');
  await worker.evaluate(async (pressedTag) => {
    const registration: ServiceWorkerRegistration = Reflect.get(self, 'registration');
    const [notification] = await registration.getNotifications({ tag: pressedTag });
    const NotificationEventClass: new (type: string, init: object) => Event = Reflect.get(self, 'NotificationEvent');
    self.dispatchEvent(new NotificationEventClass('notificationclick', { notification }));
  }, tag);
}

async function changeSubscription(context: BrowserContext, change: { old: string; next: object }): Promise<void> {
  const worker = context.serviceWorkers().find((one) => one.url().endsWith('/push-worker.js'));
  if (!worker) throw new Error('there is no worker of pushes');
  await worker.evaluate(({ old, next }) => {
    const ExtendableEventClass: new (type: string) => Event = Reflect.get(self, 'ExtendableEvent');
    const newSubscription = { toJSON: () => next };
    self.dispatchEvent(
      Object.assign(new ExtendableEventClass('pushsubscriptionchange'), {
        oldSubscription: { endpoint: old },
        newSubscription,
      }),
    );
  }, change);
}

test('a follower is prompted for pushes, which are encrypted for the device, shown, and open their page', async ({
  createUser,
  createApiUser,
}) => {
  const port = Number(process.env.STAGEDOOR_PUSH_PORT);
  test.skip(!port, 'the server that is there knows no stand-in for a push service');
  const [creator, fan] = [await createApiUser('creator'), await createUser('customer')];
  const { publicKey } = await callApi<{ publicKey: string }>(fan.context, 'GET', '/web-notify/vapidPublicKey');
  const service = await startPushService(() => publicKey, port);
  await stubPushSubscription(fan.context, service.device('phone'));
  await fan.context.grantPermissions(['notifications'], { origin: getBaseUrl() });
  const { page, context } = fan;
  await page.goto(`/profile/${creator.username}`);
  await waitForServiceWorker(page);

  await page
    .getByRole('button', { name: /^Follow / })
    .first()
    .click();
  const prompt = page.getByRole('dialog', { name: 'Turn on notifications?' });
  await expect(prompt).toBeVisible();
  await expectAccessible(page);
  await prompt.getByRole('button', { name: 'Turn on' }).click();
  await expect(prompt).toHaveCount(0);

  await page.goto('/fan/notifications');
  await waitForHydration(page);
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
    await publishPictures(creator.context, { caption: 'A wall of small drawings' });
    await expect.poll(() => service.delivered.length, { timeout: 4_000 }).toBeGreaterThan(0);
  }).toPass();
  expect(service.faults).toEqual([]);
  const [delivered] = service.delivered;
  if (!delivered) throw new Error('nothing was pushed');
  expect(delivered.message.notification).toMatchObject({ title: 'Stagedoor', body: 'Something new for you' });
  const { pathname } = new URL(delivered.message.notification.navigate);
  expect(pathname).toMatch(/^\/post\/[\w-]+$/);

  await page.goto('/fan/follow');
  await waitForServiceWorker(page);
  await deliverPush(page, JSON.stringify(delivered.message));
  const { tag } = delivered.message.notification;
  await expect.poll(() => listShownPushes(page)).toEqual([{ title: 'Stagedoor', body: 'Something new for you', tag }]);
  await clickPush(context, tag);
  await expect(page).toHaveURL(new RegExp(`${pathname}$`));
  const alert = new URL(delivered.message.notification.navigate).searchParams.get('alert');
  type NotificationList = { data: { firstId: string }[] };
  const listUnread = async () => (await callApi<NotificationList>(context, 'GET', '/notifications?tab=unread')).data;
  await expect.poll(async () => (await listUnread()).map(({ firstId }) => firstId)).not.toContain(alert);

  const ring = { ...delivered.message.notification, tag: 'ring' };
  const message = { ...delivered.message, notification: ring };
  const listShownTags = async () => (await listShownPushes(page)).map((one) => one.tag);
  await expect(async () => {
    await deliverPush(page, JSON.stringify(message));
    await expect.poll(listShownTags, { timeout: 3_000 }).toContain('ring');
  }).toPass();
  await deliverPush(
    page,
    JSON.stringify({ ...message, notification: { ...ring, silent: true, data: { close: true } } }),
  );
  await expect.poll(listShownTags).not.toContain('ring');

  await page.goto('about:blank');
  const change = { old: `${service.origin}/push/phone`, next: service.device('phone-renewed') };
  const requestsBefore = service.countRequests('phone');
  await changeSubscription(context, change);
  await expect(async () => {
    await publishPictures(creator.context, { caption: 'Another wall' });
    const listDevices = () => service.delivered.map(({ device }) => device);
    await expect.poll(listDevices, { timeout: 4_000 }).toContain('phone-renewed');
  }).toPass();
  expect(service.countRequests('phone')).toBe(requestsBefore);
  expect(service.faults).toEqual([]);
  await service.close();
});

test('Safari without Web Push shows its own dialog and sends its device token', async ({ browser }) => {
  const [creator, fan] = [await createConfirmedAccount('creator'), await createConfirmedAccount('customer')];
  const context = await browser.newContext({ baseURL: getBaseUrl(), userAgent: MAC_SAFARI, reducedMotion: 'reduce' });
  await context.addInitScript(() => {
    Reflect.deleteProperty(window, 'PushManager');
    const key = 'standInAllowed';
    const getPermission = () =>
      localStorage.getItem(key)
        ? { permission: 'granted', deviceToken: 'ab'.repeat(32) }
        : { permission: 'default', deviceToken: null };
    const pushNotification = {
      permission: getPermission,
      requestPermission: (url: string, id: string, info: object, callback: (change: object) => void) => {
        localStorage.setItem(key, JSON.stringify([url, id, info]));
        callback(getPermission());
      },
    };
    Object.assign(window, { safari: { pushNotification } });
  });
  await logIn(context, fan.username);
  const page = await context.newPage();
  const safariSetup = {
    websitePushId: 'web.example.stagedoor',
    webServiceUrl: 'https://stagedoor.example/a',
    ticket: 't',
  };
  await page.route('**/api/web-notify/safari', (route) => route.fulfill({ json: safariSetup }));
  const subscriptions: unknown[] = [];
  await page.route('**/api/web-notify/subscribe', (route) => {
    subscriptions.push(route.request().postDataJSON());
    return route.fulfill({ json: { success: true } });
  });
  await page.goto(`/profile/${creator.username}`);
  await waitForServiceWorker(page);
  await page
    .getByRole('button', { name: /^Follow / })
    .first()
    .click();
  const prompt = page.getByRole('dialog', { name: 'Enable Safari Notifications' });
  await expect(prompt.getByRole('button', { name: 'Cancel' })).toBeVisible();
  await prompt.getByRole('button', { name: 'Enable Notifications' }).click();
  await expect(prompt).toHaveCount(0);
  expect(subscriptions).toEqual([{ deviceToken: 'ab'.repeat(32) }]);
  expect(await page.evaluate(() => localStorage.getItem('standInAllowed'))).toBe(
    JSON.stringify([safariSetup.webServiceUrl, safariSetup.websitePushId, { ticket: 't' }]),
  );
  await context.close();
});
