import { callBackAsked } from '@stagedoor/contract/calls-live.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../testing/app.ts';
import { act, connected, makePair, offered, talk } from '../calls/testing.ts';
import { openTab } from '../chat/testing.ts';

const [GERMANY, AMERICA] = ['84.128.1.1', '17.0.0.1'];
const from = (address: string) => ({ 'x-forwarded-for': address });

let app: TestApp;
let port = 0;
beforeAll(async () => {
  app = await createTestApp({ env: { TRUST_PROXY: '127.0.0.1' } });
  await app.app.start();
  port = Number(new URL(await app.app.http.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => app.close());

test('a hidden creator’s missed calls and callback requests are absent, and a paid call remains', async () => {
  const pair = await makePair(app);
  const { fan, creator } = pair;
  const paid = await connected(app, pair);
  await talk(app, paid, 60_000);
  await act(fan, 'end', paid);
  const missed = await offered(pair);
  await act(fan, 'cancelled', missed);
  expect((await creator.inject('PUT', '/api/creator/regions', { codes: ['DE'] })).statusCode).toBe(200);
  await app.ctx.events.settle();

  const listed = async (address: string) => {
    const answer = await fan.inject('GET', '/api/call/call-history', undefined, from(address));
    const { data, totalCount } = answer.json();
    return [totalCount, ...data.map(({ callLogId }: { callLogId: string }) => callLogId)];
  };
  expect(await listed(AMERICA)).toEqual([2, missed, paid]);
  expect(await listed(GERMANY)).toEqual([1, paid]);
  const log = async (id: string, address: string) =>
    (await fan.inject('GET', `/api/call/log/${id}`, undefined, from(address))).statusCode;
  expect([await log(missed, AMERICA), await log(missed, GERMANY)]).toEqual([200, 404]);
  expect([await log(paid, AMERICA), await log(paid, GERMANY)]).toEqual([200, 200]);

  const here = await openTab(port, fan.cookie, undefined, GERMANY);
  const there = await openTab(port, fan.cookie, undefined, AMERICA);
  const back = await creator.inject('POST', `/api/call/call-back/${missed}`, undefined, from(GERMANY));
  expect(back.statusCode, back.body).toBe(200);
  await app.ctx.events.settle();
  await expect.poll(() => there.of('CALL_BACK')).toHaveLength(1);
  // This later event must be the only one that arrives.
  app.ctx.realtime.toUser(fan.id, callBackAsked, { callLogId: paid, creatorId: creator.id, name: 'Of nobody' });
  await expect.poll(() => here.of('CALL_BACK').length).toBe(1);
  expect(here.of('CALL_BACK')).toMatchObject([{ callLogId: paid }]);
  for (const tab of [here, there]) tab.close();
});
