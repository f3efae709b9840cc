/** Sales of subscriptions in everything that shows money: wallet, receipts, earnings, statements, commission, journal, export. */
import { type Journal, journal } from '@stagedoor/contract/trust/transparency-log.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { requireCleanLedger } from '../modules/commerce/deposits/testing.ts';
import { startCommission, sumSpending } from '../modules/commerce/sales/index.ts';
import { startSubscription } from '../modules/content/subscriptions/scenes.testing.ts';
import { createTestTier } from '../modules/content/subscriptions/testing.ts';
import { downloadTable, requestStatement } from '../modules/finance/statements/testing.ts';
import { createExport, findExport, unzip } from '../modules/identity/data-export/testing.ts';
import { createDeposit } from '../modules/ledger/ledger/testing.ts';
import { createReportedCase, decideCaseAs } from '../modules/trust/moderation/testing.ts';
import { sequenceRows } from '../modules/trust/transparency-log/index.ts';
import { createTestApp, type TestApp, type TestUser } from './app.ts';

const NOON = new Date('2026-11-18T12:00:00Z');
const YEAR = { from: '2026-01-01', to: '2026-12-31' };

let app: TestApp;
let fan: TestUser;
let creator: TestUser;
let affiliate: TestUser;
let subscriptionId: string;
beforeAll(async () => {
  app = await createTestApp({ now: NOON });
});
afterAll(() => app.close());
beforeEach(async () => {
  [fan, creator, affiliate] = [
    await app.signUp('customer', { name: 'Ada Reyes' }),
    await app.signUp('creator', { name: 'Inês Valadão' }),
    await app.signUp('customer'),
  ];
  const from = app.clock.now();
  const terms = { userId: creator.id, affiliateId: affiliate.id, basisPoints: 100, from };
  await app.ctx.db.transaction((tx) => startCommission(tx, { ...terms, until: new Date('2028-01-01T00:00:00Z') }));
  await createDeposit(app.ctx.db, fan.id, 5_000, { at: from });
  subscriptionId = await startSubscription(fan, await createTestTier(creator, { name: 'Kiln' }));
  await app.ctx.events.waitUntilIdle();
});

const read = async (user: TestUser, path: string) => {
  const response = await user.inject('GET', `/api${path}`);
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
};
const refund = async () => {
  const response = await fan.inject('POST', `/api/customer/subscriptions/${subscriptionId}/refund`);
  expect(response.statusCode, response.body).toBe(200);
  await app.ctx.events.waitUntilIdle();
};
const profile = () => `/profile/${creator.username}`;

