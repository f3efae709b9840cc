import { randomUUID } from 'node:crypto';
import { CASE_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TestApp, TestUser } from '../../../testing/app.ts';
import { buildReversalFields, postWebhook } from '../../commerce/ccbill/testing.ts';
import { createPaidDeposit, listStoredWebhooks, waitUntil } from '../../commerce/deposits/testing.ts';
import { lockApprovals } from '../../identity/approvals/index.ts';
import { account, getBalance } from '../../ledger/ledger/index.ts';
import { createReportedCase, decideCaseAs, listAuditActions } from '../../trust/moderation/testing.ts';
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
const REQUESTER_LOST_RIGHT =
  'The person who requested this no longer has the role for it. Reject it, and request it again if it’s right.';

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
async function decide(by: TestUser, id: string | undefined, decision?: string) {
  const response = await decideApprovalAs(by, id, decision);
  return [response.statusCode, response.json().message];
}
const wallet = () => getBalance(app.ctx.db, account.wallet(fan.id));
const owed = () => getBalance(app.ctx.db, account.owed(fan.id));

const tip = (amount: number) => tipTo(creator, fan, amount);
const reportCase = () => createReportedCase(app, fan, { user: creator });
async function createTicket(): Promise<string> {
  const body = { subject: 'A tip', message: 'By mistake.', pictures: [] };
  const response = await fan.inject('POST', '/api/helpdesk/tickets', body, { 'idempotency-key': randomUUID() });
  return response.json().id;
}
const changeRoles = (id: string, from: string[], to: string[]) =>
  owner.inject('PUT', `/api/admin/staff/${id}`, { from, to, reason });
async function chargeBack({ deposit, saleId }: Awaited<ReturnType<typeof createPaidDeposit>>) {
  await postWebhook(app, 'Chargeback', buildReversalFields(app, saleId, (deposit.payable_cents / 100).toFixed(2)));
}

test('the confirming operator sees a refund without reading the case, whatever was bought since', async () => {
  await createPaidDeposit(app, fan, 200);
  const saleId = await tip(160);
  const id = await reportCase();
  expect((await refund(owner, id, [saleId])).statusCode).toBe(200);
  for (let index = 0; index <= CASE_LIMITS.purchases; index += 1) {
    app.clock.advance(1_000);
    await tip(1);
  }
  const caseView = (await owner.inject('GET', `/api/admin/cases/${id}`)).json();
  expect(caseView.purchases.map((purchase: { id: string }) => purchase.id)).not.toContain(saleId);
  const sale = {
    ...{ id: saleId, title: 'Tip', amount: 160, refunded: 0, at: expect.any(String) },
    buyer: { id: fan.id, username: fan.username },
    creator: { id: creator.id, username: creator.username },
  };
  expect(caseView.pendingApproval).toMatchObject({ sales: [sale], queue: 'reports' });
  const [approval] = (await getApprovals(second)).data;
  expect(approval).toMatchObject({ subjectId: id, sales: [sale], queue: 'reports' });
  expect((await second.inject('GET', `/api/admin/cases/${id}`)).statusCode).toBe(404);
  expect((await decide(second, approval?.id))[0]).toBe(200);
  expect(await wallet()).toBe(20_000 - (CASE_LIMITS.purchases + 1) * 100);
});

test('a write-off takes the approval lock before it locks the wallet, as a refund does', async () => {
  const deposit = await createPaidDeposit(app, fan, 50);
  await tip(50);
  await chargeBack(deposit);
  const pending = await app.ctx.db.transaction(async (tx) => {
    await lockApprovals(tx);
    const response = writeOff(owner, fan);
    await waitUntil(async () => {
      const lockQuery = `select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`;
      return (await app.owner.pool.query(lockQuery)).rowCount === 1;
    }, 'waiting for other approvals');
    const code = account.wallet(fan.id);
    // With `noWait` the query fails at once if the wallet is locked.
    await tx.query.selectFrom('ledger_accounts').select('id').where('code', '=', code).forUpdate().noWait().execute();
    return { response };
  });
  expect((await pending.response).statusCode).toBe(200);
  expect(await owed()).toBe(0);
});

test('concurrent refunds, write-offs, a block and a withdrawn chargeback of one fan each succeed or are refused', async () => {
  const deposit = await createPaidDeposit(app, fan, 100);
  const sales: [string, string][] = [];
  for (let index = 0; index < 6; index += 1) sales.push([await createTicket(), await tip(10)]);
  await chargeBack(deposit);
  expect(await owed()).toBe(6_000);
  const [webhook] = (await listStoredWebhooks(app, deposit.saleId)).filter(
    ({ event_type: type }) => type === 'Chargeback',
  );
  const responses = await Promise.all([
    ...sales.map(([id, sale]) => refund(owner, id, [sale])),
    writeOff(second, fan),
    writeOff(owner, fan),
    owner.inject('POST', `/api/admin/debtors/${fan.id}/decision`, { decision: 'block', reason }),
    second.inject('POST', `/api/admin/processor-webhooks/${webhook?.id}/decision`, { decision: 'won', reason }),
  ]);
  for (const { statusCode, body } of responses) expect([200, 404, 409], body).toContain(statusCode);
  expect(responses.slice(0, sales.length).map(({ statusCode }) => statusCode)).toEqual(sales.map(() => 200));
});

