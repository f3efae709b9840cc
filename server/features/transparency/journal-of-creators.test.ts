import { randomUUID } from 'node:crypto';
import { type Journal, journal } from '@stagedoor/contract/transparency.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { clearDue } from '../ledger/index.ts';
import { addMethod, earn, payee, requestIt } from '../payouts/testing.ts';
import { refundSale } from '../sales/index.ts';
import { sequence } from './sequencer.ts';
import { verifyJournal } from './verify.ts';

const ground = 'looked at the papers';
const DAY_MS = 24 * 60 * 60_000;

let app: TestApp;
let creator: TestUser;
let operator: TestUser;
beforeAll(async () => {
  app = await createTestApp({ env: { ACH_BANK: '091000019', ACH_BANK_NAME: 'FRB' } });
  [creator, operator] = [await payee(app, 10_000), await app.signUp('operator')];
});
afterAll(() => app.close());

async function exported(who = creator): Promise<Journal> {
  await sequence(app.ctx);
  const answer = await who.inject('GET', '/api/wallet/journal/export');
  expect(answer.statusCode, answer.body).toBe(200);
  return z.parse(journal, answer.json());
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
  const { id } = (await requestIt(creator, usd, method?.id ?? (await addMethod(app, creator)).id)).json<{
    id: string;
  }>();
  operator = await app.logIn(operator);
  await operator.inject('POST', `/api/admin/payouts/${id}/decision`, { decision: 'approve', ground });
  await operator.inject('POST', '/api/admin/payout-batches', { rail: 'ach' }, { 'idempotency-key': randomUUID() });
  return id;
}
const step = (id: string, what: string) =>
  operator.inject('POST', `/api/admin/payouts/${id}/transfer`, { step: what, ground });

test('sales, clearing, payouts and returned payouts add up to the balance at each step', async () => {
  await requireBalance(await exported());
  const id = await paidOut(40);
  await requireBalance(await exported());
  const way = (await creator.inject('GET', '/api/creator/balance')).json();
  expect([way.onTheWay, way.paid]).toEqual([40, 0]);
  await step(id, 'paid');
  const there = (await creator.inject('GET', '/api/creator/balance')).json();
  expect([there.onTheWay, there.paid]).toEqual([0, 40]);
  await step(id, 'returned');
  const back = (await creator.inject('GET', '/api/creator/balance')).json();
  expect([back.onTheWay, back.paid, back.available]).toEqual([0, 0, 100]);
  const file = await exported();
  await requireBalance(file);
  expect(kindsIn(file).toSorted()).toEqual(['clearing', 'payout_failed', 'payout_requested', 'payout_sent', 'tip']);
});

test('a refund after the money was paid out becomes a debt that the journal contains', async () => {
  const { saleId } = await earn(app, creator.id, 10_000);
  creator = await app.logIn(creator);
  const { available } = (await creator.inject('GET', '/api/creator/balance')).json();
  await paidOut(available);
  await app.ctx.db.transaction((tx) =>
    refundSale(tx, { saleId, actorId: operator.id, operationId: randomUUID(), at: app.clock.now() }),
  );
  const owed = await exported();
  await requireBalance(owed);
  expect((await creator.inject('GET', '/api/creator/balance')).json().owed).toBeGreaterThan(0);
  expect(kindsIn(owed)).toContain('sale_refund');
  await earn(app, creator.id, 20_000);
  app.clock.advance(8 * DAY_MS);
  await clearDue(app.ctx.db, app.clock.now());
  creator = await app.logIn(creator);
  await requireBalance(await exported());
});

test('pages neither omit nor repeat entries, and no user sees those of another', async () => {
  const whole = (await exported()).data.map(({ position }) => position);
  const found: number[] = [];
  for (let offset: string | undefined = '0'; offset !== undefined; ) {
    const page: Journal = (await creator.inject('GET', `/api/wallet/journal?limit=2&offset=${offset}`)).json();
    found.push(...page.data.map(({ position }) => position));
    offset = page.nextOffset;
  }
  expect(found).toEqual(whole);
  expect(new Set(found).size).toBe(found.length);
  const other = await payee(app, 5_000);
  const theirs = await exported(other);
  expect(kindsIn(theirs)).toEqual(['clearing', 'tip']);
  expect(JSON.stringify(theirs)).not.toContain(creator.id);
  const ids = (
    await app.owner.query.selectFrom('ledger_transactions').select('id').where('kind', '=', 'payout_sent').execute()
  ).map(({ id }) => id);
  const places = async (who: TestUser) =>
    (await who.inject('GET', `/api/wallet/journal/places?ids=${ids.join()}`)).json().data.length;
  expect([await places(creator), await places(await app.logIn(other))]).toEqual([ids.length, 0]);
});
