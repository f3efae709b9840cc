import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../../testing/app.ts';
import { formatArizonaTime } from '../../ccbill/index.ts';
import {
  buildReversalFields,
  buildSaleFields,
  calculateApprovalDigest,
  createProcessorId,
  postWebhook,
} from '../../ccbill/testing.ts';
import { createOrder, createPaidDeposit, getDepositRow, listStoredWebhooks, requireCleanLedger } from '../testing.ts';
import { decideWebhook } from './admin.ts';
import { sweepWebhooks } from './process.ts';

let app: TestApp;
let fan: TestUser;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
afterEach(async () => {
  await requireCleanLedger(app);
});

async function newFan(): Promise<TestUser> {
  fan = await app.signUp('customer');
  return fan;
}

async function balance(user: TestUser = fan): Promise<number> {
  return (await user.inject('GET', '/api/customer/wallet')).json<{ available: number }>().available;
}

async function mailed({ id }: { id: string }) {
  const mails = await app.ctx.db.query
    .selectFrom('development_mail')
    .select(['subject', 'body'])
    .where('body', 'like', `%${id}%`)
    .orderBy('id')
    .execute();
  return { subjects: mails.map(({ subject }) => subject), text: mails.at(-1)?.body };
}

async function sell(changes: Record<string, string | undefined>, options: Parameters<typeof postWebhook>[3] = {}) {
  await newFan();
  const deposit = await createOrder(app, fan, 50);
  const id = createProcessorId();
  const fields = { ...buildSaleFields(app, deposit, id), ...changes };
  for (const [key, value] of Object.entries(fields)) if (value === undefined) delete fields[key];
  const status = await postWebhook(app, 'NewSaleSuccess', fields as Record<string, string>, options);
  const [event] = await listStoredWebhooks(app, id);
  return { status, event, deposit: await getDepositRow(app, deposit.id), balance: await balance(), id };
}

