import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../../testing/app.ts';
import { buildReversalFields, buildSaleFields, createProcessorId, postWebhook } from '../../ccbill/testing.ts';
import { createOrder, createPaidDeposit, listStoredWebhooks, requireCleanLedger } from '../testing.ts';
import { logOverdueWebhooks } from './admin.ts';
import { claimRefund } from './admin-store.ts';

let app: TestApp;
let fan: TestUser;
let operator: TestUser;

beforeAll(async () => {
  app = await createTestApp();
  await app.app.start();
  operator = await app.signUp('operator');
});
beforeEach(async () => {
  fan = await app.signUp('customer');
});
afterEach(() => requireCleanLedger(app));
afterAll(() => app.close());

const list = async (state = 'quarantined') =>
  (await operator.inject('GET', `/api/admin/processor-webhooks?state=${state}&limit=50`)).json();
const decide = (id: string, decision: string, reason = 'paid twice', by = operator) =>
  by.inject('POST', `/api/admin/processor-webhooks/${id}/decision`, { decision, reason });
const balance = async () => (await fan.inject('GET', '/api/customer/wallet')).json().available;
const mails = async () =>
  app.ctx.db.query
    .selectFrom('development_mail')
    .selectAll()
    .where('recipient', '=', fan.email)
    .where('subject', '<>', 'Receipt: funds added')
    .execute();

async function createDoublePayment() {
  const { deposit } = await createPaidDeposit(app, fan, 50);
  const id = createProcessorId();
  await postWebhook(app, 'NewSaleSuccess', buildSaleFields(app, deposit, id));
  const [event] = await listStoredWebhooks(app, id);
  if (!event) throw new Error('there is no event');
  return { id: event.id, saleId: id, deposit };
}
const getState = async (saleId: string) => (await listStoredWebhooks(app, saleId))[0]?.state;

describe('a quarantined webhook', () => {
  test('is listed with its order, fan and reason, only for operators', async () => {
    const { id, saleId, deposit } = await createDoublePayment();
    const { data } = await list();
    const view = data.find((one: { id: string }) => one.id === id);
    expect(view).toMatchObject({
      eventType: 'NewSaleSuccess',
      subscriptionId: saleId,
      state: 'quarantined',
      reason: 'its order was already paid by another transaction',
      amount: 51,
      card: 'Visa ending in 4417',
      order: { depositId: deposit.id, status: 'success', paid: 51, fan: { id: fan.id } },
      decisions: [],
    });
    expect(JSON.stringify(view)).not.toContain('hunter2');
    for (const by of [fan, await app.signUp('creator')]) {
      expect((await by.inject('GET', '/api/admin/processor-webhooks')).statusCode).toBe(403);
      expect((await decide(id, 'dismiss', 'no', by)).statusCode).toBe(403);
    }
    const { body } = await app.app.http.inject({ method: 'GET', url: '/metrics' });
    expect(body).toMatch(/stagedoor_processor_events_open\{state="quarantined"\} [1-9]/);
  });

  test('is dismissed once and only with a reason', async () => {
    const { id, saleId } = await createDoublePayment();
    expect((await decide(id, 'dismiss', ' ')).json().error).toMatchObject([{ field: 'reason' }]);
    const answer = await decide(id, 'dismiss', 'given back by hand at the processor');
    expect(answer.json()).toMatchObject({
      state: 'dismissed',
      decisions: [{ decision: 'dismiss', reason: 'given back by hand at the processor', outcome: null }],
    });
    expect(answer.json().decisions[0].operator).toBeTruthy();
    for (const decision of ['retry', 'dismiss', 'refund']) expect((await decide(id, decision)).statusCode).toBe(409);
    expect(await getState(saleId)).toBe('dismissed');
    expect((await decide(randomUUID(), 'dismiss')).statusCode).toBe(404);
  });

  test('is processed again on retry', async () => {
    const deposit = await createOrder(app, fan, 50);
    const id = createProcessorId();
    const expired = { ...buildSaleFields(app, deposit, id) };
    await app.owner.query
      .updateTable('deposits')
      .set({ expires_at: new Date(app.clock.now().getTime() - 3_600_000) })
      .where('id', '=', deposit.id)
      .execute();
    await postWebhook(app, 'NewSaleSuccess', expired);
    expect(await balance()).toBe(0);
    await app.owner.query
      .updateTable('deposits')
      .set({ expires_at: new Date(app.clock.now().getTime() + 3_600_000) })
      .where('id', '=', deposit.id)
      .execute();
    const [event] = await listStoredWebhooks(app, id);
    expect((await decide(event?.id ?? '', 'retry', 'it was paid in time')).statusCode).toBe(200);
    await vi.waitFor(async () => expect(await balance()).toBe(50), { timeout: 30_000 });
  });

  test('is logged as an error every hour after a longer wait', async () => {
    await createDoublePayment();
    const logged = vi.spyOn(app.ctx.log, 'error').mockImplementation(() => undefined);
    await logOverdueWebhooks(app.ctx);
    expect(logged).not.toHaveBeenCalled();
    app.clock.advance(2 * 3_600_000);
    await logOverdueWebhooks(app.ctx);
    expect(logged).toHaveBeenCalledOnce();
    logged.mockRestore();
  });
});

