import { randomUUID } from 'node:crypto';
import type { LedgerAccount, LedgerTotals, LedgerTransaction } from '@stagedoor/contract/admin/ledger.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestUser } from '../../../testing/app.ts';
import { bookSettlement } from '../../commerce/reconciliation/index.ts';
import { refundSale } from '../../commerce/sales/index.ts';
import { makeVerified } from '../../compliance/verification/testing.ts';
import { createPayoutMethod, requestPayoutAs } from '../../finance/payouts/testing.ts';
import { account, clearDue, findOperation, sumInflows } from '../../ledger/ledger/index.ts';
import { sequenceRows } from '../../trust/transparency-log/index.ts';
import {
  calculateRootFromProof,
  createFixture,
  type TransparencyFixture,
  tamper,
  tipCreator,
} from '../../trust/transparency-log/testing.ts';

const DAY_MS = 86_400_000;

let world: TransparencyFixture;
let operator: TestUser;
let payout: { id: string };
beforeAll(async () => {
  world = await createFixture();
  const { test: app, creator, sales } = world;
  operator = await app.signUp('operator');
  const refund = { saleId: sales.firstTip, grossCents: 200, actorId: creator.id, operationId: randomUUID() };
  await app.ctx.db.transaction((tx) => refundSale(tx, { ...refund, at: app.clock.now() }));
  app.clock.advance(8 * DAY_MS);
  await clearDue(app.ctx.db, app.clock.now());
  await tipCreator(world.fan, creator, 40, '=HYPERLINK("http://x")');
  await makeVerified(app.ctx, creator.id);
  const method = await createPayoutMethod(app, creator);
  payout = (await requestPayoutAs(creator, 20, method.id)).json();
  await sequenceRows(app.ctx);
});
afterAll(() => world.test.close());

async function read<T>(path: string, status = 200): Promise<T> {
  const response = await operator.inject('GET', `/api/admin${path}`);
  expect([response.statusCode, response.statusCode === status ? '' : response.body]).toEqual([status, '']);
  return response.json();
}
type LedgerSearchResult = {
  user: { id: string } | null;
  accounts: LedgerAccount[];
  data: { id: string; title: string; amount: number; from: string[]; to: string[] }[];
  nextOffset?: string;
};
const find = (query: string) => read<LedgerSearchResult>(`/ledger?${query}`);
type StatementView = {
  account: LedgerAccount;
  hasLines: boolean;
  data: { id: string; at: string; kind: string; amount: number; balance: number | null }[];
  nextOffset?: string;
};
const cents = (usd: number) => Math.round(usd * 100);

async function readStatement(code: string, query = ''): Promise<StatementView> {
  const all: StatementView['data'] = [];
  for (let offset = '0'; ; ) {
    const page = await read<StatementView>(`/ledger/accounts/${code}?limit=2&offset=${offset}${query}`);
    all.push(...page.data);
    if (page.nextOffset === undefined) return { ...page, data: all };
    offset = page.nextOffset;
  }
}

async function allCodes(): Promise<string[]> {
  const { rows } = await world.test.ctx.db.pool.query<{ code: string }>(
    'select code from ledger_accounts order by code',
  );
  return rows.map(({ code }) => code);
}