test('a write-off that was requested for a settled debt cannot be confirmed for a newer debt', async () => {
  const first = await createPaidDeposit(app, fan, 200);
  await tip(200);
  await chargeBack(first);
  expect((await writeOff(owner, fan)).json()).toMatchObject({ owed: 200, pendingApproval: { amount: 200 } });
  const [oldRequest] = (await getApprovals()).data;
  const secondDeposit = await createPaidDeposit(app, fan, 200);
  expect(await owed()).toBe(0);
  expect(await decide(second, oldRequest?.id)).toEqual([409, 'The debt is already settled.']);
  await chargeBack(secondDeposit);
  expect(await owed()).toBe(20_000);
  expect(await decide(second, oldRequest?.id)).toEqual([
    409,
    'The original debt is settled and there is a new one. Reject this and request it again.',
  ]);
  expect(await owed()).toBe(20_000);
  expect((await decide(second, oldRequest?.id, 'refuse'))[0]).toBe(200);
  expect((await writeOff(owner, fan)).statusCode).toBe(200);
  expect((await decide(second, (await getApprovals()).data[0]?.id))[0]).toBe(200);
  expect(await owed()).toBe(0);
});

test('a request by an operator who has lost the role cannot be confirmed, neither a refund nor a weaker setting', async () => {
  await createPaidDeposit(app, fan, 200);
  const saleId = await tip(160);
  const id = await reportCase();
  await app.ctx.db.query.updateTable('cases').set({ queue: 'refunds' }).where('id', '=', id).execute();
  expect((await refund(second, id, [saleId])).json()).toMatchObject({ pendingApproval: { operator: second.username } });
  const otherOwner = await app.signUp('operator');
  const from = (await otherOwner.inject('GET', '/api/admin/payout-settings')).json();
  const to = { ...from, secondApprover: 5_000 };
  expect((await otherOwner.inject('PUT', '/api/admin/payout-settings', { from, to, reason })).statusCode).toBe(200);
  expect((await changeRoles(second.id, ['finance'], ['support'])).statusCode).toBe(200);
  expect((await changeRoles(otherOwner.id, ['owner'], ['finance'])).statusCode).toBe(200);

  const [approval] = (await getApprovals()).data;
  expect(await decide(owner, approval?.id)).toEqual([409, REQUESTER_LOST_RIGHT]);
  expect(await wallet()).toBe(4_000);
  expect((await decide(owner, approval?.id, 'refuse'))[0]).toBe(200);
  const decideSetting = (decision: string) =>
    owner.inject('POST', '/api/admin/setting-approvals/secondApprover/decision', { decision, to: 5_000, reason });
  expect((await decideSetting('confirm')).json()).toMatchObject({ message: REQUESTER_LOST_RIGHT });
  expect((await owner.inject('GET', '/api/admin/payout-settings')).json()).toEqual(from);
  expect((await decideSetting('refuse')).json()).toEqual({ data: [] });
});

test('ending a case refuses its pending refund: dismissed, answered and closed, or closed by its writer', async () => {
  await createPaidDeposit(app, fan, 500);
  const moderator = await app.signUp('operator', { roles: ['moderator'] });
  const support = await app.signUp('operator', { roles: ['support'] });
  const requestRefund = async (id: string) => {
    expect((await refund(owner, id, [await tip(120)])).json()).toMatchObject({ pendingApproval: { amount: 120 } });
    return id;
  };
  const [dismissed, answered, settled] = [
    await requestRefund(await reportCase()),
    await requestRefund(await createTicket()),
    await requestRefund(await createTicket()),
  ];
  const requestIds = new Map((await getApprovals()).data.map((approval) => [approval.subjectId, approval.id]));
  await decideCaseAs(moderator, dismissed, { action: 'dismiss' });
  await support.inject('POST', `/api/admin/cases/${answered}/replies`, { text: 'We cannot see it.', isClosing: true });
  await fan.inject('POST', `/api/helpdesk/tickets/${settled}/close`);
  const { data, decided } = await getApprovals();
  expect([data, decided.length]).toEqual([[], 3]);
  for (const [id, by] of [
    [dismissed, moderator],
    [answered, support],
    [settled, fan],
  ] as const)
    expect(decided.find(({ subjectId }) => subjectId === id)).toMatchObject({
      outcome: 'refused',
      decidedBy: by.username,
    });
  expect(await listAuditActions(app, requestIds.get(answered) ?? '')).toEqual(['approval.refuse']);
  await fan.inject('POST', `/api/helpdesk/tickets/${answered}/messages`, { message: 'Please look.', pictures: [] });
  expect(await decide(second, requestIds.get(answered))).toEqual([409, 'This was decided already.']);
  expect(await wallet()).toBe(14_000);
  await requestRefund(answered);
});
