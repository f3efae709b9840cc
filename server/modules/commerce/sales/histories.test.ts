/** Runs random histories of all transaction kinds and compares stored sums and lists with a recount of the journal. */
import { createHash, randomUUID } from 'node:crypto';
import { MONEY_KINDS } from '@stagedoor/contract/commerce/money-kinds.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTestClock } from '../../../platform/clock.ts';
import { createLogger } from '../../../platform/log.ts';
import { setUpMoneyTest } from '../../../testing/money.ts';
import {
  account,
  clearDue,
  creditDeposit,
  getBalance,
  postTransaction,
  recordChargebackWin,
  releaseExpiredHolds,
  releaseHold,
  reverseChargebackWin,
  reverseDeposit,
  sumInflows,
  writeOffDebt,
} from '../../ledger/ledger/index.ts';
import { checkLedger, runLedgerCheckNow } from '../../ledger/ledger-checks/index.ts';
import { captureFunds, chargeFan, extendFunds, holdFunds, refundSale } from './index.ts';
import { expectSameMoney } from './recount.testing.ts';

const money = setUpMoneyTest(6);
const log = createLogger({ level: 'silent', isPretty: false });
const NOON = new Date('2026-03-04T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const toUtcDay = (at: Date) => at.toISOString().slice(0, 10);

const cents = fc.integer({ min: 1, max: 4_000 });
const nth = fc.nat({ max: 5 });
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('deposit' as const), cents, fan: nth }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('tip', 'post', 'chat', 'subscription'),
      cents,
      fan: nth,
      creator: nth,
      subject: nth,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('hold' as const), cents, fan: nth, more: fc.nat({ max: 500 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('capture', 'release', 'expire'),
      nth,
      creator: nth,
      share: fc.nat({ max: 100 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('refundSale' as const), nth: fc.nat({ max: 20 }), cents: fc.option(cents) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('reverseDeposit' as const),
      nth,
      kind: fc.constantFrom('refund', 'chargeback', 'void', 'return'),
      cents: fc.option(cents),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('win', 'unwin', 'writeOff'), nth }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('cancelled', 'unsent', 'paid', 'failed'), creator: nth }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('clear', 'roll', 'settle', 'night'),
      days: fc.nat({ max: 9 }),
      creator: nth,
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
const REFUSALS = new Set(['INSUFFICIENT_FUNDS', 'CONFLICT', 'FORBIDDEN']);

type World = {
  clock: ReturnType<typeof createTestClock>;
  fans: string[];
  creators: string[];
  deposits: string[];
  sales: string[];
  holds: string[];
  chargebacks: string[];
};

const pick = (list: readonly string[], index: number) => list[index % Math.max(1, list.length)] ?? '';
const getSubject = (fan: string, kind: string, subject: number) => {
  const hex = createHash('sha256').update(`${fan} ${kind} ${subject}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

const between = (from: string, to: string, cents: number): [string, number][] =>
  from.startsWith('asset:')
    ? [
        [to, cents],
        [from, -cents],
      ]
    : [
        [from, cents],
        [to, -cents],
      ];

async function perform(world: World, move: Step): Promise<void> {
  const { db } = money;
  const { clock, fans, creators, deposits, sales, holds } = world;
  clock.advance(HOUR_MS);
  const at = clock.now();
  const [operationId, eventKey] = [randomUUID(), randomUUID()];
  switch (move.do) {
    case 'deposit': {
      const credit = { fanId: pick(fans, move.fan), amountCents: move.cents, feeCents: Math.ceil(move.cents / 50) };
      const outside = { provider: 'ccbill', ref: eventKey, eventKey, at };
      deposits.push((await db.transaction((tx) => creditDeposit(tx, { ...credit, ...outside }))).transactionId);
      return;
    }
    case 'tip':
    case 'post':
    case 'chat':
    case 'subscription': {
      const fanId = pick(fans, move.fan);
      const subjectId = move.do === 'tip' ? null : getSubject(fanId, move.do, move.subject);
      const to = {
        kind: move.do,
        fanId,
        creatorId: pick(creators, move.creator),
        grossCents: move.cents,
        operationId,
        at,
      };
      const sold = await db.transaction((tx) => chargeFan(tx, { ...to, ...(subjectId !== null && { subjectId }) }));
      sales.push(sold.transactionId);
      return;
    }
    case 'hold': {
      const expiresAt = new Date(at.getTime() + 3 * HOUR_MS);
      const input = {
        fanId: pick(fans, move.fan),
        amountCents: move.cents,
        purpose: 'test',
        operationId,
        expiresAt,
        at,
      };
      const { id } = await db.transaction((tx) => holdFunds(tx, input));
      holds.push(id);
      if (move.more > 0)
        await db.transaction((tx) => extendFunds(tx, { holdId: id, amountCents: move.more, expiresAt, at }));
      return;
    }
    case 'capture': {
      const holdId = pick(holds, move.nth);
      if (holdId === '') return;
      const { rows } = await db.pool.query<{ cents: number }>(
        'select amount_cents as cents from ledger_holds where id = $1',
        [holdId],
      );
      const grossCents = Math.floor(((rows[0]?.cents ?? 0) * move.share) / 100);
      const capture = {
        kind: 'call',
        holdId,
        creatorId: pick(creators, move.creator),
        subjectId: null,
        grossCents,
        at,
      };
      const captured = await db.transaction((tx) => captureFunds(tx, capture));
      if (captured && captured.grossCents > 0) sales.push(captured.transactionId);
      return;
    }
    case 'release': {
      const holdId = pick(holds, move.nth);
      if (holdId !== '') await db.transaction((tx) => releaseHold(tx, holdId, at));
      return;
    }
    case 'expire':
      await releaseExpiredHolds(db, at);
      return;
    case 'refundSale': {
      const saleId = pick(sales, move.nth);
      if (saleId === '') return;
      const refund = { saleId, actorId: randomUUID(), operationId, at };
      await db.transaction((tx) =>
        refundSale(tx, { ...refund, ...(move.cents !== null && { grossCents: move.cents }) }),
      );
      return;
    }
    case 'reverseDeposit': {
      const depositTransactionId = pick(deposits, move.nth);
      const reversal = { depositTransactionId, kind: move.kind, provider: 'ccbill', ref: eventKey, eventKey, at };
      const { transactionId } = await db.transaction((tx) =>
        reverseDeposit(tx, { ...reversal, ...(move.cents !== null && { cardCents: move.cents }) }),
      );
      if (move.kind === 'chargeback' && transactionId !== null) world.chargebacks.push(transactionId);
      return;
    }
    case 'win': {
      const chargebackId = pick(world.chargebacks, move.nth);
      if (chargebackId !== '') await db.transaction((tx) => recordChargebackWin(tx, chargebackId, at));
      return;
    }
    case 'unwin': {
      const chargebackId = pick(world.chargebacks, move.nth);
      if (chargebackId !== '') await db.transaction((tx) => reverseChargebackWin(tx, chargebackId, at));
      return;
    }
    case 'writeOff':
      await db.transaction((tx) => writeOffDebt(tx, pick(fans, move.nth), at));
      return;
    case 'clear':
      clock.advance(move.days * DAY_MS);
      await clearDue(db, clock.now());
      return;
    case 'roll':
      await sumInflows(db, 7);
      return;
    case 'cancelled':
    case 'unsent':
    case 'paid':
    case 'failed': {
      const creator = pick(creators, move.creator);
      const [available, reserved] = [account.available(creator), account.reserved(creator)];
      const [sent, bank] = ['liab:payout_clearing:ach', 'asset:bank:operating'];
      const cents = Math.ceil((await getBalance(db, available)) / 2);
      if (cents <= 0) return;
      const walk: [kind: string, from: string, to: string][] = [['payout_requested', available, reserved]];
      if (move.do === 'cancelled') walk.push(['payout_cancelled', reserved, available]);
      else walk.push(['payout_sent', reserved, sent]);
      if (move.do === 'paid') walk.push(['payout_paid', sent, bank]);
      if (move.do === 'failed') walk.push(['payout_failed', sent, available]);
      if (move.do === 'unsent') walk.push(['payout_unsent', sent, reserved], ['payout_cancelled', reserved, available]);
      for (const [kind, from, to] of walk) await postTransaction(db, { kind, legs: between(from, to, cents), at });
      return;
    }
    case 'settle':
      await postTransaction(db, {
        kind: 'settlement',
        legs: between(account.clearing('ccbill'), 'asset:bank:operating', 100),
        at,
      });
      for (const fee of ['processor_fee', 'chargeback_fee'])
        await postTransaction(db, { kind: fee, legs: between(account.clearing('ccbill'), `exp:${fee}`, 3), at });
      return;
    case 'night':
      expect(await runLedgerCheckNow({ db, clock, log })).toMatchObject({ isClean: true });
  }
}

const EVERY_KIND: Step[] = [
  ...(['tip', 'post', 'chat', 'subscription'] as const).map((kind) => ({
    do: kind,
    cents: 1_001,
    fan: 0,
    creator: 0,
    subject: 0,
  })),
  { do: 'hold', cents: 500, fan: 1, more: 100 },
  { do: 'hold', cents: 500, fan: 1, more: 0 },
  { do: 'capture', nth: 0, creator: 1, share: 33 },
  { do: 'release', nth: 1, creator: 0, share: 0 },
  { do: 'refundSale', nth: 1, cents: 7 },
  { do: 'hold', cents: 100, fan: 1, more: 0 },
  { do: 'clear', days: 9, creator: 0 },
  { do: 'expire', nth: 0, creator: 0, share: 0 },
  ...(['cancelled', 'unsent', 'failed', 'paid'] as const).map((end) => ({ do: end, creator: 0 })),
  { do: 'refundSale', nth: 0, cents: null },
  { do: 'refundSale', nth: 2, cents: null },
  { do: 'settle', days: 0, creator: 0 },
  { do: 'reverseDeposit', nth: 0, kind: 'refund', cents: 13 },
  { do: 'reverseDeposit', nth: 0, kind: 'void', cents: 17 },
  { do: 'reverseDeposit', nth: 0, kind: 'return', cents: 19 },
  { do: 'reverseDeposit', nth: 0, kind: 'chargeback', cents: null },
  { do: 'win', nth: 0 },
  { do: 'unwin', nth: 0 },
  { do: 'win', nth: 0 },
  { do: 'reverseDeposit', nth: 0, kind: 'chargeback', cents: null },
  { do: 'deposit', cents: 20, fan: 0 },
  { do: 'writeOff', nth: 0 },
  { do: 'tip', cents: 900, fan: 1, creator: 0, subject: 0 },
  { do: 'clear', days: 9, creator: 0 },
];

it('stored sums and lists equal a recount of the journal after any random history', {
  timeout: 240_000,
}, async () => {
  const clock = createTestClock(NOON);
  const history = fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 60 }), async (steps) => {
    const fans = [await money.fan(), await money.fan()];
    const creators = [await money.creator(), await money.creator()];
    const world: World = { clock, fans, creators, deposits: [], sales: [], holds: [], chargebacks: [] };
    for (const fan of fans) world.deposits.push(await money.deposit(fan, 5_000, 100, clock.now()));
    for (const move of steps) {
      await perform(world, move).catch((error) => {
        if (!REFUSALS.has(error?.code)) throw error;
      });
    }
    await expectSameMoney(money.db, fans, creators, clock.now());
    const { checks } = await checkLedger(money.db);
    expect(checks.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
    expect(await runLedgerCheckNow({ db: money.db, clock, log })).toMatchObject({ isClean: true });
  });
  await fc.assert(history, { numRuns: 10, endOnFailure: true, examples: [[EVERY_KIND]] });
  const { rows } = await money.db.pool.query<{ kind: string }>('select distinct kind from ledger_transactions');
  expect(
    rows
      .map(({ kind }) => kind)
      .filter((kind) => kind !== 'test')
      .toSorted(),
  ).toEqual(
    Object.keys(MONEY_KINDS)
      .filter((kind) => !/^commission|^earnings_withheld$|^processor_settlement/.test(kind))
      .toSorted(),
  );
});

it('the recount finds a sum that is off by one cent', async () => {
  const [fan, creator] = [await money.fan(500), await money.creator()];
  const now = new Date(NOON.getTime() + 900 * DAY_MS);
  const tip = { kind: 'tip', fanId: fan, creatorId: creator, grossCents: 100, operationId: randomUUID(), at: now };
  await money.db.transaction((tx) => chargeFan(tx, tip));
  await expectSameMoney(money.db, [fan], [creator], now);
  await money.owner.pool.query(
    `update ledger_inflows set amount_cents = amount_cents + 1 where tag = 'tip' and day = $1`,
    [toUtcDay(now)],
  );
  await expect(expectSameMoney(money.db, [fan], [creator], now)).rejects.toThrow();
  await money.owner.pool.query(
    `update ledger_inflows set amount_cents = amount_cents - 1 where tag = 'tip' and day = $1`,
    [toUtcDay(now)],
  );
});
