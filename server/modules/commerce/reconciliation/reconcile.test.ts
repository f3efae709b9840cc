import type { DifferenceKind } from '@stagedoor/contract/admin/reconciliation.ts';
import { describe, expect, test } from 'vitest';
import { createDeposit } from '../../ledger/ledger/testing.ts';
import { createProcessorId } from '../ccbill/testing.ts';
import { decideWebhook } from '../deposits/index.ts';
import { listStoredWebhooks } from '../deposits/testing.ts';
import { reconcile } from './reconcile.ts';
import { DAY_MS, HOUR_MS, setUpReconciliationTest } from './testing.ts';

const books = setUpReconciliationTest();
const { createPaidDeposit, postReversal, addExportRow, nextDay, loadDifferences, loadKinds, loadRuns } = books;

async function tamper(text: string, ...values: unknown[]): Promise<void> {
  await books.app.owner.transaction(async (tx) => {
    await tx.run({ name: 'test-behind', text: 'set local session_replication_role = replica' }, []);
    await tx.run({ name: '', text }, values);
  });
}

describe('matching books', () => {
  test('are clean after partial and full reversals', async () => {
    const { saleId } = await createPaidDeposit();
    const { saleId: goneSale } = await createPaidDeposit();
    const { saleId: both } = await createPaidDeposit();
    await postReversal('Refund', saleId, '10.00');
    addExportRow('REFUND', saleId, 1_000);
    books.app.clock.advance(HOUR_MS);
    await postReversal('Chargeback', saleId, '41.00');
    addExportRow('CHARGEBACK', saleId, 4_100);
    await postReversal('Void', goneSale, '51.00');
    addExportRow('VOID', goneSale, 5_100);
    await postReversal('Void', both, '51.00');
    addExportRow('VOID', both, 5_100);
    books.app.clock.advance(HOUR_MS);
    await postReversal('Chargeback', both, '51.00');
    addExportRow('CHARGEBACK', both, 5_100);
    await nextDay();
    expect(await loadDifferences()).toEqual([]);
    expect(await loadRuns()).toMatchObject([
      { comparison: 'orders', outcome: 'clean' },
      { comparison: 'processor', outcome: 'clean', detail: null },
    ]);
  });

  test('are clean after won chargebacks, incomplete wins, fees and settlements', async () => {
    for (const decisions of [['won'], ['won', 'notWon']] as const) {
      const { saleId } = await createPaidDeposit();
      books.app.clock.advance(HOUR_MS);
      await postReversal('Chargeback', saleId, '51.00');
      addExportRow('CHARGEBACK', saleId, 5_100);
      const chargeback = (await listStoredWebhooks(books.app, saleId)).find(
        ({ event_type: type }) => type === 'Chargeback',
      );
      for (const decision of decisions)
        await decideWebhook(books.app.ctx, null, chargeback?.id ?? '', { decision, reason: 'as the bank says' });
    }
    for (const [kind, to] of [
      ['settlement', 'asset:bank:operating'],
      ['processor_fee', 'exp:processor_fee'],
      ['chargeback_fee', 'exp:chargeback_fee'],
    ]) {
      const legs = [
        [to, 'asset:processor:ccbill:clearing'],
        [100, -100],
      ];
      await books.app.ctx.db.pool.query('select ledger_post($1, $2, $3::bigint[])', [kind, ...legs]);
    }
    await nextDay();
    expect(await loadDifferences()).toEqual([]);
  });

  test('are compared once a day by one process, and each day is requested on schedule', async () => {
    await createPaidDeposit();
    await nextDay();
    expect(books.processor.requestedDays).toEqual(['20260304']);
    await reconcile(books.app.ctx, books.processor);
    expect(await loadRuns()).toHaveLength(2);
    for (let day = 0; day < 8; day += 1) await nextDay();
    books.processor.requestedDays = [];
    await nextDay();
    expect(books.processor.requestedDays).toEqual([
      '20260313',
      '20260307',
      '20260308',
      '20260309',
      '20260310',
      '20260311',
      '20260312',
    ]);
    books.processor.requestedDays = [];
    await nextDay();
    expect(books.processor.requestedDays.length).toBeLessThanOrEqual(8);
    books.app.clock.advance(DAY_MS);
    await Promise.all([
      reconcile(books.app.ctx, books.processor),
      reconcile(books.app.ctx, books.processor),
      reconcile(books.app.ctx, books.processor),
    ]);
    expect((await loadRuns()).filter(({ comparison }) => comparison === 'processor')).toHaveLength(12);
  });

  test('request only the last 45 days', async () => {
    await createPaidDeposit();
    books.app.clock.advance(60 * DAY_MS);
    await reconcile(books.app.ctx, books.processor);
    expect(books.processor.requestedDays).toHaveLength(45);
    expect(await loadDifferences()).toEqual([]);
  });
});

