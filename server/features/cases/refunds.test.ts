import { randomUUID } from 'node:crypto';
import { CASES } from '@stagedoor/contract/atoms/room-limits.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { account, balanceOf, clearDue } from '../ledger/index.ts';
import { makeDeposit } from '../ledger/testing.ts';
import { addMethod, requestIt, requireCleanBooks } from '../payouts/testing.ts';
import { makePost } from '../posts/testing.ts';
import { makeVerified } from '../verification/testing.ts';
import { auditOf, caseIdOf, decideIt, reportedCase } from './testing.ts';

let app: TestApp;
let moderator: TestUser;
let support: TestUser;
let finance: TestUser;
let creator: TestUser;
let fan: TestUser;
beforeAll(async () => {
  app = await createTestApp({ env: { OPERATOR_PROOF_MINUTES: String(20 * 24 * 60) } });
  [moderator, support, finance] = [
    await app.signUp('operator', { roles: ['moderator'] }),
    await app.signUp('operator', { roles: ['support'] }),
    await app.signUp('operator', { roles: ['finance'] }),
  ];
});
beforeEach(async () => {
  [creator, fan] = [await app.signUp('creator'), await app.signUp('customer')];
  await makeDeposit(app.ctx.db, fan.id, 10_000);
});
afterEach(async () => {
  await app.ctx.events.settle();
  await requireCleanBooks(app);
});
afterAll(() => app.close());

const DAY_MS = 24 * 60 * 60_000;
const GROUND = 'The files cannot be opened.';
const wallet = (who = fan) => balanceOf(app.ctx.db, account.wallet(who.id));
const read = (by: TestUser, id: string) => by.inject('GET', `/api/admin/cases/${id}`);
const pass = (by: TestUser, id: string, isForRefund = true) =>
  by.inject('POST', `/api/admin/cases/${id}/pass`, { isForRefund, text: 'Please look.' });
const giveBack = (by: TestUser, id: string, sales: string[]) =>
  by.inject('POST', `/api/admin/cases/${id}/decision`, { act: 'refund', ground: GROUND, sales });
async function mailOf(who: TestUser): Promise<string[]> {
  const rows = await app.ctx.db.query
    .selectFrom('development_mail')
    .select('body')
    .where('recipient', '=', who.email)
    .where('subject', '=', 'About your Stagedoor account')
    .execute();
  return rows.map(({ body }) => body);
}

async function boughtAndReported(): Promise<{ id: string; saleId: string; postId: string }> {
  const postId = await makePost(app.ctx, creator.id, { priceCents: 1_200, caption: 'Moon jar' });
  const bought = await fan.inject(
    'POST',
    `/api/post/unlock/${postId}`,
    { price: 12 },
    { 'idempotency-key': randomUUID() },
  );
  expect(bought.statusCode, bought.body).toBe(200);
  const id = await reportedCase(app, fan, { person: creator, type: 'post', typeId: postId });
  const [purchase] = (await read(moderator, id)).json().purchases;
  return { id, saleId: purchase.id, postId };
}

