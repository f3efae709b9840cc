/** Kill -9 loses nothing, SIGTERM ends cleanly, and a second start takes seconds: on a server and a data folder of its own. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserContext } from '@playwright/test';
import { expect, freshName, PASSWORD, test } from './support/fixtures.ts';
import {
  checkLedgerOf,
  freePort,
  makeDataDir,
  type RunningServer,
  removeDataDir,
  startServer,
} from './support/server.ts';

type Mail = { subject: string; links: string[] };

async function makePerson(context: BrowserContext, url: string, type: 'customer' | 'creator'): Promise<string> {
  const { request } = context;
  const username = freshName('crash');
  const email = `${username}@example.org`;
  const data = { username, email, password: PASSWORD, accountType: type, isGiveConsent: true };
  expect(
    (await request.post(`${url}/api/${type === 'creator' ? 'auth' : 'customer'}/register`, { data })).status(),
  ).toBe(200);
  let link = '';
  await expect
    .poll(async () => {
      const { data: mails } = (await (await request.get(`${url}/api/dev/mailbox?to=${email}`)).json()) as {
        data: Mail[];
      };
      link = mails[0]?.links[0] ?? '';
      return link;
    })
    .not.toBe('');
  const token = new URL(link).searchParams.get('token');
  expect((await request.post(`${url}/api/auth/verify`, { data: { token } })).status()).toBe(200);
  const login = await request.post(`${url}/api/auth/login`, { data: { username, password: PASSWORD } });
  expect(login.status()).toBe(200);
  return ((await login.json()) as { id: string }).id;
}

async function order(context: BrowserContext, url: string): Promise<{ depositId: string; paymentUrl: string }> {
  const answer = await context.request.post(`${url}/api/customer/deposite-fund`, {
    data: { paymentProvider: 'ccbill', amount: 80 },
  });
  return (await answer.json()) as { depositId: string; paymentUrl: string };
}

async function pay(context: BrowserContext, paymentUrl: string): Promise<void> {
  const form = { cardNumber: '4111111111111111', expDate: '12/31', cvv: '123' };
  const paid = await context.request.post(paymentUrl, { form, maxRedirects: 0 });
  expect(paid.status()).toBe(303);
}

async function balance(context: BrowserContext, url: string): Promise<number> {
  const answer = await context.request.get(`${url}/api/auth/user`);
  expect(answer.status(), 'the session is still valid').toBe(200);
  return ((await answer.json()) as { deposit: number }).deposit;
}

test('killed between order and word, killed right after the word, ended in peace: every cent is there', async ({
  browser,
}) => {
  test.setTimeout(120_000);
  const dataDir = await makeDataDir();
  const port = await freePort();
  const start = () => startServer({ dataDir, port, hasDemo: false });
  const context = await browser.newContext();
  let server: RunningServer | undefined;
  try {
    server = await start();
    const { url } = server;
    await makePerson(context, url, 'customer');

    // Killed while an order waits: it can be paid after the next start.
    const first = await order(context, url);
    await server.kill();
    server = await start();
    expect(await balance(context, url)).toBe(0);
    await pay(context, first.paymentUrl);
    await expect.poll(() => balance(context, url)).toBe(80);

    // Killed the moment the payer was sent back, whether or not the word had come.
    const second = await order(context, url);
    await pay(context, second.paymentUrl);
    await server.kill();
    server = await start();
    const status = async () => {
      const answer = await context.request.get(`${url}/api/customer/deposit/${second.depositId}`);
      return ((await answer.json()) as { status: string }).status;
    };
    // Either the whole is there, or nothing yet: what the sandbox, killed along, had not told, it tells now.
    await expect.poll(status).toBe('success');
    expect(await balance(context, url)).toBe(160);

    // SIGTERM while a payment is under way ends with 0, and nothing is half done.
    const third = await order(context, url);
    await pay(context, third.paymentUrl);
    expect(await server.end()).toBe(0);
    expect(await checkLedgerOf(dataDir)).toContain('The ledger is in order.');
    server = await start();
    await expect.poll(() => balance(context, url)).toBe(240);
    expect(await checkLedgerOf(dataDir)).toContain('The ledger is in order.');
    expect(await server.end()).toBe(0);
  } finally {
    await server?.end();
    await context.close();
    await removeDataDir(dataDir);
  }
});

test('tips under way when server and database are killed: what was answered is there, the rest is done once by trying again', async ({
  browser,
}) => {
  test.setTimeout(120_000);
  const TIPS = 40;
  const dataDir = await makeDataDir();
  const port = await freePort();
  const start = () => startServer({ dataDir, port, hasDemo: false });
  const [fan, maker] = [await browser.newContext(), await browser.newContext()];
  let server: RunningServer | undefined;
  try {
    server = await start();
    const { url } = server;
    const creatorId = await makePerson(maker, url, 'creator');
    await makePerson(fan, url, 'customer');
    await pay(fan, (await order(fan, url)).paymentUrl);
    await expect.poll(() => balance(fan, url)).toBe(80);

    const keys = Array.from({ length: TIPS }, () => randomUUID());
    const answered = new Set<string>();
    const tip = async (key: string) => {
      const answer = await fan.request.post(`${url}/api/tip/customer-send/${creatorId}`, {
        data: { amount: 1, type: 'profile' },
        headers: { 'idempotency-key': key },
      });
      expect(answer.status()).toBe(200);
      answered.add(key);
    };
    const first = keys.map((key) => tip(key).catch(() => undefined));
    await expect.poll(() => answered.size, { intervals: [1] }).toBeGreaterThan(3);
    const pid = Number.parseInt(await readFile(path.join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8'), 10);
    process.kill(pid, 'SIGKILL');
    await server.kill();
    await Promise.all(first);
    const surely = answered.size;

    server = await start();
    const left = await balance(fan, url);
    expect(left, `${surely} of ${TIPS} were answered`).toBeLessThanOrEqual(80 - surely);
    expect(left).toBeGreaterThanOrEqual(80 - TIPS);
    for (const key of keys) await tip(key);
    expect(await balance(fan, url)).toBe(80 - TIPS);
    const stats = await maker.request.get(`${url}/api/creator/stats`);
    // 90 cents of each are the creator's, who is new.
    expect(((await stats.json()) as { earnings: { total: number } }).earnings.total).toBe(TIPS * 0.9);
    expect(await checkLedgerOf(dataDir)).toContain('The ledger is in order.');
    expect(await server.end()).toBe(0);
  } finally {
    await server?.end();
    await fan.close();
    await maker.close();
    await removeDataDir(dataDir);
  }
});

test('SIGTERM lets a request that runs finish', async ({ browser }) => {
  test.setTimeout(90_000);
  const dataDir = await makeDataDir();
  const server = await startServer({ dataDir, port: await freePort(), hasDemo: false });
  const context = await browser.newContext();
  try {
    await makePerson(context, server.url, 'customer');
    const orders = Array.from({ length: 10 }, () => order(context, server.url));
    await Promise.race(orders);
    const ended = server.end();
    const made = (await Promise.allSettled(orders)).filter(({ status }) => status === 'fulfilled');
    expect(made.length).toBeGreaterThan(0);
    expect(await ended).toBe(0);
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  } finally {
    await server.end();
    await context.close();
    await removeDataDir(dataDir);
  }
});
