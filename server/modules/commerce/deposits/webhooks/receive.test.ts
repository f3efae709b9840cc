import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../testing/app.ts';
import { buildReversalFields, createProcessorId, postWebhook } from '../../ccbill/testing.ts';
import { listStoredWebhooks } from '../testing.ts';
import { viewWebhooks } from './admin.ts';
import { purgeUnreadable } from './process.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

describe('other requests to the webhook', () => {
  test.each(['UpSaleSuccess', 'UpgradeSuccess', 'CustomerDataUpdate'])(
    'a %s event is stored and has no effect',
    async (event) => {
      const id = createProcessorId();
      expect(await postWebhook(app, event, { subscriptionId: id, clientAccnum: app.ctx.config.payments.account })).toBe(
        200,
      );
      expect((await listStoredWebhooks(app, id))[0]?.state).toBe('ignored');
    },
  );

  test('an unknown event and a request without an event are quarantined', async () => {
    const unknown = createProcessorId();
    const silent = createProcessorId();
    await postWebhook(app, 'Surprise', buildReversalFields(app, unknown, '1.00'));
    const page = { state: 'quarantined', limit: 1, offset: '0' } as const;
    expect((await viewWebhooks(app.ctx, page)).data).toMatchObject([{ transactionId: unknown }]);
    app.clock.advance(1000);
    await postWebhook(app, '', buildReversalFields(app, silent, '1.00'), { search: '' });
    expect((await listStoredWebhooks(app, unknown))[0]).toMatchObject({
      state: 'quarantined',
      reason: 'its event type is unknown',
    });
    expect((await listStoredWebhooks(app, silent))[0]).toMatchObject({
      state: 'quarantined',
      event_type: null,
      reason: 'the address names no eventType',
    });
  });

  test.each([
    ['broken JSON', 'application/json', '{"transactionId":'],
    ['a list', 'application/json', '[1,2]'],
    ['nothing', 'application/x-www-form-urlencoded', ''],
    ['a NUL and half a character', 'application/json', '{"transactionId":"0117999999","reason":"\\u0000\\ud800"}'],
    ['a numeric id', 'application/json', '{"transactionId":117,"password":"hunter2"}'],
    ['a prototype', 'application/json', '{"__proto__":{"eventType":"Refund"},"constructor":"x"}'],
  ])('a body with %s gets status 200, is stored and credits nothing', async (_name, contentType, body) => {
    const before = await app.ctx.db.query
      .selectFrom('processor_webhooks')
      .select((row) => row.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    expect(await postWebhook(app, 'NewSaleSuccess', {}, { contentType, body })).toBe(200);
    const after = await app.ctx.db.query
      .selectFrom('processor_webhooks')
      .select((row) => row.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    expect(after.n).toBe(before.n + 1);
    const last = await app.ctx.db.query
      .selectFrom('processor_webhooks')
      .selectAll()
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(last.state).toBe('quarantined');
    expect(JSON.stringify(last)).not.toContain('hunter2');
  });

  test('the raw text of an unreadable request is deleted after 30 days', async () => {
    await postWebhook(
      app,
      'NewSaleSuccess',
      {},
      { contentType: 'application/json', body: '{"email":"ada@example.com' },
    );
    const texts = async () => {
      const rows = await app.ctx.db.query.selectFrom('processor_webhooks').select('raw').execute();
      return rows.map(({ raw }) => raw).join();
    };
    await purgeUnreadable(app.ctx);
    expect(await texts()).toContain('ada@example.com');
    app.clock.advance(31 * 24 * 60 * 60_000);
    await purgeUnreadable(app.ctx);
    expect(await texts()).not.toContain('ada@example.com');
  });

  test('a huge body and other content types are refused', async () => {
    expect(await postWebhook(app, 'NewSaleSuccess', {}, { body: `transactionId=1&x=${'y'.repeat(70_000)}` })).toBe(413);
    expect(await postWebhook(app, 'NewSaleSuccess', {}, { contentType: 'text/xml', body: '<x/>' })).toBe(415);
  });

  test('a wrong secret gets status 404 and stores nothing', async () => {
    const id = createProcessorId();
    for (const secret of [
      'x',
      `${app.ctx.config.payments.webhookSecret}0`,
      app.ctx.config.payments.webhookSecret.toUpperCase(),
    ]) {
      expect(await postWebhook(app, 'Refund', buildReversalFields(app, id, '1.00'), { secret })).toBe(404);
    }
    expect(await listStoredWebhooks(app, id)).toEqual([]);
  });
});

describe('without the sandbox', () => {
  let live: TestApp;
  beforeAll(async () => {
    live = await createTestApp({ env: { PAYMENT_SANDBOX: 'false' } });
  });
  afterAll(() => live.close());

  test('only the networks of the processor are accepted, and a forwarded address is not trusted', async () => {
    const id = createProcessorId();
    const fields = buildReversalFields(live, id, '1.00');
    expect(await postWebhook(live, 'Refund', fields, { remoteAddress: '203.0.113.7' })).toBe(404);
    const forged = await live.app.http.inject({
      method: 'POST',
      url: `/api/webhook/ccbill/${live.ctx.config.payments.webhookSecret}?eventType=Refund`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': '64.38.212.1' },
      payload: new URLSearchParams(fields).toString(),
      remoteAddress: '203.0.113.7',
    });
    expect(forged.statusCode).toBe(404);
    expect(await listStoredWebhooks(live, id)).toEqual([]);
    expect(await postWebhook(live, 'Refund', fields, { remoteAddress: '64.38.212.200' })).toBe(200);
    expect((await listStoredWebhooks(live, id))[0]).toMatchObject({ state: 'waiting', peer: '64.38.212.200' });
  });

  test('the sandbox is unavailable and payments go to CCBill', async () => {
    for (const path of [
      '/sandbox/ccbill/control',
      `/sandbox/ccbill/wap-frontflex/flexforms/${live.ctx.config.payments.flexId}`,
    ]) {
      expect((await live.inject('GET', path)).statusCode).toBe(404);
    }
    const payer = await live.signUp('customer');
    const answer = await payer.inject('POST', '/api/customer/deposite-fund', { paymentProvider: 'ccbill', amount: 50 });
    expect(answer.json().paymentUrl).toMatch(/^https:\/\/api\.ccbill\.com\/wap-frontflex\/flexforms\//);
    expect((await payer.inject('GET', '/api/customer/deposit-options')).json().isTestMode).toBe(false);
  });
});
