import { randomUUID } from 'node:crypto';
import { COMPANY_DETAIL_KEYS } from '@stagedoor/contract/admin/company-details.ts';
import type { WorkQueueKind } from '@stagedoor/contract/admin/work-queue.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createPayee, createPayoutMethod, requestPayoutAs } from '../../finance/payouts/testing.ts';
import { saveRun } from '../../ledger/ledger-checks/index.ts';

let app: TestApp;
let operator: TestUser;
let second: TestUser;
beforeAll(async () => {
  const env = { ACH_BANK: '091000019', ACH_BANK_NAME: 'FRB', ACH_ORIGIN: '1234567890', ACH_COMPANY: 'Stagedoor' };
  app = await createTestApp({ env });
});
afterAll(() => app.close());

const reason = 'looked at the papers';
const decide = (id: string, by: TestUser) =>
  by.inject('POST', `/api/admin/payouts/${id}/decision`, { decision: 'approve', reason });
const read = async (path: string) => (await operator.inject('GET', `/api/admin/${path}`)).json();
type QueueItem = { kind: WorkQueueKind; count: number; since: string | null };
async function getWaiting(): Promise<Partial<Record<WorkQueueKind, string | number>>> {
  const { data }: { data: QueueItem[] } = await read('work-queue');
  return Object.fromEntries(data.flatMap(({ kind, count, since }) => (count > 0 ? [[kind, since ?? count]] : [])));
}

test('a payout appears in the right queue at each step and shows what the decision is based on', async () => {
  const creator = await createPayee(app, 200_000);
  const method = await createPayoutMethod(app, creator);
  [operator, second] = [await app.signUp('operator'), await app.signUp('operator')];
  expect(await getWaiting()).toEqual({ missingCompanyDetails: COMPANY_DETAIL_KEYS.length });
  const emptyDetails = (await read('company')).details;
  const details = Object.fromEntries(COMPANY_DETAIL_KEYS.map((name) => [name, 'said@example.com']));
  await operator.inject('POST', '/api/admin/company', { from: emptyDetails, to: details });
  expect(await getWaiting()).toEqual({});
  const requestedAt = app.clock.now().toISOString();
  const { id } = (await requestPayoutAs(creator, 1_500, method.id)).json();
  expect(await getWaiting()).toEqual({ payoutsToApprove: requestedAt });

  const { number } = (await read('payouts?queue=toApprove')).data[0];
  for (const [query, count] of [
    [`search=${number}`, 1],
    [`search=${creator.username}&queue=toApprove`, 1],
    [`search=${creator.email}&queue=toSend`, 0],
    ['search=PO-999999', 0],
    ['search=nobody.of.this.name', 0],
  ] as const)
    expect([query, (await read(`payouts?${query}`)).totalCount]).toEqual([query, count]);

  expect((await decide(id, operator)).json().status).toBe('inreview');
  expect(await getWaiting()).toHaveProperty('payoutsToApprove');
  expect(await read(`payouts/${id}`)).toMatchObject({
    ...{ approvals: [operator.username], approvalsNeeded: 2, problem: null },
    destination: { addedAt: method.createdAt, usableAt: method.usableAt, problem: null, arrivedCount: 0 },
    verification: { status: 'verified', hasSigned: true },
    history: [
      { label: 'Requested', operator: null, reason: null },
      { label: 'In review', operator: operator.username, reason },
    ],
  });
  expect((await decide(id, second)).json().status).toBe('approved');
  expect(await getWaiting()).toEqual({ payoutsToSend: expect.any(String) });
  expect((await read('payout-rails')).data).toEqual([
    { rail: 'ach', isSetUp: true, count: 1, net: 1_500, onHold: 0 },
    { rail: 'wire', isSetUp: true, count: 0, net: 0, onHold: 0 },
    { rail: 'paypal', isSetUp: false, count: 0, net: 0, onHold: 0 },
    { rail: 'crypto', isSetUp: true, count: 0, net: 0, onHold: 0 },
  ]);
  const sent = await operator.inject(
    'POST',
    '/api/admin/payout-batches',
    { rail: 'ach' },
    { 'idempotency-key': randomUUID() },
  );
  expect(sent.statusCode).toBe(200);
  expect(await getWaiting()).toEqual({});
  expect((await read('payouts?queue=inTransit')).data[0].id).toBe(id);
  const transfer = { step: 'paid', reason };
  expect((await operator.inject('POST', `/api/admin/payouts/${id}/transfer`, transfer)).statusCode).toBe(200);
  const { transactions, destination } = await read(`payouts/${id}`);
  expect(destination.arrivedCount).toBe(1);
  expect(transactions.map(({ title, legs }: { title: string; legs: object[] }) => [title, legs])).toEqual([
    [
      'Payout requested',
      [
        { account: 'Recipient’s available balance', amount: -1_500 },
        { account: 'On hold for payouts', amount: 1_500 },
      ],
    ],
    [
      'Payout sent',
      [
        { account: 'On hold for payouts', amount: -1_500 },
        { account: 'In transit', amount: 1_500 },
      ],
    ],
    [
      'Payout paid',
      [
        { account: 'In transit', amount: -1_500 },
        { account: 'Our bank account', amount: -1_500 },
      ],
    ],
  ]);
});

test('problems of a payout are shown before its approval, and creators and fans see none of it', async () => {
  const creator = await createPayee(app, 10_000);
  const method = await createPayoutMethod(app, creator);
  [operator, second] = [await app.signUp('operator'), await app.signUp('operator')];
  const { id } = (await requestPayoutAs(creator, 30, method.id)).json();
  const day = app.clock.now().toISOString().slice(0, 10);
  const common = { occurredAt: null, theirsCents: null, oursCents: null, details: {} };
  const run = { comparison: 'sums', day, isFull: true, startedAt: app.clock.now(), checkedCount: 1 } as const;
  const result = { differences: [{ kind: 'sumWrong', key: 'a sum', ...common }], since: null } as const;
  await saveRun(app.ctx, { ...run, result: { ...result, differences: [...result.differences] } });
  expect((await read(`payouts/${id}`)).problem).toContain('stopped by a ledger alert');
  const alarmed = await getWaiting();
  expect(alarmed).toMatchObject({ alarms: expect.any(String) });
  expect(alarmed).not.toHaveProperty('differences');
  await saveRun(app.ctx, { ...run, result: { differences: [], since: null } });
  await app.owner.pool.query('update reconciliation_differences set explained_at = now()');
  await app.owner.pool.query("update verifications set status = 'submitted' where creator_id = $1", [creator.id]);
  expect(await read(`payouts/${id}`)).toMatchObject({
    problem: expect.stringContaining('once you’re verified'),
    verification: { status: 'submitted' },
  });
  expect(await getWaiting()).toMatchObject({ verifications: expect.anything(), payoutsToApprove: expect.any(String) });
  for (const path of ['work-queue', `payouts/${id}`])
    expect((await creator.inject('GET', `/api/admin/${path}`)).statusCode).toBe(403);
  expect((await operator.inject('GET', `/api/admin/payouts/${randomUUID()}`)).statusCode).toBe(404);
});
