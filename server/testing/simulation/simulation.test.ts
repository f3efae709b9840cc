/**
 * Compares a simulation with a reference model, to the cent. `QUARTER_SALES`: sales per day. `QUARTER_SEED`: random
 * seed.
 */
import { toSaleKind } from '@stagedoor/contract/finance/earnings.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPayPal } from '../../modules/finance/payouts/paypal.testing.ts';
import { downloadTable, findProblems, parseCell, type TableRow } from '../../modules/finance/statements/testing.ts';
import { account } from '../../modules/ledger/ledger/index.ts';
import { checkLedger } from '../../modules/ledger/ledger-checks/index.ts';
import { sequenceRows } from '../../modules/trust/transparency-log/index.ts';
import { createTestApp, type TestApp, type TestUser } from '../app.ts';
import { expectJournal, expectPayouts, expectPdfStatement, expectReferrals } from './lists.ts';
import { PayoutSimulation } from './payout-simulation.ts';
import { DAY_MS, type ModelSale, toDay } from './reference-model.ts';
import { END, MARK_DAYS, Simulation, START } from './simulation.ts';

const SALES_A_DAY = Number(process.env.QUARTER_SALES ?? 4);
const SEED = Number(process.env.QUARTER_SEED ?? 20_280_229);
const ENV = { ACH_BANK: '091000019', ACH_BANK_NAME: 'FRB', ACH_ORIGIN: '1234567890', ACH_COMPANY: 'Stagedoor' };

let app: TestApp;
let payPal: Awaited<ReturnType<typeof startPayPal>>;
let simulation: Simulation;
let paying: PayoutSimulation;
beforeAll(async () => {
  payPal = await startPayPal();
  const env = { ...ENV, PAYPAL_URL: payPal.url, PAYPAL_CLIENT_ID: 'client', PAYPAL_CLIENT_SECRET: 'secret' };
  app = await createTestApp({ env, now: new Date(START) });
  simulation = new Simulation(app, payPal, SEED);
  paying = new PayoutSimulation(simulation);
});
afterAll(async () => {
  await app.close();
  await payPal.close();
});

function createInstants(day: number, count: number): number[] {
  const inner = Array.from({ length: count }, () => day + simulation.randomBetween(60_000, DAY_MS - 60_000));
  return [day, ...new Set(inner), day + DAY_MS - 1].toSorted((a, b) => a - b);
}

const CHORES: readonly [hour: number, work: () => Promise<void>][] = [
  [0.001, () => simulation.clear()],
  [3, () => paying.followRules()],
  [9, () => requestRandomPayouts()],
  [11, () => paying.decide()],
  [12, () => ([1, 4].includes(new Date(simulation.now).getUTCDay()) ? paying.send() : Promise.resolve())],
  [14, () => (new Date(simulation.now).getUTCDay() === 3 ? simulation.settle() : Promise.resolve())],
  [15, () => paying.processResults()],
];

async function requestRandomPayouts(): Promise<void> {
  for (const creator of simulation.creators) if (simulation.random() < 0.2) await paying.request(creator, 'earnings');
  for (const affiliate of simulation.affiliates)
    if (simulation.random() < 0.1) await paying.request(affiliate, 'referrals');
  if (simulation.random() < 0.15) await simulation.move();
}

async function runRandomAction(): Promise<void> {
  const chance = simulation.random();
  if (chance < 0.08) await simulation.refund();
  else if (chance < 0.11) await simulation.reverseDeposit();
  else if (chance < 0.2) await simulation.payByCard(simulation.pick(simulation.fans));
  else if (chance < 0.35) await simulation.deposit(simulation.pick(simulation.fans));
  else await simulation.sell(simulation.pick(simulation.fans));
}

async function simulateDay(day: number): Promise<void> {
  const chores = CHORES.map(([hour, work]) => ({ at: day + Math.round((hour * DAY_MS) / 24) + 7, work }));
  const randomActions = createInstants(day, Math.round(SALES_A_DAY * (0.5 + simulation.random()))).map((at) => ({
    at,
    work: runRandomAction,
  }));
  for (const { at, work } of [...chores, ...randomActions].toSorted((a, b) => a.at - b.at)) {
    simulation.setTime(at);
    await work();
  }
  await app.ctx.events.waitUntilIdle();
}

const cents = (usd: number) => Math.round(usd * 100);
const inPeriod = (sales: readonly ModelSale[], prefix: string) =>
  sales.filter(({ at }) => toDay(at).startsWith(prefix));

type Stat = Record<'total' | 'today' | 'yesterday', number>;
type Chart = {
  data: { date?: string; month?: string; year?: string; totalEarnings: number; transactionCount: number }[];
  kinds: { kind: string; totalEarnings: number; transactionCount: number }[];
  total: Record<'fansPaid' | 'platformFee' | 'totalEarnings' | 'transactionCount', number>;
};
type Balance = Record<'pending' | 'available' | 'reserved' | 'inTransit' | 'owed' | 'paid', number>;

