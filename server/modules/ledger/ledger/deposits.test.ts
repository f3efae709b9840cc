import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { setUpMoneyTest } from '../../../testing/money.ts';
import { account, creditDeposit, type DepositReversal, getBalance, postTransaction, reverseDeposit } from './index.ts';
import { catchErrorCode } from './testing.ts';

const money = setUpMoneyTest();
const reverse = (depositTransactionId: string, more: Partial<DepositReversal> = {}) => {
  const ref = randomUUID();
  return money.db.transaction((tx) =>
    reverseDeposit(tx, { depositTransactionId, kind: 'refund', provider: 'ccbill', ref, eventKey: ref, ...more }),
  );
};
const spend = (fan: string, cents: number) =>
  money.db.pool.query("select ledger_post('test', $1, $2::bigint[])", [
    [account.wallet(fan), 'rev:payout_fee'],
    [cents, -cents],
  ]);
const wallet = (fan: string) => getBalance(money.db, account.wallet(fan));

describe('a deposit', () => {
  it('is credited once when the event arrives repeatedly and concurrently', async () => {
    const fan = await money.fan();
    const depositInput = {
      fanId: fan,
      amountCents: 30_000,
      feeCents: 600,
      provider: 'ccbill',
      ref: 'r',
      eventKey: randomUUID(),
    };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => money.db.transaction((tx) => creditDeposit(tx, depositInput))),
    );
    expect(new Set(answers.map(({ transactionId }) => transactionId)).size).toBe(1);
    expect(answers.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
    expect(await wallet(fan)).toBe(30_000);
  });

  it('is identified by provider and event', async () => {
    const fan = await money.fan();
    const eventKey = randomUUID();
    for (const provider of ['ccbill', 'other']) {
      await money.db.transaction((tx) =>
        creditDeposit(tx, { fanId: fan, amountCents: 100, feeCents: 2, provider, ref: 'r', eventKey }),
      );
    }
    expect(await wallet(fan)).toBe(200);
  });
});

