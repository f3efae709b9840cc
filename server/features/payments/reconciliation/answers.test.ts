import { describe, expect, test, vi } from 'vitest';
import { reconcile } from '../reconcile.ts';
import { comparingTest, DAY_MS, HOUR_MS } from './testing.ts';

const books = comparingTest();
const { paid, post, back, nextDay, differences, kinds, runs } = books;

describe('an invalid response of the processor', () => {
  test.each([
    ['nothing', ''],
    ['a page of an error', '<!DOCTYPE html>\n<html><body>Service unavailable, please "try", later</body></html>'],
    ['words', 'The service is not available at this time'],
  ])('with %s keeps known data of that day, does not stop other days and raises an alarm', async (_, bad) => {
    await paid();
    await nextDay();
    const { saleId } = await paid();
    await nextDay();
    const said = vi.spyOn(books.app.ctx.log, 'error').mockImplementation(() => undefined);
    const kept = 'select day::text, subscription_id from processor_exports order by day';
    const before = (await books.app.ctx.db.pool.query(kept)).rows;
    expect(before).toHaveLength(2);
    books.processor.instead = { '20260304': bad };
    books.processor.asked = [];
    await post('Refund', saleId, '10.00');
    back('REFUND', saleId, 1_000);
    await nextDay();
    expect(books.processor.asked.toSorted()).toEqual(['20260304', '20260305', '20260306']);
    expect((await books.app.ctx.db.pool.query(kept)).rows).toEqual([
      ...before,
      { day: '2026-03-06', subscription_id: saleId },
    ]);
    expect(await differences()).toEqual([]);
    expect((await runs()).at(-1)).toMatchObject({
      outcome: 'undone',
      detail: expect.stringMatching(/^2026-03-04: /),
    });
    expect(said.mock.calls.map(([, words]) => words)).toContain(
      'the payment processor answered with what is no export',
    );
    books.processor.instead = {};
    await reconcile(books.app.ctx, books.processor);
    expect((await runs()).at(-1)).toMatchObject({ outcome: 'clean' });
  });
});

describe('an unreachable processor', () => {
  test('is not requested further after three days failed in a row', async () => {
    await paid();
    books.app.clock.advance(30 * DAY_MS);
    books.processor.isAway = true;
    await reconcile(books.app.ctx, books.processor);
    expect(books.processor.asked).toHaveLength(3);
  });

  test('is retried every hour, raises an alarm after days, and missed days are requested later', async () => {
    const { saleId } = await paid();
    await nextDay();
    books.processor.isAway = true;
    const said = vi.spyOn(books.app.ctx.log, 'error').mockImplementation(() => undefined);
    const alarms = () => said.mock.calls.filter(([, words]) => String(words).includes('not been compared')).length;
    await post('Refund', saleId, '20.00');
    await nextDay();
    books.app.clock.advance(HOUR_MS);
    await reconcile(books.app.ctx, books.processor);
    expect((await runs()).at(-1)).toMatchObject({
      comparison: 'processor',
      outcome: 'undone',
      tries: 2,
      detail: expect.stringContaining('503'),
    });
    expect(await differences()).toEqual([]);
    await nextDay();
    await nextDay();
    expect(alarms()).toBe(0);
    await nextDay();
    expect(alarms()).toBeGreaterThan(0);
    books.processor.isAway = false;
    books.processor.asked = [];
    await nextDay();
    expect(books.processor.asked.slice(0, 5)).toEqual(['20260305', '20260306', '20260307', '20260308', '20260309']);
    expect(await kinds()).toEqual(['refundUnknownThere']);
    said.mockClear();
    await nextDay();
    expect(alarms()).toBe(0);
  });
});
