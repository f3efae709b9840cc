import { randomUUID } from 'node:crypto';
import { CASES } from '@stagedoor/contract/atoms/room-limits.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TestApp, TestUser } from '../../testing/app.ts';
import { auditOf, decideIt, reportedCase } from '../cases/testing.ts';
import { account, balanceOf } from '../ledger/index.ts';
import { lockMoneyActs } from '../operators/index.ts';
import { paidDeposit, postEvent, reversalFields, storedEvents, until } from '../payments/testing.ts';
import { actsSeenBy, closeTwo, decideAct, GROUND, openTwo, refund, tipTo, writeOff } from './testing.ts';

const ground = GROUND;
const GONE =
  'The person who requested this no longer has the role for it. Reject it, and request it again if it’s right.';

let app: TestApp;
let owner: TestUser;
let second: TestUser;
let fan: TestUser;
let creator: TestUser;
beforeEach(async () => {
  ({ app, owner, second, fan, creator } = await openTwo());
});
afterEach(() => closeTwo({ app }));

const acts = (by = owner) => actsSeenBy(by);
async function decide(by: TestUser, id: string | undefined, decision?: string) {
  const answer = await decideAct(by, id, decision);
  return [answer.statusCode, answer.json().message];
}
const wallet = () => balanceOf(app.ctx.db, account.wallet(fan.id));
const owed = () => balanceOf(app.ctx.db, account.owed(fan.id));

const tip = (amount: number) => tipTo(creator, fan, amount);
const reported = () => reportedCase(app, fan, { person: creator });
async function ticket(): Promise<string> {
  const asked = { subject: 'A tip', message: 'By mistake.', pictures: [] };
  const answer = await fan.inject('POST', '/api/helpdesk/tickets', asked, { 'idempotency-key': randomUUID() });
  return answer.json().id;
}
const roles = (id: string, from: string[], to: string[]) =>
  owner.inject('PUT', `/api/admin/team/${id}`, { from, to, ground });
async function chargeBack({ deposit, saleId }: Awaited<ReturnType<typeof paidDeposit>>) {
  await postEvent(app, 'Chargeback', reversalFields(app, saleId, (deposit.payable_cents / 100).toFixed(2)));
}

test('the confirming operator sees a refund without reading the case, whatever was bought since', async () => {
  await paidDeposit(app, fan, 200);
  const saleId = await tip(160);
  const id = await reported();
  expect((await refund(owner, id, [saleId])).statusCode).toBe(200);
  for (let at = 0; at <= CASES.purchases; at += 1) {
    app.clock.advance(1_000);
    await tip(1);
  }
  const shown = (await owner.inject('GET', `/api/admin/cases/${id}`)).json();
  expect(shown.purchases.map((one: { id: string }) => one.id)).not.toContain(saleId);
  const sale = {
    ...{ id: saleId, title: 'Tip', amount: 160, givenBack: 0, at: expect.any(String) },
    buyer: { id: fan.id, username: fan.username },
    creator: { id: creator.id, username: creator.username },
  };
  expect(shown.waits).toMatchObject({ sales: [sale], queue: 'reports' });
  const [act] = (await acts(second)).data;
  expect(act).toMatchObject({ subjectId: id, sales: [sale], queue: 'reports' });
  expect((await second.inject('GET', `/api/admin/cases/${id}`)).statusCode).toBe(404);
  expect((await decide(second, act?.id))[0]).toBe(200);
  expect(await wallet()).toBe(20_000 - (CASES.purchases + 1) * 100);
});

test('a write-off takes the approval lock before it locks the wallet, as a refund does', async () => {
  const deposit = await paidDeposit(app, fan, 50);
  await tip(50);
  await chargeBack(deposit);
  const asked = await app.ctx.db.transaction(async (tx) => {
    await lockMoneyActs(tx);
    const answer = writeOff(owner, fan);
    await until(async () => {
      const waiting = `select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`;
      return (await app.owner.pool.query(waiting)).rowCount === 1;
    }, 'waiting for other acts');
    const code = account.wallet(fan.id);
    // With `noWait` the query fails at once if the wallet is locked.
    await tx.query.selectFrom('ledger_accounts').select('id').where('code', '=', code).forUpdate().noWait().execute();
    return { answer };
  });
  expect((await asked.answer).statusCode).toBe(200);
  expect(await owed()).toBe(0);
});

test('concurrent refunds, write-offs, a block and a withdrawn chargeback of one fan each succeed or are refused', async () => {
  const deposit = await paidDeposit(app, fan, 100);
  const sales: [string, string][] = [];
  for (let at = 0; at < 6; at += 1) sales.push([await ticket(), await tip(10)]);
  await chargeBack(deposit);
  expect(await owed()).toBe(6_000);
  const [event] = (await storedEvents(app, deposit.saleId)).filter(({ event_type: type }) => type === 'Chargeback');
  const answers = await Promise.all([
    ...sales.map(([id, sale]) => refund(owner, id, [sale])),
    writeOff(second, fan),
    writeOff(owner, fan),
    owner.inject('POST', `/api/admin/debtors/${fan.id}/decision`, { decision: 'block', ground }),
    second.inject('POST', `/api/admin/processor-events/${event?.id}/decision`, { decision: 'won', ground }),
  ]);
  for (const { statusCode, body } of answers) expect([200, 404, 409], body).toContain(statusCode);
  expect(answers.slice(0, sales.length).map(({ statusCode }) => statusCode)).toEqual(sales.map(() => 200));
});

