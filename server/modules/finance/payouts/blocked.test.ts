import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { blockAccount } from '../../identity/accounts/index.ts';
import { createPayee, createPayoutMethod, requestPayoutAs } from './testing.ts';

let app: TestApp;
let operator: TestUser;
beforeAll(async () => {
  app = await createTestApp({ env: { ACH_BANK: '091000019', ACH_BANK_NAME: 'FRB' } });
});
afterAll(() => app.close());

async function createRequest(usd: number) {
  const creator = await createPayee(app, usd * 100);
  const method = await createPayoutMethod(app, creator);
  const { id } = (await requestPayoutAs(creator, usd, method.id)).json<{ id: string }>();
  operator = await app.signUp('operator');
  return { creator, id };
}
type Listed = { id: string; onHoldReason: string | null };
const decide = (id: string, decision: string) =>
  operator.inject('POST', `/api/admin/payouts/${id}/decision`, { decision, reason: 'looked at the papers' });
const rails = async () => (await operator.inject('GET', '/api/admin/payout-rails')).json().data;

test('approving a payout of a blocked user is refused with a message about the user, not the operator', async () => {
  const { id, creator } = await createRequest(30);
  await blockAccount(app.ctx, creator.id, 'forged papers');
  const refused = await decide(id, 'approve');
  expect([refused.statusCode, refused.json()]).toMatchObject([
    409,
    { code: 'CONFLICT', message: 'This can’t be paid. This account is blocked.' },
  ]);
  const read = (await operator.inject('GET', `/api/admin/payouts/${id}`)).json();
  expect(read.problem).toBe('This account is blocked.');
  expect((await decide(id, 'reject')).json().status).toBe('rejected');
});

test('payouts of blocked users are counted separately from those ready to send', async () => {
  const [onHold, free] = [await createRequest(30), await createRequest(40)];
  for (const { id } of [onHold, free]) expect((await decide(id, 'approve')).json().status).toBe('approved');
  const [before] = await rails();
  expect(before).toMatchObject({ rail: 'ach', count: 2, net: 70, onHold: 0 });
  await blockAccount(app.ctx, onHold.creator.id, 'forged papers');
  const [after] = await rails();
  expect(after).toMatchObject({ rail: 'ach', count: 1, net: 40, onHold: 1 });
  const listed = async (query: string) =>
    (await operator.inject('GET', `/api/admin/payouts?${query}`))
      .json()
      .data.map((one: Listed) => [one.id, one.onHoldReason]);
  const why = 'The user sees: This account is blocked.';
  for (const query of ['queue=onHold', 'queue=onHold&rail=ach'])
    expect(await listed(query)).toEqual([[onHold.id, why]]);
  expect(await listed('queue=onHold&rail=wire')).toEqual([]);
  expect(await listed('queue=toSend')).toEqual([
    [onHold.id, why],
    [free.id, null],
  ]);
});