describe('a reversal', () => {
  it('reverses the full $306: $300 and the fee', async () => {
    const fan = await money.fan();
    const deposit = await money.deposit(fan, 30_000, 600);
    const fees = await getBalance(money.db, account.depositFee);
    expect(await reverse(deposit)).toMatchObject({
      cardCents: 30_600,
      amountCents: 30_000,
      feeCents: 600,
      shortfallCents: 0,
      remainingCents: 0,
      balanceCents: 0,
    });
    expect(await getBalance(money.db, account.depositFee)).toBe(fees - 600);
  });

  it('books a shortfall as debt of the fan (reference: 5 left of 50)', async () => {
    const fan = await money.fan();
    const deposit = await money.deposit(fan, 5_000);
    await spend(fan, 4_500);
    const loss = await getBalance(money.db, account.chargebackLoss);
    expect(await reverse(deposit, { kind: 'chargeback' })).toMatchObject({
      amountCents: 5_000,
      shortfallCents: 4_500,
      balanceCents: 0,
    });
    expect(await getBalance(money.db, account.chargebackLoss)).toBe(loss);
    expect(await getBalance(money.db, account.owed(fan))).toBe(4_500);
  });

  it('splits into parts that sum to the whole and never exceed it', async () => {
    const fan = await money.fan();
    const deposit = await money.deposit(fan, 1_000, 21);
    const parts = [
      await reverse(deposit, { cardCents: 333 }),
      await reverse(deposit, { cardCents: 333, kind: 'chargeback' }),
      await reverse(deposit, { cardCents: 999 }),
    ];
    expect(parts.map(({ cardCents }) => cardCents)).toEqual([333, 333, 355]);
    expect(parts.reduce((sum, { feeCents }) => sum + feeCents, 0)).toBe(21);
    expect(parts.map(({ remainingCents }) => remainingCents)).toEqual([688, 355, 0]);
    expect(await reverse(deposit, { kind: 'void' })).toMatchObject({
      transactionId: null,
      cardCents: 0,
      remainingCents: 0,
    });
    expect(await wallet(fan)).toBe(0);
  });

  it('is applied once when the event is repeated', async () => {
    const fan = await money.fan();
    const deposit = await money.deposit(fan, 5_000, 100);
    await spend(fan, 4_000);
    const ref = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => reverse(deposit, { cardCents: 2_040, ref, eventKey: ref })),
    );
    expect(answers.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
    const results = answers.map(({ isReplayed: _, balanceCents: __, ...answer }) => answer);
    expect(new Set(results.map((answer) => JSON.stringify(answer, Object.keys(answer).sort()))).size).toBe(1);
    expect(results[0]).toMatchObject({
      cardCents: 2_040,
      feeCents: 40,
      amountCents: 2_000,
      shortfallCents: 1_000,
      remainingCents: 3_060,
    });
    expect(await wallet(fan)).toBe(0);
  });

  it('is capped when several reversals of one deposit arrive concurrently', async () => {
    const fan = await money.fan(10_000);
    const deposit = await money.deposit(fan, 5_000, 100);
    const answers = await Promise.all(Array.from({ length: 6 }, () => reverse(deposit, { cardCents: 2_000 })));
    expect(answers.reduce((sum, { cardCents }) => sum + cardCents, 0)).toBe(5_100);
    expect(await wallet(fan)).toBe(10_000);
  });

  it('is refused for anything but a deposit', async () => {
    expect(await catchErrorCode(reverse(randomUUID()))).toBe('NOT_FOUND');
    const fan = await money.fan();
    const deposit = await money.deposit(fan, 1_000);
    const { transactionId: refundId } = await reverse(deposit, { cardCents: 400 });
    expect(await catchErrorCode(reverse(refundId ?? ''))).toBe('NOT_FOUND');
    const clearing = account.clearing('ccbill');
    const posted: readonly [string, string][] = [
      [account.wallet(fan), 'rev:payout_fee'],
      [clearing, 'rev:payout_fee'],
    ];
    for (const [debit, credit] of posted) {
      const legs = [[debit, 10] as const, [credit, -10] as const];
      const { transactionId } = await postTransaction(money.db, { kind: 'test', legs });
      expect(await catchErrorCode(reverse(transactionId))).toBe('NOT_FOUND');
    }
    await postTransaction(money.db, {
      kind: 'test',
      legs: [
        ['rev:payout_fee', 10],
        [clearing, -10],
      ],
    });
    expect(await wallet(fan)).toBe(590);
  });

  it('of nothing that is left names the fan and is no replay', async () => {
    const fan = await money.fan();
    const deposit = await money.deposit(fan, 1_000);
    await reverse(deposit);
    expect(await reverse(deposit)).toEqual({
      ...{ transactionId: null, isReplayed: false, fanId: fan, balanceCents: 0, balanceLine: 2 },
      ...{ cardCents: 0, amountCents: 0, feeCents: 0, shortfallCents: 0, remainingCents: 0 },
    });
  });

  it('is stored with the details of the processor, as the deposit is', async () => {
    const [fan, eventKey] = [await money.fan(), randomUUID()];
    const card = { metadata: { card: 'visa 1111' }, provider: 'ccbill', ref: eventKey, eventKey };
    const { transactionId } = await money.db.transaction((tx) =>
      creditDeposit(tx, { fanId: fan, amountCents: 500, feeCents: 0, ...card }),
    );
    const reversal = await reverse(transactionId, { metadata: { reason: 'fraud' } });
    const plain = await money.deposit(fan, 100);
    const { rows } = await money.db.pool.query('select id, metadata from ledger_transactions where id = any ($1)', [
      [transactionId, reversal.transactionId, plain],
    ]);
    expect(new Map(rows.map(({ id, metadata }) => [id, metadata]))).toEqual(
      new Map([
        [transactionId, { card: 'visa 1111' }],
        [reversal.transactionId, { reason: 'fraud' }],
        [plain, null],
      ]),
    );
  });
});
