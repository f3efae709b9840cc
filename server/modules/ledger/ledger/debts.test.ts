import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSeededRandom } from '../../../platform/seeded-random.ts';
import { setUpMoneyTest } from '../../../testing/money.ts';
import { placeHold } from './holds.ts';
import {
  account,
  creditDeposit,
  type DepositReversal,
  getBalance,
  getSpendingStatus,
  listDebtParts,
  recordChargebackWin,
  releaseHold,
  reverseChargebackWin,
  reverseDeposit,
  setSpendingBlocked,
  writeOffDebt,
} from './index.ts';
import { addKind, catchErrorCode } from './testing.ts';

const money = setUpMoneyTest();
const NOON = new Date('2026-11-18T12:00:00Z');

const reverse = (depositTransactionId: string, more: Partial<DepositReversal> = {}) => {
  const ref = randomUUID();
  return money.db.transaction((tx) =>
    reverseDeposit(tx, { depositTransactionId, kind: 'chargeback', provider: 'ccbill', ref, eventKey: ref, ...more }),
  );
};
beforeAll(() => addKind(money.owner, { kind: 'spend', debits: ['%'], credits: ['%'], can_debit_frozen: true }));
const spend = (fan: string, cents: number) =>
  money.db.pool.query("select ledger_post('spend', $1, $2::bigint[])", [
    [account.wallet(fan), 'rev:payout_fee'],
    [cents, -cents],
  ]);
const recordWin = (id: string | null) => money.db.transaction((tx) => recordChargebackWin(tx, id ?? '', NOON));
const reverseWin = (id: string | null) => money.db.transaction((tx) => reverseChargebackWin(tx, id ?? '', NOON));
const writeOff = (fan: string) => money.db.transaction((tx) => writeOffDebt(tx, fan, NOON));
const getStatus = async (fan: string) => {
  const { balanceCents, owedCents, isBlocked } = await getSpendingStatus(money.db, fan);
  return { balanceCents, owedCents, isBlocked };
};
const listEvents = async (fan: string) => {
  const { rows } = await money.db.pool.query<{ change: string; cents: number; owed: number }>(
    `select payload ->> 'change' as change, (payload ->> 'cents')::int as cents, (payload ->> 'owedCents')::int as owed
     from outbox where type = 'debt.changed' and payload ->> 'fanId' = $1 order by id`,
    [fan],
  );
  return rows.map(({ change, cents, owed }) => [change, cents, owed]);
};
const loss = () => getBalance(money.db, account.chargebackLoss);

async function createDebtor() {
  const fan = await money.fan();
  const deposit = await money.deposit(fan, 5_000, 102);
  await spend(fan, 4_500);
  const { transactionId } = await reverse(deposit);
  return { fan, deposit, chargebackId: transactionId };
}

