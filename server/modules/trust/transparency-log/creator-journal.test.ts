import { randomUUID } from 'node:crypto';
import { type Journal, journal } from '@stagedoor/contract/trust/transparency-log.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { refundSale } from '../../commerce/sales/index.ts';
import { createEarnings, createPayee, createPayoutMethod, requestPayoutAs } from '../../finance/payouts/testing.ts';
import { clearDue } from '../../ledger/ledger/index.ts';
import { sequenceRows } from './sequencer.ts';
import { verifyJournal } from './verify.ts';

const reason = 'looked at the papers';
const DAY_MS = 24 * 60 * 60_000;

let app: TestApp;
let creator: TestUser;
let operator: TestUser;
beforeAll(async () => {
  app = await createTestApp({ env: { ACH_BANK: '091000019', ACH_BANK_NAME: 'FRB' } });
  [creator, operator] = [await createPayee(app, 10_000), await app.signUp('operator')];
});
afterAll(() => app.close());

async function exportJournal(user = creator): Promise<Journal> {
  await sequenceRows(app.ctx);
  const response = await user.inject('GET', '/api/wallet/journal/export');
  expect(response.statusCode, response.body).toBe(200);
  return z.parse(journal, response.json());
}
const kindsIn = ({ data }: Journal) => data.map((entry): string => JSON.parse(entry.data.slice(32)).body.kind);
const cents = (usd: number) => Math.round(usd * 100);

async function requireBalance(file: Journal): Promise<void> {
  const { sums, wrong } = verifyJournal(file, file.key);
  const shown = (await creator.inject('GET', '/api/creator/balance')).json();
  expect(wrong).toEqual([]);
  expect([sums.pending ?? 0, sums.available ?? 0, sums.payout_reserved ?? 0, 0 - (sums.receivable ?? 0)]).toEqual(
    [shown.pending, shown.available, shown.reserved, shown.owed].map(cents),
  );
}

async function paidOut(usd: number): Promise<string> {
  creator = await app.logIn(creator);
  const [method] = (await creator.inject('GET', '/api/payout-methods')).json().data;
  const { id } = (await requestPayoutAs(creator, usd, method?.id ?? (await createPayoutMethod(app, creator)).id)).json<{
    id: string;
  }>();
  operator = await app.logIn(operator);
  await operator.inject('POST', `/api/admin/payouts/${id}/decision`, { decision: 'approve', reason });
  await operator.inject('POST', '/api/admin/payout-batches', { rail: 'ach' }, { 'idempotency-key': randomUUID() });
  return id;
}
const step = (id: string, kind: string) =>
  operator.inject('POST', `/api/admin/payouts/${id}/transfer`, { step: kind, reason });

test('sales, clearing, payouts and returned payouts add up to the balance at each step', async () => {
  await requireBalance(await exportJournal());
  const id = await paidOut(40);
  await requireBalance(await exportJournal());
  const sentBalance = (await creator.inject('GET', '/api/creator/balance')).json();
  expect([sentBalance.inTransit, sentBalance.paid]).toEqual([40, 0]);
  await step(id, 'paid');
  const paidBalance = (await creator.inject('GET', '/api/creator/balance')).json();
  expect([paidBalance.inTransit, paidBalance.paid]).toEqual([0, 40]);
  await step(id, 'returned');
  const returnedBalance = (await creator.inject('GET', '/api/creator/balance')).json();
  expect([returnedBalance.inTransit, returnedBalance.paid, returnedBalance.available]).toEqual([0, 0, 100]);
  const file = await exportJournal();
  await requireBalance(file);
  expect(kindsIn(file).toSorted()).toEqual(['clearing', 'payout_failed', 'payout_requested', 'payout_sent', 'tip']);
});

test('a refund after the money was paid out becomes a debt that the journal contains', async () => {
  const { saleId } = await createEarnings(app, creator.id, 10_000);
  creator = await app.logIn(creator);
  const { available } = (await creator.inject('GET', '/api/creator/balance')).json();
  await paidOut(available);
  await app.ctx.db.transaction((tx) =>
    refundSale(tx, { saleId, actorId: operator.id, operationId: randomUUID(), at: app.clock.now() }),
  );
  const owed = await exportJournal();
  await requireBalance(owed);
  expect((await creator.inject('GET', '/api/creator/balance')).json().owed).toBeGreaterThan(0);
  expect(kindsIn(owed)).toContain('sale_refund');
  await createEarnings(app, creator.id, 20_000);
  app.clock.advance(8 * DAY_MS);
  await clearDue(app.ctx.db, app.clock.now());
  creator = await app.logIn(creator);
  await requireBalance(await exportJournal());
});

test('pages neither omit nor repeat entries, and no user sees those of another', async () => {
  const whole = (await exportJournal()).data.map(({ position }) => position);
  const positions: number[] = [];
  for (let offset: string | undefined = '0'; offset !== undefined; ) {
    const page: Journal = (await creator.inject('GET', `/api/wallet/journal?limit=2&offset=${offset}`)).json();
    positions.push(...page.data.map(({ position }) => position));
    offset = page.nextOffset;
  }
  expect(positions).toEqual(whole);
  expect(new Set(positions).size).toBe(positions.length);
  const other = await createPayee(app, 5_000);
  const otherJournal = await exportJournal(other);
  expect(kindsIn(otherJournal)).toEqual(['clearing', 'tip']);
  expect(JSON.stringify(otherJournal)).not.toContain(creator.id);
  const ids = (
    await app.owner.query.selectFrom('ledger_transactions').select('id').where('kind', '=', 'payout_sent').execute()
  ).map(({ id }) => id);
  const loadProofs = async (user: TestUser) =>
    (await user.inject('GET', `/api/wallet/journal/proof-status?ids=${ids.join()}`)).json().data.length;
  expect([await loadProofs(creator), await loadProofs(await app.logIn(other))]).toEqual([ids.length, 0]);
});
