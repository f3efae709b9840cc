/**
 * Compares a simulation with a reference model, to the cent. `QUARTER_SALES`: sales per day. `QUARTER_SEED`: random
 * seed.
 */
import { saleKindOf } from '@stagedoor/contract/earnings.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { account, checkLedger } from '../../features/ledger/index.ts';
import { openPayPal } from '../../features/payouts/paypal.testing.ts';
import { type Cells, centsOf, faultsOf, tableOf } from '../../features/statements/testing.ts';
import { sequence } from '../../features/transparency/index.ts';
import { createTestApp, type TestApp, type TestUser } from '../app.ts';
import { Business, END, MARKS, START } from './business.ts';
import { requireJournal, requirePaper, requirePayouts, requireReferrals } from './lists.ts';
import { Paying } from './paying.ts';
import { DAY_MS, dayOf, type Sale } from './reckoning.ts';

const SALES_A_DAY = Number(process.env.QUARTER_SALES ?? 4);
const SEED = Number(process.env.QUARTER_SEED ?? 20_280_229);
const ENV = { ACH_BANK: '091000019', ACH_BANK_NAME: 'FRB', ACH_ORIGIN: '1234567890', ACH_COMPANY: 'Stagedoor' };

let app: TestApp;
let payPal: Awaited<ReturnType<typeof openPayPal>>;
let business: Business;
let paying: Paying;
beforeAll(async () => {
  payPal = await openPayPal();
  const env = { ...ENV, PAYPAL_URL: payPal.url, PAYPAL_CLIENT_ID: 'client', PAYPAL_CLIENT_SECRET: 'secret' };
  app = await createTestApp({ env, now: new Date(START) });
  business = new Business(app, payPal, SEED);
  paying = new Paying(business);
});
afterAll(async () => {
  await app.close();
  await payPal.close();
});

function instantsOf(day: number, count: number): number[] {
  const inner = Array.from({ length: count }, () => day + business.between(60_000, DAY_MS - 60_000));
  return [day, ...new Set(inner), day + DAY_MS - 1].toSorted((a, b) => a - b);
}

const CHORES: readonly [hour: number, work: () => Promise<void>][] = [
  [0.001, () => business.clear()],
  [3, () => paying.followRules()],
  [9, () => requestSome()],
  [11, () => paying.decide()],
  [12, () => ([1, 4].includes(new Date(business.now).getUTCDay()) ? paying.send() : Promise.resolve())],
  [14, () => (new Date(business.now).getUTCDay() === 3 ? business.settle() : Promise.resolve())],
  [15, () => paying.hear()],
];

async function requestSome(): Promise<void> {
  for (const creator of business.creators) if (business.random() < 0.2) await paying.request(creator, 'earnings');
  for (const affiliate of business.affiliates)
    if (business.random() < 0.1) await paying.request(affiliate, 'referrals');
  if (business.random() < 0.15) await business.move();
}

async function act(): Promise<void> {
  const chance = business.random();
  if (chance < 0.08) await business.refund();
  else if (chance < 0.11) await business.takeBack();
  else if (chance < 0.2) await business.payByCard(business.pick(business.fans));
  else if (chance < 0.35) await business.deposit(business.pick(business.fans));
  else await business.sell(business.pick(business.fans));
}

async function liveDay(day: number): Promise<void> {
  const chores = CHORES.map(([hour, work]) => ({ at: day + Math.round((hour * DAY_MS) / 24) + 7, work }));
  const acts = instantsOf(day, Math.round(SALES_A_DAY * (0.5 + business.random()))).map((at) => ({ at, work: act }));
  for (const { at, work } of [...chores, ...acts].toSorted((a, b) => a.at - b.at)) {
    business.goTo(at);
    await work();
  }
  await app.ctx.events.settle();
}

const cents = (usd: number) => Math.round(usd * 100);
const inPeriod = (sales: readonly Sale[], prefix: string) => sales.filter(({ at }) => dayOf(at).startsWith(prefix));

type Stat = Record<'total' | 'today' | 'yesterday', number>;
type Chart = {
  data: { date?: string; month?: string; year?: string; totalEarnings: number; transactionCount: number }[];
  kinds: { kind: string; totalEarnings: number; transactionCount: number }[];
  together: Record<'fansPaid' | 'platformFee' | 'totalEarnings' | 'transactionCount', number>;
};
type Balance = Record<'pending' | 'available' | 'reserved' | 'onTheWay' | 'owed' | 'paid', number>;