test('a write-off that was requested for a settled debt cannot be confirmed for a newer debt', async () => {
  const first = await paidDeposit(app, fan, 200);
  await tip(200);
  await chargeBack(first);
  expect((await writeOff(owner, fan)).json()).toMatchObject({ owed: 200, waits: { amount: 200 } });
  const [old] = (await acts()).data;
  const paid = await paidDeposit(app, fan, 200);
  expect(await owed()).toBe(0);
  expect(await decide(second, old?.id)).toEqual([409, 'The debt is already settled.']);
  await chargeBack(paid);
  expect(await owed()).toBe(20_000);
  expect(await decide(second, old?.id)).toEqual([
    409,
    'The original debt is settled and there is a new one. Reject this and request it again.',
  ]);
  expect(await owed()).toBe(20_000);
  expect((await decide(second, old?.id, 'refuse'))[0]).toBe(200);
  expect((await writeOff(owner, fan)).statusCode).toBe(200);
  expect((await decide(second, (await acts()).data[0]?.id))[0]).toBe(200);
  expect(await owed()).toBe(0);
});

test('a request by an operator who has lost the role cannot be confirmed, neither a refund nor a weaker setting', async () => {
  await paidDeposit(app, fan, 200);
  const saleId = await tip(160);
  const id = await reported();
  await app.ctx.db.query.updateTable('cases').set({ queue: 'refunds' }).where('id', '=', id).execute();
  expect((await refund(second, id, [saleId])).json()).toMatchObject({ waits: { operator: second.username } });
  const leaving = await app.signUp('operator');
  const from = (await leaving.inject('GET', '/api/admin/payout-settings')).json();
  const to = { ...from, secondApprover: 5_000 };
  expect((await leaving.inject('PUT', '/api/admin/payout-settings', { from, to, ground })).statusCode).toBe(200);
  expect((await roles(second.id, ['finance'], ['support'])).statusCode).toBe(200);
  expect((await roles(leaving.id, ['owner'], ['finance'])).statusCode).toBe(200);

  const [act] = (await acts()).data;
  expect(await decide(owner, act?.id)).toEqual([409, GONE]);
  expect(await wallet()).toBe(4_000);
  expect((await decide(owner, act?.id, 'refuse'))[0]).toBe(200);
  const setting = (decision: string) =>
    owner.inject('POST', '/api/admin/wanted-settings/secondApprover/decision', { decision, to: 5_000, ground });
  expect((await setting('confirm')).json()).toMatchObject({ message: GONE });
  expect((await owner.inject('GET', '/api/admin/payout-settings')).json()).toEqual(from);
  expect((await setting('refuse')).json()).toEqual({ data: [] });
});

test('ending a case refuses its pending refund: dismissed, answered and closed, or closed by its writer', async () => {
  await paidDeposit(app, fan, 500);
  const moderator = await app.signUp('operator', { roles: ['moderator'] });
  const support = await app.signUp('operator', { roles: ['support'] });
  const wanted = async (id: string) => {
    expect((await refund(owner, id, [await tip(120)])).json()).toMatchObject({ waits: { amount: 120 } });
    return id;
  };
  const [dismissed, answered, settled] = [
    await wanted(await reported()),
    await wanted(await ticket()),
    await wanted(await ticket()),
  ];
  const waiting = new Map((await acts()).data.map((act) => [act.subjectId, act.id]));
  await decideIt(moderator, dismissed, { act: 'dismiss' });
  await support.inject('POST', `/api/admin/cases/${answered}/replies`, { text: 'We cannot see it.', isClosing: true });
  await fan.inject('POST', `/api/helpdesk/tickets/${settled}/close`);
  const { data, ended } = await acts();
  expect([data, ended.length]).toEqual([[], 3]);
  for (const [id, by] of [
    [dismissed, moderator],
    [answered, support],
    [settled, fan],
  ] as const)
    expect(ended.find(({ subjectId }) => subjectId === id)).toMatchObject({ outcome: 'refused', endedBy: by.username });
  expect(await auditOf(app, waiting.get(answered) ?? '')).toEqual(['moneyAct.refuse']);
  await fan.inject('POST', `/api/helpdesk/tickets/${answered}/messages`, { message: 'Please look.', pictures: [] });
  expect(await decide(second, waiting.get(answered))).toEqual([409, 'This was decided already.']);
  expect(await wallet()).toBe(14_000);
  await wanted(answered);
});
