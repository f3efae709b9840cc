/** Property test with random calls. Each charge must equal a second calculation from the timeline alone. */
import { randomUUID } from 'node:crypto';
import { sessionId, userId } from '@stagedoor/contract/shared/ids.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { Actor } from '../../../../platform/security/session.ts';
import { createSeededRandom } from '../../../../platform/seeded-random.ts';
import { createTestApp, type TestApp } from '../../../../testing/app.ts';
import { chargeFanNow, getFanWallet } from '../../../commerce/sales/index.ts';
import { addOnlineDevice } from '../../../identity/presence/index.ts';
import { setDailyLimit } from '../../../ledger/ledger/index.ts';
import { catchErrorCode, createDeposit } from '../../../ledger/ledger/testing.ts';
import { acceptCall, finishCall, markRinging } from '../call/actions.ts';
import { placeCall } from '../call/start.ts';
import { applyEvent, moveToDevice } from '../call/state-machine.ts';
import { runCallStep } from '../call/step.ts';
import {
  type CallPair,
  createCallPair,
  expectCleanLedger,
  getCallRow,
  meterCalls,
  recordCallHeartbeat,
  writeHeartbeats,
} from '../testing.ts';
import { clearHeartbeats } from './heartbeats.ts';

const HISTORIES = 100;
const AT_ONCE = 10;
const STEPS = { restless: 13, calm: 32 } as const;
const SEED = 20_261_123;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const toActor = (user: CallPair['fan'], type: Actor['type']): Actor => ({
  userId: z.parse(userId, user.id),
  sessionId: z.parse(sessionId, randomUUID()),
  ...{ type, username: user.username, isBlocked: false, hasSecondFactor: false, loggedInAt: new Date() },
});

type Player = {
  fan: Actor;
  creator: Actor;
  connections: { fan: boolean | undefined; creator: boolean | undefined };
  id: string;
  paidIn: number;
  tipped: number;
};

async function playStep(player: Player, random: () => number): Promise<void> {
  const { ctx, clock } = app;
  const { fan, creator, connections, id } = player;
  const pick = <T>(...values: T[]): T => values[Math.floor(random() * values.length)] as T;
  const side = pick('fan' as const, 'creator' as const);
  const moves: (readonly [weight: number, () => Promise<unknown>])[] = [
    [3, () => markRinging(ctx, creator, id)],
    [6, () => acceptCall(ctx, creator, id, 'creators-tab')],
    [14, async () => void Object.assign(connections, { fan: true, creator: true })],
    [3, async () => void Object.assign(connections, { [side]: false })],
    [3, async () => void Object.assign(connections, { [side]: undefined })],
    [0.5, async () => clearHeartbeats(ctx)],
    [0.5, () => finishCall(ctx, creator, id, 'reject')],
    [0.7, () => finishCall(ctx, fan, id, 'cancelled')],
    [1.2, () => finishCall(ctx, side === 'fan' ? fan : creator, id, 'endCall')],
    [0.3, () => runCallStep(ctx, id, (step) => void applyEvent(step, 'stopped'))],
    [
      0.7,
      () =>
        runCallStep(ctx, id, (step) =>
          moveToDevice(step, side, `tab-${Math.floor(random() * 1e9)}`, player[side].userId),
        ),
    ],
    [1, () => ctx.db.transaction((tx) => setDailyLimit(tx, fan.userId, pick(null, 0, 700, 50_000)))],
    [
      1.5,
      async () => {
        const cents = pick(37, 100, 450);
        await createDeposit(ctx.db, fan.userId, cents, { at: clock.now() });
        player.paidIn += cents;
      },
    ],
    [
      1,
      async () => {
        const grossCents = pick(100, 250);
        const tip = { kind: 'tip', tipType: 'call', fanId: fan.userId, creatorId: creator.userId, grossCents };
        await chargeFanNow(ctx.db, { ...tip, operationId: randomUUID(), at: clock.now() });
        player.tipped += grossCents;
      },
    ],
  ];
  let at = random() * moves.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, move] of moves) {
    at -= weight;
    if (at > 0) continue;
    const refusal = await catchErrorCode(move());
    if (refusal !== undefined) expect(['CONFLICT', 'INSUFFICIENT_FUNDS', 'FORBIDDEN']).toContain(refusal);
    return;
  }
}

async function reportConnections(players: readonly Player[]): Promise<void> {
  const reports = players.flatMap(({ id, connections }) =>
    (['fan', 'creator'] as const).map(async (side) => {
      const isConnected = connections[side];
      if (isConnected === undefined) return;
      const { status } = await getCallRow(app, id);
      if (status === 'received') await recordCallHeartbeat(app.ctx, { callId: id, side, isConnected });
      else if (side === 'fan' && status !== 'ended')
        await recordCallHeartbeat(app.ctx, { callId: id, side, isConnected: undefined });
    }),
  );
  await Promise.all(reports);
  await writeHeartbeats(app.ctx);
}

