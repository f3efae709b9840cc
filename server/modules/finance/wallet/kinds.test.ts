import { randomUUID } from 'node:crypto';
import type { Earning } from '@stagedoor/contract/finance/earnings.ts';
import type { TransactionReceipt, WalletTransaction } from '@stagedoor/contract/finance/wallet.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createPaidDeposit, requireCleanLedger } from '../../commerce/deposits/testing.ts';
import { captureFunds, chargeFanNow, holdFunds, refundSale } from '../../commerce/sales/index.ts';
import { account, getBalance } from '../../ledger/ledger/index.ts';
import { addKind, catchErrorCode } from '../../ledger/ledger/testing.ts';
import { checkLedger } from '../../ledger/ledger-checks/index.ts';

const NOON = new Date('2026-11-18T12:00:00Z');

let app: TestApp;
let fan: TestUser;
let creator: TestUser;

beforeAll(async () => {
  app = await createTestApp({ now: NOON });
  for (const [kind, is_once] of [
    ['serenade', false],
    ['season', true],
  ] as const) {
    await addKind(app.owner, {
      ...{ kind, is_once, title: kind === 'season' ? 'Season pass' : 'Serenade', statement_type: kind },
      fee_account: `rev:platform_fee:${kind}`,
      debits: ['liab:fan:%:wallet'],
      credits: ['liab:creator:%:pending', `rev:platform_fee:${kind}`],
    });
  }
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.set(NOON);
  [fan, creator] = await Promise.all([app.signUp('customer'), app.signUp('creator', { name: 'Inês Valadão' })]);
  await createPaidDeposit(app, fan, 300);
});

const charge = (kind: string, grossCents: number, subjectId?: string) =>
  chargeFanNow(app.ctx.db, {
    ...{ kind, grossCents, subjectId, fanId: fan.id, creatorId: creator.id },
    operationId: randomUUID(),
    at: app.clock.now(),
  });
async function read<T>(by: TestUser, url: string): Promise<T> {
  const response = await by.inject('GET', url);
  expect(response.statusCode).toBe(200);
  return response.json<T>();
}
type Page<T> = { data: T[]; totalCount: number };
const statement = (query = '') => read<Page<WalletTransaction>>(fan, `/api/customer/transaction-history?${query}`);

async function expectWhole({ data }: Page<WalletTransaction>): Promise<void> {
  const sum = data.reduce((total, { amount }) => total + Math.round(amount * 100), 0);
  expect(sum).toBe(await getBalance(app.ctx.db, account.wallet(fan.id)));
  expect(Math.round((data[0]?.balance ?? 0) * 100)).toBe(sum);
}

