import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { snapshotLedger } from '../../../testing/ledger-snapshot.ts';
import { account, getBalance } from '../../ledger/ledger/index.ts';
import { checkLedger } from '../../ledger/ledger-checks/index.ts';
import { buildReversalFields, postWebhook } from '../ccbill/testing.ts';
import { createPaidDeposit, requireCleanLedger } from '../deposits/testing.ts';
import { reconcile } from './reconcile.ts';

const NOW = new Date('2026-03-04T18:00:00.000Z');
let app: TestApp;
let fan: TestUser;
let operator: TestUser;
let restore: () => Promise<void>;
beforeAll(async () => {
  app = await createTestApp({ now: NOW });
  [fan, operator] = await Promise.all([app.signUp('customer'), app.signUp('operator')]);
  restore = await snapshotLedger(app);
});
afterEach(async () => {
  await app.ctx.events.waitUntilIdle();
  await restore();
  app.clock.set(NOW);
});
afterAll(() => app.close());

const WEEK = { reference: 'CCB-20260303', day: '2026-03-03', bank: 80, fees: 9.5, chargebackFees: 2.5 };
const book = (body: object = {}, by = operator) => by.inject('POST', '/api/admin/settlements', { ...WEEK, ...body });
const reverseSettlement = (id: string, reason = 'another week’s sums', by = operator) =>
  by.inject('POST', `/api/admin/settlements/${id}/reversal`, { reason });
const list = async (query = '') => (await operator.inject('GET', `/api/admin/settlements${query}`)).json();
const moved = () =>
  Promise.all(
    [account.clearing('ccbill'), account.bank, account.processorFee, account.chargebackFee].map((code) =>
      getBalance(app.ctx.db, code),
    ),
  );