describe('a shortfall', () => {
  it('is owed by the fan, blocks spending and is not booked as a loss', async () => {
    const before = await loss();
    const { fan, chargebackId } = await createDebtor();
    expect(await getStatus(fan)).toEqual({ balanceCents: 0, owedCents: 4_500, isBlocked: true });
    expect(await listDebtParts(money.db, fan)).toMatchObject([
      { reversalId: chargebackId, kind: 'deposit_chargeback', openCents: 4_500 },
    ]);
    expect(await loss()).toBe(before);
    expect(await listEvents(fan)).toEqual([['owed', 4_500, 4_500]]);
  });

  it('is repaid in parts by incoming money, and spending is allowed after the last part', async () => {
    const { fan } = await createDebtor();
    await money.deposit(fan, 1_000);
    expect(await getStatus(fan)).toEqual({ balanceCents: 0, owedCents: 3_500, isBlocked: true });
    const credit = {
      fanId: fan,
      amountCents: 5_000,
      feeCents: 0,
      provider: 'ccbill',
      ref: 'r',
      eventKey: randomUUID(),
    };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => money.db.transaction((tx) => creditDeposit(tx, credit))),
    );
    expect(answers.filter(({ debtPaidCents }) => debtPaidCents === 3_500)).toHaveLength(1);
    expect(await getStatus(fan)).toEqual({ balanceCents: 1_500, owedCents: 0, isBlocked: false });
    expect(await listEvents(fan)).toEqual([
      ['owed', 4_500, 4_500],
      ['repaid', 1_000, 3_500],
      ['repaid', 3_500, 0],
    ]);
  });

  it('is repaid from a released hold', async () => {
    const fan = await money.fan();
    const deposit = await money.deposit(fan, 5_000);
    const hold = await money.db.transaction((tx) =>
      placeHold(tx, {
        ...{ fanId: fan, amountCents: 900, purpose: 'test', operationId: randomUUID() },
        ...{ expiresAt: NOON, defaultLimitCents: 50_000, at: NOON },
      }),
    );
    await reverse(deposit);
    expect(await getStatus(fan)).toEqual({ balanceCents: 0, owedCents: 900, isBlocked: true });
    await money.db.transaction((tx) => releaseHold(tx, hold.id, NOON));
    expect(await getStatus(fan)).toEqual({ balanceCents: 0, owedCents: 0, isBlocked: false });
  });

  it('becomes a loss once when it is written off', async () => {
    const before = await loss();
    const { fan } = await createDebtor();
    const answers = await Promise.all([1, 2, 3].map(() => catchErrorCode(writeOff(fan))));
    expect(answers.toSorted()).toEqual(['CONFLICT', 'CONFLICT', undefined]);
    expect(await getStatus(fan)).toEqual({ balanceCents: 0, owedCents: 0, isBlocked: false });
    expect(await loss()).toBe(before + 4_500);
    await money.deposit(fan, 1_000);
    expect(await getStatus(fan)).toMatchObject({ balanceCents: 1_000 });
  });

  it('does not lift a block that an operator set', async () => {
    const { fan } = await createDebtor();
    await money.db.transaction((tx) => setSpendingBlocked(tx, fan, true));
    await money.deposit(fan, 9_000);
    expect(await getStatus(fan)).toEqual({ balanceCents: 4_500, owedCents: 0, isBlocked: true });
    const deposit = await money.deposit(fan, 1_000);
    await spend(fan, 5_000);
    await reverse(deposit);
    await money.deposit(fan, 2_000);
    expect(await getStatus(fan)).toEqual({ balanceCents: 1_500, owedCents: 0, isBlocked: true });
  });

  it('blocks a fan again whom an operator had unblocked', async () => {
    const { fan } = await createDebtor();
    await money.db.transaction((tx) => setSpendingBlocked(tx, fan, false));
    expect(await getStatus(fan)).toEqual({ balanceCents: 0, owedCents: 4_500, isBlocked: false });
    const deposit = await money.deposit(fan, 6_000);
    expect(await getStatus(fan)).toMatchObject({ balanceCents: 1_500, owedCents: 0 });
    await spend(fan, 500);
    await reverse(deposit);
    expect(await getStatus(fan)).toEqual({ balanceCents: 0, owedCents: 5_000, isBlocked: true });
  });
});