describe('a kind of sale that exists only as a row', () => {
  test('is charged, listed, counted, refunded and checked', async () => {
    const sold = await charge('serenade', 2_000);
    expect(sold).toMatchObject({ outcome: 'made', feeCents: 200, netCents: 1_800, balanceCents: 28_000 });
    await app.ctx.events.waitUntilIdle();
    expect(await getBalance(app.ctx.db, 'rev:platform_fee:serenade')).toBe(200);

    const lines = await statement();
    expect(lines.data[0]).toMatchObject({
      ...{ id: sold.transactionId, type: 'other', title: 'Serenade to Inês Valadão', amount: -20, balance: 280 },
      otherUser: { id: creator.id },
    });
    await expectWhole(lines);
    expect(await statement('type=other')).toMatchObject({ totalCount: 1, data: [{ id: sold.transactionId }] });
    expect((await statement('type=tip')).data).toEqual([]);
    expect(await read<TransactionReceipt>(fan, `/api/transactions/${sold.transactionId}`)).toMatchObject({
      lines: expect.arrayContaining([{ label: 'Item', value: 'Serenade' }]),
      split: { gross: 20, platformFee: 2, creator: 18 },
    });
    expect(await read<TransactionReceipt>(creator, `/api/transactions/${sold.transactionId}`)).toMatchObject({
      title: `Serenade from ${fan.username}`,
      amount: 18,
    });

    expect(await read<Page<Earning>>(creator, '/api/creator/earnings')).toMatchObject({
      totalCount: 1,
      data: [{ kind: 'serenade', title: 'Serenade', gross: 20, net: 18, isReversed: false }],
    });
    expect(await read(creator, '/api/creator/stats')).toMatchObject({
      earnings: { total: 18, today: 18 },
      transactions: { total: 1 },
    });
    expect(await read(creator, '/api/creator/balance')).toMatchObject({ pending: 18, thisWeek: 18 });
    expect(
      (await read<{ data: { totalEarnings: number }[] }>(creator, '/api/creator/chart')).data.at(-1),
    ).toMatchObject({ totalEarnings: 18, transactionCount: 1 });

    const refund = { saleId: sold.transactionId, actorId: creator.id, operationId: randomUUID(), at: NOON };
    await app.ctx.db.transaction((tx) => refundSale(tx, refund));
    await app.ctx.events.waitUntilIdle();
    expect(await getBalance(app.ctx.db, 'rev:platform_fee:serenade')).toBe(0);
    const after = await statement();
    expect(after.data[0]).toMatchObject({ type: 'refund', title: 'Refund: Serenade to Inês Valadão', amount: 20 });
    await expectWhole(after);
    expect(await read(creator, '/api/creator/stats')).toMatchObject({ earnings: { total: 0 } });
    await requireCleanLedger(app);
  });

  test('can be bought once, and again after a refund, if its row allows it', async () => {
    const season = randomUUID();
    const [first, ...others] = await Promise.all([1, 2, 3, 4].map(() => charge('season', 1_500, season)));
    const all = [first, ...others];
    expect(all.filter((each) => each?.isCreated)).toHaveLength(1);
    expect(new Set(all.map((each) => each?.transactionId)).size).toBe(1);
    expect((await statement()).data[0]).toMatchObject({
      title: 'Season pass',
      detail: 'from Inês Valadão',
      amount: -15,
    });
    const refund = { saleId: first?.transactionId ?? '', actorId: creator.id, operationId: randomUUID(), at: NOON };
    await app.ctx.db.transaction((tx) => refundSale(tx, refund));
    expect(await charge('season', 1_500, season)).toMatchObject({ outcome: 'made' });
    expect(await catchErrorCode(charge('season', 1_500))).toBe('SD400');
    await requireCleanLedger(app);
  });

  test('charges a subscription period once and the next one separately', async () => {
    const [period, next] = [randomUUID(), randomUUID()];
    await charge('subscription', 1_500, period);
    expect(await charge('subscription', 1_500, period)).toMatchObject({ outcome: 'owned' });
    expect(await charge('subscription', 1_500, next)).toMatchObject({ outcome: 'made', balanceCents: 27_000 });
    expect((await statement()).data[0]).toMatchObject({
      ...{ type: 'subscription', title: 'Subscription', detail: 'to Inês Valadão', amount: -15 },
      href: expect.stringMatching(/^\/profile\//),
    });
    expect(await read<Page<Earning>>(creator, '/api/creator/earnings?kind=subscription')).toMatchObject({
      totalCount: 2,
    });
    await requireCleanLedger(app);
  });

  test('is refused without a row or when it is not paid from a wallet', async () => {
    for (const kind of ['ballad', 'deposit', 'sale_refund', 'call'])
      expect(await catchErrorCode(charge(kind, 500, randomUUID()))).toBe('SD400');
    expect((await statement()).data).toHaveLength(1);
    await requireCleanLedger(app);
  });
});

/** Posts a kind without a row, as a newer version of the platform could have done. */
async function postUnknown(cents: number): Promise<void> {
  await app.ctx.db.pool.query(
    `with moved as (update ledger_accounts set balance_cents = balance_cents + $2, lines = lines + 1, last_line_at = greatest(last_line_at, now()),
         max_late_ms = greatest(max_late_ms, (extract(epoch from last_line_at - now()) * 1000)::bigint) where code = $1 returning id, lines, balance_cents),
       bank as (select ledger_account('asset:bank:operating') as id), made as (select uuidv7() as id)
     select ledger_write(made.id, 'mystery', array[bank.id, moved.id], array[$2, -$2]::bigint[], now(),
       p_line_account => moved.id, p_line => moved.lines, p_line_cents => $2::bigint, p_balance => moved.balance_cents,
       p_inflow_account => bank.id, p_inflow_cents => $2::bigint, p_day => current_date, p_items => 0, p_tag => 'mystery') from moved, bank, made`,
    [account.wallet(fan.id), cents],
  );
}

describe('a movement of an unknown kind', () => {
  test('has a generic label with its amount and balance', async () => {
    await postUnknown(1_234);
    await charge('tip', 1_000);
    const lines = await statement();
    expect(lines.totalCount).toBe(3);
    expect(lines.data[1]).toMatchObject({
      ...{ type: 'other', title: 'Other', detail: '', amount: 12.34, balance: 312.34 },
      ...{ otherUser: null, href: null },
    });
    await expectWhole(lines);
    expect(await statement('type=other')).toMatchObject({ totalCount: 1, data: [{ title: 'Other' }] });
    expect((await statement('type=tip')).data).toHaveLength(1);
    const id = lines.data[1]?.id;
    expect(await read<TransactionReceipt>(fan, `/api/transactions/${id}`)).toMatchObject({
      amount: 12.34,
      split: null,
      lines: expect.arrayContaining([{ label: 'Item', value: 'Other' }]),
    });
    const { checks } = await checkLedger(app.ctx.db);
    expect(checks.flatMap(({ wrong }) => wrong)).toEqual([id]);
  });

  test('differs from a hold, which is one row with what it cost', async () => {
    const holdInput = { fanId: fan.id, amountCents: 900, purpose: 'call', operationId: randomUUID() };
    const hold = await app.ctx.db.transaction((tx) => holdFunds(tx, { ...holdInput, expiresAt: NOON, at: NOON }));
    const call = { kind: 'call', holdId: hold.id, creatorId: creator.id, subjectId: null, grossCents: 755, at: NOON };
    await app.ctx.db.transaction((tx) => captureFunds(tx, call));
    const lines = await statement();
    expect(lines).toMatchObject({
      totalCount: 2,
      data: [{ id: hold.id, type: 'call', title: 'Video Call', amount: -7.55 }, { type: 'deposit' }],
    });
    for (const [query, count] of [
      ['minAmount=7.55', 2],
      ['minAmount=7.56', 1],
      ['type=call', 1],
      ['type=hold', 0],
    ] as const)
      expect((await statement(query)).totalCount, query).toBe(count);
    expect(await read<Page<Earning>>(creator, '/api/creator/earnings?kind=call')).toMatchObject({
      data: [{ kind: 'call', title: 'Video Call', gross: 7.55 }],
    });
  });
});