describe('the sale of a period', () => {
  test('is in the fan’s history and receipt with the tier and the creator, and leads to the profile', async () => {
    const { data } = await read(fan, '/customer/transaction-history?type=subscription');
    expect(data).toMatchObject([
      { type: 'subscription', title: 'Kiln subscription', detail: 'to Inês Valadão', amount: -12, href: profile() },
    ]);
    const receipt = await read(fan, `/transactions/${data[0].id}`);
    expect(receipt).toMatchObject({ href: profile(), split: { gross: 12, platformFee: 1.2, creator: 10.8 } });
    expect(receipt.lines).toEqual(
      expect.arrayContaining([
        { label: 'Item', value: 'Kiln subscription' },
        { label: 'To', value: 'Inês Valadão' },
      ]),
    );
    await refund();
    expect((await read(fan, '/customer/transaction-history')).data[0]).toMatchObject({
      ...{ type: 'refund', title: 'Refund: Kiln subscription', amount: 12, href: profile() },
    });
  });

  test('is in the creator’s earnings, receipt, chart, fans and balance', async () => {
    const { data } = await read(creator, '/creator/earnings?kind=subscription');
    expect(data).toMatchObject([
      {
        kind: 'subscription',
        title: 'Subscription',
        detail: 'Kiln subscription',
        net: 10.8,
        fan: { name: 'Ada Reyes' },
      },
    ]);
    const receipt = await read(creator, `/transactions/${data[0].id}`);
    expect(receipt).toMatchObject({ title: 'Kiln subscription', detail: 'paid by Ada Reyes', amount: 10.8 });
    const { kinds, total } = await read(creator, '/creator/chart');
    expect(kinds).toContainEqual(
      expect.objectContaining({
        kind: 'subscription',
        label: 'Subscription',
        transactionCount: 1,
        totalEarnings: 10.8,
      }),
    );
    expect(total).toMatchObject({ fansPaid: 12, platformFee: 1.2 });
    const { bestFans, bestPosts } = await read(creator, '/creator/highlights');
    expect([bestFans, bestPosts]).toMatchObject([[{ name: 'Ada Reyes', paid: 12 }], []]);
    expect(await sumSpending(app.ctx.db, fan.id)).toBe(1_200);
    expect(await read(creator, '/creator/balance')).toMatchObject({ pending: 10.8 });
    await refund();
    expect(await read(creator, '/creator/balance')).toMatchObject({ pending: 0 });
    expect((await read(creator, '/creator/earnings')).data[0]).toMatchObject({ isReversed: true, netAfterRefunds: 0 });
  });

  test('is a line and a total of both statements, as CSV and as PDF', async () => {
    for (const [user, side, net] of [
      [fan, 'customer', '-12.00'],
      [creator, 'creator', '10.80'],
    ] as const) {
      const rows = await downloadTable({ user, side }, YEAR);
      const sale = rows.find(({ Row, Type }) => Row === 'line' && Type === 'Subscription');
      expect(sale).toMatchObject({ Details: 'Kiln subscription', Net: net });
      expect(rows.find(({ Row, Type }) => Row === 'total' && Type === 'Subscription')).toMatchObject({ Net: net });
      const pdf = await requestStatement({ user, side }, YEAR, 'pdf');
      expect(pdf.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
    }
  });

  test('earns the referrer of the creator a commission, which a refund reverses', async () => {
    const listCommissions = async () =>
      (
        await app.ctx.db.pool.query(
          'select cents::int, reversed_cents::int from sales_commissions where affiliate_id = $1',
          [affiliate.id],
        )
      ).rows;
    expect(await listCommissions()).toEqual([{ cents: 12, reversed_cents: 0 }]);
    await refund();
    expect(await listCommissions()).toEqual([{ cents: 12, reversed_cents: 12 }]);
    await requireCleanLedger(app);
  });

  test('can be refunded by an operator in a case, which ends the subscription', async () => {
    const caseId = await createReportedCase(app, fan, { user: creator });
    const operator = await app.signUp('operator');
    const { purchases } = await read(operator, `/admin/cases/${caseId}`);
    expect(purchases).toMatchObject([{ title: 'Subscription', amount: 12, canRefund: true }]);
    const decision = await decideCaseAs(operator, caseId, { action: 'refund', sales: [purchases[0].id] });
    expect(decision.statusCode, decision.body).toBe(200);
    await app.ctx.events.waitUntilIdle();
    expect(await read(fan, '/customer/ended-subscriptions')).toMatchObject({ data: [{ endReason: 'refunded' }] });
    expect(await read(fan, '/customer/wallet')).toMatchObject({ available: 50 });
  });

  test('is in the signed journal of both sides', async () => {
    await sequenceRows(app.ctx);
    for (const user of [fan, creator]) {
      const { data }: Journal = z.parse(journal, await read(user, '/wallet/journal/export'));
      const bodies = data.map((entry) => JSON.parse(entry.data.slice(32)).body);
      expect(bodies.find(({ kind }) => kind === 'subscription')).toMatchObject({
        sale: { fan: fan.id, creator: creator.id, subject: expect.any(String) },
      });
    }
  });

  test('is in the fan’s data export with its period', async () => {
    await fan.inject('POST', '/api/account/data-export');
    const row = await findExport(app.ctx.db, fan.id);
    await createExport(app.ctx, { userId: fan.id, id: row?.id ?? '' }, { isLast: true, signal: undefined });
    await fan.inject('POST', '/api/account/data-export/unlock', { currentPassword: fan.password });
    const files = unzip((await fan.inject('GET', '/api/account/data-export/file')).rawPayload);
    expect(JSON.parse(files.get('data/subscriptions.json')?.toString() ?? 'null')).toMatchObject([
      { tier: 'Kiln', price: 12, username: creator.username, periods: [{ price: 12, refunded: 0 }] },
    ]);
  });
});
