import { randomUUID } from 'node:crypto';
import { type Journal, journal } from '@stagedoor/contract/trust/transparency-log.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createPaidDeposit } from '../../commerce/deposits/testing.ts';
import { refundSale } from '../../commerce/sales/index.ts';
import { account, clearDue, getBalance } from '../../ledger/ledger/index.ts';
import { sequenceRows } from './sequencer.ts';
import { tamper, tipCreator } from './testing.ts';
import { verifyJournal } from './verify.ts';

const DAY_MS = 24 * 60 * 60_000;
let app: TestApp;
let maker: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  maker = await app.signUp('creator');
});
afterAll(() => app.close());

async function exportJournal(user: TestUser): Promise<Journal> {
  await sequenceRows(app.ctx);
  const response = await user.inject('GET', '/api/wallet/journal/export');
  expect(response.statusCode, response.body).toBe(200);
  return z.parse(journal, response.json());
}
type Body = { id: string; kind: string };
const bodiesIn = ({ data }: Journal) => data.map((entry): Body => JSON.parse(entry.data.slice(32)).body);
const kindsIn = (file: Journal) => bodiesIn(file).map(({ kind }) => kind);

async function signUpReferred(affiliate: TestUser): Promise<TestUser> {
  const { code } = (await affiliate.inject('GET', '/api/affiliate/code')).json();
  app.clock.advance(1_000);
  const fan = await app.signUp('customer', { referralCode: code });
  await app.ctx.events.waitUntilIdle();
  await createPaidDeposit(app, fan, 100);
  return fan;
}

async function requireProven(file: Journal, affiliate: TestUser, others: readonly string[]): Promise<void> {
  const { sums, wrong } = verifyJournal(file, file.key);
  expect(wrong).toEqual([]);
  const readBalance = async (code: string) => getBalance(app.ctx.db, code);
  expect([sums['referrals pending'] ?? 0, sums['referrals available'] ?? 0]).toEqual([
    await readBalance(account.affiliatePending(affiliate.id)),
    await readBalance(account.affiliateAvailable(affiliate.id)),
  ]);
  expect(sums.wallet ?? 0).toBe(await readBalance(account.wallet(affiliate.id)));
  for (const other of others) expect(JSON.stringify(file)).not.toContain(other);
}

test.each(['customer', 'creator'] as const)(
  'the journal of a %s has commissions earned, reversed, cleared and moved',
  async (type) => {
    const affiliate = await app.signUp(type);
    const fan = await signUpReferred(affiliate);
    const sales = [await tipCreator(fan, maker, 40), await tipCreator(fan, maker, 20)];
    const others = [fan.id, maker.id, ...sales];
    const first = await exportJournal(affiliate);
    expect(kindsIn(first)).toEqual(['commission', 'commission']);
    await requireProven(first, affiliate, others);
    expect(first.data.every(({ sealed }) => sealed === null)).toBe(true);

    const [commission] = bodiesIn(first);
    const loadProofs = async (user: TestUser) =>
      (await user.inject('GET', `/api/wallet/journal/proof-status?ids=${commission?.id}`)).json().data;
    expect(await loadProofs(affiliate)).toMatchObject([{ isVerified: true, position: first.data[0]?.position }]);
    expect([await loadProofs(fan), await loadProofs(maker)]).toEqual([[], []]);

    const refundInput = { saleId: sales[0] ?? '', actorId: maker.id, operationId: randomUUID(), at: app.clock.now() };
    await app.ctx.db.transaction((tx) => refundSale(tx, refundInput));
    app.clock.advance(8 * DAY_MS);
    await clearDue(app.ctx.db, app.clock.now());
    const loggedIn = await app.logIn(affiliate);
    if (type === 'customer') {
      const moved = await loggedIn.inject('POST', `/api/customer/deposite-fund-from-refer/${loggedIn.id}`, {
        amount: 1,
      });
      expect(moved.statusCode, moved.body).toBe(200);
    }
    const file = await exportJournal(loggedIn);
    expect(kindsIn(file).toSorted()).toEqual(
      [
        'clearing',
        'commission',
        'commission',
        'commission_return',
        ...(type === 'customer' ? ['commission_deposit'] : []),
      ].toSorted(),
    );
    await requireProven(file, loggedIn, others);
    const sealed = kindsIn(file).filter((_, index) => file.data[index]?.sealed !== null);
    expect(sealed).toEqual(type === 'customer' ? ['commission_deposit'] : []);

    const paged: number[] = [];
    for (let offset: string | undefined = '0'; offset !== undefined; ) {
      const page: Journal = (await loggedIn.inject('GET', `/api/wallet/journal?limit=2&offset=${offset}`)).json();
      paged.push(...page.data.map(({ position }) => position));
      offset = page.nextOffset;
    }
    expect(paged).toEqual(file.data.map(({ position }) => position));
  },
);

test('a rewritten commission is detected by its owner', async () => {
  const affiliate = await app.signUp('creator');
  const fan = await signUpReferred(affiliate);
  await tipCreator(fan, maker, 40);
  const [entry] = bodiesIn(await exportJournal(affiliate));
  await tamper(app, ['update sales_commissions set cents = cents + 1 where id = $1'], entry?.id);
  const response = await affiliate.inject('GET', `/api/wallet/journal/proof-status?ids=${entry?.id}`);
  expect(response.json().data).toMatchObject([{ isVerified: false }]);
  await tamper(app, ['update sales_commissions set cents = cents - 1 where id = $1'], entry?.id);
});
