import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../../testing/app.ts';
import { refundSale, setCreatorFee } from '../../../commerce/sales/index.ts';
import { addOnlineDevice } from '../../../identity/presence/index.ts';
import {
  actOnCall,
  type CallPair,
  CREATOR_DEVICE,
  connectTestCall,
  createCallPair,
  getCallRow,
  offerTestCall,
  startTestCall,
  talkInCall,
} from '../testing.ts';

let app: TestApp;
let pair: CallPair;
let charged = '';
let missed = '';
beforeAll(async () => {
  app = await createTestApp();
  pair = await createCallPair(app);
  charged = await connectTestCall(app, pair, { type: 'audio', amountPerMinute: 2 });
  await talkInCall(app, charged, 90_500);
  await actOnCall(pair.creator, 'end', charged);
  app.clock.advance(1_000);
  addOnlineDevice(app.ctx, pair.creator.id, 'creator', CREATOR_DEVICE);
  missed = await offerTestCall(pair);
  await actOnCall(pair.fan, 'cancelled', missed);
  await app.ctx.events.waitUntilIdle();
});
afterAll(() => app.close());

const get = async (user: CallPair['fan'], url: string) => (await user.inject('GET', `/api/call/${url}`)).json();

describe('a call receipt', () => {
  it('adds up for the fan: held, charged, released, and the entries that moved the funds', async () => {
    const receipt = await get(pair.fan, `log/${charged}`);
    expect(receipt).toMatchObject({
      ...{
        kind: 'audio',
        status: 'ended',
        reason: 'hungUp',
        isOutgoing: true,
        durationSeconds: 90,
        chargedSeconds: 90,
      },
      ...{
        amountPerMinute: 2,
        amount: 3,
        held: 8,
        charged: 3,
        released: 5,
        isFree: false,
        split: null,
        isMissed: false,
      },
    });
    expect(receipt.entries.map(({ amount }: { amount: number }) => amount)).toEqual([-6, -2, 5]);
    expect(receipt.timeline.map(({ event, connectedMs }: Record<string, unknown>) => [event, connectedMs])).toEqual([
      ['called', 0],
      ['answered', 0],
      ['clockStarts', 0],
      ['extended', 60_000],
      ['clockStops', 90_500],
      ['over', 90_500],
    ]);
    const { data } = (await pair.fan.inject('GET', '/api/customer/transaction-history')).json();
    const moved: { call: { id: string } | null }[] = data.filter(
      ({ call }: { call: { id: string } | null }) => call?.id === charged,
    );
    expect(moved).toMatchObject([
      {
        ...{ type: 'call', amount: -3, detail: 'Voice call, cost $3.00', otherUser: { id: pair.creator.id } },
        title: expect.stringMatching(/^Voice call with /),
        call: {
          ...{ id: charged, kind: 'audio', seconds: 90, rate: 2, held: 8 },
          ...{ charged: 3, released: 5, refunded: 0, isOver: true },
        },
      },
    ]);
  });

  it('shows the creator the revenue split and returns 404 to other users', async () => {
    const receipt = await get(pair.creator, `log/${charged}`);
    expect(receipt).toMatchObject({
      ...{ isOutgoing: false, amount: 2.4, held: null, charged: null, released: null },
      split: { gross: 3, platformFee: 0.6, feePercent: 20, creator: 2.4 },
      entries: [{ title: 'Video Call', amount: 2.4 }],
    });
    for (const type of ['customer', 'creator'] as const)
      expect((await get(await app.signUp(type), `log/${charged}`)).code).toBe('NOT_FOUND');
  });
});

