import { randomUUID } from 'node:crypto';
import { WAITING_KINDS, type WaitingKind } from '@stagedoor/contract/desk.ts';
import { OPERATOR_FACTS } from '@stagedoor/contract/policies.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { makePair, start } from '../calls/testing.ts';
import { reportIt } from '../cases/testing.ts';
import { keepRun } from '../ledger/index.ts';
import { paidDeposit, postEvent, reversalFields } from '../payments/testing.ts';
import { addMethod, payee, requestIt } from '../payouts/testing.ts';
import { tipTo } from './testing.ts';

let app: TestApp;
let owner: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  owner = await app.signUp('operator');
});
afterAll(() => app.close());

type Counts = Partial<Record<WaitingKind, number>>;
async function counts(): Promise<Counts> {
  const { data }: { data: { kind: WaitingKind; count: number }[] } = (
    await owner.inject('GET', '/api/admin/desk')
  ).json();
  return Object.fromEntries(data.map(({ kind, count }) => [kind, count]));
}

const write = (text: string, values: unknown[]) => app.owner.pool.query(text, values);
const keep = (table: string, row: Readonly<Record<string, unknown>>) =>
  write(
    `insert into ${table} (${Object.keys(row).join()}) values (${Object.keys(row).map((_, at) => `$${at + 1}`)})`,
    Object.values(row),
  );
const found = (comparison: 'sums' | 'processor', kind: 'sumWrong' | 'saleUnknownHere') => {
  const now = app.clock.now();
  const difference = { kind, key: 'it', aboutAt: null, theirsCents: null, oursCents: null, facts: {} };
  const run = { comparison, day: now.toISOString().slice(0, 10), isFull: true, startedAt: now, lookedAt: 1 };
  return keepRun(app.ctx, { ...run, found: { differences: [difference], since: null } });
};
const report = async () => reportIt(await app.signUp('customer'), { person: await app.signUp('creator') });
async function pass(queue: 'refunds' | 'copyright'): Promise<void> {
  const { reference } = (await report()).json();
  await write('update cases set queue = $2 where reference = $1', [reference, queue]);
}
async function request(): Promise<string> {
  const creator = await payee(app, 10_000);
  return (await requestIt(creator, 30, (await addMethod(app, creator)).id)).json().id;
}
const approve = async () => write("update payouts set status = 'approved' where id = $1", [await request()]);
async function send(rail: string, state: string): Promise<{ payoutId: string; sentId: string }> {
  const [payoutId, sentId, batchId] = [await request(), randomUUID(), randomUUID()];
  const facts = { rail, state, item_count: 1, net_cents: 3_000, created_by: owner.id, created_at: app.clock.now() };
  await keep('payout_batches', { id: batchId, ...facts });
  await write("update payouts set status = 'approved', batch_id = $2, sent_id = $3 where id = $1", [
    ...[payoutId, batchId, sentId],
  ]);
  return { payoutId, sentId };
}
const said = () => ({ ground: 'so it is', at: app.clock.now(), operator_id: owner.id });
const WAYS: Readonly<Record<Exclude<WaitingKind, 'missingFacts'>, () => Promise<unknown>>> = {
  alarms: () => found('sums', 'sumWrong'),
  cases: report,
  refunds: () => pass('refunds'),
  copyright: () => pass('copyright'),
  verifications: async () =>
    write("update verifications set status = 'submitted' where creator_id = $1", [(await payee(app, 100)).id]),
  payoutsToApprove: request,
  payoutsToSend: approve,
  payoutBatches: () => send('paypal', 'unknown'),
  // A claim by one operator expires after a week, and the payee has been waiting for longer.
  payoutsToConfirm: async () => {
    const { payoutId, sentId } = await send('ach', 'ready');
    const claim = { payout_id: payoutId, sent_id: sentId, has_arrived: false, step: 'failed' };
    return keep('payout_claims', { id: randomUUID(), ...claim, ...said() });
  },
  wantedSettings: () => keep('wanted_settings', { name: 'coolingHours', hundredths: 100, ...said() }),
  moneyActs: () => {
    const what = { kind: 'writeOff', subject_id: randomUUID(), about: '@fan', wish: {}, cents: 100 };
    return keep('money_acts', { id: randomUUID(), ...what, ...said() });
  },
  payoutNotices: () => {
    const notice = { id: 'WH-1', event_type: 'PAYMENT.PAYOUTS-ITEM.FAILED', state: 'quarantined' };
    return keep('payout_notices', { ...notice, received_at: app.clock.now() });
  },
  processorEvents: async () => {
    const { saleId } = await paidDeposit(app, await app.signUp('customer'), 20);
    return postEvent(app, 'Refund', reversalFields(app, saleId, '999.00'));
  },
  differences: () => found('processor', 'saleUnknownHere'),
  debtors: async () => {
    const [fan, creator] = [await app.signUp('customer'), await app.signUp('creator')];
    const { deposit, saleId } = await paidDeposit(app, fan, 20);
    await tipTo(creator, fan, 20);
    return postEvent(app, 'Chargeback', reversalFields(app, saleId, (deposit.payable_cents / 100).toFixed(2)));
  },
  calls: async () => start(await makePair(app)),
  pushServices: () => {
    const [since, last_at] = [app.clock.now(), app.clock.now()];
    return keep('push_faults', { service: 'push.example', kind: 'refused', status: 403, since, last_at, pushes: 1 });
  },
  teamChanges: async () => {
    const { username } = await app.signUp('customer');
    const body = { username, roles: ['support'], ground: 'we spoke about it' };
    const answer = await owner.inject('POST', '/api/admin/team', body);
    expect(answer.statusCode, answer.body).toBe(200);
  },
};

test('each kind of waiting work is counted in its own kind only', async () => {
  const known = await counts();
  expect(known.missingFacts).toBe(OPERATOR_FACTS.length);
  expect(Object.keys(known)).toEqual([...WAITING_KINDS]);
  for (const [kind, come] of Object.entries(WAYS)) {
    const before = await counts();
    await come();
    const after = await counts();
    const more = WAITING_KINDS.map((each) => [each, (after[each] ?? 0) - (before[each] ?? 0)] as const);
    expect(more.filter(([, count]) => count !== 0)).toEqual([[kind, 1]]);
  }
});
