import * as contract from '@stagedoor/contract/finance/earnings.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { TestUser } from '../../../testing/app.ts';
import { createFixture, type TransparencyFixture, tipCreator } from '../../trust/transparency-log/testing.ts';

let world: TransparencyFixture;
let stranger: TestUser;
beforeAll(async () => {
  world = await createFixture();
  stranger = await world.test.signUp('creator');
});
afterAll(() => world.test.close());

async function fetchAs<T>(schema: z.ZodMiniType<T>, path: string, as = world.creator): Promise<T> {
  const response = await as.inject('GET', `/api${path}`);
  expect(response.statusCode, response.body).toBe(200);
  return z.parse(schema, response.json());
}
const getStatusCode = async (path: string, as = world.creator) => (await as.inject('GET', `/api${path}`)).statusCode;

it('the chart shows kinds with the specified labels, and its amounts add up to the total', async () => {
  for (const period of contract.CHART_PERIODS) {
    const { data, kinds, total } = await fetchAs(contract.getEarningsChart.response, `/creator/chart?period=${period}`);
    // The offer fee of 10 % applies to tips of 5 and 7, a post of 12 and media of 9.
    expect(
      kinds.map(({ kind, label, transactionCount, fansPaid, platformFee, totalEarnings }) => [
        kind,
        label,
        transactionCount,
        fansPaid,
        platformFee,
        totalEarnings,
      ]),
    ).toEqual([
      ['video', 'Video Call', 0, 0, 0, 0],
      ['premiumChat', 'Chat Media', 1, 9, 0.9, 8.1],
      ['tip', 'Tip', 2, 12, 1.2, 10.8],
      ['post', 'Post', 1, 12, 1.2, 10.8],
    ]);
    expect(total).toEqual({ transactionCount: 4, fansPaid: 33, platformFee: 3.3, totalEarnings: 29.7 });
    expect(data.at(-1)).toMatchObject({ totalEarnings: 29.7, transactionCount: 4 });
    for (const { earnings } of kinds) expect(earnings).toHaveLength(data.length);
  }
});

it('pending earnings are listed by clearing day, and nothing is paid out yet', async () => {
  const clearsOn = new Date(world.test.clock.now().getTime() + 7 * 86_400_000).toISOString().slice(0, 10);
  const { data } = await fetchAs(contract.listClearingDays.response, '/creator/pending');
  expect(data).toEqual([{ date: clearsOn, transactionCount: 4, amount: 29.7 }]);
  const balance = await fetchAs(contract.getCreatorBalance.response, '/creator/balance');
  expect(balance).toMatchObject({ pending: 29.7, available: 0, reserved: 0, paid: 0, owed: 0 });
  expect((await fetchAs(contract.listClearingDays.response, '/creator/pending', stranger)).data).toEqual([]);
});

it('earnings are filtered by range, own dates and kind, and invalid filters are refused', async () => {
  const today = world.test.clock.now().toISOString().slice(0, 10);
  const old = await tipCreator(world.fan, world.creator, 3);
  const at = (days: number) => new Date(Date.parse(today) - days * 86_400_000);
  const count = async (query: string, as = world.creator) => {
    const { data, totalCount } = await fetchAs(contract.listEarnings.response, `/creator/earnings?${query}`, as);
    expect(data).toHaveLength(Math.min(10, totalCount));
    return totalCount;
  };
  /** Moves the sale into the past, both in the sale and in the daily totals. */
  const move = async (days: number) => {
    const { rows } = await world.test.owner.pool.query(
      `with s as (update sales set created_at = $2 where id = $1 returning creator_id) select creator_id from s`,
      [old, at(days)],
    );
    await world.test.owner.pool.query(`update ledger_inflows set day = $2 where transaction_id = $1`, [old, at(days)]);
    expect(rows).toHaveLength(1);
  };
  for (const [days, month, year] of [
    [0, 5, 5],
    [29, 5, 5],
    [30, 4, 5],
    [364, 4, 5],
    [365, 4, 4],
  ] as const) {
    await move(days);
    expect([days, await count('range=30days'), await count('range=365days'), await count('')]).toEqual([
      days,
      month,
      year,
      5,
    ]);
  }
  const day = at(365).toISOString().slice(0, 10);
  expect(await count('range=today')).toBe(4);
  expect(await count(`startDate=${day}&endDate=${day}`)).toBe(1);
  expect(await count(`startDate=${day}&kind=post`)).toBe(1);
  expect(await count(`range=today&startDate=${day}`)).toBe(4);
  expect(await count(`range=today&endDate=${day}`)).toBe(0);
  expect(await count('', stranger)).toBe(0);
  await move(0);
  for (const query of [
    'range=week',
    'startDate=2026-02-30',
    'startDate=0000-01-01',
    `startDate=${today}&endDate=${day}`,
    'kind=video',
    'limit=51',
    'offset=-1',
  ])
    expect([query, await getStatusCode(`/creator/earnings?${query}`)]).toEqual([query, 400]);
});

it('highlights name the best posts and fans, and spending is shown for each fan', async () => {
  const best = await fetchAs(contract.getCreatorHighlights.response, '/creator/highlights');
  const tips = await fetchAs(contract.listEarnings.response, '/creator/earnings?kind=tip');
  expect(tips.data.map(({ gross }) => gross)).toEqual([7, 5, 3]);
  expect(best.bestPosts).toMatchObject([{ count: 1, paid: 12, earned: 10.8 }]);
  expect(best.bestFans).toMatchObject([{ id: world.fan.id, count: 5, paid: 36 }]);
  const path = `/creator/fan-spending?ids=${world.fan.id},${stranger.id},${world.fan.id}`;
  expect((await fetchAs(contract.listFanSpending.response, path)).data).toEqual([
    { id: world.fan.id, count: 5, spent: 36 },
    { id: stranger.id, count: 0, spent: 0 },
  ]);
  expect((await fetchAs(contract.listFanSpending.response, path, stranger)).data[0]).toMatchObject({ spent: 0 });
  expect(await fetchAs(contract.getCreatorHighlights.response, '/creator/highlights', stranger)).toMatchObject({
    bestFans: [],
  });
  for (const ids of ['', 'x', `${world.fan.id},`, Array(51).fill(world.fan.id).join()])
    expect(await getStatusCode(`/creator/fan-spending?ids=${ids}`)).toBe(400);
  for (const one of [
    `/creator/fan-spending?ids=${world.fan.id}`,
    '/creator/highlights',
    '/creator/pending',
    '/creator/earnings',
  ])
    expect([one, await getStatusCode(one, world.fan)]).toEqual([one, 403]);
});
