import { randomUUID } from 'node:crypto';
import { userId } from '@stagedoor/contract/shared/ids.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { account, getBalance, listDebtParts } from '../../ledger/ledger/index.ts';
import { buildReversalFields, buildSaleFields, createProcessorId, postWebhook } from '../ccbill/testing.ts';
import { createOrder, createPaidDeposit, listStoredWebhooks, requireCleanLedger } from '../deposits/testing.ts';
import { refundSale } from '../sales/index.ts';
import { createWriteOffApproval } from './service.ts';

let app: TestApp;
let fan: TestUser;
let creator: TestUser;
let operator: TestUser;

beforeAll(async () => {
  app = await createTestApp();
  [operator, creator] = await Promise.all([app.signUp('operator'), app.signUp('creator')]);
});
beforeEach(async () => {
  fan = await app.signUp('customer');
});
afterEach(async () => {
  await app.ctx.events.waitUntilIdle();
  await requireCleanLedger(app);
});
afterAll(() => app.close());

const wallet = async () => (await fan.inject('GET', '/api/customer/wallet')).json();
const tip = (amount: number) =>
  fan.inject(
    'POST',
    `/api/tip/customer-send/${creator.id}`,
    { amount, type: 'profile' },
    { 'idempotency-key': randomUUID() },
  );
const decide = (decision: string, { reason = 'after a call', by = operator, fanId = fan.id } = {}) =>
  by.inject('POST', `/api/admin/debtors/${fanId}/decision`, { decision, reason });
const decideEvent = (id: string, decision: string, by = operator) =>
  by.inject('POST', `/api/admin/processor-webhooks/${id}/decision`, { decision, reason: 'the bank gave it back' });
const lines = async () => (await fan.inject('GET', '/api/customer/transaction-history')).json().data;
async function mails(): Promise<string[]> {
  await app.ctx.events.waitUntilIdle();
  const rows = await app.ctx.db.query
    .selectFrom('development_mail')
    .selectAll()
    .where('recipient', '=', fan.email)
    .where('body', 'like', '%See your transactions%')
    .orderBy('id')
    .execute();
  return rows.map(({ subject, body }) => `${subject}: ${body.replaceAll('\n', ' ')}`);
}
async function createChargeback(type = 'Chargeback') {
  const { saleId, deposit } = await createPaidDeposit(app, fan, 50);
  expect((await tip(45)).statusCode).toBe(200);
  app.clock.advance(60_000);
  await postWebhook(app, type, buildReversalFields(app, saleId, '51.00'));
  const event = (await listStoredWebhooks(app, saleId)).find(({ event_type: eventType }) => eventType === type);
  return { saleId, deposit, eventId: event?.id ?? '' };
}

describe('a debt after a reversal', () => {
  test('shows amount, reason and date in the wallet, and is mailed to the fan', async () => {
    await createChargeback();
    expect(await wallet()).toMatchObject({
      available: 0,
      owed: 45,
      blocked: 'debt',
      parts: [{ title: 'Chargeback', amount: 45, at: app.clock.now().toISOString() }],
    });
    expect(await mails()).toEqual([
      expect.stringMatching(
        /^Spending is paused on your account: .*You owe \$45\.00\..*You owe \$45\.00 in total.*\/fan\/wallet/,
      ),
    ]);
  });

  test('has a history entry and a receipt, also after a chargeback with an empty wallet', async () => {
    await createChargeback();
    expect((await lines()).slice(0, 3)).toMatchObject([
      {
        ...{ type: 'debt', title: 'Owed', detail: 'Chargeback, Visa ending in 4417' },
        ...{ amount: -45, owed: 45, balance: -45 },
      },
      { type: 'chargeback', title: 'Chargeback', amount: -5, owed: 0, balance: 0 },
      { type: 'tip', amount: -45, balance: 5 },
    ]);
    fan = await app.signUp('customer');
    const { saleId } = await createPaidDeposit(app, fan, 45);
    await tip(45);
    await postWebhook(app, 'Chargeback', buildReversalFields(app, saleId, '45.92'));
    const [debt] = await lines();
    expect(debt).toMatchObject({ title: 'Owed', amount: -45, balance: -45 });
    const { parts } = await wallet();
    for (const id of [debt.id, parts[0].transactionId]) {
      const receipt = (await fan.inject('GET', `/api/transactions/${id}`)).json();
      expect(receipt).toMatchObject({
        ...{ id: debt.id, amount: -45, balance: -45 },
        lines: expect.arrayContaining([
          { label: 'For', value: 'Chargeback, Visa ending in 4417' },
          { label: 'Owed', value: '+$45.00' },
        ]),
      });
      expect((await creator.inject('GET', `/api/transactions/${id}`)).statusCode).toBe(404);
    }
    const only = (await fan.inject('GET', '/api/customer/transaction-history?type=debt')).json();
    expect(only).toMatchObject({ totalCount: 1, data: [{ id: debt.id }] });
  });

  test('is repaid from the next deposit, which shows the repayment and unblocks spending', async () => {
    await createChargeback();
    const deposit = await createOrder(app, fan, 100);
    await postWebhook(app, 'NewSaleSuccess', buildSaleFields(app, deposit, createProcessorId()));
    expect(await wallet()).toMatchObject({ available: 55, owed: 0, blocked: null, parts: [] });
    expect((await lines()).slice(0, 2)).toMatchObject([
      {
        ...{ type: 'debt', title: 'Debt repayment', detail: '$45.00 of your balance' },
        ...{ amount: 0, owed: -45, balance: 55 },
      },
      { type: 'deposit', amount: 100, owed: 0, balance: 55 },
    ]);
    const shown = (await fan.inject('GET', `/api/customer/deposit/${deposit.id}`)).json();
    expect(shown).toMatchObject({ status: 'success', amount: 100, debtPaid: 45 });
    expect((await tip(5)).statusCode).toBe(200);
    expect((await mails())[1]).toMatch(
      /^Part of your funds paid your outstanding balance: .*\$45\.00 of the funds added.*You don’t owe anything/,
    );
  });

  test('is repaid from a refund by a creator', async () => {
    await createChargeback();
    const [sale] = (await lines()).filter(({ type }: { type: string }) => type === 'tip');
    const refund = { saleId: sale.id, actorId: creator.id, operationId: randomUUID(), at: app.clock.now() };
    const refunded = await app.ctx.db.transaction((tx) => refundSale(tx, refund));
    expect(refunded).toMatchObject({ grossCents: 4_500, balanceCents: 0 });
    expect(await wallet()).toMatchObject({
      available: 0,
      depositRevision: refunded.balanceLine,
      owed: 0,
      blocked: null,
    });
  });

  test('is booked once for a repeated chargeback, and a later refund takes nothing more', async () => {
    const { saleId } = await createChargeback();
    await postWebhook(app, 'Chargeback', buildReversalFields(app, saleId, '51.00'));
    app.clock.advance(60_000);
    await postWebhook(app, 'Chargeback', buildReversalFields(app, saleId, '51.00'));
    await postWebhook(app, 'Refund', buildReversalFields(app, saleId, '51.00'));
    expect(await wallet()).toMatchObject({ available: 0, owed: 45 });
    expect(await mails()).toHaveLength(1);
  });
});