async function expectFigures(creator: TestUser): Promise<void> {
  const { model } = simulation;
  const sales = model.listSales(creator.id);
  const [today, yesterday] = [toDay(simulation.now), toDay(simulation.now - DAY_MS)];
  const stats = await simulation.requestJson<Record<'earnings' | 'transactions', Stat>>(
    creator,
    'GET',
    '/creator/stats',
  );
  const parts = { total: sales, today: inPeriod(sales, today), yesterday: inPeriod(sales, yesterday) };
  for (const [name, periodSales] of Object.entries(parts) as [keyof Stat, ModelSale[]][])
    expect([name, cents(stats.earnings[name]), stats.transactions[name]]).toEqual([
      name,
      model.earned(periodSales).net,
      periodSales.length,
    ]);

  for (const period of ['weekly', 'monthly', 'yearly']) {
    const chart = await simulation.requestJson<Chart>(creator, 'GET', `/creator/chart?period=${period}`);
    const keys = chart.data.map(({ date, month, year }) => date ?? month ?? year ?? '');
    expect(keys.at(-1), period).toBe(today.slice(0, keys[0]?.length));
    for (const [index, key] of keys.entries()) {
      const { net, count } = model.earned(inPeriod(sales, key));
      const point = chart.data[index];
      expect([key, cents(point?.totalEarnings ?? -1), point?.transactionCount]).toEqual([key, net, count]);
    }
    const whole = sales.filter(({ at }) => keys.some((key) => toDay(at).startsWith(key)));
    const { net, fees, count } = model.earned(whole);
    const { total } = chart;
    expect([total.totalEarnings, total.platformFee, total.fansPaid].map(cents)).toEqual([net, fees, net + fees]);
    expect(total.transactionCount).toBe(count);
    const byKind = (kind: string) => model.earned(whole.filter((sale) => sale.kind === kind));
    for (const { kind, totalEarnings, transactionCount } of chart.kinds) {
      const totals = byKind(toSaleKind(kind));
      expect([kind, cents(totalEarnings), transactionCount]).toEqual([kind, totals.net, totals.count]);
    }
    const kinds = new Set(chart.kinds.map(({ kind }) => toSaleKind(kind)));
    expect([...new Set(whole.map(({ kind }) => kind))].filter((kind) => !kinds.has(kind))).toEqual([]);
  }

  const shown = await simulation.requestJson<Balance>(creator, 'GET', '/creator/balance');
  const balances = model.getBalances({ userId: creator.id, source: 'earnings' });
  const sumPayouts = (payoutState: 'sent' | 'paid') =>
    model.payouts
      .filter(({ userId, source, state }) => userId === creator.id && source === 'earnings' && state === payoutState)
      .reduce((sum, { amount }) => sum + amount, 0);
  const expected = { ...balances, inTransit: sumPayouts('sent'), paid: sumPayouts('paid') };
  expect(Object.fromEntries(Object.keys(expected).map((name) => [name, cents(shown[name as keyof Balance])]))).toEqual(
    expected,
  );
  const clearing = await simulation.requestJson<{ data: { amount: number }[] }>(creator, 'GET', '/creator/pending');
  expect(clearing.data.reduce((sum, { amount }) => sum + cents(amount), 0)).toBe(balances.pending);
  const overview = await simulation.requestJson<Record<'available' | 'reserved', number>>(
    creator,
    'GET',
    '/creator/payout-overview',
  );
  expect([overview.available, overview.reserved].map(cents)).toEqual([balances.available, balances.reserved]);
}

async function expectTotals(affiliate: TestUser): Promise<void> {
  const { model } = simulation;
  type Shown = Record<'totalEarnings' | 'totalClaimed' | 'eligibleBalance' | 'requestedAmount' | 'pending', number>;
  const totals = await simulation.requestJson<Record<'customer' | 'creator', Shown> & { eligibleBalance: number }>(
    affiliate,
    'GET',
    '/affiliate/total-earning',
  );
  expect(cents(totals.eligibleBalance)).toBe(model.eligible(affiliate.id));
  for (const name of ['customer', 'creator'] as const) {
    const { earned, claimed, requested, pending, eligible } = model.side(affiliate.id, name);
    const { totalEarnings, totalClaimed, requestedAmount, pending: waiting, eligibleBalance } = totals[name];
    expect([name, ...[totalEarnings, totalClaimed, requestedAmount, waiting, eligibleBalance].map(cents)]).toEqual([
      name,
      ...[earned, claimed, requested, pending, eligible],
    ]);
  }
}

