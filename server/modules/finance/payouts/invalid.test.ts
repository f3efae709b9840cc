import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { BITCOIN, createPayee, createPayoutMethod, expectCleanLedger, requestPayoutAs } from './testing.ts';

let app: TestApp;
let operator: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  operator = await app.signUp('operator');
});
afterAll(() => app.close());

const decide = (id: string, decision: 'approve' | 'reject') =>
  operator.inject('POST', `/api/admin/payouts/${id}/decision`, { decision, reason: 'looked at the papers' });
const sendAll = () =>
  operator.inject('POST', '/api/admin/payout-batches', { rail: 'crypto' }, { 'idempotency-key': randomUUID() });

test('after a method was returned, its pending requests cannot be approved or sent, only rejected', async () => {
  const creator = await createPayee(app, 20_000);
  const method = await createPayoutMethod(app, creator, BITCOIN);
  const [approved, requested] = [
    (await requestPayoutAs(creator, 50, method.id)).json().id,
    (await requestPayoutAs(creator, 60, method.id)).json().id,
  ];
  expect((await decide(approved, 'approve')).json().status).toBe('approved');
  await app.owner.pool.query('update payout_methods set invalid_at = $2 where id = $1', [method.id, app.clock.now()]);

  expect((await decide(requested, 'approve')).json()).toMatchObject({
    ...{ code: 'CONFLICT', message: 'A payout to this method was returned. Reject this request.' },
  });
  expect((await sendAll()).json()).toMatchObject({
    ...{ code: 'CONFLICT', message: 'No approved payouts to send.' },
  });
  expect((await requestPayoutAs(creator, 50, method.id)).json().message).toBe(
    'A payout to this method was returned. Add the method again.',
  );
  for (const id of [approved, requested]) expect((await decide(id, 'reject')).statusCode).toBe(200);
  await expectCleanLedger(app);
});
