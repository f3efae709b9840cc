import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { checkLedger, type SumsReport } from '../../ledger/ledger-checks/index.ts';
import { listWrong, tamper } from '../../trust/transparency-log/testing.ts';
import { TestAffiliate } from './testing.ts';

const CLAIM_CHECK =
  'the paid commission of each affiliate equals what its transactions and payouts moved, less what was withheld';
const TIME = 'referred users earn commission for whole months from their approval, unless the affiliate left';

type VerifiedState = SumsReport['verifiedState'];
let app: TestApp;
let affiliate: TestAffiliate;
/** A check from here on covers every row, as an incremental one. */
let since: VerifiedState;
beforeAll(async () => {
  app = await createTestApp({ now: new Date('2027-02-27T12:00:00Z') });
  affiliate = await TestAffiliate.create(app);
  await affiliate.earn('customer', 9_000);
  await affiliate.clear();
  for (const response of [await affiliate.move(2), await affiliate.withdraw(50)])
    expect(response.statusCode, response.body).toBe(200);
  await app.ctx.events.waitUntilIdle();
  since = { ...(await checkLedger(app.ctx.db)).verifiedState, watermark: 0 };
});
afterAll(async () => {
  expect(listWrong(await checkLedger(app.ctx.db))).toEqual({});
  await app.close();
});

async function findWrong(forge: string, table: string): Promise<string[][]> {
  await app.owner.pool.query(`create table backup as select * from ${table}`);
  await tamper(app, [forge]);
  const wrong = [await checkLedger(app.ctx.db), await checkLedger(app.ctx.db, { since })].map(listWrong);
  await app.owner.pool.query(`delete from ${table}; insert into ${table} select * from backup; drop table backup`);
  return wrong.map((one) => Object.keys(one));
}

it.each([
  ['more', 'update affiliate_claims set amount_cents = amount_cents + 100 where id = $'],
  ['at another fee', 'update affiliate_claims set fee_cents = fee_cents + 1 where id = $'],
  [
    'of another user',
    `update affiliate_claims set affiliate_id = (select id from users where id <> affiliate_id limit 1) where id = $`,
  ],
  ['of nothing that moved', 'update affiliate_claims set id = gen_random_uuid() where id = $'],
  ['gone', 'delete from affiliate_claims where id = $'],
])('the ledger check finds a claim that is %s', async (_, forge) => {
  for (const condition of ['in (select id from payouts)', 'not in (select id from payouts)'])
    expect(await findWrong(forge.replace('= $', condition), 'affiliate_claims')).toEqual([
      [CLAIM_CHECK],
      [CLAIM_CHECK],
    ]);
});

it.each([
  ['referrals', `ends_at = ends_at + interval '5 years'`],
  ['referrals', `ends_at = ends_at + interval '1 day'`],
  ['referrals', `approved_at = approved_at - interval '1 hour', ends_at = ends_at - interval '1 hour'`],
  ['referrals', `affiliate_id = (select id from users where type = 'operator')`],
  ['sales_affiliates', `until_at = until_at + interval '5 years'`],
  ['sales_affiliates', `until_at = until_at - interval '1 month'`],
])('the ledger check finds a changed referral period or affiliate: %s, %s', async (table, change) => {
  if (change.includes('operator')) await app.signUp('operator');
  for (const wrong of await findWrong(`update ${table} set ${change}`, table)) expect(wrong).toContain(TIME);
});