describe('a won chargeback', () => {
  it('cancels its debt and refunds the rest once when it is recorded concurrently', async () => {
    const { fan, chargebackId, deposit } = await createDebtor();
    const answers = await Promise.all([1, 2, 3].map(() => catchErrorCode(recordWin(chargebackId))));
    expect(answers.toSorted()).toEqual(['CONFLICT', 'CONFLICT', undefined]);
    expect(await getStatus(fan)).toEqual({ balanceCents: 500, owedCents: 0, isBlocked: false });
    expect((await listEvents(fan)).at(-1)).toEqual(['won', 5_000, 0]);
    expect(await reverse(deposit)).toMatchObject({ cardCents: 5_102, feeCents: 102, shortfallCents: 4_500 });
  });

  it('refunds what was already repaid', async () => {
    const { fan, chargebackId } = await createDebtor();
    await money.deposit(fan, 6_000);
    expect(await recordWin(chargebackId)).toMatchObject({ amountCents: 5_000, balanceCents: 6_500, debtPaidCents: 0 });
  });

  it('reverses a write-off before it refunds anything', async () => {
    const before = await loss();
    const { fan, chargebackId } = await createDebtor();
    await money.deposit(fan, 1_000);
    await writeOff(fan);
    await recordWin(chargebackId);
    expect(await loss()).toBe(before);
    expect(await getStatus(fan)).toMatchObject({ balanceCents: 1_500, owedCents: 0 });
  });

  it('pays off the debt of another reversal', async () => {
    const { fan, chargebackId } = await createDebtor();
    await money.deposit(fan, 4_500);
    const second = await money.deposit(fan, 3_000);
    await spend(fan, 3_000);
    await reverse(second, { kind: 'refund' });
    expect(await recordWin(chargebackId)).toMatchObject({ debtPaidCents: 3_000, balanceCents: 2_000 });
  });

  it('settles its own part, so that a later write-off covers the others', async () => {
    const before = await loss();
    const fan = await money.fan();
    const deposits = [await money.deposit(fan, 5_000), await money.deposit(fan, 3_000)];
    await spend(fan, 8_000);
    const [first, second] = [await reverse(deposits[0] ?? ''), await reverse(deposits[1] ?? '')];
    await recordWin(second.transactionId);
    expect(await getStatus(fan)).toMatchObject({ balanceCents: 0, owedCents: 5_000 });
    await writeOff(fan);
    await recordWin(first.transactionId);
    expect(await getStatus(fan)).toMatchObject({ balanceCents: 0, owedCents: 0 });
    expect(await loss()).toBe(before);
  });

  it('that is reversed takes the money back once, and what was spent becomes debt of the chargeback', async () => {
    const { fan, chargebackId, deposit } = await createDebtor();
    await money.deposit(fan, 4_500);
    await recordWin(chargebackId);
    expect(await getStatus(fan)).toEqual({ balanceCents: 5_000, owedCents: 0, isBlocked: false });
    await spend(fan, 3_000);
    const answers = await Promise.all([1, 2, 3].map(() => catchErrorCode(reverseWin(chargebackId))));
    expect(answers.toSorted()).toEqual(['CONFLICT', 'CONFLICT', undefined]);
    expect(await getStatus(fan)).toEqual({ balanceCents: 0, owedCents: 3_000, isBlocked: true });
    expect((await listEvents(fan)).at(-1)).toEqual(['notWon', 5_000, 3_000]);
    expect(await listDebtParts(money.db, fan)).toMatchObject([{ reversalId: chargebackId, openCents: 3_000 }]);
    expect(await reverse(deposit)).toMatchObject({ transactionId: null });
    expect(await recordWin(chargebackId)).toMatchObject({ amountCents: 5_000, balanceCents: 2_000 });
  });

  it('that is reversed books the write-off as a loss again, and never takes a new chargeback twice', async () => {
    const before = await loss();
    const { fan, chargebackId, deposit } = await createDebtor();
    await writeOff(fan);
    await recordWin(chargebackId);
    expect(await loss()).toBe(before);
    await reverseWin(chargebackId);
    expect([await loss(), await getStatus(fan)]).toEqual([
      before + 4_500,
      { balanceCents: 0, owedCents: 0, isBlocked: false },
    ]);
    await recordWin(chargebackId);
    await reverse(deposit);
    expect(await catchErrorCode(reverseWin(chargebackId))).toBe('CONFLICT');
    expect(await catchErrorCode(reverseWin(randomUUID()))).toBe('NOT_FOUND');
  });

  it('that is reversed returns its own part of the fee, and both happen once', async () => {
    const fan = await money.fan();
    const deposit = await money.deposit(fan, 10_000, 200);
    await reverse(deposit, { kind: 'refund', cardCents: 5_100 });
    const { transactionId } = await reverse(deposit);
    const before = await getBalance(money.db, account.depositFee);
    await recordWin(transactionId);
    expect(await getBalance(money.db, account.depositFee)).toBe(before + 100);
    await expect(recordWin(transactionId)).rejects.toThrow('This chargeback was won already.');
    expect(await reverseWin(transactionId)).toMatchObject({ cardCents: 5_100, amountCents: 5_000 });
    expect(await getBalance(money.db, account.depositFee)).toBe(before);
    await expect(reverseWin(transactionId)).rejects.toThrow('This chargeback isn’t marked as reversed.');
  });

  it('requires a chargeback and refuses a refund', async () => {
    const fan = await money.fan();
    const { transactionId } = await reverse(await money.deposit(fan, 1_000), { kind: 'refund' });
    expect(await catchErrorCode(recordWin(transactionId))).toBe('NOT_FOUND');
    expect(await catchErrorCode(recordWin(randomUUID()))).toBe('NOT_FOUND');
  });
});