const count = async (table: 'processor_settlements' | 'ledger_transactions') =>
  (
    await app.ctx.db.query
      .selectFrom(table)
      .select((row) => row.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count;
const listActions = async () =>
  (await operator.inject('GET', '/api/admin/audit?action=settlement'))
    .json()
    .data.map((one: { action: string }) => one.action);
const toProblem = (answer: Awaited<ReturnType<typeof book>>) => [answer.statusCode, answer.json().error?.[0]];

describe('a settlement', () => {
  test('is one balanced transaction of bank amount, fees and the reduced amount due', async () => {
    await createPaidDeposit(app, fan, 100);
    expect(await list()).toMatchObject({ owed: 102, bank: 0, data: [], today: '2026-03-04' });
    const answer = await book({ reference: ' CCB-20260303 ' });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      200,
      { ...WEEK, gross: 92, operator: operator.username, reversal: null, bookedAt: '2026-03-04T18:00:00.000Z' },
    ]);
    expect(await moved()).toEqual([1_000, 8_000, 950, 250]);
    const listed = await list();
    expect(listed).toMatchObject({ owed: 10, bank: 80, totalCount: 1, data: [answer.json()] });
    const { transactionId } = answer.json();
    const shown = (await operator.inject('GET', `/api/admin/ledger/transactions/${transactionId}`)).json();
    expect(shown).toMatchObject({
      title: 'Processor settlement',
      legs: [
        { code: 'asset:bank:operating', amount: 80 },
        { code: 'exp:processor_fee', amount: 9.5 },
        { code: 'exp:chargeback_fee', amount: 2.5 },
        { code: 'asset:processor:ccbill:clearing', amount: -92 },
      ],
      details: expect.arrayContaining([
        { name: 'Requested by', value: `@${operator.username}` },
        { name: 'Provider reference', value: 'CCB-20260303' },
        { name: 'day', value: '2026-03-03' },
      ]),
    });
    const found = (await operator.inject('GET', '/api/admin/ledger?q=CCB-20260303')).json();
    expect(found.data).toMatchObject([{ id: transactionId }]);
    const { data } = (await operator.inject('GET', '/api/admin/audit?action=settlement')).json();
    expect(data).toMatchObject([
      {
        ...{ action: 'settlement.book', subjectKind: 'transaction', subjectId: transactionId },
        operator: { username: operator.username },
        details: { reference: 'CCB-20260303', day: '2026-03-03', cents: 9_200, bankCents: 8_000, feeCents: 950 },
      },
    ]);
    await requireCleanLedger(app);
  });

  test('may consist of fees only, or have no fees', async () => {
    await createPaidDeposit(app, fan, 100);
    expect((await book({ bank: 0, chargebackFees: 0 })).statusCode).toBe(200);
    expect((await book({ reference: 'next', fees: 0, chargebackFees: 0, bank: 92.5 })).statusCode).toBe(200);
    expect(await moved()).toEqual([0, 9_250, 950, 0]);
    await requireCleanLedger(app);
  });

  test('is booked once when repeated or sent concurrently, and refused with other amounts or another day', async () => {
    await createPaidDeposit(app, fan, 200);
    const other = await app.signUp('operator');
    const all = await Promise.all([book(), book(), book({}, other), book()]);
    expect(new Set(all.map((answer) => answer.json().id)).size).toBe(1);
    expect((await book()).json()).toEqual(all[0]?.json());
    expect([await count('processor_settlements'), await listActions()]).toEqual([1, ['settlement.book']]);
    for (const differing of [{ bank: 81 }, { fees: 9 }, { chargebackFees: 0 }, { day: '2026-03-02' }])
      expect(toProblem(await book(differing))).toEqual([
        400,
        {
          field: 'reference',
          message:
            'CCB-20260303 is already recorded: $80.00 received on 2026-03-03, $12.00 in fees. If that’s wrong, reverse it first.',
        },
      ]);
    expect(await moved()).toEqual([11_200, 8_000, 950, 250]);
  });

  test('has one reference regardless of spaces and letter case', async () => {
    await createPaidDeposit(app, fan, 200);
    const first = (await book({ reference: 'CCB  2026 03' })).json();
    expect(first.reference).toBe('CCB 2026 03');
    for (const reference of ['ccb 2026 03', ' Ccb 2026   03 '])
      expect((await book({ reference })).json()).toEqual(first);
    expect(toProblem(await book({ reference: 'ccb 2026 03', bank: 81 }))[1].message).toMatch(
      /^CCB 2026 03 is already recorded/,
    );
    expect(await count('processor_settlements')).toBe(1);
  });

  test('with the same reference and different amounts is booked once under concurrency', async () => {
    await createPaidDeposit(app, fan, 200);
    const both = await Promise.all([book(), book({ bank: 70 })]);
    expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400]);
    expect(await count('processor_settlements')).toBe(1);
  });

  test('is booked once when two concurrent ones together exceed the amount due', async () => {
    await createPaidDeposit(app, fan, 100);
    const both = await Promise.all([book(), book({ reference: 'another' })]);
    expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400]);
    expect(await moved()).toEqual([1_000, 8_000, 950, 250]);
  });

  test('is refused without any amount, with a future day, or above the amount due', async () => {
    const { saleId } = await createPaidDeposit(app, fan, 100);
    expect(toProblem(await book({ bank: 0, fees: 0, chargebackFees: 0 }))).toEqual([
      400,
      { field: 'bank', message: 'Enter an amount received or a fee.' },
    ]);
    expect(toProblem(await book({ day: '2026-03-05' }))).toEqual([
      400,
      { field: 'day', message: 'This date is in the future.' },
    ]);
    expect(toProblem(await book({ bank: 90.01 }))).toEqual([
      400,
      {
        field: 'bank',
        message:
          'The processor owes $102.00, but this settlement is $102.01. Check the amounts and for missing records.',
      },
    ]);
    for (const body of [
      ...[{ bank: -1 }, { fees: -0.01 }, { chargebackFees: -5 }, { fees: 0.001 }, { bank: 'much' }],
      ...[{ reference: ' ' }, { reference: 'é' }, { reference: 'a\nb' }, { reference: 'a'.repeat(61) }],
      ...[{ day: '2026-02-30' }, { day: 'today' }, { day: '0000-01-01' }, { day: '0226-03-03' }],
    ])
      expect([body, (await book(body)).statusCode]).toEqual([body, 400]);
    app.clock.advance(60_000);
    await postWebhook(app, 'Refund', buildReversalFields(app, saleId, '51.00'));
    expect(toProblem(await book())[1].message).toMatch(/^The processor owes \$51\.00,/);
    expect([await count('processor_settlements'), await listActions()]).toEqual([0, []]);
    expect((await book({ day: '2026-03-04', bank: 30 })).statusCode).toBe(200);
  });

  test('is booked and reversed by finance and owners, readable by auditors, and closed to others', async () => {
    await createPaidDeposit(app, fan, 100);
    const [finance, auditor, support] = await Promise.all([
      app.signUp('operator', { roles: ['finance'] }),
      app.signUp('operator', { roles: ['auditor'] }),
      app.signUp('operator', { roles: ['support'] }),
    ]);
    expect((await book({}, auditor)).statusCode).toBe(403);
    expect((await book({}, support)).statusCode).toBe(403);
    expect((await book({}, fan)).statusCode).toBe(403);
    const { id } = (await book({}, finance)).json();
    expect((await reverseSettlement(id, 'not mine to say', auditor)).statusCode).toBe(403);
    expect((await auditor.inject('GET', '/api/admin/settlements')).statusCode).toBe(200);
    expect((await support.inject('GET', '/api/admin/settlements')).statusCode).toBe(403);
    expect((await reverseSettlement(id, 'the bank says otherwise', finance)).statusCode).toBe(200);
  });
});

