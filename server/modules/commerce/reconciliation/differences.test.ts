import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';
import { reconcile } from './reconcile.ts';

let app: TestApp;
let fan: TestUser;
let operator: TestUser;

beforeAll(async () => {
  app = await createTestApp();
  [fan, operator] = await Promise.all([app.signUp('customer'), app.signUp('operator')]);
  await createDeposit(app.ctx.db, fan.id, 700);
  await reconcile(app.ctx);
});
afterAll(() => app.close());

const list = async (state = 'open') =>
  (await operator.inject('GET', `/api/admin/differences?state=${state}&limit=50`)).json();
const explain = (id: string, reason: string, by = operator) =>
  by.inject('POST', `/api/admin/differences/${id}/explanation`, { reason });
const openIn = async () =>
  (await app.app.http.inject({ method: 'GET', url: '/metrics' })).body
    .split('\n')
    .filter((line) => line.startsWith('stagedoor_ledger_differences_open{'));

test('differences are visible only to operators, explained once with a reason and counted by kind', async () => {
  const { data, totalCount } = await list();
  expect(totalCount).toBe(2);
  const one = data.find(({ kind }: { kind: string }) => kind === 'transactionWithoutOrder');
  expect(one).toMatchObject({
    comparison: 'orders',
    label: 'Transaction without a paid order',
    theirs: null,
    ours: 7,
    state: 'open',
    explanations: [],
  });
  expect(await openIn()).toContain(
    'stagedoor_ledger_differences_open{comparison="orders",kind="transactionWithoutOrder"} 1',
  );
  for (const by of [fan, await app.signUp('creator')]) {
    expect((await by.inject('GET', '/api/admin/differences')).statusCode).toBe(403);
    expect((await by.inject('GET', '/api/admin/reconciliation-runs')).statusCode).toBe(403);
    expect((await explain(one.id, 'it is mine', by)).statusCode).toBe(403);
  }
  expect((await explain(one.id, ' ')).json().error).toMatchObject([{ field: 'reason' }]);
  expect((await explain(randomUUID(), 'of nothing')).statusCode).toBe(404);
  const explained = await explain(one.id, 'a gift of the house, entered by hand');
  expect(explained.json()).toMatchObject({
    state: 'explained',
    explanations: [{ reason: 'a gift of the house, entered by hand' }],
  });
  expect(explained.json().explanations[0].operator).toBeTruthy();
  expect((await explain(one.id, 'once more')).statusCode).toBe(409);
  const log = (await operator.inject('GET', `/api/admin/audit?subjectId=${one.id}`)).json();
  expect(log.data).toMatchObject([
    {
      ...{ action: 'difference.explain', operator: { id: operator.id } },
      details: { kind: 'transactionWithoutOrder', reason: 'a gift of the house, entered by hand' },
    },
  ]);
  expect((await openIn()).join()).not.toContain('transactionWithoutOrder');
  app.clock.advance(86_400_000);
  await reconcile(app.ctx);
  expect((await list('explained')).data.map(({ id }: { id: string }) => id)).toEqual([one.id]);
  const { data: runs } = (await operator.inject('GET', '/api/admin/reconciliation-runs?limit=10')).json();
  expect(runs).toContainEqual(
    expect.objectContaining({ comparison: 'processor', outcome: 'incomplete', detail: 'the sandbox is no processor' }),
  );
});