describe('a fan who paid twice', () => {
  function mockProcessor(answer: () => Promise<Response>) {
    const fetchSpy = vi.spyOn(globalThis, 'fetch').mockImplementation(answer);
    return { count: () => fetchSpy.mock.calls.length, restore: () => fetchSpy.mockRestore() };
  }
  const settled = (id: string, state: string) =>
    vi.waitFor(
      async () => {
        const { data } = await list(state);
        expect(data.map((one: { id: string }) => one.id)).toContain(id);
      },
      { timeout: 30_000 },
    );

  test('gets the second payment refunded, is notified, and the refund webhook takes nothing more', async () => {
    const { id, saleId } = await createDoublePayment();
    const processor = mockProcessor(async () => new Response('"results"\n"1"\n'));
    const answers = await Promise.all([decide(id, 'refund'), decide(id, 'refund'), decide(id, 'refund')]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409]);
    await settled(id, 'refunded');
    expect(processor.count()).toBe(1);
    expect(await mails()).toMatchObject([
      { subject: 'Your payment was refunded', body: expect.stringContaining('$51.00') },
    ]);
    await app.ctx.events.waitUntilIdle();
    const { data: lines } = (await fan.inject('GET', '/api/notifications')).json();
    expect(lines.filter(({ kind }: { kind: string }) => kind === 'paymentReturned')).toMatchObject([
      { text: '$51.00 refunded to your card', isUnread: true },
    ]);
    app.clock.advance(1_000);
    await postWebhook(app, 'Refund', buildReversalFields(app, saleId, '51.00'));
    expect((await listStoredWebhooks(app, saleId)).map(({ state }) => state)).toEqual(['refunded', 'processed']);
    processor.restore();
    expect(await balance()).toBe(50);
  });

  test.each([
    ['is refused', async () => new Response('"results"\n"-9"\n'), 'quarantined', 'not permitted'],
    ['gets an unreadable response', async () => new Response('oops'), 'refunding', 'result of the refund is unknown'],
    [
      'loses its connection',
      () => Promise.reject(new TypeError('fetch failed')),
      'refunding',
      'result of the refund is unknown',
    ],
  ] as const)(
    'a refund that %s is settled by a later webhook, and the request is not repeated automatically',
    async (_, respond, state, message) => {
      const { id, saleId } = await createDoublePayment();
      const processor = mockProcessor(respond);
      expect((await decide(id, 'refund')).statusCode).toBe(200);
      await vi.waitFor(
        async () => {
          const { data } = await list(state);
          const view = data.find((one: { id: string }) => one.id === id);
          expect(view?.decisions[0].detail).toContain(message);
        },
        { timeout: 30_000 },
      );
      expect(processor.count()).toBe(1);
      processor.restore();
      expect(await mails()).toHaveLength(0);
      app.clock.advance(1_000);
      await postWebhook(app, 'Refund', buildReversalFields(app, saleId, '51.00'));
      expect(await getState(saleId)).toBe('refunded');
      expect((await listStoredWebhooks(app, saleId))[1]).toMatchObject({
        state: 'processed',
        reason: 'it reverses a payment that was never credited',
      });
      expect(await mails()).toHaveLength(1);
      app.clock.advance(1_000);
      await postWebhook(app, 'Chargeback', buildReversalFields(app, saleId, '51.00'));
      expect((await listStoredWebhooks(app, saleId)).at(-1)).toMatchObject({
        state: 'quarantined',
        reason: 'more was reversed than was paid',
      });
      expect(await balance()).toBe(50);
    },
  );

  const expectOutcome = (id: string, state: string, outcome: string) =>
    vi.waitFor(
      async () => {
        const { data } = await list(state);
        expect(data.find((one: { id: string }) => one.id === id)?.decisions[0].outcome).toBe(outcome);
      },
      { timeout: 30_000 },
    );

  test.each([
    ['refunded', 'refunded', 1],
    ['notRefunded', 'quarantined', 0],
  ])(
    'with an unknown refund result causes an hourly alarm until an operator decides %s',
    async (decision, state, mailed) => {
      const { id } = await createDoublePayment();
      const processor = mockProcessor(async () => new Response('oops'));
      expect((await decide(id, decision)).statusCode).toBe(409);
      await decide(id, 'refund');
      await expectOutcome(id, 'refunding', 'unknown');
      processor.restore();
      app.clock.advance(2 * 3_600_000);
      const logged = vi.spyOn(app.ctx.log, 'error').mockImplementation(() => undefined);
      await logOverdueWebhooks(app.ctx);
      expect(logged).toHaveBeenCalled();
      logged.mockRestore();
      for (const other of ['retry', 'dismiss', 'refund']) expect((await decide(id, other)).statusCode).toBe(409);
      expect((await decide(id, decision)).json().state).toBe(state);
      expect(await mails()).toHaveLength(mailed);
    },
  );

  test('gets neither a credit nor another refund from another webhook of the same payment', async () => {
    const deposit = await createOrder(app, fan, 50);
    const saleId = createProcessorId();
    const right = buildSaleFields(app, deposit, saleId);
    await postWebhook(app, 'NewSaleSuccess', { ...right, dynamicPricingValidationDigest: 'f'.repeat(32) });
    await postWebhook(app, 'NewSaleSuccess', right);
    const [wrong, duplicate] = await listStoredWebhooks(app, saleId);
    expect([wrong?.state, duplicate?.state]).toEqual(['quarantined', 'quarantined']);
    const processor = mockProcessor(async () => new Response('"results"\n"1"\n'));
    await decide(wrong?.id ?? '', 'refund');
    await settled(wrong?.id ?? '', 'refunded');
    expect((await decide(duplicate?.id ?? '', 'refund')).json().message).toContain('already refunded');
    await decide(duplicate?.id ?? '', 'retry');
    await vi.waitFor(async () => expect((await listStoredWebhooks(app, saleId))[1]?.state).toBe('quarantined'), {
      timeout: 30_000,
    });
    const other = { ...right, transactionId: createProcessorId() };
    await postWebhook(app, 'NewSaleSuccess', other);
    expect((await listStoredWebhooks(app, other.transactionId))[0]?.state).toBe('quarantined');
    expect(processor.count()).toBe(1);
    processor.restore();
    app.clock.advance(1_000);
    await postWebhook(app, 'Refund', buildReversalFields(app, saleId, '51.00'));
    expect((await listStoredWebhooks(app, saleId)).map(({ state }) => state)).toEqual([
      'refunded',
      'refunded',
      'processed',
    ]);
    expect(await balance()).toBe(0);
  });

  test('keeps a credited payment, which cannot be refunded here', async () => {
    const { deposit, saleId } = await createPaidDeposit(app, fan, 50);
    await postWebhook(app, 'NewSaleSuccess', { ...buildSaleFields(app, deposit, saleId), last4: '1111' });
    const duplicate = (await listStoredWebhooks(app, saleId)).find(({ state }) => state === 'quarantined');
    expect((await decide(duplicate?.id ?? '', 'refund')).json().message).toContain('was credited');
    expect(await balance()).toBe(50);
  });

  test('is not refunded again when the money was returned before the job ran', async () => {
    const { id, saleId } = await createDoublePayment();
    const processor = mockProcessor(async () => new Response('"results"\n"1"\n'));
    const later = vi.spyOn(app.ctx.jobs, 'add').mockImplementation(async () => undefined);
    const decisionId = await decide(id, 'refund').then(async () => {
      const [row] = await app.ctx.db.query
        .selectFrom('processor_webhook_decisions')
        .selectAll()
        .where('webhook_id', '=', id)
        .execute();
      return row?.id ?? '';
    });
    later.mockRestore();
    app.clock.advance(1_000);
    await postWebhook(app, 'Chargeback', buildReversalFields(app, saleId, '51.00'));
    expect(await getState(saleId)).toBe('refunded');
    await app.ctx.db.pool.query(`select graphile_worker.add_job('deposits.refund', $1::json)`, [
      JSON.stringify({ decisionId }),
    ]);
    await expectOutcome(id, 'refunded', 'refused');
    expect(processor.count()).toBe(0);
    processor.restore();
  });

  test('is refunded once when a server stops during the request', async () => {
    const { id } = await createDoublePayment();
    const pendingResponse = Promise.withResolvers<Response>();
    const processor = mockProcessor(() => pendingResponse.promise);
    await decide(id, 'refund');
    await vi.waitFor(() => expect(processor.count()).toBe(1), { timeout: 30_000 });
    const [decision] = await app.ctx.db.query
      .selectFrom('processor_webhook_decisions')
      .selectAll()
      .where('webhook_id', '=', id)
      .execute();
    expect(await claimRefund(app.ctx.db, decision?.id ?? '', app.clock.now())).toBeUndefined();
    pendingResponse.resolve(new Response('"results"\n"1"\n'));
    await settled(id, 'refunded');
    expect(processor.count()).toBe(1);
    processor.restore();
  });

  test('gets a refund only for a payment', async () => {
    const id = createProcessorId();
    await postWebhook(app, 'Surprise', buildReversalFields(app, id, '1.00'));
    const [event] = await listStoredWebhooks(app, id);
    expect((await decide(event?.id ?? '', 'refund')).json().message).toBe('Only a payment can be refunded.');
  });
});