async function requireFigures(creator: TestUser): Promise<void> {
  const { books } = business;
  const sales = books.salesOf(creator.id);
  const [today, yesterday] = [dayOf(business.now), dayOf(business.now - DAY_MS)];
  const stats = await business.ask<Record<'earnings' | 'transactions', Stat>>(creator, 'GET', '/creator/stats');
  const parts = { total: sales, today: inPeriod(sales, today), yesterday: inPeriod(sales, yesterday) };
  for (const [name, of] of Object.entries(parts) as [keyof Stat, Sale[]][])
    expect([name, cents(stats.earnings[name]), stats.transactions[name]]).toEqual([
      name,
      books.earned(of).net,
      of.length,
    ]);

  for (const period of ['weekly', 'monthly', 'yearly']) {
    const chart = await business.ask<Chart>(creator, 'GET', `/creator/chart?period=${period}`);
    const keys = chart.data.map(({ date, month, year }) => date ?? month ?? year ?? '');
    expect(keys.at(-1), period).toBe(today.slice(0, keys[0]?.length));
    for (const [index, key] of keys.entries()) {
      const { net, count } = books.earned(inPeriod(sales, key));
      const point = chart.data[index];
      expect([key, cents(point?.totalEarnings ?? -1), point?.transactionCount]).toEqual([key, net, count]);
    }
    const whole = sales.filter(({ at }) => keys.some((key) => dayOf(at).startsWith(key)));
    const { net, fees, count } = books.earned(whole);
    const { together } = chart;
    expect([together.totalEarnings, together.platformFee, together.fansPaid].map(cents)).toEqual([
      net,
      fees,
      net + fees,
    ]);
    expect(together.transactionCount).toBe(count);
    const byKind = (kind: string) => books.earned(whole.filter((sale) => sale.kind === kind));
    for (const { kind, totalEarnings, transactionCount } of chart.kinds) {
      const of = byKind(saleKindOf(kind));
      expect([kind, cents(totalEarnings), transactionCount]).toEqual([kind, of.net, of.count]);
    }
    const kinds = new Set(chart.kinds.map(({ kind }) => saleKindOf(kind)));
    expect([...new Set(whole.map(({ kind }) => kind))].filter((kind) => !kinds.has(kind))).toEqual([]);
  }

  const shown = await business.ask<Balance>(creator, 'GET', '/creator/balance');
  const purse = books.purse({ userId: creator.id, source: 'earnings' });
  const amountOf = (of: 'sent' | 'paid') =>
    books.payouts
      .filter(({ userId, source, state }) => userId === creator.id && source === 'earnings' && state === of)
      .reduce((sum, { amount }) => sum + amount, 0);
  const expected = { ...purse, onTheWay: amountOf('sent'), paid: amountOf('paid') };
  expect(Object.fromEntries(Object.keys(expected).map((name) => [name, cents(shown[name as keyof Balance])]))).toEqual(
    expected,
  );
  const clearing = await business.ask<{ data: { amount: number }[] }>(creator, 'GET', '/creator/pending');
  expect(clearing.data.reduce((sum, { amount }) => sum + cents(amount), 0)).toBe(purse.pending);
  const overview = await business.ask<Record<'available' | 'reserved', number>>(
    creator,
    'GET',
    '/creator/payout-overview',
  );
  expect([overview.available, overview.reserved].map(cents)).toEqual([purse.available, purse.reserved]);
}

async function requireTotals(affiliate: TestUser): Promise<void> {
  const { books } = business;
  type Shown = Record<'totalEarnings' | 'totalClaimed' | 'eligibleBalance' | 'requestedAmount' | 'pending', number>;
  const totals = await business.ask<Record<'customer' | 'creator', Shown> & { eligibleBalance: number }>(
    affiliate,
    'GET',
    '/affiliate/total-earning',
  );
  expect(cents(totals.eligibleBalance)).toBe(books.eligible(affiliate.id));
  for (const name of ['customer', 'creator'] as const) {
    const { earned, claimed, requested, pending, eligible } = books.side(affiliate.id, name);
    const { totalEarnings, totalClaimed, requestedAmount, pending: waiting, eligibleBalance } = totals[name];
    expect([name, ...[totalEarnings, totalClaimed, requestedAmount, waiting, eligibleBalance].map(cents)]).toEqual([
      name,
      ...[earned, claimed, requested, pending, eligible],
    ]);
  }
}

