import { randomUUID } from 'node:crypto';
import { CASE_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { makeVerified } from '../../compliance/verification/testing.ts';
import { makePost } from '../../content/posts/testing.ts';
import { createPayoutMethod, expectCleanLedger, requestPayoutAs } from '../../finance/payouts/testing.ts';
import { account, clearDue, getBalance } from '../../ledger/ledger/index.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';
import { createReportedCase, decideCaseAs, getCaseId, listAuditActions } from './testing.ts';

let app: TestApp;
let moderator: TestUser;
let support: TestUser;
let finance: TestUser;
let creator: TestUser;
let fan: TestUser;
beforeAll(async () => {
  app = await createTestApp({ env: { ADMIN_STEP_UP_MINUTES: String(20 * 24 * 60) } });
  [moderator, support, finance] = [
    await app.signUp('operator', { roles: ['moderator'] }),
    await app.signUp('operator', { roles: ['support'] }),
    await app.signUp('operator', { roles: ['finance'] }),
  ];
});
beforeEach(async () => {
  [creator, fan] = [await app.signUp('creator'), await app.signUp('customer')];
  await createDeposit(app.ctx.db, fan.id, 10_000);
});
afterEach(async () => {
  await app.ctx.events.waitUntilIdle();
  await expectCleanLedger(app);
});
afterAll(() => app.close());

const DAY_MS = 24 * 60 * 60_000;
const REASON = 'The files cannot be opened.';
const wallet = (user = fan) => getBalance(app.ctx.db, account.wallet(user.id));
const read = (by: TestUser, id: string) => by.inject('GET', `/api/admin/cases/${id}`);
const routeCase = (by: TestUser, id: string, isForRefund = true) =>
  by.inject('POST', `/api/admin/cases/${id}/route`, { isForRefund, text: 'Please look.' });
const refund = (by: TestUser, id: string, sales: string[]) =>
  by.inject('POST', `/api/admin/cases/${id}/decision`, { action: 'refund', reason: REASON, sales });
async function listMails(user: TestUser): Promise<string[]> {
  const rows = await app.ctx.db.query
    .selectFrom('development_mail')
    .select('body')
    .where('recipient', '=', user.email)
    .where('subject', '=', 'About your Stagedoor account')
    .execute();
  return rows.map(({ body }) => body);
}

async function createPurchaseCase(): Promise<{ id: string; saleId: string; postId: string }> {
  const postId = await makePost(app.ctx, creator.id, { priceCents: 1_200, caption: 'Moon jar' });
  const bought = await fan.inject(
    'POST',
    `/api/post/unlock/${postId}`,
    { price: 12 },
    { 'idempotency-key': randomUUID() },
  );
  expect(bought.statusCode, bought.body).toBe(200);
  const id = await createReportedCase(app, fan, { user: creator, type: 'post', typeId: postId });
  const [purchase] = (await read(moderator, id)).json().purchases;
  return { id, saleId: purchase.id, postId };
}

test('a moderator routes a case, finance refunds it once, both sides are mailed and the case stays open', async () => {
  const { id, saleId, postId } = await createPurchaseCase();
  expect((await read(moderator, id)).json()).toMatchObject({
    queue: 'reports',
    purchases: [{ id: saleId, amount: 12, refunded: 0, isForContent: true, canRefund: true, title: 'Post' }],
  });
  expect((await read(moderator, id)).json().allowedActions).not.toContain('refund');
  const refused = await refund(moderator, id, [saleId]);
  expect([refused.statusCode, refused.json().message]).toEqual([
    403,
    'Refunds are handled by finance. Send the case to them.',
  ]);
  expect((await read(finance, id)).statusCode).toBe(404);
  expect((await refund(finance, id, [saleId])).statusCode).toBe(404);
  expect((await routeCase(moderator, id)).json()).toMatchObject({ queue: 'refunds' });
  expect((await routeCase(moderator, id)).statusCode).toBe(409);
  const financeCases = (await finance.inject('GET', '/api/admin/cases')).json().data;
  expect(financeCases.map((caseSummary: { id: string }) => caseSummary.id)).toEqual([id]);
  const workQueue = (await finance.inject('GET', '/api/admin/work-queue')).json().data;
  expect(workQueue).toEqual(expect.arrayContaining([expect.objectContaining({ kind: 'refunds', count: 1 })]));
  expect((await read(finance, id)).json().allowedActions).toEqual(['refund']);

  expect(await wallet()).toBe(8_800);
  const [one, other] = await Promise.all([refund(finance, id, [saleId]), refund(finance, id, [saleId])]);
  expect([one?.statusCode, other?.statusCode], other?.body).toEqual([200, 200]);
  expect(await wallet()).toBe(10_000);
  expect((await read(finance, id)).json()).toMatchObject({
    ...{ state: 'open', queue: 'reports' },
    decisions: [{ action: 'refund', reason: REASON, canUndo: false }],
    purchases: [{ refunded: 12, canRefund: false }],
  });
  expect((await fan.inject('GET', `/api/post/${postId}`)).json().isLocked ?? true).toBe(true);
  await app.ctx.events.waitUntilIdle();
  const [[fanMail = '', secondMail], [creatorMail = '']] = [await listMails(fan), await listMails(creator)];
  expect(fanMail).toContain(`We refunded $12.00 you paid to @${creator.username}`);
  expect(creatorMail).toContain('We refunded a fan $12.00.');
  for (const mail of [fanMail, creatorMail]) expect(mail).toContain(REASON);
  expect(secondMail).toBeUndefined();
  expect(await listAuditActions(app, id)).toEqual(['case.route', 'case.refund']);

  expect((await decideCaseAs(moderator, id, { action: 'dismiss' })).json().state).toBe('closed');
});

test('a refund cannot be reversed, and the refusal explains this', async () => {
  const { id, saleId } = await createPurchaseCase();
  const owner = await app.signUp('operator');
  const [decision] = (await refund(owner, id, [saleId])).json().decisions;
  const undone = await owner.inject('POST', `/api/admin/case-decisions/${decision.id}/undo`, {
    reason: 'We were wrong.',
  });
  expect([undone.statusCode, undone.json().message]).toEqual([409, 'Refunds can’t be reversed.']);
  expect(await wallet()).toBe(10_000);
  expect((await creator.inject('GET', '/api/helpdesk/decisions')).json().data).toEqual([]);
  expect((await decideCaseAs(moderator, id, { action: 'dismiss' })).statusCode).toBe(200);
  const reopening = { ids: [id], reason: 'Too quick.' };
  expect((await moderator.inject('POST', '/api/admin/cases/reopen', reopening)).json().reopened).toEqual([id]);
  expect((await read(moderator, id)).json()).toMatchObject({
    state: 'open',
    decisions: expect.arrayContaining([
      expect.objectContaining({ action: 'refund', undoneAt: null }),
      expect.objectContaining({ action: 'dismiss', undoneAt: expect.any(String) }),
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
  const method = await createPayoutMethod(app, creator);
  expect((await requestPayoutAs(creator, 90, method.id)).statusCode).toBe(200);
  const loggedIn = await app.logIn(fan);
  const opened = await loggedIn.inject(
    'POST',
    '/api/helpdesk/tickets',
    { subject: 'A tip', message: 'I tipped the wrong person.', pictures: [] },
    { 'idempotency-key': randomUUID() },
  );
  expect(opened.statusCode, opened.body).toBe(200);
  const id = await getCaseId(app, opened.json().reference);
  const [tip] = (await read(support, id)).json().purchases;
  expect(tip).toMatchObject({ title: 'Tip', amount: 100, isForContent: false, canRefund: true });
  expect((await routeCase(support, id)).statusCode).toBe(200);
  expect((await refund(finance, id, [tip.id])).statusCode).toBe(200);
  expect(await wallet()).toBe(10_000);
  expect(await getBalance(app.ctx.db, account.receivable(creator.id))).toBe(9_000);
  const [mail = ''] = await listMails(creator);
  expect(mail).toContain('$90.00 of it was already paid out and will be deducted from your next earnings.');
  expect((await read(support, id)).json()).toMatchObject({ state: 'open', queue: 'support' });
});

test('a refund of an unknown, foreign or already refunded purchase is refused', async () => {
  const { id, saleId } = await createPurchaseCase();
  const owner = await app.signUp('operator');
  expect((await refund(owner, id, [randomUUID()])).statusCode).toBe(404);
  expect((await decideCaseAs(owner, id, { action: 'refund', reason: REASON })).json().error).toMatchObject([
    { field: 'sales' },
  ]);
  const stranger = await app.signUp('customer');
  const otherCase = await createReportedCase(app, stranger, { user: creator, typeId: creator.id });
  expect((await read(owner, otherCase)).json().purchases).toEqual([]);
  expect((await routeCase(moderator, otherCase)).statusCode).toBe(409);
  expect((await refund(owner, otherCase, [saleId])).statusCode).toBe(409);

  const second = await createReportedCase(app, fan, { user: creator, typeId: creator.id });
  expect((await refund(owner, second, [saleId])).statusCode).toBe(200);
  const late = await refund(owner, id, [saleId]);
  expect([late.statusCode, await wallet()]).toEqual([409, 10_000]);
});

test('a purchase of a closed account cannot be refunded', async () => {
  const { id, saleId } = await createPurchaseCase();
  await app.owner.pool.query('update users set is_erasing = true, is_blocked = true where id = $1', [fan.id]);
  const owner = await app.signUp('operator');
  expect((await read(owner, id)).json()).toMatchObject({ purchases: [{ canRefund: false }] });
  expect((await refund(owner, id, [saleId])).statusCode).toBe(409);
});

test('refundable purchases are listed first, and a named one is found however many came later', async () => {
  const owner = await app.signUp('operator');
  const tipped: string[] = [];
  for (let index = 0; index < CASE_LIMITS.purchases + 3; index += 1) {
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
    const response = await fan.inject(
      'POST',
      '/api/helpdesk/tickets',
      { subject: 'Tips', message: 'The button was stuck.', pictures: [] },
      { 'idempotency-key': randomUUID() },
    );
    return getCaseId(app, response.json().reference);
  };
  const shown = async (id: string): Promise<{ id: string; canRefund: boolean }[]> =>
    (await read(owner, id)).json().purchases;
  const id = await ticket();
  const [oldest = '', ...laterSales] = tipped;
  expect((await shown(id)).map((one) => one.id)).not.toContain(oldest);
  expect((await refund(owner, id, [oldest])).statusCode).toBe(200);
  const newest = (await shown(id)).map((one) => one.id);
  expect((await refund(owner, id, newest)).statusCode).toBe(200);

  const remaining = laterSales.slice(0, 2).toReversed();
  for (const caseId of [id, await ticket()])
    expect((await shown(caseId)).flatMap((one) => (one.canRefund ? one.id : []))).toEqual(remaining);
  expect((await shown(id)).slice(0, 2).map((one) => one.id)).toEqual(remaining);
  expect((await routeCase(support, id)).statusCode).toBe(200);
  expect((await refund(finance, id, remaining)).statusCode).toBe(200);
  expect(await wallet()).toBe(10_000);
});

test('with more reporters than shown purchases, all are counted and every purchase can be refunded', async () => {
  const owner = await app.signUp('operator');
  const postId = await makePost(app.ctx, creator.id, { priceCents: 300, caption: 'Not hers' });
  const buyers: TestUser[] = [];
  let id = '';
  for (let index = 0; index < CASE_LIMITS.purchases + 5; index += 1) {
    const buyer = await app.signUp('customer');
    await createDeposit(app.ctx.db, buyer.id, 1_000);
    const bought = await buyer.inject(
      'POST',
      `/api/post/unlock/${postId}`,
      { price: 3 },
      { 'idempotency-key': randomUUID() },
    );
    expect(bought.statusCode, bought.body).toBe(200);
    app.clock.advance(1_000);
    const message = `Seen elsewhere, says number ${index + 1}.`;
    id = await createReportedCase(app, buyer, { user: creator, type: 'post', typeId: postId, message });
    buyers.push(buyer);
  }
  const names = buyers.map(({ username }) => username);
  const view = async () => (await read(owner, id)).json();
  const first = await view();
  expect(first).toMatchObject({ reports: names.length, details: 'Seen elsewhere, says number 1.' });
  const entries: { kind: string; author: string }[] = first.entries;
  expect(entries.map(({ kind, author }) => [kind, author])).toEqual(names.map((name) => ['report', name]));
  type PurchaseView = { id: string; canRefund: boolean; isForContent: boolean; buyer: { username: string } };
  const shown: PurchaseView[] = first.purchases;
  expect([shown.length, first.purchaseCount]).toEqual([CASE_LIMITS.purchases, names.length]);
  expect(shown.map(({ buyer }) => buyer.username)).toEqual(names.toReversed().slice(0, CASE_LIMITS.purchases));
  expect(shown.every(({ isForContent, canRefund }) => isForContent && canRefund)).toBe(true);
  const toIds = (purchases: readonly PurchaseView[]) => purchases.map((one) => one.id);
  expect((await refund(owner, id, toIds(shown))).statusCode).toBe(200);
  const second = await view();
  const remaining = second.purchases.filter(({ canRefund }: PurchaseView) => canRefund);
  expect(remaining.map(({ buyer }: PurchaseView) => buyer.username)).toEqual(names.slice(0, 5).toReversed());
  expect(second.purchaseCount).toBe(names.length);
  expect((await refund(owner, id, toIds(remaining))).statusCode).toBe(200);
  for (const buyer of buyers) expect(await wallet(buyer)).toBe(1_000);
});

test('naming a sale refunds neither another buyer’s nor another creator’s purchase', async () => {
  const owner = await app.signUp('operator');
  const { id, saleId } = await createPurchaseCase();
  const [other, otherCreator] = [await app.signUp('customer'), await app.signUp('creator')];
  await createDeposit(app.ctx.db, other.id, 1_000);
  const tip = async (by: TestUser, to: TestUser): Promise<string> =>
    (
      await by.inject(
        'POST',
        `/api/tip/customer-send/${to.id}`,
        { amount: 5, type: 'profile' },
        { 'idempotency-key': randomUUID() },
      )
    ).json().transactionId;
  for (const sale of [await tip(other, creator), await tip(fan, otherCreator)])
    expect((await refund(owner, id, [saleId, sale])).statusCode).toBe(404);
  expect([await wallet(), await wallet(other)]).toEqual([8_300, 500]);
});

test('a refund requires a recent proof of identity', async () => {
  const { id, saleId } = await createPurchaseCase();
  const owner = await app.signUp('operator');
  app.clock.advance(21 * DAY_MS);
  const refused = await refund(owner, id, [saleId]);
  expect([refused.statusCode, refused.json().href]).toEqual([403, '/admin/step-up']);
  expect(await wallet()).toBe(8_800);
  expect((await decideCaseAs(owner, id, { action: 'dismiss' })).statusCode).toBe(200);
});

test('finance cannot read a report that was dismissed or ended in a measure', async () => {
  for (const action of ['dismiss', 'warn'] as const) {
    const id = await createReportedCase(app, fan, { user: creator });
    const decided = await decideCaseAs(moderator, id, { action });
    expect(decided.statusCode, decided.body).toBe(200);
    expect((await read(moderator, id)).statusCode).toBe(200);
    expect((await read(finance, id)).statusCode).toBe(404);
  }
});
