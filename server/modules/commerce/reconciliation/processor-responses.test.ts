import { describe, expect, test, vi } from 'vitest';
import { reconcile } from './reconcile.ts';
import { DAY_MS, HOUR_MS, setUpReconciliationTest } from './testing.ts';

const books = setUpReconciliationTest();
const { createPaidDeposit, postReversal, addExportRow, nextDay, loadDifferences, loadKinds, loadRuns } = books;

describe('an invalid response of the processor', () => {
  test.each([
    ['nothing', ''],
    ['a page of an error', '<!DOCTYPE html>\n<html><body>Service unavailable, please "try", later</body></html>'],
    ['words', 'The service is not available at this time'],
  ])('with %s keeps known data of that day, does not stop other days and raises an alarm', async (_, bad) => {
    await createPaidDeposit();
    await nextDay();
    const { saleId } = await createPaidDeposit();
    await nextDay();
    const logged = vi.spyOn(books.app.ctx.log, 'error').mockImplementation(() => undefined);
    const rowsSql = 'select day::text, subscription_id from processor_exports order by day';
    const before = (await books.app.ctx.db.pool.query(rowsSql)).rows;
    expect(before).toHaveLength(2);
    books.processor.overrides = { '20260304': bad };
    books.processor.requestedDays = [];
    await postReversal('Refund', saleId, '10.00');
    addExportRow('REFUND', saleId, 1_000);
    await nextDay();
    expect(books.processor.requestedDays.toSorted()).toEqual(['20260304', '20260305', '20260306']);
    expect((await books.app.ctx.db.pool.query(rowsSql)).rows).toEqual([
      ...before,
      { day: '2026-03-06', subscription_id: saleId },
    ]);
    expect(await loadDifferences()).toEqual([]);
    expect((await loadRuns()).at(-1)).toMatchObject({
      outcome: 'incomplete',
      detail: expect.stringMatching(/^2026-03-04: /),
    });
    expect(logged.mock.calls.map(([, message]) => message)).toContain(
      'the payment processor answered with what is no export',
    );
    books.processor.overrides = {};
    await reconcile(books.app.ctx, books.processor);
    expect((await loadRuns()).at(-1)).toMatchObject({ outcome: 'clean' });
  });
});

describe('an unreachable processor', () => {
  test('is not requested further after three days failed in a row', async () => {
    await createPaidDeposit();
    books.app.clock.advance(30 * DAY_MS);
    books.processor.isDown = true;
    await reconcile(books.app.ctx, books.processor);
    expect(books.processor.requestedDays).toHaveLength(3);
  });

  test('is retried every hour, raises an alarm after days, and missed days are requested later', async () => {
    const { saleId } = await createPaidDeposit();
    await nextDay();
    books.processor.isDown = true;
    const logged = vi.spyOn(books.app.ctx.log, 'error').mockImplementation(() => undefined);
    const alarms = () =>
      logged.mock.calls.filter(([, message]) => String(message).includes('not been compared')).length;
    await postReversal('Refund', saleId, '20.00');
    await nextDay();
    books.app.clock.advance(HOUR_MS);
    await reconcile(books.app.ctx, books.processor);
    expect((await loadRuns()).at(-1)).toMatchObject({
      comparison: 'processor',
      outcome: 'incomplete',
      tries: 2,
      detail: expect.stringContaining('503'),
    });
    expect(await loadDifferences()).toEqual([]);
    await nextDay();
    await nextDay();
    expect(alarms()).toBe(0);
    await nextDay();
    expect(alarms()).toBeGreaterThan(0);
    books.processor.isDown = false;
    books.processor.requestedDays = [];
    await nextDay();
    expect(books.processor.requestedDays.slice(0, 5)).toEqual([
      '20260305',
      '20260306',
      '20260307',
      '20260308',
      '20260309',
    ]);
    expect(await loadKinds()).toEqual(['refundUnknownThere']);
    logged.mockClear();
    await nextDay();
    expect(alarms()).toBe(0);
  });
});
