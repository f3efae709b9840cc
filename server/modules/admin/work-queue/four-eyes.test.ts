import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TestApp, TestUser } from '../../../testing/app.ts';
import { waitForBlockedQueries } from '../../../testing/locks.ts';
import { buildReversalFields, postWebhook } from '../../commerce/ccbill/testing.ts';
import { createPaidDeposit, listStoredWebhooks } from '../../commerce/deposits/testing.ts';
import { account, getBalance } from '../../ledger/ledger/index.ts';
import { checkLedger } from '../../ledger/ledger-checks/index.ts';
import { createReportedCase } from '../../trust/moderation/testing.ts';
import { checkLog, sequenceRows } from '../../trust/transparency-log/index.ts';
import { listWrong, tamper } from '../../trust/transparency-log/testing.ts';
import {
  closeApprovalTest,
  createApprovalTest,
  decideApprovalAs,
  listApprovalsAs,
  REASON,
  refund,
  tipTo,
  writeOff,
} from './testing.ts';

const reason = REASON;
const DAY_MS = 24 * 60 * 60_000;

let app: TestApp;
let owner: TestUser;
let second: TestUser;
let fan: TestUser;
let creator: TestUser;
beforeEach(async () => {
  ({ app, owner, second, fan, creator } = await createApprovalTest());
});
afterEach(() => closeApprovalTest({ app }));

const getApprovals = (by = owner) => listApprovalsAs(by);
const decide = decideApprovalAs;
const wallet = () => getBalance(app.ctx.db, account.wallet(fan.id));
const countPendingApprovals = async () =>
  (await owner.inject('GET', '/api/admin/work-queue'))
    .json()
    .data.find(({ kind }: { kind: string }) => kind === 'approvals').count;
const getMessage = ({ json }: { json: () => { message?: string } }) => json().message;

const tip = (amount: number) => tipTo(creator, fan, amount);
const reportCase = () => createReportedCase(app, fan, { user: creator, type: 'profile', typeId: creator.id });