async function requireHouse(): Promise<void> {
  const { books } = business;
  const { rows } = await app.ctx.db.pool.query<{ name: string; cents: number }>(
    `select case when code like 'rev:platform_fee:%' then 'fees' else code end as name, sum(ledger_balance(code))::bigint as cents
      from ledger_accounts where code ~ '^(rev|exp):|^asset:(bank|processor):|^liab:payout_clearing:' group by 1`,
  );
  const found = Object.fromEntries(
    rows.map(({ name, cents: sum }) => [name, Number(sum)]).filter(([, sum]) => sum !== 0),
  );
  const { house } = books;
  const transit = (kind: string) =>
    books.payouts.reduce((sum, one) => sum + (one.state === 'sent' && one.kind === kind ? one.amount - one.fee : 0), 0);
  const expected = {
    fees: house.fees,
    'rev:deposit_fee': house.depositFees,
    'rev:payout_fee': house.payoutFees,
    'exp:affiliate': house.commissions,
    'asset:processor:ccbill:clearing': house.processor,
    'asset:bank:operating': house.bank,
    'exp:processor_fee': house.processorFees,
    'exp:chargeback_fee': house.chargebackFees,
    ...Object.fromEntries(['ach', 'paypal', 'crypto'].map((kind) => [`liab:payout_clearing:${kind}`, transit(kind)])),
  };
  expect(found).toEqual(Object.fromEntries(Object.entries(expected).filter(([, sum]) => sum !== 0)));
}

async function requireNow(): Promise<void> {
  for (const creator of business.creators) await requireFigures(creator);
  for (const affiliate of business.affiliates) await requireTotals(affiliate);
  await requireHouse();
}

const balanceOf = (row: Cells | undefined, names: readonly string[]) => names.map((name) => centsOf(row?.[name]));

async function requireStatements(): Promise<void> {
  const { books, marks, fans, creators } = business;
  for (const [index, mark] of marks.slice(0, -1).entries()) {
    const next = marks[index + 1];
    if (!next) continue;
    const to = dayOf(Date.parse(next.day) - DAY_MS);
    const period = { from: mark.day, to };
    for (const user of creators) {
      const rows = await tableOf({ user: await app.logIn(user), side: 'creator' }, period);
      expect(faultsOf(rows)).toEqual([]);
      if (index === 1) await requirePaper({ user: await app.logIn(user), side: 'creator' }, period, rows);
      const sold = books.salesOf(user.id).filter(({ at }) => dayOf(at) >= mark.day && dayOf(at) <= to);
      const lines = new Map(rows.map((row) => [row.Transaction, row]));
      for (const sale of sold)
        expect(balanceOf(lines.get(sale.id), ['Gross', 'Fee', 'Refunded'])).toEqual([
          sale.gross,
          0 - sale.fee,
          sale.back,
        ]);
      for (const [at, row] of [
        [mark, rows[0]],
        [next, rows.find(({ Row }) => Row === 'closing')],
      ] as const) {
        const { pending, available, reserved, owed } = at.creators.get(user.id) ?? {};
        expect(balanceOf(row, ['Pending', 'Available', 'Reserved', 'Owed'])).toEqual([
          pending,
          available,
          reserved,
          owed,
        ]);
      }
    }
    for (const user of fans.slice(0, 6)) {
      const rows = await tableOf({ user: await app.logIn(user), side: 'customer' }, period);
      expect(faultsOf(rows)).toEqual([]);
      const ends = [rows[0], rows.find(({ Row }) => Row === 'closing')].map((row) =>
        balanceOf(row, ['Available', 'Owed']),
      );
      expect(ends).toEqual([mark, next].map(({ fans: of }) => [of.get(user.id)?.wallet, of.get(user.id)?.owed]));
    }
  }
}

type Earning = {
  id: string;
  kind: string;
  gross: number;
  platformFee: number;
  net: number;
  kept: number;
  givenBack: number;
  clearedAt: string | null;
};