it('concurrent debt operations keep the books correct without a deadlock', async () => {
  for (let round = 0; round < 4; round += 1) {
    const { fan, deposit, chargebackId } = await createDebtor();
    const second = await money.deposit(fan, 2_000, 41);
    const answers = await Promise.all([
      catchErrorCode(money.deposit(fan, 3_000)),
      catchErrorCode(reverse(second)),
      catchErrorCode(recordWin(chargebackId)),
      catchErrorCode(writeOff(fan)),
      catchErrorCode(reverse(deposit, { kind: 'refund' })),
      catchErrorCode(money.db.transaction((tx) => setSpendingBlocked(tx, fan, false))),
    ]);
    for (const answer of answers) expect([undefined, 'CONFLICT']).toContain(answer);
    const { balanceCents, owedCents } = await getStatus(fan);
    expect(Math.min(balanceCents, owedCents)).toBe(0);
  }
});

describe('in random order', () => {
  it.each(Array.from({ length: 12 }, (_, seed) => seed))(
    'balance less debt equals incoming less outgoing money (seed %i)',
    async (seed) => {
      const random = createSeededRandom(seed);
      const next = (below: number) => Math.floor(random() * below);
      const fan = await money.fan();
      const lossBefore = await loss();
      const deposits: string[] = [];
      const chargebacks: string[] = [];
      const won: string[] = [];
      let net = 0;
      const steps: (() => Promise<void>)[] = [
        async () => {
          const cents = 1 + next(5_000);
          deposits.push(await money.deposit(fan, cents, next(100)));
          net += cents;
        },
        async () => {
          const { balanceCents } = await getSpendingStatus(money.db, fan);
          if (balanceCents === 0) return;
          const cents = 1 + next(balanceCents);
          await spend(fan, cents);
          net -= cents;
        },
        async () => {
          const id = deposits[next(Math.max(deposits.length, 1))];
          if (!id) return;
          const kind = next(3) === 0 ? 'refund' : 'chargeback';
          const ref = randomUUID();
          const input = { kind, ref, eventKey: ref, ...(next(2) === 0 && { cardCents: 1 + next(3_000) }) } as const;
          const [one, other] = await Promise.all([reverse(id, input), reverse(id, input)]);
          expect(one.transactionId).toBe(other.transactionId);
          if (one.transactionId === null) return;
          net -= one.amountCents;
          if (kind === 'chargeback') chargebacks.push(one.transactionId);
        },
        async () => {
          const [id] = chargebacks.splice(next(Math.max(chargebacks.length, 1)), 1);
          if (!id) return;
          const before = await loss();
          const { amountCents } = await recordWin(id);
          net += amountCents - (before - (await loss()));
          won.push(id);
        },
        async () => {
          const [id] = won.splice(next(Math.max(won.length, 1)), 1);
          if (!id) return;
          const before = await loss();
          const refusal = await catchErrorCode(
            reverseWin(id).then(({ amountCents }) => {
              net -= amountCents;
              chargebacks.push(id);
            }),
          );
          expect([undefined, 'CONFLICT']).toContain(refusal);
          net += (await loss()) - before;
        },
        async () => {
          const { owedCents } = await getSpendingStatus(money.db, fan);
          if (owedCents === 0 || next(2) === 0) return;
          await writeOff(fan);
          net += owedCents;
        },
      ];
      for (let step = 0; step < 40; step += 1) {
        await steps[next(steps.length)]?.();
        const { balanceCents, owedCents, isBlocked } = await getStatus(fan);
        expect(balanceCents - owedCents).toBe(net);
        expect(isBlocked).toBe(owedCents > 0);
        const open = (await listDebtParts(money.db, fan)).reduce((sum, { openCents }) => sum + openCents, 0);
        expect(open).toBe(owedCents);
      }
      for (const id of chargebacks) await recordWin(id);
      const writtenOff = (await listDebtParts(money.db, fan))
        .filter(({ kind }) => kind === 'deposit_refund')
        .reduce((sum, { writtenOffCents }) => sum + writtenOffCents, 0);
      expect((await loss()) - lossBefore).toBe(writtenOff);
    },
  );
});