describe('an operator', () => {
  test('sees debts with their causes and writes one off with a reason, which is audited and mailed', async () => {
    await createChargeback('Refund');
    const seen = (await operator.inject('GET', '/api/admin/debtors?limit=50')).json();
    const view = seen.data.find((one: { fan: { id: string } }) => one.fan.id === fan.id);
    expect(view).toMatchObject({
      owed: 45,
      blocked: 'debt',
      parts: [{ title: 'Refund to your card', amount: 45 }],
      decisions: [],
    });
    expect((await decide('writeOff', { reason: ' ' })).json().error).toMatchObject([{ field: 'reason' }]);
    const answers = await Promise.all([decide('writeOff'), decide('writeOff')]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404]);
    expect(answers.find(({ statusCode }) => statusCode === 200)?.json()).toMatchObject({
      owed: 0,
      blocked: null,
      decisions: [{ decision: 'writeOff', reason: 'after a call', amount: 45, operator: expect.any(String) }],
    });
    expect(await wallet()).toMatchObject({ available: 0, owed: 0, blocked: null });
    expect((await mails()).at(-1)).toMatch(/^Your debt was canceled: .*\$45\.00/);
  });

  test('loads many debtors with as few statements as one', async () => {
    for (let index = 0; index < 3; index += 1) {
      fan = await app.signUp('customer');
      await createChargeback();
    }
    const querySpy = vi.spyOn(app.ctx.db, 'run');
    const count = async (limit: number) => {
      querySpy.mockClear();
      const { data } = (await operator.inject('GET', `/api/admin/debtors?limit=${limit}`)).json();
      expect(data).toHaveLength(limit);
      return querySpy.mock.calls.filter(([{ name }]) => name.startsWith('debt-')).length;
    };
    expect(await count(3)).toBe(await count(1));
    querySpy.mockRestore();
  });

  test('unblocks a fan who still owes, and later deposits still repay the debt', async () => {
    await createChargeback();
    expect((await decide('unblock')).json()).toMatchObject({ owed: 45, blocked: null });
    expect((await decide('unblock')).statusCode).toBe(409);
    await createPaidDeposit(app, fan, 40);
    expect(await wallet()).toMatchObject({ available: 0, owed: 5, blocked: null });
    await createPaidDeposit(app, fan, 20);
    expect(await wallet()).toMatchObject({ available: 15, owed: 0 });
    expect(await mails()).toEqual([
      expect.stringContaining('paused'),
      expect.stringMatching(/^You can spend again: .*You still owe \$45\.00/),
      expect.stringContaining('You still owe $5.00'),
      expect.stringContaining('You don’t owe anything'),
    ]);
  });

  test('blocks a fan, which deposits do not end, and the refusal links to the wallet', async () => {
    expect((await decide('block')).json()).toMatchObject({ owed: 0, blocked: 'operator' });
    const refused = await fan.inject('POST', '/api/customer/deposite-fund', { paymentProvider: 'ccbill', amount: 50 });
    expect(refused.json()).toMatchObject({ code: 'FORBIDDEN', href: '/fan/wallet' });
    expect(await wallet()).toMatchObject({ blocked: 'operator', owed: 0 });
    await decide('unblock');
    expect(await wallet()).toMatchObject({ blocked: null });
  });

  test('cannot write off more than the confirmed amount when the debt grew in between', async () => {
    await createChargeback();
    const [part] = await listDebtParts(app.ctx.db, fan.id);
    const owed = () => getBalance(app.ctx.db, account.owed(fan.id));
    expect(await owed()).toBe(4_500);
    const confirmer = { userId: userId.parse((await app.signUp('operator')).id), roles: ['owner' as const] };
    const perform = (cents: number) => {
      const payload = { parts: part?.reversalId ?? '' };
      const approval = {
        subjectId: fan.id,
        amountCents: cents,
        payload,
        reason: 'Paid by hand.',
        requesterId: operator.id,
        confirmer,
      };
      return app.ctx.db.transaction((tx) => createWriteOffApproval(app.ctx).perform(tx, approval));
    };
    await expect(perform(4_499)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await owed()).toBe(4_500);
    await perform(4_500);
    expect(await owed()).toBe(0);
  });

  test('is required, and decides only about fans', async () => {
    for (const by of [fan, creator]) {
      expect((await by.inject('GET', '/api/admin/debtors')).statusCode).toBe(403);
      expect((await decide('writeOff', { by })).statusCode).toBe(403);
    }
    expect((await decide('writeOff')).statusCode).toBe(404);
    expect((await decide('block', { fanId: creator.id })).statusCode).toBe(404);
    expect((await decide('block', { fanId: randomUUID() })).statusCode).toBe(404);
  });
});