describe('an incorrect settlement', () => {
  test('is reversed once with a reason by a new transaction, and its reference can be used again', async () => {
    await createPaidDeposit(app, fan, 100);
    const wrong = (await book()).json();
    app.clock.advance(60_000);
    expect((await reverseSettlement(wrong.id, 'x')).statusCode).toBe(400);
    const all = await Promise.all([reverseSettlement(wrong.id), reverseSettlement(wrong.id)]);
    expect(all.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(all[0]?.json()).toEqual(all[1]?.json());
    expect(all[0]?.json()).toMatchObject({
      id: wrong.id,
      reversal: { reason: 'another week’s sums', operator: operator.username, at: '2026-03-04T18:01:00.000Z' },
    });
    expect(await moved()).toEqual([10_200, 0, 0, 0]);
    const other = await reverseSettlement(wrong.id, 'the bank says otherwise');
    expect([other.statusCode, other.json().message]).toEqual([409, 'This was already reversed.']);
    expect((await reverseSettlement(fan.id)).statusCode).toBe(404);
    expect(await listActions()).toEqual(['settlement.reverse', 'settlement.book']);
    const { reversal } = (await reverseSettlement(wrong.id)).json();
    const reversalTransaction = (
      await operator.inject('GET', `/api/admin/ledger/transactions/${reversal.transactionId}`)
    ).json();
    expect(reversalTransaction).toMatchObject({ title: 'Settlement reversed', reverses: { id: wrong.transactionId } });
    const right = (await book({ bank: 90 })).json();
    expect(right.id).not.toBe(wrong.id);
    expect((await list()).data.map(({ id }: { id: string }) => id)).toEqual([right.id, wrong.id]);
    expect(await moved()).toEqual([0, 9_000, 950, 250]);
    await requireCleanLedger(app);
  });
});

describe('the books', () => {
  test('show amounts due and settled that match totals and reconciliation', async () => {
    const { saleId } = await createPaidDeposit(app, fan, 100);
    await createPaidDeposit(app, fan, 50);
    app.clock.advance(60_000);
    await postWebhook(app, 'Refund', buildReversalFields(app, saleId, '10.00'));
    app.clock.advance(60_000);
    await postWebhook(app, 'Chargeback', buildReversalFields(app, saleId, '20.00'));
    const wrong = (await book({ reference: 'wrong', bank: 1 })).json();
    await reverseSettlement(wrong.id);
    await book();
    const read = async () => (await operator.inject('GET', '/api/admin/ledger/reconciliation')).json();
    const processorBalance = { sold: 153, refunded: -10, chargedBack: -20, settled: -92, owed: 31 };
    for (const isRolled of [false, true]) {
      if (isRolled) await app.ctx.db.pool.query('select ledger_sum_inflows(1000)');
      const { totals, processorBalance: shown } = await read();
      expect(shown).toEqual(processorBalance);
      expect(totals.assetsTotal).toBe(totals.liabilitiesTotal);
      expect(totals.assets).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ key: 'asset:processor:ccbill:clearing', amount: 31 }),
          expect.objectContaining({ key: 'asset:bank:operating', amount: 80 }),
        ]),
      );
    }
    expect(await list()).toMatchObject({ owed: 31, bank: 80 });
    const file = await operator.inject('GET', '/api/admin/ledger/reconciliation/file');
    expect(file.body).toContain('total,processor: settled,,,-92.00');
    app.clock.advance(24 * 60 * 60_000);
    await reconcile({
      ...app.ctx,
      config: { ...app.ctx.config, payments: { ...app.ctx.config.payments, isSandbox: false, dataLink: undefined } },
    });
    const { data } = (await operator.inject('GET', '/api/admin/differences')).json();
    expect(data).toEqual([]);
  });

  const CHECK = 'each processor settlement and each reversal';
  test.each([
    [
      'another sum at the bank',
      'update processor_settlements set bank_cents = bank_cents + 1, fee_cents = fee_cents - 1',
    ],
    ['another reference', `update processor_settlements set reference = 'other'`],
    ['another day', `update processor_settlements set day = day - 1`],
    ['another operator', 'update processor_settlements set operator_id = $1'],
    [
      'one that is no longer reversed',
      'update processor_settlements set reversal_transaction_id = null, reversed_by = null, reversed_at = null, reversal_reason = null',
    ],
    [
      'another moment',
      `update processor_settlements set at = at - interval '1 day' where reversal_transaction_id is null`,
    ],
    ['reversed at another time', `update processor_settlements set reversed_at = reversed_at + interval '30 days'`],
    [
      'another reason',
      `update processor_settlements set reversal_reason = 'none' where reversal_transaction_id is not null`,
    ],
    ['one that is gone', `delete from processor_settlements where reversal_transaction_id is null`],
  ])('fail the ledger check with %s', async (_, tampered) => {
    await createPaidDeposit(app, fan, 100);
    const { id } = (await book()).json();
    await reverseSettlement(id);
    await book({ reference: 'next' });
    await requireCleanLedger(app);
    await app.owner.transaction(async (tx) => {
      await tx.run({ name: 'test-behind', text: 'set local session_replication_role = replica' }, []);
      await tx.run({ name: '', text: tampered }, tampered.includes('$1') ? [fan.id] : []);
    });
    const { checks } = await checkLedger(app.ctx.db);
    const wrong = checks.filter((check) => check.wrong.length > 0).map(({ name }) => name);
    expect(wrong).toEqual([expect.stringContaining(CHECK)]);
  });
});
