import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { blockAccount } from '../accounts/index.ts';
import { addMethod, payee, requestIt } from './testing.ts';

let app: TestApp;
let operator: TestUser;
beforeAll(async () => {
  app = await createTestApp({ env: { ACH_BANK: '091000019', ACH_BANK_NAME: 'FRB' } });
});
afterAll(() => app.close());

async function requested(usd: number) {
  const creator = await payee(app, usd * 100);
  const method = await addMethod(app, creator);
  const { id } = (await requestIt(creator, usd, method.id)).json<{ id: string }>();
  operator = await app.signUp('operator');
  return { creator, id };
}
type Listed = { id: string; heldBack: string | null };
const decide = (id: string, decision: string) =>
  operator.inject('POST', `/api/admin/payouts/${id}/decision`, { decision, ground: 'looked at the papers' });
const rails = async () => (await operator.inject('GET', '/api/admin/payout-rails')).json().data;

test('approving a payout of a blocked user is refused with a message about the user, not the operator', async () => {
  const { id, creator } = await requested(30);
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
  const [held, free] = [await requested(30), await requested(40)];
  for (const { id } of [held, free]) expect((await decide(id, 'approve')).json().status).toBe('approved');
  const [before] = await rails();
  expect(before).toMatchObject({ rail: 'ach', count: 2, net: 70, held: 0 });
  await blockAccount(app.ctx, held.creator.id, 'forged papers');
  const [after] = await rails();
  expect(after).toMatchObject({ rail: 'ach', count: 1, net: 40, held: 1 });
  const listed = async (query: string) =>
    (await operator.inject('GET', `/api/admin/payouts?${query}`))
      .json()
      .data.map((one: Listed) => [one.id, one.heldBack]);
  const why = 'The user sees: This account is blocked.';
  for (const query of ['queue=heldBack', 'queue=heldBack&rail=ach'])
    expect(await listed(query)).toEqual([[held.id, why]]);
  expect(await listed('queue=heldBack&rail=wire')).toEqual([]);
  expect(await listed('queue=toSend')).toEqual([
    [held.id, why],
    [free.id, null],
  ]);
});