async function requireLines(creator: TestUser): Promise<void> {
  const { books } = business;
  const shown: Earning[] = [];
  for (let offset: string | undefined = '0'; offset !== undefined; ) {
    const page: { data: Earning[]; nextOffset?: string; totalCount: number } = await business.ask(
      creator,
      'GET',
      `/creator/earnings?limit=50&offset=${offset}`,
    );
    shown.push(...page.data);
    offset = page.nextOffset;
    if (offset === undefined) expect(page.totalCount).toBe(shown.length);
  }
  const expected = books
    .salesOf(creator.id)
    .map((sale) => [
      ...[sale.id, sale.kind, sale.gross, sale.fee, sale.gross - sale.fee, books.keptOf(sale), sale.back],
      sale.clearedAt && new Date(sale.clearedAt).toISOString(),
    ]);
  const lines = shown.map((one) => [
    ...[one.id, one.kind, ...[one.gross, one.platformFee, one.net, one.kept, one.givenBack].map(cents)],
    one.clearedAt,
  ]);
  expect(lines.toSorted()).toEqual(expected.toSorted());

  const exported = await business.ask<{ data: { data: string }[] }>(creator, 'GET', '/wallet/journal/export');
  type Sold = { grossCents: number; feeCents: number; kind: string };
  type Body = { id: string; sale: Sold | null; legs: { code: string; cents: number }[] };
  const leaves = exported.data.map(({ data }): Body => JSON.parse(data.slice(32)).body);
  const sold = leaves.flatMap(({ id, sale }) => (sale ? [[id, sale.kind, sale.grossCents, sale.feeCents]] : []));
  expect(sold.toSorted()).toEqual(
    books
      .salesOf(creator.id)
      .map(({ id, kind, gross, fee }) => [id, kind, gross, fee])
      .toSorted(),
  );
  const sumOf = (code: string) =>
    leaves.reduce((sum, { legs }) => legs.reduce((all, leg) => all + (leg.code === code ? leg.cents : 0), sum), 0);
  const { pending, available, reserved, owed } = books.purse({ userId: creator.id, source: 'earnings' });
  expect([
    0 - sumOf(account.pending(creator.id)),
    0 - sumOf(account.available(creator.id)),
    0 - sumOf(account.reserved(creator.id)),
    sumOf(account.receivable(creator.id)),
  ]).toEqual([pending, available, reserved, owed]);
}

function sumsIn({ rail, text }: Paying['batches'][number]): number[] {
  const lines = text.split(/\r?\n/);
  return rail === 'ach'
    ? lines.filter((line) => line.startsWith('6')).map((line) => Number(line.slice(29, 39)))
    : lines.slice(1, -1).map((line) => cents(Number(line.split('","')[1])));
}

function requireFiles(): void {
  const net = ({ amount, fee }: { amount: number; fee: number }) => amount - fee;
  for (const batch of paying.batches) {
    const expected = batch.payouts.map(net).toSorted((a, b) => a - b);
    const told =
      batch.rail === 'paypal'
        ? batch.payouts.map(({ id }) => {
            const items = payPal.batches.flatMap((one) => one.items);
            return cents(
              Number(items.find(({ payout_item: item }) => item.sender_item_id === id)?.payout_item.amount.value),
            );
          })
        : sumsIn(batch);
    expect(told.toSorted((a, b) => a - b)).toEqual(expected);
    if (batch.rail !== 'ach') continue;
    const control = batch.text.split(/\r?\n/).find((line) => line.startsWith('9'));
    expect(Number(control?.slice(43, 55))).toBe(expected.reduce((sum, one) => sum + one, 0));
  }
}

test('a simulated quarter shows the same amounts everywhere as the reference model', async () => {
  await business.open({ fans: 12, creators: 5 });
  business.mark(START);
  for (let day = START; day < END; day += DAY_MS) {
    if (MARKS.includes(dayOf(day))) {
      await requireNow();
      business.mark(day);
    }
    await liveDay(day);
    if (dayOf(day) === '2027-12-31') await paying.setRules();
  }
  business.mark(END + 1);
  await requireNow();
  await requireStatements();
  await sequence(app.ctx);
  for (const creator of business.creators) {
    await requireLines(creator);
    await requirePayouts(business, creator);
  }
  for (const affiliate of business.affiliates) await requireReferrals(business, affiliate);
  for (const user of [...business.creators, ...business.fans]) await requireJournal(business, user);
  for (const fan of business.fans) {
    const { available, owed } = await business.ask<Record<'available' | 'owed', number>>(
      fan,
      'GET',
      '/customer/wallet',
    );
    expect([available, owed].map(cents)).toEqual(Object.values(business.books.fan(fan.id)));
  }
  requireFiles();
  const { checks } = await checkLedger(app.ctx.db);
  expect(checks.filter(({ wrong }) => wrong.length > 0)).toEqual([]);

  const { sales, payouts, creators } = business.books;
  expect(new Set(sales.map(({ kind }) => kind)).size).toBe(5);
  expect(new Set(payouts.map(({ state, source }) => `${source} ${state}`)).size).toBeGreaterThan(4);
  expect(paying.twice.size).toBeGreaterThan(10);
  expect([...creators.values()].length).toBe(5);
}, 300_000);
