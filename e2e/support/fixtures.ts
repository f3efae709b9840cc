import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type AxeBuilder from '@axe-core/playwright';
import {
  type APIRequestContext,
  type BrowserContext,
  test as base,
  devices,
  expect,
  type Page,
} from '@playwright/test';
import type { OperatorRole } from '@stagedoor/contract/admin/operator-rights.ts';
import type { RouteSpec } from '@stagedoor/contract/shared/route.ts';
import { toDeviceLabel } from '../../server/modules/identity/accounts/device-label.ts';
import { insertAccount, insertSession, makeOperator } from './database.ts';

export { expect };

export const PASSWORD = 'Stagedoor1!';

export function getBaseUrl(): string {
  const url = process.env.STAGEDOOR_URL;
  if (!url) throw new Error('the global set-up has not started the server');
  return url;
}

export function createUsername(prefix: string): string {
  return `${prefix}.${randomBytes(4).toString('hex')}`;
}

export type BrowserUser = Account & { page: Page; context: BrowserContext };

/** What calls the API with the cookies of a session: a browser context, or a client without a browser. */
export type ApiClient = { readonly request: APIRequestContext };

type Mail = { to: string; subject: string; text: string; links: string[] };

export async function waitForMail(email: string, subject: RegExp): Promise<Mail> {
  let latest: Mail | undefined;
  await expect
    .poll(async () => {
      const response = await fetch(`${getBaseUrl()}/api/dev/mailbox?to=${encodeURIComponent(email)}`);
      const { data } = (await response.json()) as { data: Mail[] };
      latest = data.find((mail) => subject.test(mail.subject));
      return latest !== undefined;
    })
    .toBe(true);
  if (!latest) throw new Error('no mail');
  return latest;
}

type Account = { id: string; username: string; email: string };

/** Creates an account with a confirmed address in the database. Creators may sell, unless they are unverified. */
export async function createConfirmedAccount(
  type: 'customer' | 'creator',
  { prefix = type === 'creator' ? 'maker' : 'guest', isUnverified = false } = {},
): Promise<Account> {
  const username = createUsername(prefix);
  const email = `${username}@example.org`;
  const id = await insertAccount({ type, username, email, canSell: type === 'creator' && !isUnverified });
  return { id, username, email };
}

async function createSessionCookies(userId: string) {
  const { sid, device } = await insertSession(userId, toDeviceLabel(devices['Desktop Chrome'].userAgent));
  const domain = new URL(getBaseUrl()).hostname;
  const shared = { domain, path: '/', expires: -1, secure: false, sameSite: 'Lax' } as const;
  return [
    { ...shared, name: 'sid', value: sid, httpOnly: true },
    { ...shared, name: 'device', value: device, httpOnly: true },
    { ...shared, name: 'loggedIn', value: 'true', httpOnly: false },
  ];
}

/** Logs a browser in by creating a session in the database and setting its cookies. */
export async function addSession(context: BrowserContext, userId: string): Promise<void> {
  await context.addCookies(await createSessionCookies(userId));
}

export async function logIn(context: ApiClient, username: string): Promise<void> {
  const response = await context.request.post(`${getBaseUrl()}/api/auth/login`, {
    data: { username, password: PASSWORD },
  });
  expect(response.status()).toBe(200);
}

/** Calls the API with the client's session. Returns the body. Throws on an error status. */
export async function callApi<T>(
  context: ApiClient,
  method: RouteSpec['method'],
  path: string,
  data?: object,
): Promise<T> {
  const response = await context.request.fetch(`${getBaseUrl()}/api${path}`, {
    method,
    ...(data ? { data } : {}),
    headers: { 'idempotency-key': randomUUID() },
  });
  if (!response.ok()) throw new Error(`${method} ${path} answered ${response.status()}: ${await response.text()}`);
  return (await response.json()) as T;
}