describe('a won chargeback', () => {
  test('refunds what was repaid, once, restores the deposit and allows another chargeback', async () => {
    const { saleId, deposit, eventId } = await createChargeback();
    await createPaidDeposit(app, fan, 60);
    expect(await wallet()).toMatchObject({ available: 15, owed: 0 });
    const answers = await Promise.all([decideEvent(eventId, 'won'), decideEvent(eventId, 'won')]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect(await wallet()).toMatchObject({ available: 65, owed: 0, blocked: null });
    expect((await lines())[0]).toMatchObject({
      type: 'chargeback',
      title: 'Chargeback reversed',
      detail: 'Visa ending in 4417',
      amount: 50,
    });
    expect((await fan.inject('GET', `/api/customer/deposit/${deposit.id}`)).json()).toMatchObject({ reversed: 0 });
    expect((await mails()).at(-1)).toMatch(/^A chargeback was reversed: .*\$50\.00/);
    app.clock.advance(60_000);
    await postWebhook(app, 'Chargeback', buildReversalFields(app, saleId, '51.00'));
    expect(await wallet()).toMatchObject({ available: 15, owed: 0 });
  });

  test('can be undone once with a reason, and the fan is notified', async () => {
    const { deposit, eventId } = await createChargeback();
    expect((await decideEvent(eventId, 'notWon')).statusCode).toBe(409);
    await decideEvent(eventId, 'won');
    expect(await wallet()).toMatchObject({ available: 5, owed: 0, blocked: null });
    const answers = await Promise.all([decideEvent(eventId, 'notWon'), decideEvent(eventId, 'notWon')]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    const done = answers.find(({ statusCode }) => statusCode === 200)?.json();
    expect(done).toMatchObject({ state: 'processed', decisions: [{ decision: 'won' }, { decision: 'notWon' }] });
    expect(await wallet()).toMatchObject({ available: 0, owed: 45, blocked: 'debt' });
    const shown = (await fan.inject('GET', `/api/customer/deposit/${deposit.id}`)).json();
    expect(shown).toMatchObject({ reversed: 50, reason: 'Charged back by your bank.' });
    expect((await mails()).at(-1)).toMatch(/^A chargeback was reinstated: .*\$50\.00.*You owe \$45\.00 in total/);
    expect((await decideEvent(eventId, 'won')).statusCode).toBe(200);
    expect((await decideEvent(eventId, 'notWon', fan)).statusCode).toBe(403);
  });

  test('is refused for other webhooks and for those that moved nothing', async () => {
    const { saleId } = await createChargeback('Refund');
    const [sale, refund] = await listStoredWebhooks(app, saleId);
    for (const event of [sale, refund]) expect((await decideEvent(event?.id ?? '', 'won')).statusCode).toBe(409);
    const { data } = (
      await operator.inject('GET', '/api/admin/processor-webhooks?state=processed&type=Refund&limit=50')
    ).json();
    expect(data.map(({ id }: { id: string }) => id)).toContain(refund?.id);
    expect(new Set(data.map(({ eventType }: { eventType: string }) => eventType))).toEqual(new Set(['Refund']));
  });
});