async function expectPlatform(): Promise<void> {
  const { model } = simulation;
  const { rows } = await app.ctx.db.pool.query<{ name: string; cents: number }>(
    `select case when code like 'rev:platform_fee:%' then 'fees' else code end as name, sum(ledger_balance(code))::bigint as cents
      from ledger_accounts where code ~ '^(rev|exp):|^asset:(bank|processor):|^liab:payout_clearing:' group by 1`,
  );
  const balances = Object.fromEntries(
    rows.map(({ name, cents: sum }) => [name, Number(sum)]).filter(([, sum]) => sum !== 0),
  );
  const { platform } = model;
  const transit = (kind: string) =>
    model.payouts.reduce((sum, one) => sum + (one.state === 'sent' && one.kind === kind ? one.amount - one.fee : 0), 0);
  const expected = {
    fees: platform.fees,
    'rev:deposit_fee': platform.depositFees,
    'rev:payout_fee': platform.payoutFees,
    'exp:affiliate': platform.commissions,
    'asset:processor:ccbill:clearing': platform.processor,
    'asset:bank:operating': platform.bank,
    'exp:processor_fee': platform.processorFees,
    'exp:chargeback_fee': platform.chargebackFees,
    ...Object.fromEntries(['ach', 'paypal', 'crypto'].map((kind) => [`liab:payout_clearing:${kind}`, transit(kind)])),
  };
  expect(balances).toEqual(Object.fromEntries(Object.entries(expected).filter(([, sum]) => sum !== 0)));
}

async function expectCurrentState(): Promise<void> {
  for (const creator of simulation.creators) await expectFigures(creator);
  for (const affiliate of simulation.affiliates) await expectTotals(affiliate);
  await expectPlatform();
}

const toBalances = (row: TableRow | undefined, names: readonly string[]) => names.map((name) => parseCell(row?.[name]));

async function expectStatements(): Promise<void> {
  const { model, marks, fans, creators } = simulation;
  for (const [index, mark] of marks.slice(0, -1).entries()) {
    const next = marks[index + 1];
    if (!next) continue;
    const to = toDay(Date.parse(next.day) - DAY_MS);
    const period = { from: mark.day, to };
    for (const user of creators) {
      const rows = await downloadTable({ user: await app.logIn(user), side: 'creator' }, period);
      expect(findProblems(rows)).toEqual([]);
      if (index === 1) await expectPdfStatement({ user: await app.logIn(user), side: 'creator' }, period, rows);
      const sold = model.listSales(user.id).filter(({ at }) => toDay(at) >= mark.day && toDay(at) <= to);
      const lines = new Map(rows.map((row) => [row.Transaction, row]));
      for (const sale of sold)
        expect(toBalances(lines.get(sale.id), ['Gross', 'Fee', 'Refunded'])).toEqual([
          sale.gross,
          0 - sale.fee,
          sale.refunded,
        ]);
      for (const [at, row] of [
        [mark, rows[0]],
        [next, rows.find(({ Row }) => Row === 'closing')],
      ] as const) {
        const { pending, available, reserved, owed } = at.creators.get(user.id) ?? {};
        expect(toBalances(row, ['Pending', 'Available', 'Reserved', 'Owed'])).toEqual([
          pending,
          available,
          reserved,
          owed,
        ]);
      }
    }
    for (const user of fans.slice(0, 6)) {
      const rows = await downloadTable({ user: await app.logIn(user), side: 'customer' }, period);
      expect(findProblems(rows)).toEqual([]);
      const ends = [rows[0], rows.find(({ Row }) => Row === 'closing')].map((row) =>
        toBalances(row, ['Available', 'Owed']),
      );
      const balances = [mark, next].map(({ fans: fanBalances }) => fanBalances.get(user.id));
      expect(ends).toEqual(balances.map((balance) => [balance?.wallet, balance?.owed]));
    }
  }
}

type Earning = {
  id: string;
  kind: string;
  gross: number;
  platformFee: number;
  net: number;
  netAfterRefunds: number;
  refunded: number;
  clearedAt: string | null;
};