type OpenOptions = {
  colorScheme?: 'light' | 'dark';
  width?: number;
  hasScript?: boolean;
  isPhone?: boolean;
  timeZone?: string;
  /** The address of a proxy for all requests of the browser. */
  proxy?: string;
};
type Fixtures = {
  /**
   * Whether browsers save data. Pages then do not preload the code of linked pages, which would be a quarter of the
   * cost of a test. Tests about offline pages and playback turn it off: `test.use({ isSavingData: false })`.
   */
  isSavingData: boolean;
  open: (options?: OpenOptions) => Promise<{ context: BrowserContext; page: Page }>;
  createUser: (
    type: 'customer' | 'creator',
    options?: OpenOptions & { isUnverified?: boolean },
  ) => Promise<BrowserUser>;
  /**
   * Creates an account that only calls the API, without the cost of a browser context. With roles it is an operator
   * with two-factor authentication.
   */
  createApiUser: (
    type: 'customer' | 'creator',
    options?: { roles?: readonly OperatorRole[] },
  ) => Promise<Account & { context: ApiClient }>;
};

/** Runs in pages: forbids the storage of the site, as browsers do for users who block all site data. */
export function forbidStorage(): void {
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, {
      get: () => {
        throw new DOMException('The user forbids storage.', 'SecurityError');
      },
    });
}

function enableSaveData(): void {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
}

export const test = base.extend<Fixtures>({
  isSavingData: [true, { option: true }],
  open: async ({ browser, isSavingData }, use) => {
    const contexts: BrowserContext[] = [];
    const errors: string[] = [];
    await use(
      async ({
        colorScheme = 'light',
        isPhone = false,
        width = isPhone ? 390 : 1440,
        hasScript = true,
        timeZone,
        proxy,
      } = {}) => {
        const context = await browser.newContext({
          baseURL: getBaseUrl(),
          colorScheme,
          viewport: { width, height: width < 700 ? 844 : 900 },
          javaScriptEnabled: hasScript,
          reducedMotion: 'reduce',
          ...(timeZone !== undefined && { timezoneId: timeZone }),
          ...(proxy !== undefined && { proxy: { server: proxy } }),
          ...(isPhone && { hasTouch: true, isMobile: true }),
        });
        contexts.push(context);
        if (isSavingData) await context.addInitScript(enableSaveData);
        context.on('weberror', (error) => errors.push(error.error().message));
        return { context, page: await context.newPage() };
      },
    );
    for (const context of contexts) await context.close();
    expect(errors, 'errors thrown on pages').toEqual([]);
  },
  createUser: async ({ open }, use) => {
    await use(async (type, { isUnverified, ...options } = {}) => {
      const account = await createConfirmedAccount(type, { ...(isUnverified && { isUnverified }) });
      const { context, page } = await open(options);
      await addSession(context, account.id);
      return { ...account, context, page };
    });
  },
  createApiUser: async ({ playwright }, use) => {
    const requests: APIRequestContext[] = [];
    await use(async (type, { roles } = {}) => {
      const account = await createConfirmedAccount(type);
      if (roles) await makeOperator(account.username, roles, { hasSecondFactor: true });
      const cookies = await createSessionCookies(account.id);
      const request = await playwright.request.newContext({ storageState: { cookies, origins: [] } });
      requests.push(request);
      return { ...account, context: { request } };
    });
    for (const request of requests) await request.dispose();
  },
});

/**
 * Waits until the app runs on a page, for actions that need script. React marks the elements that it has hydrated with
 * its own key.
 */
export async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(() => Object.keys(document.body ?? {}).some((key) => key.startsWith('__react')));
}

type Violations = Awaited<ReturnType<AxeBuilder['analyze']>>['violations'];

/** Minified, and injected once per document. AxeBuilder injects and configures it for each analysis. */
const axeSource = readFileSync(
  createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
);

type AxeRules = { type: 'tag' | 'rule'; values: string[] };
type Axe = { run(context: object, options: object): Promise<{ violations: Violations }> };