test('a moderator routes a case, finance refunds it once, both sides are mailed and the case stays open', async () => {
  const { id, saleId, postId } = await boughtAndReported();
  expect((await read(moderator, id)).json()).toMatchObject({
    queue: 'reports',
    purchases: [{ id: saleId, amount: 12, givenBack: 0, isOfThing: true, canGiveBack: true, title: 'Post' }],
  });
  expect((await read(moderator, id)).json().acts).not.toContain('refund');
  const refused = await giveBack(moderator, id, [saleId]);
  expect([refused.statusCode, refused.json().message]).toEqual([
    403,
    'Refunds are handled by finance. Send the case to them.',
  ]);
  expect((await read(finance, id)).statusCode).toBe(404);
  expect((await giveBack(finance, id, [saleId])).statusCode).toBe(404);
  expect((await pass(moderator, id)).json()).toMatchObject({ queue: 'refunds' });
  expect((await pass(moderator, id)).statusCode).toBe(409);
  const theirs = (await finance.inject('GET', '/api/admin/cases')).json().data;
  expect(theirs.map((line: { id: string }) => line.id)).toEqual([id]);
  const waiting = (await finance.inject('GET', '/api/admin/desk')).json().data;
  expect(waiting).toEqual(expect.arrayContaining([expect.objectContaining({ kind: 'refunds', count: 1 })]));
  expect((await read(finance, id)).json().acts).toEqual(['refund']);

  expect(await wallet()).toBe(8_800);
  const [one, other] = await Promise.all([giveBack(finance, id, [saleId]), giveBack(finance, id, [saleId])]);
  expect([one?.statusCode, other?.statusCode], other?.body).toEqual([200, 200]);
  expect(await wallet()).toBe(10_000);
  expect((await read(finance, id)).json()).toMatchObject({
    ...{ state: 'open', queue: 'reports' },
    decisions: [{ act: 'refund', ground: GROUND, canUndo: false }],
    purchases: [{ givenBack: 12, canGiveBack: false }],
  });
  expect((await fan.inject('GET', `/api/post/${postId}`)).json().isLocked ?? true).toBe(true);
  await app.ctx.events.settle();
  const [[told = '', again], [toldCreator = '']] = [await mailOf(fan), await mailOf(creator)];
  expect(told).toContain(`We refunded $12.00 you paid to @${creator.username}`);
  expect(toldCreator).toContain('We refunded a fan $12.00.');
  for (const mail of [told, toldCreator]) expect(mail).toContain(GROUND);
  expect(again).toBeUndefined();
  expect(await auditOf(app, id)).toEqual(['case.pass', 'case.refund']);

  expect((await decideIt(moderator, id, { act: 'dismiss' })).json().state).toBe('closed');
});

test('a refund cannot be reversed, and the refusal says so', async () => {
  const { id, saleId } = await boughtAndReported();
  const owner = await app.signUp('operator');
  const [decision] = (await giveBack(owner, id, [saleId])).json().decisions;
  const undone = await owner.inject('POST', `/api/admin/case-decisions/${decision.id}/undo`, {
    ground: 'We were wrong.',
  });
  expect([undone.statusCode, undone.json().message]).toEqual([409, 'Refunds can’t be reversed.']);
  expect(await wallet()).toBe(10_000);
  expect((await creator.inject('GET', '/api/helpdesk/decisions')).json().data).toEqual([]);
  expect((await decideIt(moderator, id, { act: 'dismiss' })).statusCode).toBe(200);
  const again = { ids: [id], ground: 'Too quick.' };
  expect((await moderator.inject('POST', '/api/admin/cases/reopen', again)).json().reopened).toEqual([id]);
  expect((await read(moderator, id)).json()).toMatchObject({
    state: 'open',
    decisions: expect.arrayContaining([
      expect.objectContaining({ act: 'refund', undoneAt: null }),
      expect.objectContaining({ act: 'dismiss', undoneAt: expect.any(String) }),
    ]),
  });
});

test('a creator owes the share of a refunded sale that was already paid out and is notified', async () => {
  await makeVerified(app.ctx, creator.id);
  const tipped = await fan.inject(
    'POST',
    `/api/tip/customer-send/${creator.id}`,
    { amount: 100, type: 'profile', note: '' },
    { 'idempotency-key': randomUUID() },
  );
  expect(tipped.statusCode, tipped.body).toBe(200);
  app.clock.advance(8 * DAY_MS);
  await clearDue(app.ctx.db, app.clock.now());
  const method = await addMethod(app, creator);
  expect((await requestIt(creator, 90, method.id)).statusCode).toBe(200);
  const again = await app.logIn(fan);
  const opened = await again.inject(
    'POST',
    '/api/helpdesk/tickets',
    { subject: 'A tip', message: 'I tipped the wrong person.', pictures: [] },
    { 'idempotency-key': randomUUID() },
  );
  expect(opened.statusCode, opened.body).toBe(200);
  const id = await caseIdOf(app, opened.json().reference);
  const [tip] = (await read(support, id)).json().purchases;
  expect(tip).toMatchObject({ title: 'Tip', amount: 100, isOfThing: false, canGiveBack: true });
  expect((await pass(support, id)).statusCode).toBe(200);
  expect((await giveBack(finance, id, [tip.id])).statusCode).toBe(200);
  expect(await wallet()).toBe(10_000);
  expect(await balanceOf(app.ctx.db, account.receivable(creator.id))).toBe(9_000);
  const [told = ''] = await mailOf(creator);
  expect(told).toContain('$90.00 of it was already paid out and will be deducted from your next earnings.');
  expect((await read(support, id)).json()).toMatchObject({ state: 'open', queue: 'support' });
});