describe('call history', () => {
  it('shows a refund to both sides', async () => {
    const pair = await createCallPair(app);
    const id = await connectTestCall(app, pair);
    await talkInCall(app, id, 60_000);
    await actOnCall(pair.fan, 'end', id);
    const saleId = (await getCallRow(app, id)).transaction_id ?? '';
    const rest = { saleId, actorId: pair.creator.id, at: app.clock.now() };
    await app.ctx.db.transaction((tx) => refundSale(tx, { ...rest, grossCents: 100, operationId: randomUUID() }));
    const amounts = async (user: CallPair['fan']) =>
      (await user.inject('GET', `/api/call/log/${id}`)).json().entries.map(({ amount }: { amount: number }) => amount);
    expect(await amounts(pair.fan)).toEqual([-9, -3, 9, 1]);
    expect(await amounts(pair.creator)).toEqual([2.4, -0.8]);
    const { data } = (await pair.fan.inject('GET', '/api/customer/transaction-history?type=call')).json();
    expect(data[0].call).toMatchObject({ charged: 3, refunded: 1 });
    await app.ctx.db.transaction((tx) => refundSale(tx, { ...rest, operationId: randomUUID() }));
    for (const [user, amount] of [
      [pair.fan, 3],
      [pair.creator, 2.4],
    ] as const) {
      const whole = { callLogId: id, amount, refunded: amount };
      expect((await get(user, 'call-history')).data).toMatchObject([whole]);
      expect(await get(user, `log/${id}`)).toMatchObject(whole);
    }
  });

  it('uses the platform fee from the start of the call even if it changes later', async () => {
    const other = await createCallPair(app);
    const id = await connectTestCall(app, other, { amountPerMinute: 3 });
    const clock = async () => (await get(other.creator, 'current')).call.clock;
    expect(await clock()).toMatchObject({ share: 0.8 });
    await app.ctx.db.transaction((tx) =>
      setCreatorFee(tx, other.creator.id, { generalPercent: 50, offerPercent: null, offerUntil: null }),
    );
    await talkInCall(app, id, 60_000);
    expect(await clock()).toMatchObject({ share: 0.8, amount: 2.4 });
    await actOnCall(other.fan, 'end', id);
    expect(await get(other.creator, `log/${id}`)).toMatchObject({ amount: 2.4 });
  });

  it('lists, filters and pages for both sides', async () => {
    const ids = async (user: CallPair['fan'], query: string) =>
      (await get(user, `call-history?${query}`)).data.map(({ callLogId }: { callLogId: string }) => callLogId);
    for (const user of [pair.fan, pair.creator]) {
      expect(await ids(user, '')).toEqual([missed, charged]);
      expect(await ids(user, 'type=audio')).toEqual([charged]);
      expect(await ids(user, 'missed=true')).toEqual([missed]);
      const page = await get(user, 'call-history?limit=1');
      expect(page).toMatchObject({ totalCount: 2, data: [{ callLogId: missed }] });
      expect(await ids(user, `limit=1&offset=${page.nextOffset}`)).toEqual([charged]);
    }
    expect(await ids(pair.fan, `with=${pair.creator.id}`)).toHaveLength(2);
    expect(await ids(pair.fan, `with=${pair.fan.id}`)).toEqual([]);
    expect(await ids(await app.signUp('customer'), '')).toEqual([]);
  });

  it('counts missed calls until they are seen, and notifies the fan of a callback request once', async () => {
    const other = await createCallPair(app);
    // The test clock has advanced, so the creator must come online again to be called.
    addOnlineDevice(app.ctx, pair.creator.id, 'creator', CREATOR_DEVICE);
    await startTestCall({ ...other, creator: pair.creator });
    expect(await get(pair.creator, 'missed')).toEqual({ count: 1 });
    expect((await actOnCall(pair.creator, 'callback', charged)).json().code).toBe('CONFLICT');
    expect((await actOnCall(other.creator, 'callback', missed)).json().code).toBe('NOT_FOUND');
    const emitSpy = vi.spyOn(app.ctx.realtime, 'emitToUser');
    const callbackResponse = await actOnCall(pair.creator, 'callback', missed);
    expect(callbackResponse.json()).toMatchObject({ callLogId: missed, isMissed: true, isCallbackRequested: true });
    expect((await actOnCall(pair.creator, 'callback', missed)).statusCode).toBe(200);
    await app.ctx.events.waitUntilIdle();
    const emitted = emitSpy.mock.calls.filter(([, event]) => event.name === 'CALLBACK_REQUESTED');
    expect(emitted).toHaveLength(1);
    expect((await pair.creator.inject('POST', '/api/call/missed/seen')).json()).toEqual({ count: 0 });
    expect((await get(pair.creator, `log/${missed}`)).isMissed).toBe(false);
  });

  it('shows a declined call as declined to the creator and as busy to the fan', async () => {
    const other = await createCallPair(app);
    const emitted = vi.spyOn(app.ctx.realtime, 'emitToUser');
    const id = await offerTestCall(other);
    expect((await actOnCall(other.creator, 'reject', id)).json()).toMatchObject({
      status: 'cancel',
      reason: 'declined',
    });
    expect((await actOnCall(other.fan, 'end', id)).json()).toMatchObject({ status: 'cancel', reason: 'busy' });
    await app.ctx.events.waitUntilIdle();
    const ends = emitted.mock.calls.filter(([, { name }]) => name === 'END_CALL');
    const reasonTo = (user: CallPair['fan']) => ends.find(([to]) => to === user.id)?.[2];
    expect(reasonTo(other.fan)).toMatchObject({ callLogId: id, reason: 'busy' });
    expect(reasonTo(other.creator)).toMatchObject({ callLogId: id, reason: 'declined' });
    for (const [user, reason, by, missedIds] of [
      [other.fan, 'busy', null, [id]],
      [other.creator, 'declined', 'creator', []],
    ] as const) {
      expect((await get(user, 'call-history')).data).toMatchObject([{ callLogId: id, reason }]);
      const listed: { callLogId: string }[] = (await get(user, 'call-history?missed=true')).data;
      expect(listed.map(({ callLogId }) => callLogId)).toEqual(missedIds);
      const receipt = await get(user, `log/${id}`);
      expect(receipt.reason).toBe(reason);
      expect(receipt.timeline.at(-1)).toMatchObject({ event: 'over', by });
      const [chat] = (await user.inject('GET', '/api/message/conversation-list')).json().data;
      const { data: messages } = (await user.inject('GET', `/api/message/list/${chat.id}`)).json();
      expect([messages[0].call.reason, chat.lastMessage.call.reason]).toEqual([reason, reason]);
    }
    emitted.mockRestore();
  });
});
