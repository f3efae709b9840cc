import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TestApp, TestUser } from '../../testing/app.ts';
import { reportedCase } from '../cases/testing.ts';
import { account, balanceOf, checkLedger } from '../ledger/index.ts';
import { paidDeposit, postEvent, reversalFields, storedEvents } from '../payments/testing.ts';
import { checkLog, sequence } from '../transparency/index.ts';
import { tamper, wrongIn } from '../transparency/testing.ts';
import { actsSeenBy, closeTwo, decideAct, GROUND, openTwo, refund, tipTo, writeOff } from './testing.ts';

const ground = GROUND;
const DAY_MS = 24 * 60 * 60_000;

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
const decide = decideAct;
const wallet = () => balanceOf(app.ctx.db, account.wallet(fan.id));
const waits = async () =>
  (await owner.inject('GET', '/api/admin/desk')).json().data.find(({ kind }: { kind: string }) => kind === 'moneyActs')
    .count;
const messageOf = ({ json }: { json: () => { message?: string } }) => json().message;

const tip = (amount: number) => tipTo(creator, fan, amount);
const reported = () => reportedCase(app, fan, { person: creator, type: 'profile', typeId: creator.id });

test('a large refund waits for confirmation by another operator and is then made once', async () => {
  await paidDeposit(app, fan, 200);
  const saleId = await tip(160);
  const id = await reported();
  const answers = await Promise.all([refund(owner, id, [saleId]), refund(owner, id, [saleId])]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  expect(answers[0]?.json()).toMatchObject({ decisions: [], waits: { amount: 160, operator: owner.username, ground } });
  expect([await wallet(), await waits()]).toEqual([4_000, 1]);
  const [act] = (await acts(second)).data;
  expect(act).toMatchObject({ kind: 'refund', amount: 160, operator: owner.username });
  await app.ctx.db.query.updateTable('cases').set({ queue: 'refunds' }).where('id', '=', id).execute();
  expect(messageOf(await refund(second, id, [saleId]))).toBe('Part of this is already awaiting second approval.');
  const own = await decide(owner, act?.id);
  expect([own.statusCode, messageOf(own)]).toEqual([409, 'You requested this. Another operator must confirm it.']);
  const both = await Promise.all([decide(second, act?.id), decide(second, act?.id)]);
  expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
  expect([await wallet(), await waits()]).toEqual([20_000, 0]);
  expect(await acts()).toMatchObject({
    data: [],
    ended: [{ id: act?.id, kind: 'refund', amount: 160, outcome: 'confirmed', endedBy: second.username }],
  });
  expect((await owner.inject('GET', `/api/admin/cases/${id}`)).json()).toMatchObject({
    waits: null,
    decisions: [{ act: 'refund', operator: owner.username }],
  });
  const log = (await owner.inject('GET', `/api/admin/audit?subjectId=${id}&act=case.refund`)).json().data;
  expect(log).toMatchObject([{ facts: { cents: 16_000, confirmedBy: second.id } }]);
});

test('a refused or withdrawn request has no effect and can be made again', async () => {
  await paidDeposit(app, fan, 200);
  const saleId = await tip(160);
  const id = await reported();
  for (const by of [second, owner]) {
    expect((await refund(owner, id, [saleId])).statusCode).toBe(200);
    const [act] = (await acts()).data;
    expect((await decide(by, act?.id, 'refuse')).json()).toMatchObject({
      data: [],
      ended: expect.arrayContaining([
        expect.objectContaining({ id: act?.id, outcome: 'refused', endedBy: by.username }),
      ]),
    });
    expect((await decide(second, act?.id)).statusCode).toBe(409);
  }
  expect([await wallet(), (await acts()).ended.length]).toEqual([4_000, 2]);
});

test('refunds that one operator made alone within a day count together', async () => {
  await paidDeposit(app, fan, 250);
  const sales = [await tip(60), await tip(40), await tip(30)];
  const id = await reported();
  for (const sale of sales) expect((await refund(owner, id, [sale])).statusCode).toBe(200);
  expect([await wallet(), (await acts()).data.map(({ amount }) => amount)]).toEqual([22_000, [30]]);
  await decide(owner, (await acts()).data[0]?.id, 'refuse');
  app.clock.advance(DAY_MS - 1);
  owner = await app.logIn(owner);
  expect((await refund(owner, id, [sales[2] ?? ''])).json()).toMatchObject({ waits: { amount: 30 } });
  await decide(owner, (await acts()).data[0]?.id, 'refuse');
  app.clock.advance(1);
  expect((await refund(owner, id, [sales[2] ?? ''])).json()).toMatchObject({ waits: null });
  expect(await wallet()).toBe(25_000);
});

test('write-offs and withdrawn chargebacks need two operators, and a debt that has grown is not written off', async () => {
  const { deposit, saleId } = await paidDeposit(app, fan, 200);
  const other = await paidDeposit(app, fan, 50);
  await tip(190);
  await postEvent(app, 'Chargeback', reversalFields(app, saleId, (deposit.payable_cents / 100).toFixed(2)));
  const debt = (by: TestUser) => writeOff(by, fan);
  const owed = () => balanceOf(app.ctx.db, account.owed(fan.id));
  expect(await owed()).toBe(14_000);
  expect((await debt(owner)).json()).toMatchObject({ owed: 140, decisions: [], waits: { about: `@${fan.username}` } });
  await postEvent(app, 'Chargeback', reversalFields(app, other.saleId, (other.deposit.payable_cents / 100).toFixed(2)));
  const [act] = (await acts()).data;
  expect(messageOf(await decide(second, act?.id))).toBe('The debt has grown. Reject this and request it again.');
  await decide(second, act?.id, 'refuse');

  const [event] = (await storedEvents(app, saleId)).filter(({ event_type: type }) => type === 'Chargeback');
  const won = await owner.inject('POST', `/api/admin/processor-events/${event?.id}/decision`, {
    decision: 'won',
    ground,
  });
  expect(won.json()).toMatchObject({ state: 'processed', waits: { kind: 'won', operator: owner.username } });
  expect(await owed()).toBe(19_000);
  await decide(second, (await acts()).data[0]?.id);
  expect([await owed(), await wallet()]).toEqual([0, 1_000]);
  app.clock.advance(60_000);
  await postEvent(app, 'Chargeback', reversalFields(app, saleId, (deposit.payable_cents / 100).toFixed(2)));
  expect((await debt(owner)).json()).toMatchObject({ owed: 190 });
  expect((await decide(second, (await acts()).data[0]?.id)).statusCode).toBe(200);
  expect(await owed()).toBe(0);
});

test('an operator alone with money rights proceeds alone, which is logged, and a new one cannot be the second', async () => {
  await app.ctx.db.query.deleteFrom('sessions').where('user_id', '=', second.id).execute();
  await app.ctx.db.query
    .updateTable('users')
    .set({ operator_roles: ['support'] })
    .where('id', '=', second.id)
    .execute();
  await paidDeposit(app, fan, 200);
  const saleId = await tip(160);
  const id = await reported();
  expect((await refund(owner, id, [saleId])).json()).toMatchObject({ waits: null });
  expect(await wallet()).toBe(20_000);
  const log = (await owner.inject('GET', `/api/admin/audit?subjectId=${id}&act=case.refund`)).json().data;
  expect(log).toMatchObject([{ facts: { alone: true } }]);

  const invited = await app.signUp('operator', { roles: ['support'] });
  const roles = { from: ['support'], to: ['finance'], ground };
  expect((await owner.inject('PUT', `/api/admin/team/${invited.id}`, roles)).statusCode).toBe(200);
  const next = await tip(160);
  const beginner = await app.logIn(invited);
  const asked = await refund(beginner, id, [next]);
  expect([asked.statusCode, messageOf(asked)]).toEqual([409, expect.stringContaining('You can approve from')]);
  expect((await acts()).data).toEqual([]);
  expect((await refund(owner, id, [next])).statusCode).toBe(200);
  const answer = await decide(beginner, (await acts()).data[0]?.id);
  expect([answer.statusCode, messageOf(answer)]).toEqual([409, expect.stringContaining('You can approve from')]);
});

test('manipulated approval requests are detected in the ledger check and in the log', async () => {
  await paidDeposit(app, fan, 250);
  const [small, large, other] = [await tip(60), await tip(110), await tip(45)];
  const id = await reported();
  for (const [sale, decision] of [[small], [large, 'confirm'], [other, 'refuse']] as const) {
    expect((await refund(owner, id, [sale])).statusCode).toBe(200);
    if (decision) expect((await decide(second, (await acts()).data[0]?.id, decision)).statusCode).toBe(200);
  }
  await sequence(app.ctx);
  const found = async (change: string) => {
    await app.owner.pool.query('create table kept as select * from money_acts');
    await tamper(app, [change]);
    const wrong = [wrongIn(await checkLedger(app.ctx.db)), wrongIn(await checkLog(app.ctx))].flatMap(Object.keys);
    await app.owner.pool.query('delete from money_acts; insert into money_acts select * from kept; drop table kept');
    return wrong;
  };
  const BOOKS =
    'each approval ended as the audit log says: below the limit by its requester, otherwise confirmed by a different operator';
  const LOG = 'each leaf of the log matches its row';
  const set = (what: string, outcome: string) => `update money_acts set ${what} where outcome = '${outcome}'`;
  expect(await found(set('ended_by = operator_id', 'confirmed'))).toEqual([BOOKS]);
  expect(await found(set('ended_by = operator_id', 'refused'))).toEqual([BOOKS]);
  expect(await found(set(`outcome = 'refused'`, 'confirmed'))).toEqual([BOOKS]);
  expect(await found(set('outcome = null, ended_at = null, ended_by = null', 'refused'))).toEqual([BOOKS]);
  expect(await found(set(`ended_at = ended_at + interval '1 day'`, 'confirmed'))).toEqual([BOOKS]);
  expect(await found(set('cents = 1', 'confirmed'))).toEqual([BOOKS, LOG]);
  expect(await found(set(`outcome = 'passed', ended_by = operator_id, ended_at = at`, 'confirmed'))).toEqual([
    BOOKS,
    LOG,
  ]);
  const back = `at = at - interval '3 days', ended_at = ended_at - interval '3 days'`;
  expect(await found(set(back, 'passed'))).toEqual([LOG]);
  expect(await found(set('cents = 1', 'passed'))).toEqual([LOG]);
  expect(await found(`delete from money_acts where outcome = 'passed'`)).toEqual([LOG]);
  expect(await found(`delete from money_acts where outcome = 'confirmed'`)).toEqual([BOOKS, LOG]);
  expect(await found('update money_acts set at = at')).toEqual([]);
});