describe('a sale', () => {
  test('is credited once, with its card stored and without the password', async () => {
    const { status, event, deposit, balance: after, id } = await sell({});
    expect({ status, state: event?.state, deposit: deposit.status, after }).toEqual({
      status: 200,
      state: 'processed',
      deposit: 'success',
      after: 50,
    });
    expect(deposit).toMatchObject({
      processor_transaction_id: id,
      processor_subscription_id: id,
      card_brand: 'VISA',
      card_last4: '4417',
    });
    expect(JSON.stringify(event)).not.toContain('hunter2');
    const view = (await fan.inject('GET', `/api/customer/deposit/${deposit.order_id}`)).json();
    expect(view).toMatchObject({
      id: deposit.id,
      status: 'success',
      amount: 50,
      paid: 51,
      fee: 1,
      card: 'Visa ending in 4417',
      reversed: 0,
    });
  });

  test('has one receipt mail whose subject contains no amount', async () => {
    const { deposit, id } = await sell({});
    await postWebhook(app, 'NewSaleSuccess', buildSaleFields(app, deposit, id));
    const { subjects, text } = await mailed(deposit);
    expect(subjects).toEqual(['Receipt: funds added']);
    for (const phrase of [
      'Added to your balance: $50.00',
      'Fee: $1.00',
      'You paid: $51.00, Visa ending in 4417',
      'On your card statement: CCBill.com',
    ])
      expect(text).toContain(phrase);
  });

  test('has the same effect as JSON', async () => {
    await newFan();
    const deposit = await createOrder(app, fan, 50);
    const fields = buildSaleFields(app, deposit, createProcessorId());
    await postWebhook(app, 'NewSaleSuccess', {}, { contentType: 'application/json', body: JSON.stringify(fields) });
    expect(await balance()).toBe(50);
  });

  test('is credited once when it is repeated and sent concurrently', async () => {
    await newFan();
    const deposit = await createOrder(app, fan, 50);
    const id = createProcessorId();
    const fields = buildSaleFields(app, deposit, id);
    const statuses = await Promise.all(Array.from({ length: 8 }, () => postWebhook(app, 'NewSaleSuccess', fields)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    await postWebhook(app, 'NewSaleSuccess', fields);
    const events = await listStoredWebhooks(app, id);
    expect(events.map(({ state, received_count: count }) => [state, count])).toEqual([['processed', 9]]);
    expect(await balance()).toBe(50);
  });

  test.each([
    ['another amount', { billedInitialPrice: '2.95' }, 'another amount was billed than ordered'],
    ['more than ordered', { billedInitialPrice: '51.01' }, 'another amount was billed than ordered'],
    ['less than ordered', { billedInitialPrice: '50.99' }, 'another amount was billed than ordered'],
    ['another currency', { billedCurrencyCode: '978' }, 'it was billed in another currency'],
    ['another account', { clientAccnum: '900001' }, 'it is for another account'],
    ['another subaccount', { clientSubacc: '0009' }, 'it is for another subaccount'],
    ['an unknown order', { 'X-orderId': 'nobody' }, 'it matches no order'],
    ['no order', { 'X-orderId': undefined }, 'it matches no order'],
    ['a forged digest', { dynamicPricingValidationDigest: 'f'.repeat(32) }, 'its digest is wrong'],
    ['a digest for another sale', { responseDigest: '4340e81f65049135dfc600e836463fd1' }, 'its digest is wrong'],
  ])('with %s is quarantined and not credited', async (_name, changes, reason) => {
    const { status, event, deposit, balance: after } = await sell(changes);
    expect({ status, state: event?.state, reason: event?.reason, deposit: deposit.status, after }).toEqual({
      status: 200,
      state: 'quarantined',
      reason,
      deposit: 'pending',
      after: 0,
    });
  });

  test('credits one order when it arrives concurrently under two transactions', async () => {
    await newFan();
    const [first, second] = [await createOrder(app, fan, 50), await createOrder(app, fan, 50)];
    const [sale, one, two] = [createProcessorId(), createProcessorId(), createProcessorId()];
    const { salt } = app.ctx.config.payments;
    const toEvent = (deposit: typeof first, transactionId: string) => ({
      ...buildSaleFields(app, deposit, sale),
      transactionId,
      dynamicPricingValidationDigest: calculateApprovalDigest(sale, salt),
    });
    await Promise.all([
      postWebhook(app, 'NewSaleSuccess', toEvent(first, one)),
      postWebhook(app, 'NewSaleSuccess', toEvent(second, two)),
    ]);
    await app.ctx.events.waitUntilIdle();
    expect(await balance()).toBe(50);
  });

  test('after its order expired is quarantined, while one made in time is credited even if its webhook is late', async () => {
    await newFan();
    const late = await createOrder(app, fan, 50);
    const timely = await createOrder(app, fan, 60);
    const timelyFields = buildSaleFields(app, timely, createProcessorId());
    app.clock.advance(49 * 60 * 60 * 1000);
    const lateId = createProcessorId();
    await postWebhook(app, 'NewSaleSuccess', {
      ...buildSaleFields(app, late, lateId),
      timestamp: formatArizonaTime(app.clock.now()),
    });
    expect((await listStoredWebhooks(app, lateId))[0]).toMatchObject({
      state: 'quarantined',
      reason: 'the order had expired when it was sold',
    });
    await postWebhook(app, 'NewSaleSuccess', timelyFields);
    expect(await balance()).toBe(60);
  });

  test('is quarantined when another transaction already paid the order', async () => {
    await newFan();
    const { deposit } = await createPaidDeposit(app, fan, 50);
    const id = createProcessorId();
    await postWebhook(app, 'NewSaleSuccess', buildSaleFields(app, deposit, id));
    expect((await listStoredWebhooks(app, id))[0]).toMatchObject({
      state: 'quarantined',
      reason: 'its order was already paid by another transaction',
    });
    expect(await balance()).toBe(50);
  });

  test('credits one order when one transaction names two orders', async () => {
    await newFan();
    const first = await createOrder(app, fan, 50);
    const second = await createOrder(app, fan, 50);
    const id = createProcessorId();
    await postWebhook(app, 'NewSaleSuccess', buildSaleFields(app, first, id));
    await postWebhook(app, 'NewSaleSuccess', buildSaleFields(app, second, id));
    const events = await listStoredWebhooks(app, id);
    expect(events.map(({ state }) => state)).toEqual(['processed', 'quarantined']);
    expect(events[1]?.reason).toContain('conflicts with an earlier webhook');
    await decideWebhook(app.ctx, null, events[1]?.id ?? '', { decision: 'retry', reason: 'looked at' });
    await app.ctx.events.waitUntilIdle();
    expect((await listStoredWebhooks(app, id))[1]).toMatchObject({
      state: 'quarantined',
      reason: 'its transaction already paid another order',
    });
    expect(await balance()).toBe(50);
  });

  test('that is declined shows the reason, a later approval is credited and a late decline has no effect', async () => {
    await newFan();
    const deposit = await createOrder(app, fan, 50);
    const decline = (id: string) => ({
      ...buildSaleFields(app, deposit, id),
      subscriptionId: '',
      failureCode: 'BE-900',
      failureReason: 'Declined',
      dynamicPricingValidationDigest: '',
    });
    await postWebhook(app, 'NewSaleFailure', decline(createProcessorId()));
    expect(await getDepositRow(app, deposit.id)).toMatchObject({ status: 'failed', reason: 'Your card was declined.' });
    await postWebhook(app, 'NewSaleFailure', decline(createProcessorId()));
    expect(await mailed(deposit)).toEqual({
      subjects: ['Your deposit failed'],
      text: expect.stringMatching(/Your deposit of \$50\.00 failed, and nothing was added.*Your card was declined\./),
    });
    await postWebhook(app, 'NewSaleSuccess', buildSaleFields(app, deposit, createProcessorId()));
    await postWebhook(app, 'NewSaleFailure', decline(createProcessorId()));
    expect(await getDepositRow(app, deposit.id)).toMatchObject({ status: 'success', reason: null });
    expect(await balance()).toBe(50);
  });
});

describe('reversals', () => {
  test.each(['Refund', 'Void', 'Chargeback', 'Return'])('a full %s takes the whole wallet balance', async (event) => {
    await newFan();
    const { deposit, saleId } = await createPaidDeposit(app, fan, 50);
    await postWebhook(app, event, buildReversalFields(app, saleId, '51.00'));
    await postWebhook(app, event, buildReversalFields(app, saleId, '51.00'));
    expect(await balance()).toBe(0);
    expect(await getDepositRow(app, deposit.id)).toMatchObject({
      status: 'success',
      reversed_cents: 5000,
      reversed_payable_cents: 5100,
    });
    expect(await mailed(deposit)).toEqual({
      subjects: ['Receipt: funds added', 'Your deposit was reversed'],
      text: expect.stringMatching(
        /\$51\.00 of a deposit was refunded to your card, and \$50\.00 was removed from your balance\./,
      ),
    });
    expect((await listStoredWebhooks(app, saleId)).at(-1)).toMatchObject({
      event_type: event,
      state: 'processed',
      received_count: 2,
    });
  });

  test('a void and a refund of one sale are applied once', async () => {
    await newFan();
    const { deposit, saleId } = await createPaidDeposit(app, fan, 50);
    await Promise.all([
      postWebhook(app, 'Void', buildReversalFields(app, saleId, '51.00')),
      postWebhook(app, 'Refund', buildReversalFields(app, saleId, '51.00')),
    ]);
    expect(await balance()).toBe(0);
    expect((await getDepositRow(app, deposit.id)).reversed_payable_cents).toBe(5100);
    expect((await listStoredWebhooks(app, saleId)).map(({ state }) => state).sort()).toEqual([
      'ignored',
      'processed',
      'processed',
    ]);
  });

  test('a full reversal after a partial one takes only the rest', async () => {
    await newFan();
    const { deposit, saleId } = await createPaidDeposit(app, fan, 100);
    await postWebhook(app, 'Refund', buildReversalFields(app, saleId, '25.50'));
    expect(await balance()).toBe(75);
    await postWebhook(app, 'Chargeback', buildReversalFields(app, saleId, '102.00'));
    expect(await balance()).toBe(0);
    expect(await getDepositRow(app, deposit.id)).toMatchObject({
      reversed_cents: 10_000,
      reversed_payable_cents: 10_200,
    });
  });

  test('two partial refunds with the same transaction id are distinguished by their times', async () => {
    await newFan();
    const { deposit, saleId } = await createPaidDeposit(app, fan, 100);
    const part = () => postWebhook(app, 'Refund', buildReversalFields(app, saleId, '25.50'));
    await part();
    await part();
    app.clock.advance(60_000);
    await part();
    expect(await balance()).toBe(50);
    expect((await getDepositRow(app, deposit.id)).reversed_payable_cents).toBe(5100);
    const states = (await listStoredWebhooks(app, saleId)).map(({ event_type: type, state, received_count: n }) => [
      type,
      state,
      n,
    ]);
    expect(states).toEqual([
      ['NewSaleSuccess', 'processed', 1],
      ['Refund', 'processed', 2],
      ['Refund', 'processed', 1],
    ]);
  });

  test('ids that name two sales are quarantined', async () => {
    await newFan();
    const [one, two] = [await createPaidDeposit(app, fan, 50), await createPaidDeposit(app, fan, 50)];
    const fields = { ...buildReversalFields(app, one.saleId, '51.00'), transactionId: two.saleId };
    await postWebhook(app, 'Refund', fields);
    const event = (await listStoredWebhooks(app, two.saleId)).find(({ event_type: type }) => type === 'Refund');
    expect(event).toMatchObject({ state: 'quarantined', reason: 'its IDs match two different sales' });
    expect(await balance()).toBe(100);
  });

  test('more than was paid, another currency or another account is quarantined', async () => {
    await newFan();
    const { saleId } = await createPaidDeposit(app, fan, 50);
    await postWebhook(app, 'Refund', buildReversalFields(app, saleId, '51.03'));
    await postWebhook(app, 'Void', { ...buildReversalFields(app, saleId, '51.00'), currencyCode: '978' });
    await postWebhook(app, 'Chargeback', { ...buildReversalFields(app, saleId, '51.00'), clientAccnum: '900001' });
    expect((await listStoredWebhooks(app, saleId)).map(({ reason }) => reason)).toEqual([
      null,
      'it takes back more than was paid',
      'it is in another currency than the sale',
      'it is for another account',
    ]);
    expect(await balance()).toBe(50);
  });

  test('a chargeback that races with tips keeps the books correct, and the tipped amount is the shortfall', async () => {
    await newFan();
    const creator = await app.signUp('creator');
    const { saleId } = await createPaidDeposit(app, fan, 100);
    const tips = Array.from({ length: 10 }, () =>
      fan.inject('POST', `/api/tip/customer-send/${creator.id}`, { amount: 10, type: 'profile' }),
    );
    const chargeback = postWebhook(app, 'Chargeback', buildReversalFields(app, saleId, '102.00'));
    const codes = (await Promise.all(tips)).map(({ statusCode }) => statusCode);
    await chargeback;
    const accepted = codes.filter((code) => code === 200).length;
    expect(codes.every((code) => code === 200 || code === 402 || code === 403)).toBe(true);
    expect(await balance()).toBe(0);
    expect((await creator.inject('GET', '/api/creator/balance')).json().pending).toBe(accepted * 9);
  });

  test('a refund that arrives before its sale waits and is then processed', async () => {
    await newFan();
    const deposit = await createOrder(app, fan, 50);
    const id = createProcessorId();
    await postWebhook(app, 'Refund', buildReversalFields(app, id, '51.00'));
    expect((await listStoredWebhooks(app, id))[0]?.state).toBe('waiting');
    await postWebhook(app, 'NewSaleSuccess', buildSaleFields(app, deposit, id));
    await app.ctx.events.waitUntilIdle();
    expect((await listStoredWebhooks(app, id)).map(({ state }) => state)).toEqual(['processed', 'processed']);
    expect(await balance()).toBe(0);
  });

  test('a refund of a sale that never arrives is quarantined', async () => {
    const id = createProcessorId();
    await postWebhook(app, 'Chargeback', buildReversalFields(app, id, '51.00'));
    app.clock.advance(4 * 24 * 60 * 60 * 1000);
    await sweepWebhooks(app.ctx);
    expect((await listStoredWebhooks(app, id))[0]).toMatchObject({
      state: 'quarantined',
      reason: 'the sale that it belongs to was never received',
    });
  });

  test('a chargeback after spending takes the rest, leaves a debt, blocks spending and spares the creator', async () => {
    await newFan();
    const creator = await app.signUp('creator');
    const { deposit, saleId } = await createPaidDeposit(app, fan, 50);
    expect(
      (await fan.inject('POST', `/api/tip/customer-send/${creator.id}`, { amount: 45, type: 'profile' })).statusCode,
    ).toBe(200);
    await postWebhook(app, 'Chargeback', buildReversalFields(app, saleId, '51.00'));
    expect(await balance()).toBe(0);
    const tip = await fan.inject('POST', `/api/tip/customer-send/${creator.id}`, { amount: 1, type: 'profile' });
    expect(tip.statusCode).toBe(403);
    expect(tip.json()).toEqual({
      code: 'FORBIDDEN',
      message: expect.stringContaining('you owe $45.00'),
      href: '/fan/wallet',
    });
    expect((await mailed(deposit)).subjects).toEqual(['Receipt: funds added']);
    expect((await creator.inject('GET', '/api/creator/balance')).json().pending).toBe(40.5);
  });
});