describe('a statement', () => {
  test('of every account lists each entry once and adds up to the balance, before and after rollup', async () => {
    const { ctx } = world.test;
    for (const isRolled of [false, true]) {
      if (isRolled) while ((await sumInflows(ctx.db)) > 0) {}
      for (const code of await allCodes()) {
        const { data, account: statementAccount } = await readStatement(code);
        const counted = await ctx.db.pool.query<{ count: number }>(
          'select count(distinct e.transaction_id)::int as count from ledger_entries e join ledger_accounts a on a.id = e.account_id where a.code = $1',
          [code],
        );
        expect([code, data.length, new Set(data.map(({ id }) => id)).size]).toEqual([
          code,
          counted.rows[0]?.count,
          data.length,
        ]);
        expect(data.map(({ at }) => at)).toEqual(
          data
            .map(({ at }) => at)
            .toSorted()
            .toReversed(),
        );
        let balance = cents(statementAccount.balance);
        for (const entry of data) {
          expect([code, entry.id, cents(entry.balance ?? Number.NaN)]).toEqual([code, entry.id, balance]);
          balance -= cents(entry.amount);
        }
        expect([code, balance]).toEqual([code, 0]);
      }
    }
  });

  test('filters by days, kind and amount, and refuses an amount filter where none is supported', async () => {
    const { fan, creator, test: app } = world;
    const wallet = account.wallet(fan.id);
    const fullStatement = await readStatement(wallet);
    const [first, last] = [fullStatement.data.at(-1)?.at.slice(0, 10), app.clock.now().toISOString().slice(0, 10)];
    expect((await readStatement(wallet, `&to=${first}`)).data).toEqual(
      fullStatement.data.filter(({ at }) => at.startsWith(`${first}`)),
    );
    const pending = account.pending(creator.id);
    const early = await readStatement(pending, `&to=${first}`);
    expect(early.data.at(-1)).toMatchObject({ kind: 'tip', amount: 4.5, balance: 4.5 });
    const before = (await readStatement(pending)).data.filter(({ at }) => at.startsWith(`${first}`));
    expect(early.data).toEqual(before);
    expect(
      (await readStatement(wallet, `&from=${last}&to=${last}`)).data.map(({ at }) => at.slice(0, 10)),
    ).not.toContain(first);
    expect((await readStatement(wallet, '&kind=tip')).data.map(({ amount }) => amount)).toEqual([-40, -7, -5]);
    expect((await readStatement(wallet, '&sum=7')).data).toMatchObject([{ id: world.sales.lastTip, amount: -7 }]);
    const tips = await readStatement('rev:platform_fee:tip', '&kind=tip');
    expect(tips.data.map(({ balance }) => balance)).toEqual([null, null, null]);
    await read(`/ledger/accounts/${pending}?sum=7`, 400);
    await read(`/ledger/accounts/${wallet}?from=2026-02-01&to=2026-01-01`, 400);
    await read(`/ledger/accounts/${wallet}?offset=cMDEyMzQ1Njc4OQ`, 400);
    await read(`/ledger/accounts/${account.wallet(randomUUID())}`, 404);
    expect((await fan.inject('GET', `/api/admin/ledger/accounts/${wallet}`)).statusCode).toBe(403);
  });
});

