import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { job } from '../../kernel/jobs.ts';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { formDigest } from './ccbill/flexforms.ts';
import { arizonaText } from './ccbill/values.ts';
import { decideEvent } from './desk.ts';
import { sweepEvents } from './process.ts';
import { depositRow, order, postEvent, processorId, requireCleanLedger, saleFields, storedEvents } from './testing.ts';

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

async function balance(of: TestUser = fan): Promise<number> {
  return (await of.inject('GET', '/api/customer/wallet')).json<{ available: number }>().available;
}

async function sell(changes: Record<string, string | undefined>, options: Parameters<typeof postEvent>[3] = {}) {
  await newFan();
  const deposit = await order(app, fan, 50);
  const id = processorId();
  const fields = { ...saleFields(app, deposit, id), ...changes };
  for (const [key, value] of Object.entries(fields)) if (value === undefined) delete fields[key];
  const status = await postEvent(app, 'NewSaleSuccess', fields as Record<string, string>, options);
  const [event] = await storedEvents(app, id);
  return { status, event, deposit: await depositRow(app, deposit.id), balance: await balance(), id };
}

const echo = () =>
  formDigest({ initialPriceCents: 5100, initialPeriodDays: 2, currencyCode: '840' }, app.ctx.config.payments.salt);
const none = { dynamicPricingValidationDigest: undefined };
const known = (at: Date, more = '') => {
  const signedUp = arizonaText(at).replace(/\D/g, '');
  return new Response(
    `<results><signupDate>${signedUp}</signupDate><subscriptionStatus>1</subscriptionStatus>${more}</results>`,
  );
};

test.each([
  ['an echo of the request’s digest', () => ({ dynamicPricingValidationDigest: echo() })],
  ['no digest', () => none],
])('an approval with %s is credited only after the processor confirmed the sale', async (_, changes) => {
  const hung = Promise.withResolvers<Response>();
  const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(() => hung.promise);
  const { event, id, balance: before } = await sell(changes());
  expect([event?.state, before]).toEqual(['waiting', 0]);
  const asking = app.ctx.jobs.runDue(['payments.confirm']);
  await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce(), { timeout: 30_000 });
  await sweepEvents(app.ctx);
  expect(await balance()).toBe(0);
  hung.resolve(known(app.clock.now()));
  await asking;
  await app.ctx.events.settle();
  asked.mockRestore();
  expect((await storedEvents(app, id))[0]?.state).toBe('processed');
  expect(await balance()).toBe(50);
});

test('an unresponsive processor delays only the jobs that query it', async () => {
  const own = await createTestApp();
  const hung = Promise.withResolvers<Response>();
  const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(() => hung.promise);
  try {
    const ran: number[] = [];
    const other = job('test.other', z.object({ n: z.number() }));
    own.ctx.jobs.define(other, async ({ n }) => void ran.push(n));
    const payer = await own.signUp('customer');
    for (let n = 0; n < 6; n += 1) {
      const { dynamicPricingValidationDigest: _, ...fields } = saleFields(
        own,
        await order(own, payer, 50),
        processorId(),
      );
      await postEvent(own, 'NewSaleSuccess', fields);
    }
    await own.app.start();
    await vi.waitFor(() => expect(asked.mock.calls.length).toBeGreaterThan(2), { timeout: 30_000 });
    await own.ctx.db.transaction((tx) => own.ctx.jobs.add(tx, other, { n: 1 }));
    await vi.waitFor(() => expect(ran).toEqual([1]), { timeout: 8_000 });
  } finally {
    hung.resolve(new Response('<results>-3</results>'));
    asked.mockRestore();
    await own.close();
  }
});

test('an unproven approval is quarantined when the processor does not know it or cannot be reached', async () => {
  const asked = vi.spyOn(globalThis, 'fetch');
  asked.mockImplementation(async () => new Response('<results>-3</results>'));
  const unknown = await sell(none);
  asked.mockImplementation(() => Promise.reject(new TypeError('fetch failed')));
  const unasked = await sell(none);
  for (const { id } of [unknown, unasked]) {
    for (let tries = 0; (await storedEvents(app, id))[0]?.state === 'waiting'; tries += 1) {
      expect(tries).toBeLessThan(20);
      await app.ctx.db.pool.query('update graphile_worker._private_jobs set run_at = now()');
      await app.ctx.jobs.runDue(['payments.confirm']);
      await app.ctx.events.settle();
    }
    expect((await storedEvents(app, id))[0]).toMatchObject({
      state: 'quarantined',
      reason: 'the processor did not confirm it',
    });
  }
  asked.mockRestore();
  expect(await balance()).toBe(0);
});

test.each([
  ['of another time', () => known(new Date('2020-01-01T00:00:00Z')), 'the processor reports a different sale date'],
  [
    'given back',
    () => known(app.clock.now(), '<refundsIssued>1</refundsIssued>'),
    'the processor reports that it was refunded, voided or charged back',
  ],
])('an unproven approval that the processor reports as %s is quarantined at once', async (_, answer, reason) => {
  const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => answer());
  const { id } = await sell(none);
  await app.ctx.jobs.runDue(['payments.confirm']);
  await app.ctx.events.settle();
  asked.mockRestore();
  expect((await storedEvents(app, id))[0]).toMatchObject({ state: 'quarantined', reason });
  expect(await balance()).toBe(0);
});

test('an operator can retry an approval that was not confirmed for days', async () => {
  const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.reject(new TypeError('fetch failed')));
  const { id } = await sell(none);
  const soldAt = app.clock.now();
  app.clock.advance(73 * 60 * 60 * 1000);
  await sweepEvents(app.ctx);
  const [event] = await storedEvents(app, id);
  expect(event?.state).toBe('quarantined');
  asked.mockImplementation(async () => known(soldAt));
  await decideEvent(app.ctx, null, event?.id ?? '', { decision: 'retry', ground: 'it is there now' });
  await app.ctx.events.settle();
  await app.ctx.jobs.runDue(['payments.confirm']);
  await app.ctx.events.settle();
  asked.mockRestore();
  expect(await balance()).toBe(50);
});
