/** Tests that `kill -9` loses no data and SIGTERM ends cleanly, on a separate server and data folder. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type ApiClient, callApi, expect, test } from './support/fixtures.ts';
import {
  addFunds,
  CARDS,
  type DepositOrder,
  fetchDeposit,
  fetchWalletBalance,
  orderDeposit,
  tryPost,
} from './support/money.ts';
import {
  freePort,
  makeDataDir,
  type RunningServer,
  removeDataDir,
  runLedgerCheck,
  startServer,
} from './support/server.ts';

let dataDir: string;
let start: () => Promise<RunningServer>;
let server: RunningServer;
const savedEnv = { url: process.env.STAGEDOOR_URL, dataDir: process.env.STAGEDOOR_DATA_DIR };

test.beforeAll(async () => {
  dataDir = await makeDataDir();
  const port = await freePort();
  start = () => startServer({ dataDir, port, hasDemo: false });
  server = await start();
  process.env.STAGEDOOR_URL = server.url;
  process.env.STAGEDOOR_DATA_DIR = dataDir;
});
test.afterAll(async () => {
  process.env.STAGEDOOR_URL = savedEnv.url;
  process.env.STAGEDOOR_DATA_DIR = savedEnv.dataDir;
  await server?.end();
  await removeDataDir(dataDir);
});

/** Pays an order on the sandbox's page. The webhook may come before or after this returns. */
async function pay(context: ApiClient, { paymentUrl }: DepositOrder): Promise<void> {
  const form = { cardNumber: CARDS.approved, expDate: '12/31', cvv: '123' };
  const paid = await context.request.post(paymentUrl, { form, maxRedirects: 0 });
  expect(paid.status()).toBe(303);
}

test('killing the server loses no orders, payments or tips, and SIGTERM lets running requests finish', async ({
  createApiUser,
}) => {
  test.setTimeout(240_000);
  const TIPS = 40;
  const [{ context: fan }, tipper, creator] = [
    await createApiUser('customer'),
    await createApiUser('customer'),
    await createApiUser('creator'),
  ];
  await addFunds(tipper.context, 80);
  const [paidOrder, unpaidOrder] = [await orderDeposit(fan, 80), await orderDeposit(fan, 50)];

  const keys = Array.from({ length: TIPS }, () => randomUUID());
  const acknowledged = new Set<string>();
  const sendTip = async (key: string) => {
    const { status } = await tryPost(
      tipper.context,
      `/tip/customer-send/${creator.id}`,
      { amount: 1, type: 'profile' },
      key,
    );
    expect(status).toBe(200);
    acknowledged.add(key);
  };
  const paying = pay(fan, paidOrder);
  const firstTips = keys.map((key) => sendTip(key).catch(() => undefined));
  await paying;
  await expect.poll(() => acknowledged.size, { intervals: [1] }).toBeGreaterThan(3);
  const pid = Number.parseInt(await readFile(path.join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8'), 10);
  process.kill(pid, 'SIGKILL');
  await server.kill();
  await Promise.all(firstTips);
  const booked = acknowledged.size;

  // Acknowledged tips are in the ledger. Retrying adds each of the others once.
  server = await start();
  const balance = await fetchWalletBalance(tipper.context);
  expect(balance, `${booked} of ${TIPS} were answered`).toBeLessThanOrEqual(80 - booked);
  expect(balance).toBeGreaterThanOrEqual(80 - TIPS);
  for (const key of keys) await sendTip(key);
  expect(await fetchWalletBalance(tipper.context)).toBe(80 - TIPS);
  const { earnings } = await callApi<{ earnings: { total: number } }>(creator.context, 'GET', '/creator/stats');
  // A new creator gets 90 cents of each.
  expect(earnings.total).toBe(TIPS * 0.9);

  // The server was killed as soon as the payer had returned. It credits the payment after its next start, and the other
  // order can still be paid.
  await expect.poll(async () => (await fetchDeposit(fan, paidOrder.depositId)).status).toBe('success');
  await pay(fan, unpaidOrder);
  await expect.poll(async () => (await fetchDeposit(fan, unpaidOrder.depositId)).status).toBe('success');
  expect(await fetchWalletBalance(fan)).toBe(130);
  expect(await runLedgerCheck(dataDir)).toContain('Ledger OK.');

  const orders = Array.from({ length: 10 }, () => orderDeposit(fan, 80));
  await Promise.race(orders);
  const ended = server.end();
  const fulfilled = (await Promise.allSettled(orders)).filter(({ status }) => status === 'fulfilled');
  expect(fulfilled.length).toBeGreaterThan(0);
  expect(await ended).toBe(0);
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
});
