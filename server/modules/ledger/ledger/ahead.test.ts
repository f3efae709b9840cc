import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { setUpMoneyTest } from '../../../testing/money.ts';
import { account, getBalance, type Leg, postTransaction } from './index.ts';
import { catchErrorCode } from './testing.ts';

const money = setUpMoneyTest();
const NOON = new Date('2026-11-18T12:00:00Z');

const move = (kind: string, legs: readonly Leg[]) =>
  money.db.transaction((tx) => postTransaction(tx, { kind, legs, at: NOON }));
const cents = (code: string) => getBalance(money.db, code);

it('a commission cannot be debited from a creator’s pending earnings', async () => {
  const legs: Leg[] = [
    [`liab:creator:${randomUUID()}:pending`, 100],
    [`liab:affiliate:${randomUUID()}:pending`, -100],
  ];
  expect(await catchErrorCode(move('commission', legs))).toBe('SD400');
});

it('settlements and processor fees clear the balance at the processor', async () => {
  const clearing = account.clearing('ccbill');
  const before = await cents(clearing);
  await money.fan(10_000);
  await move('processor_fee', [
    ['exp:processor_fee', 1_000],
    [clearing, -1_000],
  ]);
  await move('chargeback_fee', [
    ['exp:chargeback_fee', 2_000],
    [clearing, -2_000],
  ]);
  await move('settlement', [
    ['asset:bank:operating', 6_900],
    ['exp:processor_fee', 100],
    [clearing, -7_000],
  ]);
  expect(await cents(clearing)).toBe(before);
  const owed: Leg[] = [
    [`asset:fan:${randomUUID()}:receivable`, 1],
    [clearing, -1],
  ];
  expect(await catchErrorCode(move('chargeback_fee', owed))).toBe('SD400');
});

it('every account is in USD and other currencies are refused', async () => {
  await money.fan(100);
  const { rows } = await money.db.pool.query('select distinct currency from ledger_accounts');
  expect(rows).toEqual([{ currency: 'USD' }]);
  const euros = money.owner.pool.query("update ledger_accounts set currency = 'EUR' where code = 'rev:deposit_fee'");
  expect(await catchErrorCode(euros)).toBe('23514');
});