async function expectEarningLines(creator: TestUser): Promise<void> {
  const { model } = simulation;
  const shown: Earning[] = [];
  for (let offset: string | undefined = '0'; offset !== undefined; ) {
    const page: { data: Earning[]; nextOffset?: string; totalCount: number } = await simulation.requestJson(
      creator,
      'GET',
      `/creator/earnings?limit=50&offset=${offset}`,
    );
    shown.push(...page.data);
    offset = page.nextOffset;
    if (offset === undefined) expect(page.totalCount).toBe(shown.length);
  }
  const expected = model
    .listSales(creator.id)
    .map((sale) => [
      ...[
        sale.id,
        sale.kind,
        sale.gross,
        sale.fee,
        sale.gross - sale.fee,
        model.getNetAfterRefunds(sale),
        sale.refunded,
      ],
      sale.clearedAt && new Date(sale.clearedAt).toISOString(),
    ]);
  const lines = shown.map((one) => [
    ...[one.id, one.kind, ...[one.gross, one.platformFee, one.net, one.netAfterRefunds, one.refunded].map(cents)],
    one.clearedAt,
  ]);
  expect(lines.toSorted()).toEqual(expected.toSorted());

  const exported = await simulation.requestJson<{ data: { data: string }[] }>(creator, 'GET', '/wallet/journal/export');
  type Sold = { grossCents: number; feeCents: number; kind: string };
  type Body = { id: string; sale: Sold | null; legs: { code: string; cents: number }[] };
  const leaves = exported.data.map(({ data }): Body => JSON.parse(data.slice(32)).body);
  const sold = leaves.flatMap(({ id, sale }) => (sale ? [[id, sale.kind, sale.grossCents, sale.feeCents]] : []));
  expect(sold.toSorted()).toEqual(
    model
      .listSales(creator.id)
      .map(({ id, kind, gross, fee }) => [id, kind, gross, fee])
      .toSorted(),
  );
  const sumLegs = (code: string) =>
    leaves.reduce((sum, { legs }) => legs.reduce((all, leg) => all + (leg.code === code ? leg.cents : 0), sum), 0);
  const { pending, available, reserved, owed } = model.getBalances({ userId: creator.id, source: 'earnings' });
  expect([
    0 - sumLegs(account.pending(creator.id)),
    0 - sumLegs(account.available(creator.id)),
    0 - sumLegs(account.reserved(creator.id)),
    sumLegs(account.receivable(creator.id)),
  ]).toEqual([pending, available, reserved, owed]);
}

function listFileAmounts({ rail, text }: PayoutSimulation['batches'][number]): number[] {
  const lines = text.split(/\r?\n/);
  return rail === 'ach'
    ? lines.filter((line) => line.startsWith('6')).map((line) => Number(line.slice(29, 39)))
    : lines.slice(1, -1).map((line) => cents(Number(line.split('","')[1])));
}

function expectFiles(): void {
  const net = ({ amount, fee }: { amount: number; fee: number }) => amount - fee;
  for (const batch of paying.batches) {
    const expected = batch.payouts.map(net).toSorted((a, b) => a - b);
    const amounts =
      batch.rail === 'paypal'
        ? batch.payouts.map(({ id }) => {
            const items = payPal.batches.flatMap((one) => one.items);
            return cents(
              Number(items.find(({ payout_item: item }) => item.sender_item_id === id)?.payout_item.amount.value),
            );
          })
        : listFileAmounts(batch);
    expect(amounts.toSorted((a, b) => a - b)).toEqual(expected);
    if (batch.rail !== 'ach') continue;
    const control = batch.text.split(/\r?\n/).find((line) => line.startsWith('9'));
    expect(Number(control?.slice(43, 55))).toBe(expected.reduce((sum, one) => sum + one, 0));
  }
}

test('a simulated quarter shows the same amounts everywhere as the reference model', async () => {
  await simulation.open({ fans: 12, creators: 5 });
  simulation.mark(START);
  for (let day = START; day < END; day += DAY_MS) {
    if (MARK_DAYS.includes(toDay(day))) {
      await expectCurrentState();
      simulation.mark(day);
    }
    await simulateDay(day);
    if (toDay(day) === '2027-12-31') await paying.setRules();
  }
  simulation.mark(END + 1);
  await expectCurrentState();
  await expectStatements();
  await sequenceRows(app.ctx);
  for (const creator of simulation.creators) {
    await expectEarningLines(creator);
    await expectPayouts(simulation, creator);
  }
  for (const affiliate of simulation.affiliates) await expectReferrals(simulation, affiliate);
  for (const user of [...simulation.creators, ...simulation.fans]) await expectJournal(simulation, user);
  for (const fan of simulation.fans) {
    const { available, owed } = await simulation.requestJson<Record<'available' | 'owed', number>>(
      fan,
      'GET',
      '/customer/wallet',
    );
    expect([available, owed].map(cents)).toEqual(Object.values(simulation.model.fan(fan.id)));
  }
  expectFiles();
  const { checks } = await checkLedger(app.ctx.db);
  expect(checks.filter(({ wrong }) => wrong.length > 0)).toEqual([]);

  const { sales, payouts, creators } = simulation.model;
  expect(new Set(sales.map(({ kind }) => kind)).size).toBe(5);
  expect(new Set(payouts.map(({ state, source }) => `${source} ${state}`)).size).toBeGreaterThan(4);
  expect(paying.confirmedTwice.size).toBeGreaterThan(10);
  expect([...creators.values()].length).toBe(5);
}, 300_000);
