import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../../testing/app.ts';
import { getFanWallet } from '../../../commerce/sales/index.ts';
import {
  actOnCall,
  CREATOR_DEVICE,
  connectTestCall,
  createCallPair,
  expectCleanLedger,
  getCallRow,
  meterCalls,
  offerTestCall,
  recordCallHeartbeat,
  startTestCall,
  talkInCall,
} from '../testing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterEach(() => expectCleanLedger(app));
afterAll(() => app.close());

const wallet = (fanId: string) => getFanWallet(app.ctx.db, fanId, app.clock.now());
const ROUNDS = 4;

async function rounds(play: () => Promise<void>): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) await play();
}

it('a fan who calls two creators at the same time is in one call', () =>
  rounds(async () => {
    const [one, other] = [await createCallPair(app), await createCallPair(app)];
    const responses = await Promise.all([startTestCall(one), startTestCall({ ...other, fan: one.fan })]);
    expect(responses.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
    expect((await wallet(one.fan.id)).heldCents).toBe(900);
  }));

it('a creator whom two fans call at the same time takes one call and is busy for the other', () =>
  rounds(async () => {
    const [one, other] = [await createCallPair(app), await createCallPair(app)];
    const responses = await Promise.all([startTestCall(one), startTestCall({ ...other, creator: one.creator })]);
    expect(responses.map((response) => response.json().reason).toSorted()).toEqual(['busy', null]);
    const wallets = await Promise.all([wallet(one.fan.id), wallet(other.fan.id)]);
    expect(wallets.map(({ heldCents }) => heldCents).toSorted()).toEqual([0, 900]);
  }));

it('concurrent requests with the same operation start one call', () =>
  rounds(async () => {
    const pair = await createCallPair(app);
    const key = crypto.randomUUID();
    const responses = await Promise.all([1, 2, 3].map(() => startTestCall(pair, { key })));
    expect(new Set(responses.map((response) => response.json().callLogId)).size).toBe(1);
    expect((await wallet(pair.fan.id)).heldCents).toBe(900);
  }));

it('an answer and a concurrent cancellation end the call either as hung up or as cancelled', () =>
  rounds(async () => {
    const pair = await createCallPair(app);
    const id = await offerTestCall(pair);
    const [answered, cancelled] = await Promise.all([
      actOnCall(pair.creator, 'received', id, CREATOR_DEVICE),
      actOnCall(pair.fan, 'cancelled', id),
    ]);
    const outcome = `${answered.statusCode} ${cancelled.json().status} ${cancelled.json().reason}`;
    expect(['200 ended hungUp', '409 cancel cancelled']).toContain(outcome);
    expect((await wallet(pair.fan.id)).availableCents).toBe(10_000);
  }));

it('one device takes the call when two devices answer at the same time', () =>
  rounds(async () => {
    const pair = await createCallPair(app);
    const id = await offerTestCall(pair);
    const responses = await Promise.all(
      ['tab-number-1', 'tab-number-2'].map((tab) => actOnCall(pair.creator, 'received', id, tab)),
    );
    expect(responses.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
    await actOnCall(pair.fan, 'end', id);
  }));

it('a call that both sides hang up at the same time is captured once', () =>
  rounds(async () => {
    const pair = await createCallPair(app);
    const id = await connectTestCall(app, pair);
    await talkInCall(app, id, 40_000);
    const responses = await Promise.all([
      actOnCall(pair.fan, 'end', id),
      actOnCall(pair.creator, 'end', id),
      actOnCall(pair.fan, 'cancelled', id),
    ]);
    for (const response of responses) expect(response.json()).toMatchObject({ status: 'ended', reason: 'hungUp' });
    expect((await wallet(pair.fan.id)).availableCents).toBe(9_800);
  }));

it('a hang-up, the end of the funds and two checks at the same time charge exactly the held amount', () =>
  rounds(async () => {
    const pair = await createCallPair(app, { cents: 300 });
    const id = await connectTestCall(app, pair);
    await talkInCall(app, id, 58_000);
    app.clock.advance(2_500);
    const side = 'fan';
    await Promise.all([
      actOnCall(pair.creator, 'end', id),
      meterCalls(app.ctx),
      meterCalls(app.ctx),
      recordCallHeartbeat(app.ctx, { callId: id, side, isConnected: false }),
    ]);
    expect(await getCallRow(app, id)).toMatchObject({
      status: 'ended',
      connected_ms: 60_000,
      charged_cents: 300,
      reason: 'funds',
    });
    expect(await wallet(pair.fan.id)).toMatchObject({ availableCents: 0, heldCents: 0 });
  }));

it('calls are limited per hour, to one creator and in total', async () => {
  const calm = await createTestApp({ env: { RATE_LIMIT_FACTOR: '0.1' } });
  const { fan, creator } = await createCallPair(calm);
  const others = [creator];
  for (let n = 0; n < 3; n += 1) others.push((await createCallPair(calm)).creator);
  const tries: (number | string)[] = [];
  for (const one of others)
    for (let n = 0; n < 3; n += 1) {
      const response = await startTestCall({ fan, creator: one });
      tries.push(response.statusCode === 200 ? 200 : response.json().message);
      if (response.json().call) await actOnCall(fan, 'cancelled', response.json().callLogId);
      calm.clock.advance(60_000);
    }
  const refusalMessage = 'Too many calls this hour. Try again later.';
  expect(tries).toEqual([
    200,
    200,
    refusalMessage,
    200,
    200,
    refusalMessage,
    200,
    200,
    refusalMessage,
    refusalMessage,
    refusalMessage,
    refusalMessage,
  ]);
  expect((await getFanWallet(calm.ctx.db, fan.id, calm.clock.now())).heldCents).toBe(0);
  calm.clock.advance(60 * 60_000);
  expect((await startTestCall({ fan, creator })).statusCode).toBe(200);
  await expectCleanLedger(calm);
  await calm.close();
});