test('a refund of an unknown, foreign or already refunded purchase is refused', async () => {
  const { id, saleId } = await boughtAndReported();
  const owner = await app.signUp('operator');
  expect((await giveBack(owner, id, [randomUUID()])).statusCode).toBe(404);
  expect((await decideIt(owner, id, { act: 'refund', ground: GROUND })).json().error).toMatchObject([
    { field: 'sales' },
  ]);
  const stranger = await app.signUp('customer');
  const elsewhere = await reportedCase(app, stranger, { person: creator, typeId: creator.id });
  expect((await read(owner, elsewhere)).json().purchases).toEqual([]);
  expect((await pass(moderator, elsewhere)).statusCode).toBe(409);
  expect((await giveBack(owner, elsewhere, [saleId])).statusCode).toBe(409);

  const second = await reportedCase(app, fan, { person: creator, typeId: creator.id });
  expect((await giveBack(owner, second, [saleId])).statusCode).toBe(200);
  const late = await giveBack(owner, id, [saleId]);
  expect([late.statusCode, await wallet()]).toEqual([409, 10_000]);
});

test('a purchase of a closed account cannot be refunded', async () => {
  const { id, saleId } = await boughtAndReported();
  await app.owner.pool.query('update users set is_erasing = true, is_blocked = true where id = $1', [fan.id]);
  const owner = await app.signUp('operator');
  expect((await read(owner, id)).json()).toMatchObject({ purchases: [{ canGiveBack: false }] });
  expect((await giveBack(owner, id, [saleId])).statusCode).toBe(409);
});

test('refundable purchases are listed first, and a named one is found however many came later', async () => {
  const owner = await app.signUp('operator');
  const tipped: string[] = [];
  for (let at = 0; at < CASES.purchases + 3; at += 1) {
    const tip = await fan.inject(
      'POST',
      `/api/tip/customer-send/${creator.id}`,
      { amount: 1, type: 'profile' },
      { 'idempotency-key': randomUUID() },
    );
    expect(tip.statusCode, tip.body).toBe(200);
    app.clock.advance(1_000);
    tipped.push(tip.json().transactionId);
  }
  const ticket = async () => {
    const asked = await fan.inject(
      'POST',
      '/api/helpdesk/tickets',
      { subject: 'Tips', message: 'The button was stuck.', pictures: [] },
      { 'idempotency-key': randomUUID() },
    );
    return caseIdOf(app, asked.json().reference);
  };
  const shown = async (id: string): Promise<{ id: string; canGiveBack: boolean }[]> =>
    (await read(owner, id)).json().purchases;
  const id = await ticket();
  const [oldest = '', ...later] = tipped;
  expect((await shown(id)).map((one) => one.id)).not.toContain(oldest);
  expect((await giveBack(owner, id, [oldest])).statusCode).toBe(200);
  const newest = (await shown(id)).map((one) => one.id);
  expect((await giveBack(owner, id, newest)).statusCode).toBe(200);

  const left = later.slice(0, 2).toReversed();
  for (const of of [id, await ticket()])
    expect((await shown(of)).flatMap((one) => (one.canGiveBack ? one.id : []))).toEqual(left);
  expect((await shown(id)).slice(0, 2).map((one) => one.id)).toEqual(left);
  expect((await pass(support, id)).statusCode).toBe(200);
  expect((await giveBack(finance, id, left)).statusCode).toBe(200);
  expect(await wallet()).toBe(10_000);
});

