import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { setUpMoneyTest } from '../../../testing/money.ts';
import {
  account,
  countDebtors,
  getSpendingStatus,
  listDebtorIds,
  listDebts,
  postTransaction,
  reverseDeposit,
  setSpendingBlocked,
  settleDebt,
  writeOffDebt,
} from './index.ts';

const money = setUpMoneyTest();
const NOON = new Date('2026-11-18T12:00:00Z');

async function createDebtor(owedCents: number) {
  const fan = await money.fan();
  const deposit = await money.deposit(fan, owedCents);
  await postTransaction(money.db, {
    kind: 'test',
    legs: [
      [account.wallet(fan), owedCents],
      ['rev:payout_fee', -owedCents],
    ],
  });
  const eventKey = randomUUID();
  const reversal = { depositTransactionId: deposit, kind: 'chargeback', provider: 'ccbill', ref: eventKey } as const;
  const { transactionId } = await money.db.transaction((tx) => reverseDeposit(tx, { ...reversal, eventKey }));
  return { fan, reversalId: transactionId };
}
const listChanges = async (fan: string) => {
  const { rows } = await money.db.pool.query<{ change: string; cents: number; blocked: boolean }>(
    `select payload ->> 'change' as change, (payload ->> 'cents')::int as cents, (payload ->> 'isBlocked')::boolean as blocked
     from outbox where type = 'debt.changed' and payload ->> 'fanId' = $1 order by id`,
    [fan],
  );
  return rows.map(({ change, cents, blocked }) => [change, cents, blocked]);
};

it('fans with a debt or a block are listed in pages and counted, each with the parts of their own debt', async () => {
  expect(await countDebtors(money.db)).toEqual({ count: 0, since: null });
  expect(await listDebtorIds(money.db, { limit: 5, skip: 0 })).toEqual({ fanIds: [], total: 0 });
  const [one, other] = [await createDebtor(300), await createDebtor(200)];
  const [blocked, free] = [await money.fan(), await money.fan(100)];
  await money.db.transaction((tx) => setSpendingBlocked(tx, blocked, true));

  const all = [one.fan, other.fan, blocked].sort();
  expect(await listDebtorIds(money.db, { limit: 5, skip: 0 })).toEqual({ fanIds: all, total: 3 });
  expect(await listDebtorIds(money.db, { limit: 1, skip: 1 })).toEqual({ fanIds: all.slice(1, 2), total: 3 });
  expect(await countDebtors(money.db)).toEqual({ count: 3, since: null });

  const stranger = randomUUID();
  const debts = await listDebts(money.db, [one.fan, other.fan, blocked, free, stranger]);
  const byFan = new Map(debts.map(({ fanId, ...debt }) => [fanId, debt]));
  const part = (reversalId: string | null, openCents: number) => ({
    ...{ reversalId, kind: 'deposit_chargeback', at: expect.any(Date), openCents, writtenOffCents: 0 },
  });
  const none = { balanceCents: 0, balanceLine: 0, isBlocked: false, isForDebt: false, owedCents: 0, parts: [] };
  expect(byFan.get(one.fan)).toEqual({
    ...{ balanceCents: 0, balanceLine: 2, isBlocked: true, isForDebt: true, owedCents: 300 },
    parts: [part(one.reversalId, 300)],
  });
  expect(byFan.get(other.fan)?.parts).toEqual([part(other.reversalId, 200)]);
  expect(byFan.get(blocked)).toEqual({ ...none, isBlocked: true });
  expect(byFan.get(free)).toEqual({ ...none, balanceCents: 100, balanceLine: 1 });
  expect(byFan.get(stranger)).toEqual(none);
});

it('a fan without a wallet has no money, no debt and no block', async () => {
  expect(await getSpendingStatus(money.db, randomUUID())).toEqual({
    ...{ balanceCents: 0, balanceLine: 0, isBlocked: false, isForDebt: false, owedCents: 0 },
  });
});

it('every change of a debt or a block is an event that names the change', async () => {
  const { fan } = await createDebtor(300);
  await money.db.transaction((tx) => writeOffDebt(tx, fan, NOON));
  await money.db.transaction((tx) => setSpendingBlocked(tx, fan, true));
  await money.db.transaction((tx) => setSpendingBlocked(tx, fan, false));
  expect(await listChanges(fan)).toEqual([
    ['owed', 300, true],
    ['writtenOff', 300, false],
    ['blocked', 0, true],
    ['unblocked', 0, false],
  ]);
  await expect(money.db.transaction((tx) => writeOffDebt(tx, fan, NOON))).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'No outstanding balance.',
  });
});

it('a repayment returns the balance and the statement line after it', async () => {
  const { fan } = await createDebtor(300);
  await postTransaction(money.db, {
    kind: 'test',
    legs: [
      ['exp:chargeback_loss', 500],
      [account.wallet(fan), -500],
    ],
  });
  const settled = await money.db.transaction((tx) => settleDebt(tx, fan, NOON));
  const { balanceCents, balanceLine } = await getSpendingStatus(money.db, fan);
  expect(settled).toEqual({ debtPaidCents: 300, balanceCents, balanceLine });
  expect(await money.db.transaction((tx) => settleDebt(tx, fan, NOON))).toEqual({ ...settled, debtPaidCents: 0 });
});
