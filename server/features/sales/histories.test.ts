/**
 * Random histories of every kind of movement, with refunds in every order: what is kept and shown equals a second count, made here
 * from the journal alone (transactions, which account a leg is on, and what takes back what).
 */
import { createHash, randomUUID } from 'node:crypto';
import { MONEY_KINDS, SALE_KINDS } from '@stagedoor/contract/money-kinds.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { testClock } from '../../kernel/clock.ts';
import { createLogger } from '../../kernel/log.ts';
import {
  account,
  balanceOf,
  checkLedger,
  clearDue,
  creditDeposit,
  post,
  releaseExpiredHolds,
  releaseHold,
  reverseDeposit,
  rollInflows,
} from '../ledger/index.ts';
import { checkNow, moneyTest } from '../ledger/testing.ts';
import {
  captureFunds,
  charge,
  creatorBalance,
  creatorChart,
  creatorStats,
  extendFunds,
  holdFunds,
  listStatement,
  refundSale,
  walletOf,
} from './index.ts';

const money = moneyTest(6);
const log = createLogger({ level: 'silent', isPretty: false });
const NOON = new Date('2026-03-04T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const dayOf = (at: Date) => at.toISOString().slice(0, 10);

// The second count ------------------------------------------------------------------------------------------------------

type Told = {
  id: string;
  xid: number;
  kind: string;
  at: Date;
  reversesId: string | null;
  codes: string[];
  amounts: string[];
};

/** Cents by account on its normal side, its movements in the order of the database's transactions, and earnings by day. */
type Count = {
  balances: Map<string, number>;
  statements: Map<string, Map<number, { legs: number; cents: number }>>;
  earnings: Map<string, Map<string, { cents: number; items: number }>>;
};

const isSpendable = (code: string) => /:(?:wallet|call_hold|available|payout_reserved|receivable)$/.test(code);

async function recount(): Promise<Count> {
  const { rows } = await money.db.pool.query<Told>(
    `select t.id, t.xid, t.kind, t.occurred_at as at, r.reverses_id as "reversesId", t.amounts::text[] as amounts,
      (select array_agg(a.code order by l.leg) from unnest(t.account_ids) with ordinality as l (id, leg) join ledger_accounts a on a.id = l.id) as codes
      from ledger_transactions t left join ledger_reversals r on r.transaction_id = t.id order by t.xid, t.id`,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const count: Count = { balances: new Map(), statements: new Map(), earnings: new Map() };
  for (const { xid, kind, at, reversesId, codes, amounts } of rows) {
    const isSale = SALE_KINDS.some((known) => known === kind);
    const day = dayOf(kind === 'sale_refund' ? (byId.get(reversesId ?? '')?.at ?? at) : at);
    for (const [index, code] of codes.entries()) {
      const cents = (/^(?:asset|exp):/.test(code) ? 1 : -1) * Number(amounts[index]);
      count.balances.set(code, (count.balances.get(code) ?? 0) + cents);
      if (isSpendable(code)) {
        const lines = count.statements.get(code) ?? new Map<number, { legs: number; cents: number }>();
        const line = lines.get(xid) ?? { legs: 0, cents: 0 };
        count.statements.set(code, lines.set(xid, { legs: line.legs + 1, cents: line.cents + cents }));
      }
      if ((isSale || kind === 'sale_refund') && code.endsWith(':pending')) {
        const days = count.earnings.get(code) ?? new Map<string, { cents: number; items: number }>();
        const earned = days.get(day) ?? { cents: 0, items: 0 };
        count.earnings.set(code, days.set(day, { cents: earned.cents + cents, items: earned.items + Number(isSale) }));
      }
    }
  }
  return count;
}

/** What the statements say after each transaction of the database: how many lines it wrote on an account, and the balance then. */
async function statedLines(code: string): Promise<{ legs: number; balance: number }[]> {
  const { rows } = await money.db.pool.query<{ legs: number; balance: number }>(
    `select count(*)::int as legs, (array_agg(l.balance_cents order by l.line desc))[1] as balance from ledger_accounts a
      join ledger_lines l on l.account_id = a.id join ledger_transactions t on t.id = l.transaction_id
      where a.code = $1 group by t.xid order by min(l.line)`,
    [code],
  );
  return rows;
}

/** Compares everything that is kept or shown with the second count. */
async function requireSame(fans: readonly string[], creators: readonly string[], now: Date): Promise<void> {
  const { balances, statements, earnings } = await recount();
  for (const [code, cents] of balances) expect([code, await balanceOf(money.db, code)]).toEqual([code, cents]);
  const own = [...fans, ...creators];
  for (const [code, lines] of statements) {
    if (!own.some((id) => code.includes(id))) continue;
    let balance = 0;
    const counted = [...lines.values()].map(({ legs, cents }) => {
      balance += cents;
      return { legs, balance };
    });
    expect([code, await statedLines(code)]).toEqual([code, counted]);
  }
  const of = (code: string) => balances.get(code) ?? 0;
  for (const fan of fans) {
    const view = await walletOf(money.db, fan, now);
    expect([view.availableCents, view.heldCents]).toEqual([of(account.wallet(fan)), of(account.hold(fan))]);
    const { lines } = await listStatement(money.db, fan, { limit: 50 });
    expect(lines[0]?.balanceCents ?? 0).toBe(of(account.wallet(fan)));
  }
  for (const creator of creators) {
    const days = earnings.get(account.pending(creator)) ?? new Map<string, { cents: number; items: number }>();
    const sum = (isIn: (day: string) => boolean) =>
      [...days]
        .filter(([day]) => isIn(day))
        .reduce((all, [, { cents, items }]) => ({ cents: all.cents + cents, items: all.items + items }), {
          cents: 0,
          items: 0,
        });
    const [today, yesterday] = [dayOf(now), dayOf(new Date(now.getTime() - DAY_MS))];
    const [total, ofToday, ofYesterday] = [
      sum(() => true),
      sum((day) => day === today),
      sum((day) => day === yesterday),
    ];
    expect(await creatorStats(money.db, creator, now)).toEqual({
      earningsCents: { total: total.cents, today: ofToday.cents, yesterday: ofYesterday.cents },
      transactions: { total: total.items, today: ofToday.items, yesterday: ofYesterday.items },
    });
    for (const point of await creatorChart(money.db, creator, 'weekly', now)) {
      const { cents, items } = sum((day) => day === point.key);
      expect(point).toEqual({ key: point.key, netCents: cents, count: items });
    }
    const { pendingCents, availableCents, owedCents } = await creatorBalance(money.db, creator, now);
    expect({ pendingCents, availableCents, owedCents }).toEqual({
      pendingCents: of(account.pending(creator)),
      availableCents: of(account.available(creator)),
      owedCents: of(account.receivable(creator)),
    });
  }
}

// Histories -------------------------------------------------------------------------------------------------------------

const cents = fc.integer({ min: 1, max: 4_000 });
const which = fc.nat({ max: 5 });
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('deposit' as const), cents, fan: which }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('tip', 'post', 'chat'),
      cents,
      fan: which,
      creator: which,
      subject: which,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('hold' as const), cents, fan: which, more: fc.nat({ max: 500 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('capture', 'release', 'expire'),
      which,
      creator: which,
      share: fc.nat({ max: 100 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('giveBack' as const), which: fc.nat({ max: 20 }), cents: fc.option(cents) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('takeBack' as const),
      which,
      kind: fc.constantFrom('refund', 'chargeback', 'void', 'return'),
      cents: fc.option(cents),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('clear', 'roll', 'payout', 'settle', 'night'),
      days: fc.nat({ max: 9 }),
      creator: which,
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
/** What may refuse a step; anything else fails the test. */
const REFUSALS = new Set(['INSUFFICIENT_FUNDS', 'CONFLICT', 'FORBIDDEN']);

type World = {
  clock: ReturnType<typeof testClock>;
  fans: string[];
  creators: string[];
  deposits: string[];
  sales: string[];
  holds: string[];
};

const pick = (list: readonly string[], index: number) => list[index % Math.max(1, list.length)] ?? '';
const subjectOf = (fan: string, kind: string, subject: number) => {
  const hex = createHash('sha256').update(`${fan} ${kind} ${subject}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

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
    case 'chat': {
      const fanId = pick(fans, move.fan);
      const subjectId = move.do === 'tip' ? null : subjectOf(fanId, move.do, move.subject);
      const to = {
        kind: move.do,
        fanId,
        creatorId: pick(creators, move.creator),
        grossCents: move.cents,
        operationId,
        at,
      };
      const sold = await db.transaction((tx) => charge(tx, { ...to, ...(subjectId !== null && { subjectId }) }));
      sales.push(sold.transactionId);
      return;
    }
    case 'hold': {
      const expiresAt = new Date(at.getTime() + 3 * HOUR_MS);
      const asked = {
        fanId: pick(fans, move.fan),
        amountCents: move.cents,
        purpose: 'call',
        operationId,
        expiresAt,
        at,
      };
      const { id } = await db.transaction((tx) => holdFunds(tx, asked));
      holds.push(id);
      if (move.more > 0)
        await db.transaction((tx) => extendFunds(tx, { holdId: id, amountCents: move.more, expiresAt, at }));
      return;
    }
    case 'capture': {
      const holdId = pick(holds, move.which);
      if (holdId === '') return;
      const { rows } = await db.pool.query<{ cents: number }>(
        'select amount_cents as cents from ledger_holds where id = $1',
        [holdId],
      );
      const grossCents = Math.floor(((rows[0]?.cents ?? 0) * move.share) / 100);
      const taken = { kind: 'call', holdId, creatorId: pick(creators, move.creator), subjectId: null, grossCents, at };
      const captured = await db.transaction((tx) => captureFunds(tx, taken));
      if (captured && captured.grossCents > 0) sales.push(captured.transactionId);
      return;
    }
    case 'release': {
      const holdId = pick(holds, move.which);
      if (holdId !== '') await db.transaction((tx) => releaseHold(tx, holdId, at));
      return;
    }
    case 'expire':
      await releaseExpiredHolds(db, at);
      return;
    case 'giveBack': {
      const saleId = pick(sales, move.which);
      if (saleId === '') return;
      const refund = { saleId, actorId: randomUUID(), operationId, at };
      await db.transaction((tx) =>
        refundSale(tx, { ...refund, ...(move.cents !== null && { grossCents: move.cents }) }),
      );
      return;
    }
    case 'takeBack': {
      const depositTransactionId = pick(deposits, move.which);
      const told = { depositTransactionId, kind: move.kind, provider: 'ccbill', ref: eventKey, eventKey, at };
      await db.transaction((tx) =>
        reverseDeposit(tx, { ...told, ...(move.cents !== null && { cardCents: move.cents }) }),
      );
      return;
    }
    case 'clear':
      clock.advance(move.days * DAY_MS);
      await clearDue(db, clock.now());
      return;
    case 'roll':
      await rollInflows(db, 7);
      return;
    case 'payout': {
      const available = account.available(pick(creators, move.creator));
      const paid = Math.ceil((await balanceOf(db, available)) / 2);
      if (paid > 0)
        await post(db, {
          kind: 'test',
          legs: [
            [available, paid],
            ['liab:payout_clearing:ach', -paid],
          ],
          at,
        });
      return;
    }
    case 'settle':
      await post(db, {
        kind: 'settlement',
        legs: [
          ['asset:bank:operating', 100],
          [account.clearing('ccbill'), -100],
        ],
        at,
      });
      return;
    case 'night':
      expect(await checkNow({ db, clock, log })).toMatchObject({ isClean: true });
  }
}

it('keeps and shows what a second count of the journal says, whatever happens in which order', {
  timeout: 240_000,
}, async () => {
  const clock = testClock(NOON);
  const history = fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 60 }), async (steps) => {
    const fans = [await money.fan(), await money.fan()];
    const creators = [await money.creator(), await money.creator()];
    const world: World = { clock, fans, creators, deposits: [], sales: [], holds: [] };
    for (const fan of fans) world.deposits.push(await money.deposit(fan, 5_000, 100, clock.now()));
    for (const move of steps) {
      await perform(world, move).catch((error) => {
        if (!REFUSALS.has(error?.code)) throw error;
      });
    }
    await requireSame(fans, creators, clock.now());
    const { checks } = await checkLedger(money.db);
    expect(checks.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
    expect(await checkNow({ db: money.db, clock, log })).toMatchObject({ isClean: true });
  });
  await fc.assert(history, { numRuns: 25, endOnFailure: true });
  // None of it proves anything about a kind that never came about.
  const { rows } = await money.db.pool.query<{ kind: string }>('select distinct kind from ledger_transactions');
  expect(
    rows
      .map(({ kind }) => kind)
      .filter((kind) => kind !== 'test')
      .toSorted(),
  ).toEqual(Object.keys(MONEY_KINDS).toSorted());
});

it('would show a sum that is off by a cent', async () => {
  const [fan, creator] = [await money.fan(500), await money.creator()];
  const now = new Date(NOON.getTime() + 900 * DAY_MS);
  const tip = { kind: 'tip', fanId: fan, creatorId: creator, grossCents: 100, operationId: randomUUID(), at: now };
  await money.db.transaction((tx) => charge(tx, tip));
  await requireSame([fan], [creator], now);
  await money.db.pool.query(
    `update ledger_inflows set amount_cents = amount_cents + 1 where tag = 'tip' and day = $1`,
    [dayOf(now)],
  );
  await expect(requireSame([fan], [creator], now)).rejects.toThrow();
  await money.db.pool.query(
    `update ledger_inflows set amount_cents = amount_cents - 1 where tag = 'tip' and day = $1`,
    [dayOf(now)],
  );
});
