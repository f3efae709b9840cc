/** Tests that `kill -9` loses no data and SIGTERM ends cleanly, on a separate server and data folder. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserContext } from '@playwright/test';
import { callApi, expect, test } from './support/fixtures.ts';
import { addFunds, balanceOf, CARDS, depositOf, type Order, orderDeposit, tryMove } from './support/money.ts';
import {
  checkLedgerOf,
  freePort,
  makeDataDir,
  type RunningServer,
  removeDataDir,
  startServer,
} from './support/server.ts';

const IN_ORDER = 'The ledger is in order.';

let dataDir: string;
let start: () => Promise<RunningServer>;
let server: RunningServer;
const shared = { url: process.env.STAGEDOOR_URL, dataDir: process.env.STAGEDOOR_DATA_DIR };

test.beforeAll(async () => {
  dataDir = await makeDataDir();
  const port = await freePort();
  start = () => startServer({ dataDir, port, hasDemo: false });
  server = await start();
  process.env.STAGEDOOR_URL = server.url;
  process.env.STAGEDOOR_DATA_DIR = dataDir;
});
test.afterAll(async () => {
  process.env.STAGEDOOR_URL = shared.url;
  process.env.STAGEDOOR_DATA_DIR = shared.dataDir;
  await server?.end();
  await removeDataDir(dataDir);
});

/** Pays an order on the sandbox's page. The webhook may come before or after this returns. */
async function pay(context: BrowserContext, { paymentUrl }: Order): Promise<void> {
  const form = { cardNumber: CARDS.approved, expDate: '12/31', cvv: '123' };
  const paid = await context.request.post(paymentUrl, { form, maxRedirects: 0 });
  expect(paid.status()).toBe(303);
}

test('killing or stopping the server loses no orders, payments or tips', async ({ person }) => {
  test.setTimeout(240_000);
  const TIPS = 40;
  const [{ context: fan }, tipper, maker] = [
    await person('customer'),
    await person('customer'),
    await person('creator'),
  ];
  await addFunds(tipper.context, 80);
  const waiting = await orderDeposit(fan, 80);

  const keys = Array.from({ length: TIPS }, () => randomUUID());
  const answered = new Set<string>();
  const tip = async (key: string) => {
    const { status } = await tryMove(
      tipper.context,
      `/tip/customer-send/${maker.id}`,
      { amount: 1, type: 'profile' },
      key,
    );
    expect(status).toBe(200);
    answered.add(key);
  };
  const first = keys.map((key) => tip(key).catch(() => undefined));
  await expect.poll(() => answered.size, { intervals: [1] }).toBeGreaterThan(3);
  const pid = Number.parseInt(await readFile(path.join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8'), 10);
  process.kill(pid, 'SIGKILL');
  await server.kill();
  await Promise.all(first);
  const booked = answered.size;

  // Acknowledged tips are in the ledger. Retrying adds each of the others once.
  server = await start();
  const left = await balanceOf(tipper.context);
  expect(left, `${booked} of ${TIPS} were answered`).toBeLessThanOrEqual(80 - booked);
  expect(left).toBeGreaterThanOrEqual(80 - TIPS);
  for (const key of keys) await tip(key);
  expect(await balanceOf(tipper.context)).toBe(80 - TIPS);
  const { earnings } = await callApi<{ earnings: { total: number } }>(maker.context, 'GET', '/creator/stats');
  // A new creator gets 90 cents of each.
  expect(earnings.total).toBe(TIPS * 0.9);

  // The order can still be paid. If the server is killed as soon as the payer returns, it credits the payment after its
  // next start.
  expect(await balanceOf(fan)).toBe(0);
  await pay(fan, waiting);
  await server.kill();
  server = await start();
  await expect.poll(async () => (await depositOf(fan, waiting.depositId)).status).toBe('success');
  expect(await balanceOf(fan)).toBe(80);
  expect(await checkLedgerOf(dataDir)).toContain(IN_ORDER);
});

test('SIGTERM lets running requests finish, and credits a pending payment after the next start', async ({ person }) => {
  test.setTimeout(120_000);
  const { context } = await person('customer');
  await pay(context, await orderDeposit(context, 80));
  const orders = Array.from({ length: 10 }, () => orderDeposit(context, 80));
  await Promise.race(orders);
  const ended = server.end();
  const made = (await Promise.allSettled(orders)).filter(({ status }) => status === 'fulfilled');
  expect(made.length).toBeGreaterThan(0);
  expect(await ended).toBe(0);
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  server = await start();
  await expect.poll(() => balanceOf(context)).toBe(80);
  expect(await checkLedgerOf(dataDir)).toContain(IN_ORDER);
});
