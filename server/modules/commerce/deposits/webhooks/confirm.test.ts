import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { defineJob } from '../../../../platform/jobs/jobs.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../../testing/app.ts';
import { formatArizonaTime } from '../../ccbill/index.ts';
import { buildSaleFields, calculateFormDigest, createProcessorId, postWebhook } from '../../ccbill/testing.ts';
import { createOrder, getDepositRow, listStoredWebhooks, requireCleanLedger } from '../testing.ts';
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

const echo = () =>
  calculateFormDigest(
    { initialPriceCents: 5100, initialPeriodDays: 2, currencyCode: '840' },
    app.ctx.config.payments.salt,
  );
const none = { dynamicPricingValidationDigest: undefined };
const createStatusResponse = (at: Date, more = '') => {
  const signedUp = formatArizonaTime(at).replace(/\D/g, '');
  return new Response(
    `<results><signupDate>${signedUp}</signupDate><subscriptionStatus>1</subscriptionStatus>${more}</results>`,
  );
};

test.each([
  ['an echo of the request’s digest', () => ({ dynamicPricingValidationDigest: echo() })],
  ['no digest', () => none],
])('an approval with %s is credited only after the processor confirmed the sale', async (_, changes) => {
  const pendingResponse = Promise.withResolvers<Response>();
  const fetchSpy = vi.spyOn(globalThis, 'fetch').mockImplementation(() => pendingResponse.promise);
  const { event, id, balance: before } = await sell(changes());
  expect([event?.state, before]).toEqual(['waiting', 0]);
  const running = app.ctx.jobs.runDue(['deposits.confirm']);
  await vi.waitFor(() => expect(fetchSpy).toHaveBeenCalledOnce(), { timeout: 30_000 });
  await sweepWebhooks(app.ctx);
  expect(await balance()).toBe(0);
  pendingResponse.resolve(createStatusResponse(app.clock.now()));
  await running;
  await app.ctx.events.waitUntilIdle();
  fetchSpy.mockRestore();
  expect((await listStoredWebhooks(app, id))[0]?.state).toBe('processed');
  expect(await balance()).toBe(50);
});

test('an unresponsive processor delays only the jobs that query it', async () => {
  const own = await createTestApp();
  const pendingResponse = Promise.withResolvers<Response>();
  const fetchSpy = vi.spyOn(globalThis, 'fetch').mockImplementation(() => pendingResponse.promise);
  try {
    const ran: number[] = [];
    const other = defineJob('test.other', z.object({ n: z.number() }));
    own.ctx.jobs.define(other, async ({ n }) => void ran.push(n));
    const payer = await own.signUp('customer');
    for (let n = 0; n < 6; n += 1) {
      const { dynamicPricingValidationDigest: _, ...fields } = buildSaleFields(
        own,
        await createOrder(own, payer, 50),
        createProcessorId(),
      );
      await postWebhook(own, 'NewSaleSuccess', fields);
    }
    await own.app.start();
    await vi.waitFor(() => expect(fetchSpy.mock.calls.length).toBeGreaterThan(2), { timeout: 30_000 });
    await own.ctx.db.transaction((tx) => own.ctx.jobs.add(tx, other, { n: 1 }));
    await vi.waitFor(() => expect(ran).toEqual([1]), { timeout: 8_000 });
  } finally {
    pendingResponse.resolve(new Response('<results>-3</results>'));
    fetchSpy.mockRestore();
    await own.close();
  }
});

test('an unproven approval is quarantined when the processor does not know it, and waits while it cannot be reached', async () => {
  const fetchSpy = vi.spyOn(globalThis, 'fetch');
  const find = async (id: string) => (await listStoredWebhooks(app, id))[0];
  const confirm = async (id: string) => {
    const before = (await find(id))?.reason;
    for (let tries = 0; (await find(id))?.reason === before; tries += 1) {
      expect(tries).toBeLessThan(20);
      await app.ctx.db.pool.query('update graphile_worker._private_jobs set run_at = now()');
      await app.ctx.jobs.runDue(['deposits.confirm']);
      await app.ctx.events.waitUntilIdle();
    }
  };
  fetchSpy.mockImplementation(async () => new Response('<results>-3</results>'));
  const unknown = await sell(none);
  await confirm(unknown.id);
  expect(await find(unknown.id)).toMatchObject({ state: 'quarantined', reason: 'the processor did not confirm it' });
  fetchSpy.mockImplementation(() => Promise.reject(new TypeError('fetch failed')));
  const unreachable = await sell(none);
  await confirm(unreachable.id);
  expect(await find(unreachable.id)).toMatchObject({ state: 'waiting', reason: 'the processor could not be reached' });
  expect(await balance()).toBe(0);

  fetchSpy.mockImplementation(async () => createStatusResponse(unreachable.deposit.created_at));
  app.clock.advance(120_000);
  await sweepWebhooks(app.ctx);
  await app.ctx.jobs.runDue(['deposits.confirm']);
  await app.ctx.events.waitUntilIdle();
  fetchSpy.mockRestore();
  expect((await find(unreachable.id))?.state).toBe('processed');
  expect(await balance()).toBe(50);
});

test.each([
  [
    'of another time',
    () => createStatusResponse(new Date('2020-01-01T00:00:00Z')),
    'the processor reports a different sale date',
  ],
  [
    'refunded',
    () => createStatusResponse(app.clock.now(), '<refundsIssued>1</refundsIssued>'),
    'the processor reports that it was refunded, voided or charged back',
  ],
])('an unproven approval that the processor reports as %s is quarantined at once', async (_, answer, reason) => {
  const fetchSpy = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => answer());
  const { id } = await sell(none);
  await app.ctx.jobs.runDue(['deposits.confirm']);
  await app.ctx.events.waitUntilIdle();
  fetchSpy.mockRestore();
  expect((await listStoredWebhooks(app, id))[0]).toMatchObject({ state: 'quarantined', reason });
  expect(await balance()).toBe(0);
});

test('an operator can retry an approval that was not confirmed for days', async () => {
  const fetchSpy = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(() => Promise.reject(new TypeError('fetch failed')));
  const { id } = await sell(none);
  const soldAt = app.clock.now();
  app.clock.advance(73 * 60 * 60 * 1000);
  await sweepWebhooks(app.ctx);
  const [event] = await listStoredWebhooks(app, id);
  expect(event?.state).toBe('quarantined');
  fetchSpy.mockImplementation(async () => createStatusResponse(soldAt));
  await decideWebhook(app.ctx, null, event?.id ?? '', { decision: 'retry', reason: 'it is there now' });
  await app.ctx.events.waitUntilIdle();
  await app.ctx.jobs.runDue(['deposits.confirm']);
  await app.ctx.events.waitUntilIdle();
  fetchSpy.mockRestore();
  expect(await balance()).toBe(50);
});