describe('the search', () => {
  test('finds a transaction or a user by any of their identifiers', async () => {
    const { fan, sales, test: app } = world;
    const { rows } = await app.ctx.db.pool.query<{ id: string; order_id: string; ref: string; tx: string }>(
      'select d.id, d.order_id, x.ref, d.transaction_id as tx from deposits d join ledger_external_refs x on x.transaction_id = d.transaction_id',
    );
    const [deposit] = rows;
    const { rows: tips } = await app.ctx.db.pool.query<{ operation_id: string }>(
      'select operation_id from ledger_transactions where id = $1',
      [sales.lastTip],
    );
    const key = tips[0]?.operation_id ?? '';
    expect(await findOperation(app.ctx.db, fan.id, key)).toBe(sales.lastTip);
    for (const [q, id] of [
      [sales.post, sales.post],
      [sales.post.toUpperCase(), sales.post],
      [key, sales.lastTip],
      [deposit?.id, deposit?.tx],
      [deposit?.order_id, deposit?.tx],
      [deposit?.ref, deposit?.tx],
    ])
      expect([q, (await find(`q=${q}`)).data.map((row) => row.id)]).toEqual([q, [id]]);
    for (const q of [payout.id, 'PO-000001', 'po-1'])
      expect((await find(`q=${q}`)).data).toMatchObject([{ title: 'Payout requested', amount: 20 }]);
    for (const q of [fan.id, fan.username, `@${fan.username}`]) {
      const result = await find(`q=${encodeURIComponent(q)}`);
      expect(result.user?.id).toBe(fan.id);
      expect(result.accounts).toMatchObject([
        { code: account.wallet(fan.id), label: 'Fan’s wallet', owner: { id: fan.id } },
      ]);
    }
    expect((await find(`q=${account.depositFee}`)).accounts).toMatchObject([{ owner: null }]);
    expect((await find(`q=${sales.firstTip}`)).data.map(({ title }) => title)).toEqual(['Refund', 'Tip']);
    for (const q of ['nobody.at.all', 'liab:nobody', randomUUID(), '%', 'PO-999999'])
      expect([q, await find(`q=${encodeURIComponent(q)}`)]).toMatchObject([q, { user: null, accounts: [], data: [] }]);
  });

  test('lists by kind, amount and days with pagination, without user names', async () => {
    const { rows } = await world.test.ctx.db.pool.query<{ id: string }>(
      'select id from ledger_transactions order by occurred_at desc, id desc',
    );
    const listedIds: string[] = [];
    for (let offset: string | undefined = '0'; offset !== undefined; ) {
      const page: LedgerSearchResult = await find(`limit=2&offset=${offset}`);
      listedIds.push(...page.data.map(({ id }) => id));
      offset = page.nextOffset;
      for (const text of [world.fan.username, world.creator.username, world.fan.id])
        expect(JSON.stringify(page)).not.toContain(text);
    }
    expect(listedIds.toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
    const tips = await find('kind=tip&limit=2');
    expect(tips.data).toMatchObject([
      {
        title: 'Tip',
        amount: 40,
        from: ['Fan’s wallet'],
        to: ['Creator’s earnings, pending', 'Platform fee: tips'],
      },
      { amount: 7 },
    ]);
    expect((await find(`kind=tip&limit=2&offset=${tips.nextOffset}`)).data).toMatchObject([{ amount: 5 }]);
    expect((await find('sum=12')).data).toMatchObject([{ id: world.sales.post }]);
    expect((await find('sum=12&kind=tip')).data).toEqual([]);
    expect((await find('from=2020-01-01&to=2020-12-31')).data).toEqual([]);
    await read('/ledger?sum=0.001', 400);
    await read('/ledger?offset=5', 400);
  });

  test('audits every view of a user’s money and no other request', async () => {
    const countViews = async () =>
      (await read<{ data: { subjectKind: string; subjectId: string }[] }>('/audit?action=ledger.view&limit=50')).data
        .length;
    const before = await countViews();
    for (const path of [
      '/ledger',
      '/ledger?kind=tip',
      `/ledger?q=${world.sales.post}`,
      '/ledger/accounts',
      '/ledger/accounts/rev:deposit_fee',
    ])
      await read(path);
    expect(await countViews()).toBe(before);
    for (const path of [
      `/ledger?q=${world.fan.username}`,
      `/ledger/transactions/${world.sales.post}`,
      `/ledger/accounts/${account.wallet(world.fan.id)}`,
    ])
      await read(path);
    expect(await countViews()).toBe(before + 3);
  });
});

describe('a transaction', () => {
  test('shows its parties, purpose and reversal, and its log position with a proof that leads to the root', async () => {
    const { sales, fan, creator } = world;
    const tip = await read<LedgerTransaction>(`/ledger/transactions/${sales.firstTip}`);
    expect(tip.label).toBe(
      `@${fan.username} paid $5.00 to @${creator.username}: Tip. The platform keeps $0.50 of it, @${creator.username} gets $4.50.`,
    );
    expect(tip.legs.map(({ label, amount }) => [label, amount])).toEqual([
      ['Fan’s wallet', 5],
      ['Creator’s earnings, pending', -4.5],
      ['Platform fee: tips', -0.5],
    ]);
    expect(tip.details).toContainEqual({ name: 'Note', value: 'For the garden' });
    expect(tip.details).toContainEqual({ name: 'Requested by', value: `@${fan.username}` });
    const [refund] = tip.reversedBy;
    expect(await read<LedgerTransaction>(`/ledger/transactions/${refund?.id}`)).toMatchObject({
      reverses: { id: tip.id, title: 'Tip' },
    });
    const { proof } = tip;
    const path = proof?.path.map((hash) => Buffer.from(hash, 'base64')) ?? [];
    const root = calculateRootFromProof(
      Buffer.from(proof?.leaf ?? '', 'base64'),
      proof?.position ?? -1,
      proof?.size ?? 0,
      path,
    );
    expect([proof?.isVerified, proof?.checkpoint.split('\n')[2]]).toEqual([true, root?.toString('base64')]);
    const [requested] = (await find(`q=${payout.id}`)).data;
    expect(await read<LedgerTransaction>(`/ledger/transactions/${requested?.id}`)).toMatchObject({
      label: `Less: “Creator’s earnings, available” of @${creator.username} $20.00. More: “Reserved for a creator’s payout” of @${creator.username} $20.00.`,
      details: expect.arrayContaining([{ name: 'Payout', value: 'PO-000001, requested' }]),
    });
    expect((await read<LedgerTransaction>(`/ledger/transactions/${sales.post}`)).href).toMatch(/^\/post\//);
    await read(`/ledger/transactions/${randomUUID()}`, 404);
  });
});

describe('the reconciliation', () => {
  test('balances both sides by kind of account, and its CSV runs no formula', async () => {
    const { totals } = await read<{ totals: LedgerTotals }>('/ledger/reconciliation');
    expect(totals.assetsTotal).toBe(totals.liabilitiesTotal);
    for (const [rows, all] of [
      [totals.assets, totals.assetsTotal],
      [totals.liabilities, totals.liabilitiesTotal],
    ] as const)
      expect(rows.reduce((sum, { amount }) => sum + cents(amount), 0)).toBe(cents(all));
    expect(totals.liabilities.find(({ key }) => key === 'liab:fan:*:wallet')).toMatchObject({
      accounts: 1,
      amount: 100 - 5 - 12 - 9 - 7 + 2 - 40,
    });
    const { test: app } = world;
    await app.owner.pool.query(
      `insert into processor_export_days (provider, day, requested_at, changed_at) values ('ccbill', (now() - interval '9 days')::date, now(), now())`,
    );
    const day = app.clock.now().toISOString().slice(0, 10);
    const from = new Date(Date.now() - 9 * DAY_MS).toISOString().slice(0, 10);
    const { days } = await read<{ days: { day: string; sold: { theirs: number | null; ours: number } }[] }>(
      `/ledger/reconciliation?from=${from}&to=${day}`,
    );
    expect(days.reduce((sum, { sold }) => sum + cents(sold.ours), 0)).toBe(10_200);
    expect(days.find((row) => row.day === from)?.sold).toEqual({ theirs: 0, ours: 0 });
    expect(days[0]?.sold.theirs).toBeNull();
    await app.owner.pool.query(
      `insert into reconciliation_differences (comparison, kind, key, details, opened_at, seen_at) values ('orders', '=cmd|/c calc', '@sum', '{}', now(), now())`,
    );
    const file = await operator.inject('GET', '/api/admin/ledger/reconciliation/file');
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(file.body).toContain(`'=cmd|/c calc,,,,,open,'@sum`);
    expect(file.body).not.toMatch(/[\n,][=@]/);
    await app.owner.pool.query("delete from reconciliation_differences where kind like '=%'");
    await read('/ledger/reconciliation?from=2026-02-01&to=2026-01-01', 400);
    await read('/ledger/reconciliation?from=2020-01-01&to=2026-01-01', 400);
  });
});

test('a processor settlement is recorded in the transparency log', async () => {
  const { ctx, clock } = world.test;
  const sums = { bank: 1, fees: 0, chargebackFees: 0 };
  const day = clock.now().toISOString().slice(0, 10);
  const { id } = await bookSettlement(ctx, operator.id, { reference: 'of a week', day, ...sums });
  await sequenceRows(ctx);
  const { rows } = await ctx.db.pool.query('select type from transparency_leaves where row_id = $1', [id]);
  expect(rows).toEqual([{ type: 'decision' }]);
});

describe('an alarm', () => {
  type AlarmsView = {
    data: { id: string; state: string; check: string }[];
    arePayoutsHalted: boolean;
    isChecking: boolean;
  };
  const getAlarms = (query = '') => read<AlarmsView>(`/alarms${query}`);
  const post = (path: string, body?: object) => operator.inject('POST', `/api/admin${path}`, body);
  const runCheck = async () => {
    expect((await post('/alarms/check')).statusCode).toBe(200);
    expect((await getAlarms()).isChecking).toBe(true);
    await world.test.ctx.jobs.runDue(['ledgerExplorer.check']);
  };

  test('is raised by a corrupted row, stops payouts, appears in the metrics and is resolved with a reason', async () => {
    const { test: app, sales } = world;
    expect(await getAlarms()).toMatchObject({ data: [], arePayoutsHalted: false });
    const shift = (by: number) =>
      tamper(
        app,
        [`update ledger_accounts set balance_cents = balance_cents + ${by} where code = $1`],
        account.wallet(world.fan.id),
      );
    const rewrite = (note: string) => tamper(app, [`update sales set note = '${note}' where id = $1`], sales.firstTip);
    await shift(1);
    await rewrite('For the shed');
    await runCheck();
    const { data, arePayoutsHalted } = await getAlarms();
    expect(arePayoutsHalted).toBe(true);
    expect(new Set(data.map(({ state }) => state))).toEqual(new Set(['active']));
    expect(data.map((row) => row.check).join()).toMatch(
      /each balance equals[\s\S]*each leaf|each leaf[\s\S]*each balance equals/,
    );
    expect((await app.inject('GET', '/metrics')).body).toMatch(/stagedoor_ledger_alarms\{state="active"\} [1-9]/);
    const approve = () => post(`/payouts/${payout.id}/decision`, { decision: 'approve', reason: 'all in order' });
    expect((await approve()).statusCode).toBe(409);
    const [first] = data;
    const resolveAlarm = (id = first?.id) =>
      post(`/alarms/${id}/resolution`, { reason: 'a disk that lied; restored from the copy' });
    expect((await resolveAlarm()).json().message).toContain('The last check still failed');

    await shift(-1);
    await rewrite('For the garden');
    expect((await resolveAlarm()).statusCode).toBe(409);
    await runCheck();
    expect(new Set((await getAlarms()).data.map(({ state }) => state))).toEqual(new Set(['passed']));
    expect((await approve()).statusCode).toBe(409);
    expect((await post(`/alarms/${first?.id}/resolution`, { reason: ' ' })).statusCode).toBe(400);
    for (const { id } of data)
      expect((await resolveAlarm(id)).json()).toMatchObject({
        state: 'resolved',
        resolved: { operator: operator.username },
      });
    expect((await resolveAlarm()).statusCode).toBe(409);
    expect((await resolveAlarm(randomUUID())).statusCode).toBe(404);
    expect(await getAlarms()).toMatchObject({ data: [], arePayoutsHalted: false });
    expect((await getAlarms('?view=over')).data.length).toBe(data.length);
    expect((await approve()).statusCode).toBe(200);
    const loggedActions = await read<{ data: { action: string }[] }>('/audit?action=alarm&limit=50');
    expect(loggedActions.data.length).toBe(data.length);
    expect((await world.creator.inject('GET', '/api/admin/alarms')).statusCode).toBe(403);
  });
});
