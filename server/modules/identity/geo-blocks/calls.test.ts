import { callbackRequested } from '@stagedoor/contract/messaging/calls-events.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import {
  actOnCall,
  connectTestCall,
  createCallPair,
  offerTestCall,
  talkInCall,
} from '../../messaging/calls/testing.ts';
import { openTab } from '../../messaging/chat/testing.ts';

const [GERMANY, AMERICA] = ['84.128.1.1', '17.0.0.1'];
const fromAddress = (address: string) => ({ 'x-forwarded-for': address });

let app: TestApp;
let port = 0;
beforeAll(async () => {
  app = await createTestApp({ env: { TRUST_PROXY: '127.0.0.1' } });
  await app.app.start();
  port = Number(new URL(await app.app.http.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => app.close());

test('a hidden creator’s missed calls and callback requests are absent, and a paid call remains', async () => {
  const pair = await createCallPair(app);
  const { fan, creator } = pair;
  const paidCall = await connectTestCall(app, pair);
  await talkInCall(app, paidCall, 60_000);
  await actOnCall(fan, 'end', paidCall);
  const missedCall = await offerTestCall(pair);
  await actOnCall(fan, 'cancelled', missedCall);
  expect((await creator.inject('PUT', '/api/creator/geo-blocks', { codes: ['DE'] })).statusCode).toBe(200);
  await app.ctx.events.waitUntilIdle();

  const listCalls = async (address: string) => {
    const response = await fan.inject('GET', '/api/call/call-history', undefined, fromAddress(address));
    const { data, totalCount } = response.json();
    return [totalCount, ...data.map(({ callLogId }: { callLogId: string }) => callLogId)];
  };
  expect(await listCalls(AMERICA)).toEqual([2, missedCall, paidCall]);
  expect(await listCalls(GERMANY)).toEqual([1, paidCall]);
  const readCallStatus = async (id: string, address: string) =>
    (await fan.inject('GET', `/api/call/log/${id}`, undefined, fromAddress(address))).statusCode;
  expect([await readCallStatus(missedCall, AMERICA), await readCallStatus(missedCall, GERMANY)]).toEqual([200, 404]);
  expect([await readCallStatus(paidCall, AMERICA), await readCallStatus(paidCall, GERMANY)]).toEqual([200, 200]);

  const germanTab = await openTab(port, fan.cookie, undefined, GERMANY);
  const americanTab = await openTab(port, fan.cookie, undefined, AMERICA);
  const callback = await creator.inject('POST', `/api/call/callback/${missedCall}`, undefined, fromAddress(GERMANY));
  expect(callback.statusCode, callback.body).toBe(200);
  await app.ctx.events.waitUntilIdle();
  await expect.poll(() => americanTab.listPayloads('CALLBACK_REQUESTED')).toHaveLength(1);
  // This later event must be the only one that arrives.
  app.ctx.realtime.emitToUser(fan.id, callbackRequested, {
    callLogId: paidCall,
    creatorId: creator.id,
    name: 'No one’s',
  });
  await expect.poll(() => germanTab.listPayloads('CALLBACK_REQUESTED').length).toBe(1);
  expect(germanTab.listPayloads('CALLBACK_REQUESTED')).toMatchObject([{ callLogId: paidCall }]);
  for (const tab of [germanTab, americanTab]) tab.close();
});

test('a hidden creator’s open call remains for the fan, and the creator always finds their own missed calls', async () => {
  const pair = await createCallPair(app);
  const { fan, creator } = pair;
  expect((await creator.inject('PUT', '/api/creator/geo-blocks', { codes: ['DE'] })).statusCode).toBe(200);
  await app.ctx.events.waitUntilIdle();
  const callId = await offerTestCall(pair);
  const readStatus = async (user: TestUser) =>
    (await user.inject('GET', `/api/call/log/${callId}`, undefined, fromAddress(GERMANY))).statusCode;
  expect([await readStatus(fan), await readStatus(creator)]).toEqual([200, 200]);
  await actOnCall(fan, 'cancelled', callId);
  expect([await readStatus(fan), await readStatus(creator)]).toEqual([404, 200]);
});
