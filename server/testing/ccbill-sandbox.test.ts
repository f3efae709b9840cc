import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../app.ts';
import { createDataLink, type DataLink } from '../modules/commerce/ccbill/datalink.ts';
import { buildSaleFields, postWebhook } from '../modules/commerce/ccbill/testing.ts';
import {
  getDepositRow,
  listStoredWebhooks,
  requireCleanLedger,
  waitUntil,
} from '../modules/commerce/deposits/testing.ts';
import { reconcile } from '../modules/commerce/reconciliation/reconcile.ts';
import { listDifferences } from '../modules/ledger/ledger-checks/index.ts';
import type { TestUser } from './app.ts';
import { CARD, setUpSandboxTest } from './ccbill-sandbox.ts';

const sandbox = setUpSandboxTest();
const { control, submit, waitUntilDelivered } = sandbox;
let fan: TestUser;

afterEach(async () => {
  await control({ behaviour: {} });
  await sandbox.app.ctx.events.waitUntilIdle();
  await requireCleanLedger(sandbox.app);
});

async function start(
  amount = 300,
  credits: number | undefined = undefined,
): Promise<{ depositId: string; page: string }> {
  fan = await sandbox.app.signUp('customer');
  const answer = await fan.inject('POST', '/api/customer/deposite-fund', {
    paymentProvider: 'ccbill',
    amount,
    credits,
  });
  const { depositId, paymentUrl } = answer.json<{ depositId: string; paymentUrl: string }>();
  return { depositId, page: sandbox.toPage(paymentUrl) };
}

async function status(depositId: string): Promise<string> {
  return (await fan.inject('GET', `/api/customer/deposit/${depositId}`)).json<{ status: string }>().status;
}

async function balance(): Promise<number> {
  return (await fan.inject('GET', '/api/customer/wallet')).json<{ available: number }>().available;
}

const waitUntilPaid = (depositId: string) =>
  waitUntil(async () => (await status(depositId)) === 'success', 'the deposit');

describe('the payment page', () => {
  test('is plain HTML, is marked as a test and repeats the signed parameters', async () => {
    const { page } = await start(300, 30);
    const answer = await fetch(page);
    const html = await answer.text();
    expect(answer.status).toBe(200);
    expect(html).toContain('TEST MODE');
    expect(html).toContain('$306.00');
    expect(html).not.toContain('<script');
    expect(html).toContain('name="formDigest"');
  });

  test('refuses a changed price, merchant or form', async () => {
    const { page } = await start();
    for (const [name, value] of [
      ['initialPrice', '2.95'],
      ['currencyCode', '978'],
      ['clientAccnum', '900001'],
      ['formDigest', ''],
      ['initialPrice', '306'],
    ] as const) {
      const changed = new URL(page);
      changed.searchParams.set(name, value);
      expect((await submit(changed.toString())).status).toBe(400);
    }
    expect((await fetch(page.replace(sandbox.app.ctx.config.payments.flexId, 'other'))).status).toBe(400);
  });

  test('escapes hostile parameters', async () => {
    const { page } = await start();
    const url = new URL(page);
    url.searchParams.set('orderId', '"><script>alert(1)</script>');
    expect(await (await fetch(url)).text()).not.toContain('<script>');
  });

  test('shows the form again for unsupported cards and missing details', async () => {
    const { page, depositId } = await start();
    for (const change of [
      { cardNumber: '5555555555554444' },
      { cardNumber: 'x' },
      { expDate: '13/30' },
      { cvv: '1' },
    ]) {
      const answer = await submit(page, { ...CARD, ...change });
      expect(answer.status).toBe(422);
      expect(await answer.text()).toContain('role="alert"');
    }
    expect(await status(depositId)).toBe('pending');
  });

  test('accepts the parameters in the form body', async () => {
    const { page, depositId } = await start();
    const url = new URL(page);
    const answer = await submit(`${url.origin}${url.pathname}`, { ...Object.fromEntries(url.searchParams), ...CARD });
    expect(answer.status).toBe(303);
    await waitUntilPaid(depositId);
  });
});