test('a large refund waits for confirmation by another operator and is then made once', async () => {
  await createPaidDeposit(app, fan, 200);
  const saleId = await tip(160);
  const id = await reportCase();
  const responses = await Promise.all([refund(owner, id, [saleId]), refund(owner, id, [saleId])]);
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  expect(responses[0]?.json()).toMatchObject({
    decisions: [],
    pendingApproval: { amount: 160, operator: owner.username, reason },
  });
  expect([await wallet(), await countPendingApprovals()]).toEqual([4_000, 1]);
  const [approval] = (await getApprovals(second)).data;
  expect(approval).toMatchObject({ kind: 'refund', amount: 160, operator: owner.username });
  await app.ctx.db.query.updateTable('cases').set({ queue: 'refunds' }).where('id', '=', id).execute();
  expect(getMessage(await refund(second, id, [saleId]))).toBe('Part of this is already awaiting second approval.');
  const ownDecision = await decide(owner, approval?.id);
  expect([ownDecision.statusCode, getMessage(ownDecision)]).toEqual([
    409,
    'You requested this. Another staff member must confirm it.',
  ]);
  const decisions = await Promise.all([decide(second, approval?.id), decide(second, approval?.id)]);
  expect(decisions.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
  expect([await wallet(), await countPendingApprovals()]).toEqual([20_000, 0]);
  expect(await getApprovals()).toMatchObject({
    data: [],
    decided: [{ id: approval?.id, kind: 'refund', amount: 160, outcome: 'confirmed', decidedBy: second.username }],
  });
  expect((await owner.inject('GET', `/api/admin/cases/${id}`)).json()).toMatchObject({
    pendingApproval: null,
    decisions: [{ action: 'refund', operator: owner.username }],
  });
  const log = (await owner.inject('GET', `/api/admin/audit?subjectId=${id}&action=case.refund`)).json().data;
  expect(log).toMatchObject([{ details: { cents: 16_000, confirmedBy: second.id } }]);
});

test('a request is not confirmed by an operator who loses the right while the confirmation waits', async () => {
  await createPaidDeposit(app, fan, 200);
  const id = await reportCase();
  await refund(owner, id, [await tip(160)]);
  const [approval] = (await getApprovals(second)).data;
  const blockingClient = await app.owner.pool.connect();
  try {
    await blockingClient.query('begin');
    await blockingClient.query(`select from users where type = 'operator' order by id for update`);
    const confirmation = decide(second, approval?.id);
    await waitForBlockedQueries(app);
    await blockingClient.query(`update users set operator_roles = '{support}' where id = $1`, [second.id]);
    await blockingClient.query('commit');
    expect((await confirmation).statusCode).toBe(403);
  } finally {
    blockingClient.release();
  }
  expect([await wallet(), await countPendingApprovals()]).toEqual([4_000, 1]);
});

test('a refused or withdrawn request has no effect and can be made again', async () => {
  await createPaidDeposit(app, fan, 200);
  const saleId = await tip(160);
  const id = await reportCase();
  for (const by of [second, owner]) {
    expect((await refund(owner, id, [saleId])).statusCode).toBe(200);
    const [approval] = (await getApprovals()).data;
    expect((await decide(by, approval?.id, 'refuse')).json()).toMatchObject({
      data: [],
      decided: expect.arrayContaining([
        expect.objectContaining({ id: approval?.id, outcome: 'refused', decidedBy: by.username }),
      ]),
    });
    expect((await decide(second, approval?.id)).statusCode).toBe(409);
  }
  expect([await wallet(), (await getApprovals()).decided.length]).toEqual([4_000, 2]);
});

test('refunds that one operator made alone within a day count together', async () => {
  await createPaidDeposit(app, fan, 250);
  const sales = [await tip(60), await tip(40), await tip(30)];
  const id = await reportCase();
  for (const sale of sales) expect((await refund(owner, id, [sale])).statusCode).toBe(200);
  expect([await wallet(), (await getApprovals()).data.map(({ amount }) => amount)]).toEqual([22_000, [30]]);
  await decide(owner, (await getApprovals()).data[0]?.id, 'refuse');
  app.clock.advance(DAY_MS - 1);
  owner = await app.logIn(owner);
  expect((await refund(owner, id, [sales[2] ?? ''])).json()).toMatchObject({ pendingApproval: { amount: 30 } });
  await decide(owner, (await getApprovals()).data[0]?.id, 'refuse');
  app.clock.advance(1);
  expect((await refund(owner, id, [sales[2] ?? ''])).json()).toMatchObject({ pendingApproval: null });
  expect(await wallet()).toBe(25_000);
});

test('write-offs and withdrawn chargebacks need two operators, and a debt that has grown is not written off', async () => {
  const { deposit, saleId } = await createPaidDeposit(app, fan, 200);
  const other = await createPaidDeposit(app, fan, 50);
  await tip(190);
  await postWebhook(app, 'Chargeback', buildReversalFields(app, saleId, (deposit.payable_cents / 100).toFixed(2)));
  const requestWriteOff = (by: TestUser) => writeOff(by, fan);
  const owed = () => getBalance(app.ctx.db, account.owed(fan.id));
  expect(await owed()).toBe(14_000);
  expect((await requestWriteOff(owner)).json()).toMatchObject({
    owed: 140,
    decisions: [],
    pendingApproval: { subjectLabel: `@${fan.username}` },
  });
  await postWebhook(
    app,
    'Chargeback',
    buildReversalFields(app, other.saleId, (other.deposit.payable_cents / 100).toFixed(2)),
  );
  const [approval] = (await getApprovals()).data;
  expect(getMessage(await decide(second, approval?.id))).toBe('The debt has grown. Reject this and request it again.');
  await decide(second, approval?.id, 'refuse');

  const [webhook] = (await listStoredWebhooks(app, saleId)).filter(({ event_type: type }) => type === 'Chargeback');
  const wonResponse = await owner.inject('POST', `/api/admin/processor-webhooks/${webhook?.id}/decision`, {
    decision: 'won',
    reason,
  });
  expect(wonResponse.json()).toMatchObject({
    state: 'processed',
    pendingApproval: { kind: 'won', operator: owner.username },
  });
  expect(await owed()).toBe(19_000);
  await decide(second, (await getApprovals()).data[0]?.id);
  expect([await owed(), await wallet()]).toEqual([0, 1_000]);
  app.clock.advance(60_000);
  await postWebhook(app, 'Chargeback', buildReversalFields(app, saleId, (deposit.payable_cents / 100).toFixed(2)));
  expect((await requestWriteOff(owner)).json()).toMatchObject({ owed: 190 });
  expect((await decide(second, (await getApprovals()).data[0]?.id)).statusCode).toBe(200);
  expect(await owed()).toBe(0);
});

test('an operator alone with money rights proceeds alone, which is logged, and a new one cannot be the second', async () => {
  await app.ctx.db.query.deleteFrom('sessions').where('user_id', '=', second.id).execute();
  await app.ctx.db.query
    .updateTable('users')
    .set({ operator_roles: ['support'] })
    .where('id', '=', second.id)
    .execute();
  await createPaidDeposit(app, fan, 200);
  const saleId = await tip(160);
  const id = await reportCase();
  expect((await refund(owner, id, [saleId])).json()).toMatchObject({ pendingApproval: null });
  expect(await wallet()).toBe(20_000);
  const log = (await owner.inject('GET', `/api/admin/audit?subjectId=${id}&action=case.refund`)).json().data;
  expect(log).toMatchObject([{ details: { alone: true } }]);

  const invited = await app.signUp('operator', { roles: ['support'] });
  const roles = { from: ['support'], to: ['finance'], reason };
  expect((await owner.inject('PUT', `/api/admin/staff/${invited.id}`, roles)).statusCode).toBe(200);
  const nextSale = await tip(160);
  const newOperator = await app.logIn(invited);
  const refusedRefund = await refund(newOperator, id, [nextSale]);
  expect([refusedRefund.statusCode, getMessage(refusedRefund)]).toEqual([
    409,
    expect.stringContaining('You can approve it from'),
  ]);
  expect((await getApprovals()).data).toEqual([]);
  expect((await refund(owner, id, [nextSale])).statusCode).toBe(200);
  const response = await decide(newOperator, (await getApprovals()).data[0]?.id);
  expect([response.statusCode, getMessage(response)]).toEqual([
    409,
    expect.stringContaining('You can approve it from'),
  ]);
});

test('manipulated approval requests are detected in the ledger check and in the log', async () => {
  await createPaidDeposit(app, fan, 250);
  const [small, large, other] = [await tip(60), await tip(110), await tip(45)];
  const id = await reportCase();
  for (const [sale, decision] of [[small], [large, 'confirm'], [other, 'refuse']] as const) {
    expect((await refund(owner, id, [sale])).statusCode).toBe(200);
    if (decision) expect((await decide(second, (await getApprovals()).data[0]?.id, decision)).statusCode).toBe(200);
  }
  await sequenceRows(app.ctx);
  const findProblemsAfter = async (change: string) => {
    await app.owner.pool.query('create table backup as select * from approval_requests');
    await tamper(app, [change]);
    const problems = [listWrong(await checkLedger(app.ctx.db)), listWrong(await checkLog(app.ctx))].flatMap(
      Object.keys,
    );
    await app.owner.pool.query(
      'delete from approval_requests; insert into approval_requests select * from backup; drop table backup',
    );
    return problems;
  };
  const LEDGER_CHECK =
    'each approval ended as the audit log says: below the limit by its requester, otherwise confirmed by a different operator';
  const LOG_CHECK = 'each leaf of the log matches its row';
  const updateWhere = (assignment: string, outcome: string) =>
    `update approval_requests set ${assignment} where outcome = '${outcome}'`;
  expect(await findProblemsAfter(updateWhere('ended_by = operator_id', 'confirmed'))).toEqual([LEDGER_CHECK]);
  expect(await findProblemsAfter(updateWhere('ended_by = operator_id', 'refused'))).toEqual([LEDGER_CHECK]);
  expect(await findProblemsAfter(updateWhere(`outcome = 'refused'`, 'confirmed'))).toEqual([LEDGER_CHECK]);
  expect(await findProblemsAfter(updateWhere('outcome = null, ended_at = null, ended_by = null', 'refused'))).toEqual([
    LEDGER_CHECK,
  ]);
  expect(await findProblemsAfter(updateWhere(`ended_at = ended_at + interval '1 day'`, 'confirmed'))).toEqual([
    LEDGER_CHECK,
  ]);
  expect(await findProblemsAfter(updateWhere('amount_cents = 1', 'confirmed'))).toEqual([LEDGER_CHECK, LOG_CHECK]);
  expect(
    await findProblemsAfter(updateWhere(`outcome = 'passed', ended_by = operator_id, ended_at = at`, 'confirmed')),
  ).toEqual([LEDGER_CHECK, LOG_CHECK]);
  const shiftTimes = `at = at - interval '3 days', ended_at = ended_at - interval '3 days'`;
  expect(await findProblemsAfter(updateWhere(shiftTimes, 'passed'))).toEqual([LOG_CHECK]);
  expect(await findProblemsAfter(updateWhere('amount_cents = 1', 'passed'))).toEqual([LOG_CHECK]);
  expect(await findProblemsAfter(`delete from approval_requests where outcome = 'passed'`)).toEqual([LOG_CHECK]);
  expect(await findProblemsAfter(`delete from approval_requests where outcome = 'confirmed'`)).toEqual([
    LEDGER_CHECK,
    LOG_CHECK,
  ]);
  expect(await findProblemsAfter('update approval_requests set at = at')).toEqual([]);
});

test('a request for a weaker setting stays out of the transparency log and of the approvals of money', async () => {
  await app.owner.query
    .updateTable('users')
    .set({ operator_roles: ['owner'] })
    .where('id', '=', second.id)
    .execute();
  const from = (await owner.inject('GET', '/api/admin/payout-settings')).json();
  const request = (coolingHours: number) =>
    owner.inject('PUT', '/api/admin/payout-settings', { from, to: { ...from, coolingHours }, reason });
  for (const hours of [2, 1]) expect((await request(hours)).json()).toEqual(from);
  const selectRequests = () => app.ctx.db.query.selectFrom('approval_requests').selectAll().orderBy('id').execute();
  const [withdrawn, pending] = await selectRequests();
  expect([withdrawn?.outcome, pending?.outcome]).toEqual(['withdrawn', null]);
  expect([await getApprovals(), await countPendingApprovals()]).toEqual([{ data: [], decided: [] }, 0]);
  const relogged = await app.logIn(second);
  expect((await decide(relogged, pending?.id)).statusCode).toBe(404);
  const body = { decision: 'confirm', to: 1, reason };
  const path = '/api/admin/setting-approvals/coolingHours/decision';
  expect((await relogged.inject('POST', path, { ...body, to: 2 })).statusCode).toBe(409);
  expect((await relogged.inject('POST', path, body)).json()).toEqual({ data: [] });
  expect((await selectRequests())[1]).toMatchObject({ outcome: 'confirmed', ended_by: second.id });
  expect((await owner.inject('GET', '/api/admin/payout-settings')).json()).toEqual({ ...from, coolingHours: 1 });

  await sequenceRows(app.ctx);
  const leaves = app.owner.query.selectFrom('transparency_leaves').select('row_id');
  const ids = (await leaves.execute()).map(({ row_id: id }) => id);
  expect(ids).not.toContain(withdrawn?.id);
  expect(ids).not.toContain(pending?.id);
  expect(listWrong(await checkLog(app.ctx))).toEqual({});
});
