import { randomUUID } from 'node:crypto';
import { COMPANY_DETAIL_KEYS } from '@stagedoor/contract/admin/company-details.ts';
import { WORK_QUEUE_KINDS, type WorkQueueKind } from '@stagedoor/contract/admin/work-queue.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { buildReversalFields, postWebhook } from '../../commerce/ccbill/testing.ts';
import { createPaidDeposit } from '../../commerce/deposits/testing.ts';
import { createPayee, createPayoutMethod, requestPayoutAs } from '../../finance/payouts/testing.ts';
import { saveRun } from '../../ledger/ledger-checks/index.ts';
import { createCallPair, startTestCall } from '../../messaging/calls/testing.ts';
import { submitReportAs } from '../../trust/moderation/testing.ts';
import { tipTo } from './testing.ts';

let app: TestApp;
let owner: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  owner = await app.signUp('operator');
});
afterAll(() => app.close());

type WorkCounts = Partial<Record<WorkQueueKind, number>>;
async function getCounts(): Promise<WorkCounts> {
  const { data }: { data: { kind: WorkQueueKind; count: number }[] } = (
    await owner.inject('GET', '/api/admin/work-queue')
  ).json();
  return Object.fromEntries(data.map(({ kind, count }) => [kind, count]));
}

const runSql = (text: string, values: unknown[]) => app.owner.pool.query(text, values);
const insertRow = (table: string, row: Readonly<Record<string, unknown>>) =>
  runSql(
    `insert into ${table} (${Object.keys(row).join()}) values (${Object.keys(row).map((_, index) => `$${index + 1}`)})`,
    Object.values(row),
  );
const saveDifference = (comparison: 'sums' | 'processor', kind: 'sumWrong' | 'saleUnknownHere') => {
  const now = app.clock.now();
  const difference = { kind, key: 'it', occurredAt: null, theirsCents: null, oursCents: null, details: {} };
  const run = { comparison, day: now.toISOString().slice(0, 10), isFull: true, startedAt: now, checkedCount: 1 };
  return saveRun(app.ctx, { ...run, result: { differences: [difference], since: null } });
};
const createReport = async () => submitReportAs(await app.signUp('customer'), { user: await app.signUp('creator') });
async function routeCase(queue: 'refunds' | 'copyright'): Promise<void> {
  const { reference } = (await createReport()).json();
  await runSql('update cases set queue = $2 where reference = $1', [reference, queue]);
}
async function requestPayout(): Promise<string> {
  const creator = await createPayee(app, 10_000);
  return (await requestPayoutAs(creator, 30, (await createPayoutMethod(app, creator)).id)).json().id;
}
const approvePayout = async () =>
  runSql("update payouts set status = 'approved' where id = $1", [await requestPayout()]);
async function sendPayout(rail: string, state: string): Promise<{ payoutId: string; sentId: string }> {
  const [payoutId, sentId, batchId] = [await requestPayout(), randomUUID(), randomUUID()];
  const details = { rail, state, item_count: 1, net_cents: 3_000, created_by: owner.id, created_at: app.clock.now() };
  await insertRow('payout_batches', { id: batchId, ...details });
  await runSql("update payouts set status = 'approved', batch_id = $2, sent_transaction_id = $3 where id = $1", [
    ...[payoutId, batchId, sentId],
  ]);
  return { payoutId, sentId };
}
const toDecisionFields = () => ({ reason: 'so it is', at: app.clock.now(), operator_id: owner.id });
const requestApproval = (request: Readonly<Record<string, unknown>>) =>
  insertRow('approval_requests', { id: randomUUID(), ...request, ...toDecisionFields() });
const CREATE_BY_KIND: Readonly<Record<Exclude<WorkQueueKind, 'missingCompanyDetails'>, () => Promise<unknown>>> = {
  alarms: () => saveDifference('sums', 'sumWrong'),
  cases: createReport,
  refunds: () => routeCase('refunds'),
  copyright: () => routeCase('copyright'),
  verifications: async () =>
    runSql("update verifications set status = 'submitted' where creator_id = $1", [(await createPayee(app, 100)).id]),
  payoutsToApprove: requestPayout,
  payoutsToSend: approvePayout,
  payoutBatches: () => sendPayout('paypal', 'unknown'),
  // A claim by one operator expires after a week, and the payee has been waiting for longer.
  payoutsToConfirm: async () => {
    const { payoutId, sentId } = await sendPayout('ach', 'ready');
    const claim = { payout_id: payoutId, sent_transaction_id: sentId, has_arrived: false, step: 'failed' };
    return insertRow('payout_failure_claims', { id: randomUUID(), ...claim, ...toDecisionFields() });
  },
  settingApprovals: () => {
    const setting = { kind: 'setting', subject_id: 'coolingHours', subject_label: 'coolingHours' };
    return requestApproval({ ...setting, payload: { value: 1 } });
  },
  approvals: () => {
    const debt = { kind: 'writeOff', subject_id: randomUUID(), subject_label: '@fan' };
    return requestApproval({ ...debt, payload: {}, amount_cents: 100 });
  },
  payoutWebhooks: () => {
    const webhook = { id: 'WH-1', event_type: 'PAYMENT.PAYOUTS-ITEM.FAILED', state: 'quarantined' };
    return insertRow('payout_webhooks', { ...webhook, received_at: app.clock.now() });
  },
  processorWebhooks: async () => {
    const { saleId } = await createPaidDeposit(app, await app.signUp('customer'), 20);
    return postWebhook(app, 'Refund', buildReversalFields(app, saleId, '999.00'));
  },
  differences: () => saveDifference('processor', 'saleUnknownHere'),
  debtors: async () => {
    const [fan, creator] = [await app.signUp('customer'), await app.signUp('creator')];
    const { deposit, saleId } = await createPaidDeposit(app, fan, 20);
    await tipTo(creator, fan, 20);
    return postWebhook(app, 'Chargeback', buildReversalFields(app, saleId, (deposit.payable_cents / 100).toFixed(2)));
  },
  calls: async () => startTestCall(await createCallPair(app)),
  pushServices: () => {
    const [since, last_at] = [app.clock.now(), app.clock.now()];
    return insertRow('push_service_errors', {
      service: 'push.example',
      kind: 'refused',
      status: 403,
      since,
      last_at,
      pushes: 1,
    });
  },
  staffChanges: async () => {
    const { username } = await app.signUp('customer');
    const body = { username, roles: ['support'], reason: 'we spoke about it' };
    const response = await owner.inject('POST', '/api/admin/staff', body);
    expect(response.statusCode, response.body).toBe(200);
  },
};

test('each kind of waiting work is counted in its own kind only', async () => {
  const initial = await getCounts();
  expect(initial.missingCompanyDetails).toBe(COMPANY_DETAIL_KEYS.length);
  expect(Object.keys(initial)).toEqual([...WORK_QUEUE_KINDS]);
  for (const [kind, createWork] of Object.entries(CREATE_BY_KIND)) {
    const before = await getCounts();
    await createWork();
    const after = await getCounts();
    const changes = WORK_QUEUE_KINDS.map(
      (kindName) => [kindName, (after[kindName] ?? 0) - (before[kindName] ?? 0)] as const,
    );
    expect(changes.filter(([, count]) => count !== 0)).toEqual([[kind, 1]]);
  }
});
