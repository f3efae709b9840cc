import type { Journal } from '@stagedoor/contract/trust/transparency-log.ts';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { expect } from 'vitest';
import {
  type DayRange,
  requestStatement,
  type TableRow,
  type TestOwner,
} from '../../modules/finance/statements/testing.ts';
import { verifyJournal } from '../../modules/trust/transparency-log/testing.ts';
import type { TestUser } from '../app.ts';
import type { ModelPayout } from './reference-model.ts';
import type { Simulation } from './simulation.ts';

const cents = (usd: number) => Math.round(usd * 100);
type Page<T> = { data: T[]; nextOffset?: string; totalCount: number };

async function listAll<T>(simulation: Simulation, user: TestUser, path: string): Promise<T[]> {
  const all: T[] = [];
  for (let offset: string | undefined = '0'; offset !== undefined; ) {
    const page: Page<T> = await simulation.requestJson(user, 'GET', `${path}?limit=50&offset=${offset}`);
    all.push(...page.data);
    offset = page.nextOffset;
    if (offset === undefined) expect(all.length).toBe(page.totalCount);
  }
  return all;
}

async function listAllByPage<T>(simulation: Simulation, user: TestUser, path: string): Promise<T[]> {
  const all: T[] = [];
  for (let page = 1; ; page += 1) {
    const { data, totalCount } = await simulation.requestJson<Page<T>>(
      user,
      'GET',
      `${path}?limit=50&currentPage=${page}`,
    );
    all.push(...data);
    if (data.length < 50) {
      expect(all.length).toBe(totalCount);
      return all;
    }
  }
}

const STATES: Readonly<Record<ModelPayout['state'], readonly string[]>> = {
  requested: ['requested', 'inreview'],
  approved: ['approved'],
  sent: ['approved', 'transfered'],
  paid: ['transfered'],
  over: ['rejected', 'cancel'],
};
type ShownPayout = { id: string; status: string; amount: number; fee: number; net: number };
const formatPayouts = (shown: readonly ShownPayout[]) =>
  shown.map(({ id, amount, fee, net }) => [id, ...[amount, fee, net].map(cents)].join(' ')).toSorted();
const formatModelPayouts = (payouts: readonly ModelPayout[]) =>
  payouts.map(({ id, amount, fee }) => [id, amount, fee, amount - fee].join(' ')).toSorted();

function expectStates(shown: readonly ShownPayout[], payouts: readonly ModelPayout[]): void {
  for (const { id, state } of payouts)
    expect([id, state, STATES[state].includes(shown.find((one) => one.id === id)?.status ?? '')]).toEqual([
      id,
      state,
      true,
    ]);
}

export async function expectPayouts(simulation: Simulation, creator: TestUser): Promise<void> {
  const shown = await listAll<ShownPayout>(simulation, creator, '/creator/payouts');
  const own = simulation.model.payouts.filter(({ userId, source }) => userId === creator.id && source === 'earnings');
  expect(formatPayouts(shown)).toEqual(formatModelPayouts(own));
  expectStates(shown, own);
}

export async function expectReferrals(simulation: Simulation, affiliate: TestUser): Promise<void> {
  const { model } = simulation;
  type Referral = { id: string; referredType: string; totalEarnings: number };
  const shown = await listAllByPage<Referral>(simulation, affiliate, `/affiliate/referral-list/${affiliate.id}`);
  const referred = [...model.referrals].filter(([, { affiliateId }]) => affiliateId === affiliate.id);
  const earnedBy = (id: string, side: 'customer' | 'creator') =>
    model.sales
      .filter(({ fanId, creatorId }) => (side === 'customer' ? fanId : creatorId) === id)
      .flatMap(({ commissions }) => commissions.filter((one) => one.side === side && one.affiliateId === affiliate.id))
      .reduce((sum, part) => sum + part.cents - part.refunded, 0);
  expect(shown.map(({ id, totalEarnings }) => `${id} ${cents(totalEarnings)}`).toSorted()).toEqual(
    referred.map(([id, { side }]) => `${id} ${earnedBy(id, side)}`).toSorted(),
  );
  const withdrawn = await listAllByPage<ShownPayout & { type: string }>(
    simulation,
    affiliate,
    '/affiliate/withdrawal-list',
  );
  const payouts = model.payouts.filter(({ userId, source }) => userId === affiliate.id && source === 'referrals');
  const out = withdrawn.filter(({ type }) => type === 'payout');
  expect(formatPayouts(out)).toEqual(formatModelPayouts(payouts));
  expectStates(out, payouts);
  const moved = (model.claims.get(affiliate.id) ?? []).filter(({ payoutId }) => payoutId === null);
  expect(
    withdrawn
      .filter(({ type }) => type === 'balance')
      .map(({ amount }) => cents(amount))
      .toSorted((a, b) => a - b),
  ).toEqual(moved.map(({ customer, creator }) => customer + creator).toSorted((a, b) => a - b));
}

export async function expectJournal(simulation: Simulation, user: TestUser): Promise<void> {
  const { model } = simulation;
  const file = await simulation.requestJson<Journal>(user, 'GET', '/wallet/journal/export');
  const { sums, wrong } = verifyJournal(file, file.key);
  expect(wrong).toEqual([]);
  const sum = (name: string) => sums[name] ?? 0;
  const sumBalances = (prefix: string) => [
    sum(`${prefix}pending`),
    sum(`${prefix}available`),
    sum(`${prefix}payout_reserved`),
    0 - sum(`${prefix}receivable`),
  ];
  const creator = model.creators.get(user.id);
  if (creator)
    expect([user.username, ...sumBalances('')]).toEqual([
      user.username,
      ...[creator.pending, creator.available, creator.reserved, creator.owed],
    ]);
  else {
    const { wallet, owed } = model.fan(user.id);
    expect([user.username, sum('wallet'), 0 - sum('receivable')]).toEqual([user.username, wallet, owed]);
  }
  const { pending, available, reserved, owed } = model.affiliates.get(user.id) ?? {
    ...{ pending: 0, available: 0 },
    ...{ reserved: 0, owed: 0 },
  };
  expect([user.username, ...sumBalances('referrals ')]).toEqual([user.username, pending, available, reserved, owed]);
}

export async function expectPdfStatement(
  owner: TestOwner,
  period: DayRange,
  table: readonly TableRow[],
): Promise<void> {
  const response = await requestStatement(owner, period, 'pdf');
  expect(response.statusCode).toBe(200);
  const loading = getDocument({ data: new Uint8Array(response.rawPayload), verbosity: 0 });
  const document = await loading.promise;
  let text = '';
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent();
    text += items.map((item) => ('str' in item ? item.str : '')).join(' ');
  }
  await loading.destroy();
  const printed = text.replaceAll('−', '-').replaceAll(/[,$+]/g, '');
  for (const row of table.filter(({ Row }) => Row !== 'line'))
    for (const amount of listAmounts(row))
      expect([row.Row, row.Type, amount, printed.includes(amount)]).toEqual([row.Row, row.Type, amount, true]);
}

function listAmounts(row: TableRow): string[] {
  const cells = row.Row === 'total' ? [row.Gross, row.Net] : [row.Balance];
  return cells.flatMap((cell) => (cell === undefined || cell === '' ? [] : [cell]));
}
