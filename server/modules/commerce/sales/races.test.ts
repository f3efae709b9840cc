/** Runs random operations on one wallet and one creator over many connections, to find lost or doubled money. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { setUpMoneyTest } from '../../../testing/money.ts';
import {
  account,
  clearDue,
  creditDeposit,
  getBalance,
  releaseExpiredHolds,
  reverseDeposit,
  sumInflows,
} from '../../ledger/ledger/index.ts';
import { checkLedger } from '../../ledger/ledger-checks/index.ts';
import { captureFunds, chargeFan, chargeFanNow, extendFunds, holdFunds, listStatement, refundSale } from './index.ts';

const money = setUpMoneyTest(16);
const NOON = new Date('2026-03-04T12:00:00.000Z');
const LATER = new Date(NOON.getTime() + 8 * 86_400_000);
const MINUTE = new Date(NOON.getTime() + 60_000);

function toStableId(...parts: unknown[]): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const cents = fc.integer({ min: 1, max: 3_000 });
const few = fc.integer({ min: 0, max: 3 });
const step = fc.oneof(
  fc.record({ do: fc.constant('tip' as const), cents, operation: fc.integer({ min: 0, max: 8 }) }),
  fc.record({ do: fc.constant('unlock' as const), post: few, operation: fc.integer({ min: 0, max: 8 }) }),
  fc.record({ do: fc.constant('refund' as const), nth: few, cents }),
  fc.record({ do: fc.constant('hold' as const), cents, capture: fc.integer({ min: 0, max: 100 }), operation: few }),
  fc.record({ do: fc.constant('deposit' as const), cents, event: few }),
  fc.record({ do: fc.constant('reverseDeposit' as const), cents, event: few }),
  fc.record({ do: fc.constant('clear' as const) }),
  fc.record({ do: fc.constant('roll' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
const REFUSALS = new Set(['INSUFFICIENT_FUNDS', 'CONFLICT', 'FORBIDDEN']);

type World = { run: number; fan: string; creator: string; deposits: string[]; sales: string[] };

async function perform({ run, fan, creator, deposits, sales }: World, move: Step, index: number): Promise<void> {
  const { db } = money;
  const to = { fanId: fan, creatorId: creator, at: NOON };
  switch (move.do) {
    case 'tip': {
      const sale = await chargeFanNow(db, {
        ...to,
        kind: 'tip',
        grossCents: move.cents,
        operationId: toStableId(run, move.operation),
      });
      sales.push(sale.transactionId);
      return;
    }
    case 'unlock': {
      const operationId = toStableId(run, move.operation);
      const sale = {
        ...to,
        kind: 'post' as const,
        grossCents: 700 + move.post,
        operationId,
        subjectId: toStableId(run, 'post', move.post),
      };
      sales.push((await db.transaction((tx) => chargeFan(tx, sale))).transactionId);
      return;
    }
    case 'refund': {
      const saleId = sales[move.nth % Math.max(1, sales.length)];
      if (!saleId) return;
      const refund = {
        saleId,
        grossCents: move.cents,
        actorId: creator,
        operationId: toStableId(run, index),
        at: NOON,
      };
      await db.transaction((tx) => refundSale(tx, refund));
      return;
    }
    case 'hold': {
      const input = {
        fanId: fan,
        amountCents: move.cents,
        purpose: 'test',
        operationId: toStableId(run, 'hold', move.operation),
        expiresAt: NOON,
        at: NOON,
      };
      const { id: holdId } = await db.transaction((tx) => holdFunds(tx, input));
      const grossCents = Math.floor((move.cents * move.capture) / 100);
      await Promise.allSettled([
        db.transaction((tx) => extendFunds(tx, { holdId, amountCents: 50, expiresAt: NOON, at: NOON })),
        db.transaction((tx) =>
          captureFunds(tx, { kind: 'call', holdId, creatorId: creator, subjectId: null, grossCents, at: NOON }),
        ),
        releaseExpiredHolds(db, MINUTE),
      ]);
      return;
    }
    case 'deposit': {
      const eventKey = toStableId(run, 'deposit', move.event);
      const deposit = {
        fanId: fan,
        amountCents: move.cents,
        feeCents: Math.ceil(move.cents / 50),
        provider: 'ccbill',
        ref: 'r',
        eventKey,
      };
      deposits.push((await db.transaction((tx) => creditDeposit(tx, deposit))).transactionId);
      return;
    }
    case 'reverseDeposit': {
      const depositTransactionId = deposits[move.event % deposits.length] ?? '';
      const eventKey = toStableId(run, 'back', move.event, move.cents % 3);
      const reversal = {
        depositTransactionId,
        kind: 'chargeback' as const,
        cardCents: move.cents,
        provider: 'ccbill',
        ref: 'r',
        eventKey,
      };
      await db.transaction((tx) => reverseDeposit(tx, reversal));
      return;
    }
    case 'clear':
      await clearDue(db, LATER, 3);
      return;
    case 'roll':
      await sumInflows(db, 5);
  }
}

describe('concurrent operations', () => {
  it('keep every ledger invariant', { timeout: 120_000 }, async () => {
    let run = 0;
    const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 40 }), async (steps) => {
      run += 1;
      const [fan, creator] = [await money.fan(), await money.creator()];
      const world = { run, fan, creator, deposits: [await money.deposit(fan, 6_000, 120)], sales: [] };
      const outcomes = await Promise.allSettled(steps.map((move, index) => perform(world, move, index)));
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected' && !REFUSALS.has(outcome.reason?.code)) throw outcome.reason;
      }
      const { checks } = await checkLedger(money.db);
      expect(checks.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
      const { rows } = await listStatement(money.db, fan, { limit: 200 });
      const [available, owed] = [account.wallet(fan), account.owed(fan)].map((code) => getBalance(money.db, code));
      const shownCents = rows.reduce((sum, { amountCents }) => sum + amountCents, 0);
      expect(shownCents).toBe(((await available) ?? 0) - ((await owed) ?? 0));
    });
    await fc.assert(property, { numRuns: 16, endOnFailure: true });
  });

  it('charge once for the same operation or the same post', async () => {
    const creator = await money.creator();
    for (let round = 0; round < 3; round += 1) {
      const fan = await money.fan(5_000);
      const sale = {
        kind: 'post' as const,
        fanId: fan,
        creatorId: creator,
        grossCents: 1_200,
        subjectId: toStableId(round, 'one'),
        at: NOON,
      };
      const unlocks = await Promise.all([
        ...Array.from({ length: 4 }, (_, index) =>
          chargeFanNow(money.db, { ...sale, operationId: toStableId(fan, index) }),
        ),
        ...Array.from({ length: 4 }, () =>
          money.db.transaction((tx) => chargeFan(tx, { ...sale, operationId: toStableId(fan, 'same') })),
        ),
      ]);
      expect(unlocks.filter(({ isCreated }) => isCreated)).toHaveLength(1);
      expect(new Set(unlocks.map(({ transactionId }) => transactionId)).size).toBe(1);
      const tip = { ...sale, kind: 'tip' as const, grossCents: 100, operationId: toStableId(fan, 'tip') };
      const tips = await Promise.all(Array.from({ length: 8 }, () => chargeFanNow(money.db, tip)));
      expect(tips.map(({ outcome }) => outcome).sort()).toEqual([
        'made',
        ...Array.from({ length: 7 }, () => 'replayed'),
      ]);
      expect(new Set(tips.map(({ balanceCents }) => balanceCents))).toEqual(new Set([3_700]));
    }
  });

  it('spend a wallet down to zero and no further', async () => {
    const [fan, creator] = [await money.fan(1_000), await money.creator()];
    const tips = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) =>
        chargeFanNow(money.db, {
          kind: 'tip',
          fanId: fan,
          creatorId: creator,
          grossCents: 99,
          operationId: toStableId(fan, index),
          at: NOON,
        }),
      ),
    );
    expect(tips.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await getBalance(money.db, account.wallet(fan))).toBe(10);
  });

  it('respect the daily limit', async () => {
    const [fan, creator] = [await money.fan(200_000), await money.creator()];
    const tips = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        chargeFanNow(money.db, {
          kind: 'tip',
          fanId: fan,
          creatorId: creator,
          grossCents: 7_000,
          operationId: toStableId(fan, index),
          at: NOON,
        }),
      ),
    );
    expect(tips.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
  });
});