async function recount(id: string, rateCents: number): Promise<bigint> {
  const timeline = await app.ctx.db.query
    .selectFrom('call_events')
    .select(['event', 'at'])
    .where('call_id', '=', id)
    .where('event', 'in', ['clockStarts', 'clockStops'])
    .orderBy('seq')
    .execute();
  let ms = 0n;
  for (let index = 0; index < timeline.length; index += 2) {
    const [from, to] = [timeline[index], timeline[index + 1]];
    expect([from?.event, to?.event]).toEqual(['clockStarts', 'clockStops']);
    const ran = BigInt((to?.at.getTime() ?? 0) - (from?.at.getTime() ?? 0));
    expect(ran >= 0n).toBe(true);
    ms += ran;
  }
  if (ms < 20_000n) return 0n;
  const beyondSecond = ms % 1000n;
  return ((ms - beyondSecond) * BigInt(rateCents)) / 60_000n;
}

async function summarizeCall({ id, fan, paidIn, tipped }: Player, beforeCents: number): Promise<string> {
  const row = await getCallRow(app, id);
  expect(row.ended_at).not.toBeNull();
  const counted = await recount(id, row.rate_cents);
  expect(BigInt(row.charged_cents), JSON.stringify(row)).toBe(counted);
  expect(row.charged_cents).toBeLessThanOrEqual(row.held_cents);
  const wallet = await getFanWallet(app.ctx.db, fan.userId, app.clock.now());
  expect(wallet.heldCents).toBe(0);
  expect(wallet.availableCents).toBe(beforeCents + paidIn - tipped - row.charged_cents);
  return `${row.status} ${row.reason} ${row.charged_cents > 0 ? 'charged' : 'free'}`;
}

async function topUp(fan: Actor, creator: Actor, cents: number): Promise<void> {
  const { ctx, clock } = app;
  const missing = cents - (await getFanWallet(ctx.db, fan.userId, clock.now())).availableCents;
  if (missing > 0) await createDeposit(ctx.db, fan.userId, missing, { at: clock.now() });
  const tip = { kind: 'tip', tipType: 'profile', fanId: fan.userId, creatorId: creator.userId, grossCents: -missing };
  if (missing < 0) await chargeFanNow(ctx.db, { ...tip, operationId: randomUUID(), at: clock.now() });
}

it(`${HISTORIES} random call histories end balanced and are charged to the cent`, async () => {
  const random = createSeededRandom(SEED);
  const { ctx, clock } = app;
  const outcomes = new Map<string, number>();
  const allPairs: CallPair[] = [];
  for (let done = 0; done < HISTORIES; done += AT_ONCE) {
    const players: Player[] = [];
    const before = new Map<string, number>();
    const rateCents = 100 + Math.floor(random() * 900);
    const pairs = await Promise.all(
      Array.from({ length: done % 100 === 0 ? AT_ONCE : 0 }, () => createCallPair(app, { cents: 0 })),
    );
    if (pairs.length > 0) allPairs.splice(0, allPairs.length, ...pairs);
    for (const pair of allPairs) {
      const [fan, creator] = [toActor(pair.fan, 'customer'), toActor(pair.creator, 'creator')];
      await ctx.db.transaction((tx) => setDailyLimit(tx, fan.userId, 1_000_000));
      await topUp(fan, creator, Math.floor((1 + random()) * rateCents));
      await ctx.db.query
        .updateTable('call_settings')
        .set({ video_rate_cents: rateCents })
        .where('creator_id', '=', creator.userId)
        .execute();
      addOnlineDevice(ctx, creator.userId, 'creator', 'creators-tab');
      before.set(fan.userId, (await getFanWallet(ctx.db, fan.userId, clock.now())).availableCents);
      const input = { creatorId: creator.userId, type: 'video' as const, rateCents, device: 'fans-tab' };
      const { id } = await placeCall(ctx, fan, input, randomUUID());
      players.push({ fan, creator, id, connections: { fan: true, creator: undefined }, paidIn: 0, tipped: 0 });
    }
    const behaviour = (done / AT_ONCE) % 5 === 0 ? 'calm' : 'restless';
    for (let step = 0; step < STEPS[behaviour]; step += 1) {
      const restless = players.filter(() => behaviour === 'restless' || step < 6 || random() < 0.1);
      await Promise.all(restless.map((player) => playStep(player, random)));
      await reportConnections(players);
      clock.advance(Math.floor(random() * 7_900));
      await Promise.all([meterCalls(ctx), meterCalls(ctx)]);
    }
    for (const { connections } of players) Object.assign(connections, { fan: undefined, creator: undefined });
    for (const ms of [9_000, 31_000, 15_000]) {
      clock.advance(ms);
      await meterCalls(ctx);
    }
    for (const player of players) {
      const outcome = await summarizeCall(player, before.get(player.fan.userId) ?? 0);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    if (done % 50 === 0) await expectCleanLedger(app);
  }
  await expectCleanLedger(app);
  const ends = [...outcomes.keys()].map((outcome) => outcome.split(' ')[1]);
  expect(new Set(ends)).toEqual(
    new Set(['cancelled', 'declined', 'noAnswer', 'hungUp', 'funds', 'limit', 'lost', 'notConnected', 'stopped']),
  );
  expect((outcomes.get('ended funds charged') ?? 0) + (outcomes.get('drop lost charged') ?? 0)).toBeGreaterThan(6);
});
