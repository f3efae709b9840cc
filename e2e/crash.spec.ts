/** Kill -9 loses nothing, SIGTERM ends cleanly, and a second start takes seconds: on a server and a data folder of its own. */
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

async function makeFan(context: BrowserContext, url: string): Promise<void> {
  const { request } = context;
  const username = freshName('crash');
  const email = `${username}@example.org`;
  const data = { username, email, password: PASSWORD, accountType: 'customer', isGiveConsent: true };
  expect((await request.post(`${url}/api/customer/register`, { data })).status()).toBe(200);
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
  expect((await request.post(`${url}/api/auth/login`, { data: { username, password: PASSWORD } })).status()).toBe(200);
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
    await makeFan(context, url);

    // Killed while an order waits: it can be paid after the next start.
    const first = await order(context, url);
    await server.kill();
    server = await start();
    expect(server.startedInMs).toBeLessThan(15_000);
    expect(await balance(context, url)).toBe(0);
    await pay(context, first.paymentUrl);
    await expect.poll(() => balance(context, url)).toBe(80);

    // Killed the moment the payer was sent back, whether or not the word had come: asking the processor finds it.
    const second = await order(context, url);
    await pay(context, second.paymentUrl);
    await server.kill();
    server = await start();
    const status = async () => {
      const answer = await context.request.get(`${url}/api/customer/deposit/${second.depositId}`);
      return ((await answer.json()) as { status: string }).status;
    };
    // The sandbox keeps its payments in memory: what it had not told, it forgot. Either the whole is there, or nothing.
    const settled = await status();
    expect(await balance(context, url)).toBe(settled === 'success' ? 160 : 80);
    if (settled === 'pending') {
      await pay(context, second.paymentUrl);
      await expect.poll(status).toBe('success');
    }
    expect(await balance(context, url)).toBe(160);

    // SIGTERM while a payment is under way ends with 0, and nothing is half done.
    const third = await order(context, url);
    await pay(context, third.paymentUrl);
    expect(await server.end()).toBe(0);
    expect(await checkLedgerOf(dataDir)).toContain('The ledger is in order.');
    server = await start();
    expect([160, 240]).toContain(await balance(context, url));
    expect(await checkLedgerOf(dataDir)).toContain('The ledger is in order.');
    expect(await server.end()).toBe(0);
  } finally {
    await server?.kill();
    await context.close();
    await removeDataDir(dataDir);
  }
});

test('SIGTERM lets a request that runs finish', async ({ browser }) => {
  test.setTimeout(90_000);
  const dataDir = await makeDataDir();
  const server = await startServer({ dataDir, port: await freePort(), hasDemo: false });
  const context = await browser.newContext();
  try {
    await makeFan(context, server.url);
    const orders = Array.from({ length: 10 }, () => order(context, server.url));
    await Promise.race(orders);
    const ended = server.end();
    const made = (await Promise.allSettled(orders)).filter(({ status }) => status === 'fulfilled');
    expect(made.length).toBeGreaterThan(0);
    expect(await ended).toBe(0);
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  } finally {
    await server.kill();
    await context.close();
    await removeDataDir(dataDir);
  }
});
