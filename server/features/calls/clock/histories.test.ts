/** Property test with random calls. Each charge must equal a second calculation from the timeline alone. */
import { randomUUID } from 'node:crypto';
import { sessionId, userId } from '@stagedoor/contract/atoms/ids.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { seeded } from '../../../kernel/seeded.ts';
import type { Actor } from '../../../kernel/session.ts';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { setDailyLimit } from '../../ledger/index.ts';
import { makeDeposit, refusalOf } from '../../ledger/testing.ts';
import { comeOnline } from '../../presence/index.ts';
import { chargeNow, walletOf } from '../../sales/index.ts';
import { begin } from '../call/begin.ts';
import { happen, takeOver } from '../call/course.ts';
import { take } from '../call/turn.ts';
import { answer, finish, ring } from '../call/verbs.ts';
import { expectBooks, hear, makePair, meter, type Pair, rowOf, writeHearings } from '../testing.ts';
import { forgetAll } from './hearing.ts';

const HISTORIES = 100;
const AT_ONCE = 10;
const STEPS = { restless: 13, calm: 32 } as const;
const SEED = 20_261_123;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const actorOf = (user: Pair['fan'], type: Actor['type']): Actor => ({
  userId: z.parse(userId, user.id),
  sessionId: z.parse(sessionId, randomUUID()),
  ...{ type, username: user.username, isBlocked: false, hasSecondFactor: false, loggedInAt: new Date() },
});

type Player = {
  fan: Actor;
  creator: Actor;
  says: { fan: boolean | undefined; creator: boolean | undefined };
  id: string;
  paidIn: number;
  tipped: number;
};

async function goOn(player: Player, random: () => number): Promise<void> {
  const { ctx, clock } = app;
  const { fan, creator, says, id } = player;
  const pick = <T>(...of: T[]): T => of[Math.floor(random() * of.length)] as T;
  const side = pick('fan' as const, 'creator' as const);
  const moves: (readonly [weight: number, () => Promise<unknown>])[] = [
    [3, () => ring(ctx, creator, id)],
    [6, () => answer(ctx, creator, id, 'creators-tab')],
    [14, async () => void Object.assign(says, { fan: true, creator: true })],
    [3, async () => void Object.assign(says, { [side]: false })],
    [3, async () => void Object.assign(says, { [side]: undefined })],
    [0.5, async () => forgetAll(ctx)],
    [0.5, () => finish(ctx, creator, id, 'reject')],
    [0.7, () => finish(ctx, fan, id, 'cancelled')],
    [1.2, () => finish(ctx, side === 'fan' ? fan : creator, id, 'endCall')],
    [0.3, () => take(ctx, id, (turn) => void happen(turn, 'stopped'))],
    [
      0.7,
      () => take(ctx, id, (turn) => takeOver(turn, side, `tab-${Math.floor(random() * 1e9)}`, player[side].userId)),
    ],
    [1, () => ctx.db.transaction((tx) => setDailyLimit(tx, fan.userId, pick(null, 0, 700, 50_000)))],
    [
      1.5,
      async () => {
        const cents = pick(37, 100, 450);
        await makeDeposit(ctx.db, fan.userId, cents, { at: clock.now() });
        player.paidIn += cents;
      },
    ],
    [
      1,
      async () => {
        const grossCents = pick(100, 250);
        const tip = { kind: 'tip', tipType: 'call', fanId: fan.userId, creatorId: creator.userId, grossCents };
        await chargeNow(ctx.db, { ...tip, operationId: randomUUID(), at: clock.now() });
        player.tipped += grossCents;
      },
    ],
  ];
  let at = random() * moves.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, move] of moves) {
    at -= weight;
    if (at > 0) continue;
    const refusal = await refusalOf(move());
    if (refusal !== undefined) expect(['CONFLICT', 'INSUFFICIENT_FUNDS', 'FORBIDDEN']).toContain(refusal);
    return;
  }
}

async function speak(players: readonly Player[]): Promise<void> {
  const said = players.flatMap(({ id, says }) =>
    (['fan', 'creator'] as const).map(async (side) => {
      const isConnected = says[side];
      if (isConnected === undefined) return;
      const { status } = await rowOf(app, id);
      if (status === 'received') await hear(app.ctx, { callId: id, side, isConnected });
      else if (side === 'fan' && status !== 'ended') await hear(app.ctx, { callId: id, side, isConnected: undefined });
    }),
  );
  await Promise.all(said);
  await writeHearings(app.ctx);
}

