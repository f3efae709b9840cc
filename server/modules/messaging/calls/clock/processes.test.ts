/** Two real processes with Redis between them, with one side of the call on each. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp } from '../../../../testing/app.ts';
import { createProcesses, findFreePort, killProcess, type TestProcess } from '../../../../testing/processes.ts';
import { openTab, type TestTab } from '../../chat/testing.ts';
import {
  type CallPair,
  CREATOR_DEVICE,
  createCallPair,
  expectCleanLedger,
  FAN_DEVICE,
  getCallRow,
} from '../testing.ts';

/** Heartbeats are written every two seconds, and the processes check once a second. */
const SILENCE_MS = 5_000;
const limits = new URL('../../../../../contract/shared/module-limits.ts', import.meta.url).href;
/** Loaded first, so that a lost side is noticed sooner than in production. */
const SHORT_SILENCE = `data:text/javascript,import{CALL_LIMITS}from'${limits}';CALL_LIMITS.heartbeatTimeoutMs=${SILENCE_MS};`;

const processes = createProcesses();
let app: TestApp;
let env: Record<string, string> = {};
beforeAll(async () => {
  app = await createTestApp();
  const port = await findFreePort();
  await processes.startRedis(port);
  env = { REDIS_URL: `redis://127.0.0.1:${port}`, NODE_OPTIONS: `--import=${SHORT_SILENCE}` };
});
afterAll(async () => {
  await processes.endAll();
  await app.close();
});

type CallUser = CallPair['fan'];

const responseSchema = z.looseObject({
  call: z.optional(z.nullable(z.object({ session: z.object({ token: z.string() }) }))),
  callLogId: z.optional(z.string()),
});
type TestResponse = z.infer<typeof responseSchema>;

async function sendRequest(
  node: TestProcess,
  user: CallUser,
  method: string,
  path: string,
  body?: object,
): Promise<TestResponse> {
  const headers = { cookie: user.cookie, 'content-type': 'application/json' };
  const response = await fetch(`${node.address}/api${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return z.parse(responseSchema, await response.json());
}

async function joinCall(node: TestProcess, user: CallUser, device: string, callLogId: string) {
  const tab = await openTab(node.port, user.cookie);
  const { call } = await sendRequest(node, user, 'GET', '/call/current');
  const { call: joined } = await sendRequest(node, user, 'POST', `/call/connect/${callLogId}`, {
    token: call?.session.token,
    device,
  });
  const sendHeartbeat = () =>
    tab.send('CALL_HEARTBEAT', { callLogId, token: joined?.session.token, device, isConnected: true });
  sendHeartbeat();
  const heartbeatTimer = setInterval(sendHeartbeat, 500);
  return { tab, leave: () => [clearInterval(heartbeatTimer), tab.close()] };
}

const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 40_000, interval: 100 });
const runs = (tab: TestTab, isRunning: boolean) =>
  until(() => expect(tab.listPayloads('CALL_CLOCK').at(-1)).toMatchObject({ clock: { isRunning } }));

it('a call survives a killed process and a restart of all processes, and no gap is charged', {
  timeout: 150_000,
}, async () => {
  const [one, other] = await Promise.all([processes.startProcess(app, env), processes.startProcess(app, env)]);
  const { fan, creator } = await createCallPair(app);
  const watching = await openTab(other.port, creator.cookie);
  await until(async () =>
    expect((await sendRequest(one, fan, 'GET', `/public/call-terms/${creator.id}`)).unavailableReason).toBeNull(),
  );
  const startBody = { creatorId: creator.id, type: 'video', amountPerMinute: 3, device: FAN_DEVICE };
  const { callLogId: id = '', reason } = await sendRequest(one, fan, 'POST', '/call/start', startBody);
  expect(reason).toBeNull();
  await until(() => expect(watching.listPayloads('CALL_OFFER')).toHaveLength(1));
  await sendRequest(other, creator, 'POST', `/call/received/${id}`, { device: CREATOR_DEVICE });
  const fanThere = await joinCall(one, fan, FAN_DEVICE, id);
  const creatorThere = await joinCall(other, creator, CREATOR_DEVICE, id);
  await runs(fanThere.tab, true);
  const ranFrom = Date.now();
  await killProcess(other.child);
  await runs(fanThere.tab, false);
  const noticed = await getCallRow(app, id);
  expect(noticed).toMatchObject({ status: 'received', running_since: null });
  // The clock stopped at the creator's last heartbeat, not when the loss was noticed.
  expect(noticed.connected_ms).toBeLessThan(Date.now() - ranFrom);
  const back = await joinCall(one, creator, CREATOR_DEVICE, id);
  await runs(fanThere.tab, true);
  creatorThere.leave();

  await killProcess(one.child);
  fanThere.leave();
  back.leave();
  const third = await processes.startProcess(app, env);
  await until(async () => expect((await getCallRow(app, id)).running_since).toBeNull());
  const both = [await joinCall(third, fan, FAN_DEVICE, id), await joinCall(third, creator, CREATOR_DEVICE, id)];
  await until(async () => expect((await getCallRow(app, id)).running_since).not.toBeNull());
  const ended = await sendRequest(third, fan, 'POST', `/call/end/${id}`);
  expect(ended).toEqual({ callLogId: id, status: 'ended', reason: 'hungUp' });
  for (const { leave } of both) leave();
  await expectCleanLedger(app);
  const timeline = await app.ctx.db.query.selectFrom('call_events').select('event').where('call_id', '=', id).execute();
  expect(timeline.filter(({ event }) => event === 'clockStarts').length).toBeGreaterThanOrEqual(3);
});