/** Runs axe on a page. Rules are selected by tags or by name. Frames only hold inert previews, so axe ignores them. */
async function listViolations(page: Page, runOnly: AxeRules, include?: string): Promise<Violations> {
  const run = () =>
    page.evaluate(
      async ([selector, rules]) => {
        const axe: Axe | undefined = Reflect.get(window, 'axe');
        const context = selector === undefined ? document : { include: [selector] };
        const options = { runOnly: rules, resultTypes: ['violations'], iframes: false, preload: { assets: ['media'] } };
        return (await axe?.run(context, options))?.violations;
      },
      [include, runOnly] as const,
    );
  const violations = await run();
  if (violations) return violations;
  await page.evaluate(axeSource);
  const afterInjection = await run();
  if (!afterInjection) throw new Error(`axe did not start on ${page.url()}`);
  return afterInjection;
}

/** Whether a target itself is too small, and not merely covered by a fixed bar at the moment. */
async function isTooSmall(page: Page, target: string): Promise<boolean> {
  await page.locator(target).evaluate((element) => element.scrollIntoView({ block: 'center' }));
  return (await listViolations(page, { type: 'rule', values: ['target-size'] }, target)).length > 0;
}

const ALL_RULES = { type: 'tag' as const, values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] };
const COLOUR_RULES = { type: 'rule' as const, values: ['color-contrast', 'link-in-text-block'] };
/**
 * The rules that depend on what is visible and where. All others depend only on the document, which is the same at
 * every width.
 */
const LAYOUT_RULES = {
  type: 'rule' as const,
  values: [
    ...COLOUR_RULES.values,
    'target-size',
    'button-name',
    'link-name',
    'label',
    'select-name',
    'input-button-name',
    'image-alt',
    'summary-name',
    'aria-hidden-focus',
    'label-content-name-mismatch',
    'nested-interactive',
    'scrollable-region-focusable',
    'bypass',
  ],
};
const RULES = { all: ALL_RULES, colours: COLOUR_RULES, layout: LAYOUT_RULES };
type Rules = keyof typeof RULES;

async function expectNoViolations(page: Page, rules: Rules, label: string) {
  const violations: { id: string; targets: string[] }[] = [];
  for (const { id, nodes } of await listViolations(page, RULES[rules])) {
    const targets: string[] = [];
    for (const target of nodes.map((node) => node.target.join(' ')))
      if (id !== 'target-size' || (await isTooSmall(page, target))) targets.push(target);
    if (targets.length > 0) violations.push({ id, targets: targets.slice(0, 3) });
  }
  expect(violations, label).toEqual([]);
}

export async function describePicture(page: Page, number: number, altText: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^Photo ${number},`) }).click();
  const sheet = page.getByRole('dialog', { name: new RegExp(`^Photo ${number}`) });
  await sheet.getByLabel('Alt text').fill(altText);
  await sheet.getByRole('button', { name: 'Done' }).click();
  await expect(sheet).toHaveCount(0);
}

/** Waits until a changed theme is drawn: styles are recomputed and no colour transition is running. */
async function waitForRepaint(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const changing = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    const ends = Promise.all(changing.map((animation) => animation.finished.catch(() => undefined)));
    // A transition of a hidden element may never finish. The check that follows is repeated if a colour was still
    // changing.
    await Promise.race([ends, new Promise((resolve) => setTimeout(resolve, 1_000))]);
  });
}

/**
 * Expects no violation of WCAG 2.2 A and AA in one colour scheme, by all rules or by those that depend on colours or
 * layout.
 */
export async function expectAccessibleIn(
  page: Page,
  colorScheme: 'light' | 'dark',
  rules: Rules = 'all',
): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await waitForRepaint(page);
  // A page whose colours are still changing is checked again. On a busy machine one analysis takes seconds.
  await expect(() => expectNoViolations(page, rules, `${page.url()}, ${colorScheme}`)).toPass({ timeout: 30_000 });
}

/** Expects no violation of WCAG 2.2 A and AA, by all rules in light mode and by those about colours in dark mode. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectAccessibleIn(page, 'light');
  await expectAccessibleIn(page, 'dark', 'colours');
}