async function recount(id: string, rateCents: number): Promise<bigint> {
  const moments = await app.ctx.db.query
    .selectFrom('call_moments')
    .select(['moment', 'at'])
    .where('call_id', '=', id)
    .where('moment', 'in', ['clockStarts', 'clockStops'])
    .orderBy('n')
    .execute();
  let ms = 0n;
  for (let index = 0; index < moments.length; index += 2) {
    const [from, to] = [moments[index], moments[index + 1]];
    expect([from?.moment, to?.moment]).toEqual(['clockStarts', 'clockStops']);
    const ran = BigInt((to?.at.getTime() ?? 0) - (from?.at.getTime() ?? 0));
    expect(ran >= 0n).toBe(true);
    ms += ran;
  }
  if (ms < 20_000n) return 0n;
  const beyondSecond = ms % 1000n;
  return ((ms - beyondSecond) * BigInt(rateCents)) / 60_000n;
}

async function settled({ id, fan, paidIn, tipped }: Player, beforeCents: number): Promise<string> {
  const row = await rowOf(app, id);
  expect(row.ended_at).not.toBeNull();
  const counted = await recount(id, row.rate_cents);
  expect(BigInt(row.charged_cents), JSON.stringify(row)).toBe(counted);
  expect(row.charged_cents).toBeLessThanOrEqual(row.held_cents);
  const wallet = await walletOf(app.ctx.db, fan.userId, app.clock.now());
  expect(wallet.heldCents).toBe(0);
  expect(wallet.availableCents).toBe(beforeCents + paidIn - tipped - row.charged_cents);
  return `${row.status} ${row.reason} ${row.charged_cents > 0 ? 'charged' : 'free'}`;
}

async function fill(fan: Actor, creator: Actor, cents: number): Promise<void> {
  const { ctx, clock } = app;
  const missing = cents - (await walletOf(ctx.db, fan.userId, clock.now())).availableCents;
  if (missing > 0) await makeDeposit(ctx.db, fan.userId, missing, { at: clock.now() });
  const tip = { kind: 'tip', tipType: 'profile', fanId: fan.userId, creatorId: creator.userId, grossCents: -missing };
  if (missing < 0) await chargeNow(ctx.db, { ...tip, operationId: randomUUID(), at: clock.now() });
}

it(`${HISTORIES} random call histories end balanced and are charged to the cent`, async () => {
  const random = seeded(SEED);
  const { ctx, clock } = app;
  const outcomes = new Map<string, number>();
  const people: Pair[] = [];
  for (let done = 0; done < HISTORIES; done += AT_ONCE) {
    const players: Player[] = [];
    const before = new Map<string, number>();
    const rateCents = 100 + Math.floor(random() * 900);
    const pairs = await Promise.all(
      Array.from({ length: done % 100 === 0 ? AT_ONCE : 0 }, () => makePair(app, { cents: 0 })),
    );
    if (pairs.length > 0) people.splice(0, people.length, ...pairs);
    for (const pair of people) {
      const [fan, creator] = [actorOf(pair.fan, 'customer'), actorOf(pair.creator, 'creator')];
      await ctx.db.transaction((tx) => setDailyLimit(tx, fan.userId, 1_000_000));
      await fill(fan, creator, Math.floor((1 + random()) * rateCents));
      await ctx.db.query
        .updateTable('call_terms')
        .set({ video_rate_cents: rateCents })
        .where('creator_id', '=', creator.userId)
        .execute();
      comeOnline(ctx, creator.userId, 'creator', 'creators-tab');
      before.set(fan.userId, (await walletOf(ctx.db, fan.userId, clock.now())).availableCents);
      const wish = { creatorId: creator.userId, type: 'video' as const, rateCents, device: 'fans-tab' };
      const { id } = await begin(ctx, fan, wish, randomUUID());
      players.push({ fan, creator, id, says: { fan: true, creator: undefined }, paidIn: 0, tipped: 0 });
    }
    const mood = (done / AT_ONCE) % 5 === 0 ? 'calm' : 'restless';
    for (let step = 0; step < STEPS[mood]; step += 1) {
      const restless = players.filter(() => mood === 'restless' || step < 6 || random() < 0.1);
      await Promise.all(restless.map((player) => goOn(player, random)));
      await speak(players);
      clock.advance(Math.floor(random() * 7_900));
      await Promise.all([meter(ctx), meter(ctx)]);
    }
    for (const { says } of players) Object.assign(says, { fan: undefined, creator: undefined });
    for (const ms of [9_000, 31_000, 15_000]) {
      clock.advance(ms);
      await meter(ctx);
    }
    for (const player of players) {
      const outcome = await settled(player, before.get(player.fan.userId) ?? 0);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    if (done % 50 === 0) await expectBooks(app);
  }
  await expectBooks(app);
  const ends = [...outcomes.keys()].map((outcome) => outcome.split(' ')[1]);
  expect(new Set(ends)).toEqual(
    new Set(['cancelled', 'declined', 'noAnswer', 'hungUp', 'funds', 'lost', 'notConnected', 'stopped']),
  );
  expect((outcomes.get('ended funds charged') ?? 0) + (outcomes.get('drop lost charged') ?? 0)).toBeGreaterThan(6);
});