describe('processor data missing on our side', () => {
  test('is found: a sale, a refund, a chargeback and a different amount', async () => {
    const { saleId } = await createPaidDeposit();
    const { saleId: charged } = await createPaidDeposit();
    const { saleId: other } = await createPaidDeposit(false);
    const lost = createProcessorId();
    books.processor.rows.push({ type: 'NEW', id: lost, cents: 700, at: books.app.clock.now() });
    books.processor.rows.push({ type: 'NEW', id: other, cents: 5_103, at: books.app.clock.now() });
    addExportRow('REFUND', saleId, 1_000);
    addExportRow('CHARGEBACK', charged, 5_100);
    await nextDay();
    expect(await loadDifferences()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'saleUnknownHere', key: lost, theirs: 700, ours: null }),
        expect.objectContaining({ kind: 'refundUnknownHere', key: saleId, theirs: 1_000, ours: 0 }),
        expect.objectContaining({ kind: 'chargebackUnknownHere', key: charged, theirs: 5_100, ours: 0 }),
        expect.objectContaining({ kind: 'saleDiffers', key: other, theirs: 5_103, ours: 5_100 }),
      ]),
    );
    expect(await loadDifferences()).toHaveLength(4);
  });

  test('is resolved once it is booked, or once an uncredited sale was refunded', async () => {
    const { saleId } = await createPaidDeposit();
    const lost = createProcessorId();
    books.processor.rows.push({ type: 'NEW', id: lost, cents: 700, at: books.app.clock.now() });
    addExportRow('REFUND', saleId, 1_000);
    await nextDay();
    const before = await loadDifferences();
    await nextDay();
    expect(await loadDifferences()).toEqual(before);
    await postReversal('Refund', saleId, '10.00');
    addExportRow('REFUND', lost, 700);
    await nextDay();
    await nextDay();
    expect(await loadDifferences()).toEqual([]);
    expect(await loadKinds('resolved')).toEqual(['refundUnknownHere', 'saleUnknownHere']);
  });

  test('is reported when it is unreadable', async () => {
    await createPaidDeposit();
    books.processor.garbage = '"NEW","900000"';
    await nextDay();
    expect(await loadKinds()).toEqual(['rowUnreadable']);
    books.processor.garbage = '';
    await nextDay();
    expect(await loadDifferences()).toEqual([]);
  });
});

describe('our data missing at the processor', () => {
  test.each([
    ['Refund', 'refundUnknownThere'],
    ['Return', 'refundUnknownThere'],
    ['Chargeback', 'chargebackUnknownThere'],
  ] as const)('is found: a forged %s', async (event, kind) => {
    const { saleId } = await createPaidDeposit();
    await postReversal(event, saleId, '20.00');
    expect((await listStoredWebhooks(books.app, saleId)).at(-1)?.state).toBe('processed');
    await nextDay();
    expect(await loadDifferences()).toMatchObject([{ kind, key: saleId, theirs: 0, ours: 2_000 }]);
  });

  test('is found: a forged chargeback of a sale that was really refunded', async () => {
    const { saleId } = await createPaidDeposit();
    await postReversal('Chargeback', saleId, '51.00');
    addExportRow('REFUND', saleId, 5_100);
    await postReversal('Refund', saleId, '51.00');
    await nextDay();
    expect(await loadDifferences()).toMatchObject([
      { kind: 'chargebackUnknownThere', key: saleId, theirs: 0, ours: 5_100 },
    ]);
  });

  test('is found: a forged second partial refund with another time', async () => {
    const { saleId } = await createPaidDeposit();
    await postReversal('Refund', saleId, '10.00');
    addExportRow('REFUND', saleId, 1_000);
    books.app.clock.advance(HOUR_MS);
    await postReversal('Refund', saleId, '10.00');
    await nextDay();
    expect(await loadDifferences()).toMatchObject([{ kind: 'refundUnknownThere', theirs: 1_000, ours: 2_000 }]);
  });

  test('is found: a sale, even weeks later', async () => {
    await createPaidDeposit();
    await nextDay();
    for (let day = 0; day < 3; day += 1) await nextDay();
    const { saleId } = await createPaidDeposit(false);
    books.app.clock.advance(30 * DAY_MS);
    await reconcile(books.app.ctx, books.processor);
    expect(await loadDifferences()).toMatchObject([
      { kind: 'saleUnknownThere', key: saleId, theirs: null, ours: 5_100 },
    ]);
    books.app.clock.advance(60 * DAY_MS);
    await reconcile(books.app.ctx, books.processor);
    expect(await loadKinds()).toEqual(['saleUnknownThere']);
  });

  test('is not reported when it was booked within 15 minutes before the processor’s midnight', async () => {
    await createPaidDeposit();
    for (const [minutes, wasLogged] of [
      [14, false],
      [16, true],
    ] as const) {
      books.app.clock.advance(21.5 * HOUR_MS - minutes * 60_000);
      const { saleId } = await createPaidDeposit(false);
      books.app.clock.advance(2.5 * HOUR_MS + minutes * 60_000);
      await reconcile(books.app.ctx, books.processor);
      const found = (await loadDifferences()).filter(({ key }) => key === saleId);
      expect([minutes, found.length]).toEqual([minutes, wasLogged ? 1 : 0]);
    }
  });

  test('is not reported before the processor’s day is over', async () => {
    await createPaidDeposit();
    await nextDay();
    const { saleId } = await createPaidDeposit(false);
    await postReversal('Refund', saleId, '51.00');
    await reconcile(books.app.ctx, { ...books.processor, isRepeat: true });
    expect(await loadDifferences()).toEqual([]);
  });
});