test('with more reporters than shown purchases, all are counted and every purchase can be refunded', async () => {
  const owner = await app.signUp('operator');
  const postId = await makePost(app.ctx, creator.id, { priceCents: 300, caption: 'Not hers' });
  const buyers: TestUser[] = [];
  let id = '';
  for (let at = 0; at < CASES.purchases + 5; at += 1) {
    const buyer = await app.signUp('customer');
    await makeDeposit(app.ctx.db, buyer.id, 1_000);
    const bought = await buyer.inject(
      'POST',
      `/api/post/unlock/${postId}`,
      { price: 3 },
      { 'idempotency-key': randomUUID() },
    );
    expect(bought.statusCode, bought.body).toBe(200);
    app.clock.advance(1_000);
    const message = `Seen elsewhere, says number ${at + 1}.`;
    id = await reportedCase(app, buyer, { person: creator, type: 'post', typeId: postId, message });
    buyers.push(buyer);
  }
  const names = buyers.map(({ username }) => username);
  const view = async () => (await read(owner, id)).json();
  const first = await view();
  expect(first).toMatchObject({ reports: names.length, details: 'Seen elsewhere, says number 1.' });
  const heard: { kind: string; by: string }[] = first.entries;
  expect(heard.map(({ kind, by }) => [kind, by])).toEqual(names.map((name) => ['report', name]));
  type Bought = { id: string; canGiveBack: boolean; isOfThing: boolean; buyer: { username: string } };
  const shown: Bought[] = first.purchases;
  expect([shown.length, first.purchaseCount]).toEqual([CASES.purchases, names.length]);
  expect(shown.map(({ buyer }) => buyer.username)).toEqual(names.toReversed().slice(0, CASES.purchases));
  expect(shown.every(({ isOfThing, canGiveBack }) => isOfThing && canGiveBack)).toBe(true);
  const idsOf = (of: readonly Bought[]) => of.map((one) => one.id);
  expect((await giveBack(owner, id, idsOf(shown))).statusCode).toBe(200);
  const second = await view();
  const left = second.purchases.filter(({ canGiveBack }: Bought) => canGiveBack);
  expect(left.map(({ buyer }: Bought) => buyer.username)).toEqual(names.slice(0, 5).toReversed());
  expect(second.purchaseCount).toBe(names.length);
  expect((await giveBack(owner, id, idsOf(left))).statusCode).toBe(200);
  for (const buyer of buyers) expect(await wallet(buyer)).toBe(1_000);
});

test('naming a sale refunds neither another buyer’s nor another creator’s purchase', async () => {
  const owner = await app.signUp('operator');
  const { id, saleId } = await boughtAndReported();
  const [other, maker] = [await app.signUp('customer'), await app.signUp('creator')];
  await makeDeposit(app.ctx.db, other.id, 1_000);
  const tip = async (by: TestUser, to: TestUser): Promise<string> =>
    (
      await by.inject(
        'POST',
        `/api/tip/customer-send/${to.id}`,
        { amount: 5, type: 'profile' },
        { 'idempotency-key': randomUUID() },
      )
    ).json().transactionId;
  for (const sale of [await tip(other, creator), await tip(fan, maker)])
    expect((await giveBack(owner, id, [saleId, sale])).statusCode).toBe(404);
  expect([await wallet(), await wallet(other)]).toEqual([8_300, 500]);
});

test('a refund requires a recent proof of identity', async () => {
  const { id, saleId } = await boughtAndReported();
  const owner = await app.signUp('operator');
  app.clock.advance(21 * DAY_MS);
  const unproven = await giveBack(owner, id, [saleId]);
  expect([unproven.statusCode, unproven.json().href]).toEqual([403, '/admin/prove']);
  expect(await wallet()).toBe(8_800);
  expect((await decideIt(owner, id, { act: 'dismiss' })).statusCode).toBe(200);
});

test('finance cannot read a report that was dismissed or ended in a measure', async () => {
  for (const act of ['dismiss', 'warn'] as const) {
    const id = await reportedCase(app, fan, { person: creator });
    const decided = await decideIt(moderator, id, { act });
    expect(decided.statusCode, decided.body).toBe(200);
    expect((await read(moderator, id)).statusCode).toBe(200);
    expect((await read(finance, id)).statusCode).toBe(404);
  }
});
