/** Two real processes with Redis between them, with one side of the call on each. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { createProcesses, freePort, kill, type Node } from '../../../testing/processes.ts';
import { openTab, type Tab } from '../../chat/testing.ts';
import { CREATOR_TAB, expectBooks, FAN_TAB, makePair, type Pair, rowOf } from '../testing.ts';

/** Heartbeats are written every two seconds, and the processes look once a second. */
const SILENCE_MS = 5_000;
const limits = new URL('../../../../contract/atoms/room-limits.ts', import.meta.url).href;
/** Loaded first, so that a lost side is noticed sooner than in production. */
const SHORT_SILENCE = `data:text/javascript,import{CALL}from'${limits}';CALL.silenceMs=${SILENCE_MS};`;

const processes = createProcesses();
let app: TestApp;
let env: Record<string, string> = {};
beforeAll(async () => {
  app = await createTestApp();
  const port = await freePort();
  await processes.startRedis(port);
  env = { REDIS_URL: `redis://127.0.0.1:${port}`, NODE_OPTIONS: `--import=${SHORT_SILENCE}` };
});
afterAll(async () => {
  await processes.endAll();
  await app.close();
});

type Person = Pair['fan'];

const answered = z.looseObject({
  call: z.optional(z.nullable(z.object({ session: z.object({ token: z.string() }) }))),
  callLogId: z.optional(z.string()),
});
type Answer = z.infer<typeof answered>;

async function ask(node: Node, who: Person, method: string, path: string, body?: object): Promise<Answer> {
  const headers = { cookie: who.cookie, 'content-type': 'application/json' };
  const answer = await fetch(`${node.address}/api${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return z.parse(answered, await answer.json());
}

async function takePart(node: Node, who: Person, device: string, callLogId: string) {
  const tab = await openTab(node.port, who.cookie);
  const { call } = await ask(node, who, 'GET', '/call/current');
  const { call: joined } = await ask(node, who, 'POST', `/call/connect/${callLogId}`, {
    token: call?.session.token,
    device,
  });
  const say = () => tab.send('CALL_HEARD', { callLogId, token: joined?.session.token, device, isConnected: true });
  say();
  const saying = setInterval(say, 500);
  return { tab, leave: () => [clearInterval(saying), tab.close()] };
}

const until = (look: () => void | Promise<void>) => vi.waitFor(look, { timeout: 40_000, interval: 100 });
const runs = (tab: Tab, isRunning: boolean) =>
  until(() => expect(tab.of('CALL_CLOCK').at(-1)).toMatchObject({ clock: { isRunning } }));

it('a call survives a killed process and a restart of all processes, and no gap is charged', {
  timeout: 150_000,
}, async () => {
  const [one, other] = await Promise.all([processes.startNode(app, env), processes.startNode(app, env)]);
  const { fan, creator } = await makePair(app);
  const watching = await openTab(other.port, creator.cookie);
  await until(async () => expect((await ask(one, fan, 'GET', `/public/call-terms/${creator.id}`)).absence).toBeNull());
  const wish = { creatorId: creator.id, type: 'video', amountPerMinute: 3, device: FAN_TAB };
  const { callLogId: id = '', reason } = await ask(one, fan, 'POST', '/call/start', wish);
  expect(reason).toBeNull();
  await until(() => expect(watching.of('CALL_OFFER')).toHaveLength(1));
  await ask(other, creator, 'POST', `/call/received/${id}`, { device: CREATOR_TAB });
  const fanThere = await takePart(one, fan, FAN_TAB, id);
  const creatorThere = await takePart(other, creator, CREATOR_TAB, id);
  await runs(fanThere.tab, true);
  const ranFrom = Date.now();
  await kill(other.child);
  await runs(fanThere.tab, false);
  const noticed = await rowOf(app, id);
  expect(noticed).toMatchObject({ status: 'received', running_since: null });
  // The clock stopped at the creator's last heartbeat, not when the loss was noticed.
  expect(noticed.talked_ms).toBeLessThan(Date.now() - ranFrom);
  const back = await takePart(one, creator, CREATOR_TAB, id);
  await runs(fanThere.tab, true);
  creatorThere.leave();

  await kill(one.child);
  fanThere.leave();
  back.leave();
  const third = await processes.startNode(app, env);
  await until(async () => expect((await rowOf(app, id)).running_since).toBeNull());
  const both = [await takePart(third, fan, FAN_TAB, id), await takePart(third, creator, CREATOR_TAB, id)];
  await until(async () => expect((await rowOf(app, id)).running_since).not.toBeNull());
  const ended = await ask(third, fan, 'POST', `/call/end/${id}`);
  expect(ended).toEqual({ callLogId: id, status: 'ended', reason: 'hungUp' });
  for (const { leave } of both) leave();
  await expectBooks(app);
  const moments = await app.ctx.db.query
    .selectFrom('call_moments')
    .select('moment')
    .where('call_id', '=', id)
    .execute();
  expect(moments.filter(({ moment }) => moment === 'clockStarts').length).toBeGreaterThanOrEqual(3);
});