describe('a deposit', () => {
  test('with the approved card redirects the payer and is credited by the webhook', async () => {
    const { page, depositId } = await start(300, 30);
    const answer = await submit(page);
    const { order_id: orderId } = await getDepositRow(sandbox.app, depositId);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(
      `${sandbox.app.ctx.config.publicUrl}/fan/wallet/return?orderId=${orderId}&result=approved`,
    );
    await waitUntilPaid(depositId);
    expect(await balance()).toBe(300);
    const { processor_subscription_id: id } = await getDepositRow(sandbox.app, depositId);
    expect(id).toMatch(/^0\d{18}$/);
    const [event] = await listStoredWebhooks(sandbox.app, id ?? '');
    expect(event).toMatchObject({ content_type: 'application/x-www-form-encoded', state: 'processed' });
    expect(JSON.stringify(event?.fields)).not.toMatch(/password|not-to-be-stored/);
  });

  test('with the declined card fails and redirects at once, and the order can be paid with another card', async () => {
    const { page, depositId } = await start();
    const { order_id: orderId } = await getDepositRow(sandbox.app, depositId);
    const answer = await submit(page, { ...CARD, cardNumber: '4000000000000002' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(
      `${sandbox.app.ctx.config.publicUrl}/fan/wallet/return?orderId=${orderId}&result=declined`,
    );
    await waitUntil(async () => (await status(depositId)) === 'failed', 'the decline');
    expect(await balance()).toBe(0);
    await submit(page);
    await waitUntilPaid(depositId);
    expect(await balance()).toBe(300);
  });

  test('paid before a crash is credited after the restart, and the sandbox still knows the payment', async () => {
    const { page, depositId } = await start();
    const before = await control({ behaviour: { reorder: true } });
    await submit(page);
    expect((await control({})).pending).toBe(before.pending + 1);
    expect(await status(depositId)).toBe('pending');

    // A second process with the same folder and database stands for a restart after kill -9, so the first one never
    // releases anything.
    const { config, log, clock } = sandbox.app.ctx;
    const next = await createApp({ config, databaseUrl: sandbox.app.databaseUrl, log, clock, hasPages: false });
    try {
      await next.http.listen({ port: 0, host: '127.0.0.1' });
      await waitUntilPaid(depositId);
      expect(await balance()).toBe(300);
      const { order_id: orderId } = await getDepositRow(sandbox.app, depositId);
      const known = await next.http.inject({ url: '/sandbox/ccbill/control' });
      expect(known.json().payments).toContainEqual(expect.objectContaining({ orderId }));
    } finally {
      await next.close();
    }
    await control({ release: true });
    await waitUntilDelivered();
    expect(await balance()).toBe(300);
  });

  test.each([
    ['reported three times', { duplicates: 2 }],
    ['reported late', { delayMs: 50 }],
    ['lost at first', { dropFirst: 2 }],
    ['reported with an echoed digest', { echoDigest: true }],
  ])('%s is credited once', async (_name, behaviour) => {
    const { page, depositId } = await start();
    await control({ behaviour });
    await submit(page);
    await waitUntilPaid(depositId);
    await waitUntilDelivered();
    await sandbox.app.ctx.events.waitUntilIdle();
    expect(await balance()).toBe(300);
  });

  test.each([
    ['another amount', { wrongAmount: true }],
    ['a wrong digest', { wrongDigest: true }],
    ['another currency', { wrongCurrency: true }],
    ['another account', { wrongAccount: true }],
  ])('reported with %s is quarantined', async (_name, behaviour) => {
    const { page, depositId } = await start();
    await control({ behaviour });
    await submit(page);
    const { payments } = await control({});
    const { order_id: orderId } = await getDepositRow(sandbox.app, depositId);
    const id = payments.find((payment) => payment.orderId === orderId)?.subscriptionId ?? '';
    await waitUntil(
      async () => (await listStoredWebhooks(sandbox.app, id))[0]?.state === 'quarantined',
      'the quarantine',
    );
    expect([await status(depositId), await balance()]).toEqual(['pending', 0]);
  });

  test('refunded before its sale webhook arrives is credited and reversed', async () => {
    const { page, depositId } = await start();
    const { order_id: orderId } = await getDepositRow(sandbox.app, depositId);
    await control({ behaviour: { reorder: true } });
    await submit(page);
    await control({ trigger: { event: 'Refund', orderId } });
    await control({ release: true });
    await waitUntil(async () => (await getDepositRow(sandbox.app, depositId)).reversed_cents === 30_000, 'the refund');
    expect(await balance()).toBe(0);
  });

  test('voided and refunded at the same time is reversed once', async () => {
    const { page, depositId } = await start();
    const { order_id: orderId } = await getDepositRow(sandbox.app, depositId);
    await submit(page);
    await waitUntilPaid(depositId);
    await control({ trigger: { event: 'Void', orderId } });
    await control({ trigger: { event: 'Refund', orderId, isForced: true } });
    await waitUntilDelivered();
    await sandbox.app.ctx.events.waitUntilIdle();
    expect(await getDepositRow(sandbox.app, depositId)).toMatchObject({
      reversed_cents: 30_000,
      reversed_payable_cents: 30_600,
    });
    expect(await balance()).toBe(0);
  });
});

describe('DataLink', () => {
  let dataLink: DataLink;
  beforeAll(() => {
    dataLink = sandbox.getDataLink();
  });

  async function createSale(): Promise<{ depositId: string; id: string }> {
    const { page, depositId } = await start();
    await submit(page);
    await waitUntilPaid(depositId);
    return { depositId, id: (await getDepositRow(sandbox.app, depositId)).processor_subscription_id ?? '' };
  }

  test('refunds a part, and the webhook reverses it here', async () => {
    const { depositId, id } = await createSale();
    expect(await dataLink.refund(id, 10_200)).toEqual({ outcome: 'done' });
    await waitUntil(
      async () => (await getDepositRow(sandbox.app, depositId)).reversed_payable_cents === 10_200,
      'the refund',
    );
    expect(await balance()).toBe(200);
    expect(await dataLink.status(id)).toMatchObject({ status: 1, refundsIssued: 1, voidsIssued: 0 });
    expect(await dataLink.refund(id, 30_600)).toMatchObject({ outcome: 'refused', code: 0 });
  });

  test('voids a sale and reports unknown sales', async () => {
    const { depositId, id } = await createSale();
    expect(await dataLink.void(id)).toEqual({ outcome: 'done' });
    await waitUntil(async () => (await getDepositRow(sandbox.app, depositId)).reversed_cents === 30_000, 'the void');
    expect(await dataLink.void('0999')).toMatchObject({ outcome: 'refused', code: -3 });
    expect(await dataLink.status('0999')).toBeUndefined();
  });

  test('refuses wrong credentials and never exposes them', async () => {
    const { account, subaccount } = sandbox.app.ctx.config.payments;
    const stranger = createDataLink({
      account,
      subaccount,
      username: 'x',
      password: 'hunter2',
      url: `${sandbox.origin}/sandbox/ccbill`,
    });
    expect(await stranger.void('0117')).toMatchObject({ outcome: 'refused', code: -1 });
    await expect(stranger.exportRows(sandbox.app.clock.now(), sandbox.app.clock.now())).rejects.toThrow(
      'Authentication failed',
    );
    const nowhere = createDataLink({
      account,
      subaccount,
      username: 'x',
      password: 'hunter2',
      url: 'http://127.0.0.1:9',
    });
    const outcome = await nowhere.refund('0117', 100);
    expect(outcome.outcome).toBe('unknown');
    expect(JSON.stringify(outcome)).not.toContain('hunter2');
  });

  test('is reconciled with our books and each difference is reported', async () => {
    const { id } = await createSale();
    await control({ behaviour: { wrongAmount: true } });
    const lost = await start();
    await submit(lost.page);
    await waitUntilDelivered();
    const { order_id: orderId } = await getDepositRow(sandbox.app, lost.depositId);
    const unknown = (await control({})).payments.find((payment) => payment.orderId === orderId)?.subscriptionId;
    const here = await start();
    await postWebhook(
      sandbox.app,
      'NewSaleSuccess',
      buildSaleFields(sandbox.app, await getDepositRow(sandbox.app, here.depositId), '0777'),
    );
    sandbox.app.clock.advance(27 * 3_600_000);
    await reconcile(sandbox.app.ctx, { dataLink });
    const { rows } = await listDifferences(sandbox.app.ctx.db, 'open', { limit: 50, skip: 0 });
    const differences = rows.map(({ kind, key, theirs_cents: theirs, ours_cents: ours }) => ({
      kind,
      key,
      theirs,
      ours,
    }));
    expect(differences).toContainEqual({ kind: 'saleUnknownHere', key: unknown, theirs: 30_600, ours: null });
    expect(differences).toContainEqual({ kind: 'saleUnknownThere', key: '0777', theirs: null, ours: 30_600 });
    expect(differences.map(({ key }) => key)).not.toContain(id);
  });
});