describe('the internal comparison', () => {
  const scenes: [
    DifferenceKind,
    (made: Awaited<ReturnType<typeof createPaidDeposit>>) => Promise<void>,
    ((made: Awaited<ReturnType<typeof createPaidDeposit>>) => Promise<void>)?,
  ][] = [
    [
      'orderWithoutTransaction',
      ({ deposit }) => tamper('update deposits set transaction_id = uuidv7() where id = $1', deposit.id),
      ({ deposit }) =>
        tamper('update deposits set transaction_id = $2 where id = $1', deposit.id, deposit.transaction_id),
    ],
    [
      'orderDiffers',
      ({ deposit }) => tamper('update deposits set reversed_payable_cents = 1 where id = $1', deposit.id),
      ({ deposit }) => tamper('update deposits set reversed_payable_cents = 0 where id = $1', deposit.id),
    ],
    [
      'transactionWithoutPost',
      ({ saleId }) =>
        tamper(`update processor_webhooks set state = 'ignored' where processor_transaction_id = $1`, saleId),
      ({ saleId }) =>
        tamper(`update processor_webhooks set state = 'processed' where processor_transaction_id = $1`, saleId),
    ],
    [
      'postWithoutTransaction',
      ({ saleId }) => tamper(`update ledger_external_refs set ref = 'another' where ref = $1`, saleId),
      ({ saleId }) => tamper(`update ledger_external_refs set ref = $1 where ref = 'another'`, saleId),
    ],
    ['transactionWithoutOrder', async () => void (await createDeposit(books.app.ctx.db, books.fan.id, 700))],
    ['clearingDiffers', async () => void (await createDeposit(books.app.ctx.db, books.fan.id, 700))],
  ];
  test.each(scenes)('finds %s and resolves it once it is corrected', async (kind, break_, mend) => {
    const made = await createPaidDeposit();
    await postReversal('Refund', made.saleId, '10.00').then(() => addExportRow('REFUND', made.saleId, 1_000));
    await nextDay();
    expect(await loadDifferences()).toEqual([]);
    await break_(made);
    await nextDay();
    expect(await loadKinds()).toContain(kind);
    if (!mend) return;
    await mend(made);
    if (kind === 'orderDiffers')
      await tamper('update deposits set reversed_payable_cents = 1000 where id = $1', made.deposit.id);
    await nextDay();
    expect(await loadDifferences()).toEqual([]);
  });

  test('runs without the processor, and the missing comparison is reported', async () => {
    await createPaidDeposit();
    await createDeposit(books.app.ctx.db, books.fan.id, 700);
    const { config } = books.app.ctx;
    const ctx = {
      ...books.app.ctx,
      config: { ...config, payments: { ...config.payments, isSandbox: false, dataLink: undefined } },
    };
    await reconcile(ctx);
    await reconcile(ctx);
    expect(await loadKinds()).toEqual(
      ['clearingDiffers', 'transactionWithoutOrder', 'transactionWithoutPost'].slice(0, 2),
    );
    expect(await loadRuns()).toMatchObject([
      { comparison: 'orders', outcome: 'different', tries: 1 },
      { comparison: 'processor', outcome: 'incomplete', tries: 1, detail: 'DataLink is not set up' },
    ]);
  });

  test('excludes settled money from what is due from the processor', async () => {
    await createPaidDeposit();
    await books.app.ctx.db.pool.query(
      `select ledger_post('settlement', array['asset:bank:operating', 'asset:processor:ccbill:clearing'], array[5000, -5000]::bigint[])`,
    );
    await nextDay();
    await books.app.ctx.db.pool.query('select ledger_sum_inflows()');
    await nextDay();
    expect(await loadDifferences()).toEqual([]);
  });
});
