import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { createProcesses, freePort, kill, type Node } from '../../../testing/processes.ts';
import { type Follower, follow, writeDirectly } from '../testing.ts';

const OVERLAP_MS = 1_000;
/** Longer than it takes to give up a connection to Redis. */
const STOPPED_MS = 4_000;

const processes = createProcesses();
let app: TestApp;
let here: Node;
let there: Node;
let redisPort = 0;
let redis: Awaited<ReturnType<typeof processes.startRedis>>;
beforeAll(async () => {
  app = await createTestApp();
  redisPort = await freePort();
  redis = await processes.startRedis(redisPort);
  const env = { REDIS_URL: `redis://127.0.0.1:${redisPort}`, REPLAY_OVERLAP_MS: String(OVERLAP_MS) };
  [here, there] = await Promise.all([processes.startNode(app, env), processes.startNode(app, env)]);
});
afterEach(() => void redis.kill('SIGCONT'));
afterAll(async () => {
  await processes.endAll();
  await app.close();
});

const until = (look: () => void | Promise<void>) => vi.waitFor(look, { timeout: 30_000, interval: 50 });
const healthOf = async ({ address }: Node) => {
  const answer = await fetch(`${address}/readyz`);
  return { code: answer.status, ...Object(await answer.json()) };
};
const metricOf = async ({ address }: Node, name: string) =>
  Number(new RegExp(`^${name} (\\d+)`, 'm').exec(await (await fetch(`${address}/metrics`)).text())?.[1]);
const allAre = (degraded: string[]) =>
  until(async () => {
    for (const node of [here, there])
      expect(await healthOf(node)).toEqual({ code: 200, status: 'ready', failed: [], degraded });
  });

async function talk() {
  const [creator, fan] = await Promise.all([app.signUp('creator'), app.signUp('customer')]);
  const said = await writeDirectly(app.ctx, { creatorId: creator.id, fanId: fan.id }, { from: 'fan', text: 'Hello' });
  await app.ctx.events.settle();
  const sent: string[] = [];
  const send = async (from: 'creator' | 'fan'): Promise<number> => {
    const [node, cookie] = from === 'creator' ? [here, creator.cookie] : [there, fan.cookie];
    const text = `${from} ${sent.length}`;
    const began = performance.now();
    const answer = await fetch(`${node.address}/api/message/text`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ conversationId: said.conversationId, text }),
    });
    expect(answer.status).toBe(200);
    await answer.arrayBuffer();
    sent.push(text);
    return performance.now() - began;
  };
  const front = follow([there.port, here.port], fan.cookie);
  const back = follow([here.port, there.port], creator.cookie);
  await until(() => expect([front, back].map((side) => side.isConnected())).toEqual([true, true]));
  return { send, sent, front, back };
}

const heardBy = (side: Follower) => new Set(side.messages().map(({ text }) => text));

it('stopping Redis for seconds delays no message, and both sides then receive what they missed', async () => {
  const { send, sent, front, back } = await talk();
  await send('creator');
  await until(() => expect(heardBy(front)).toContain('creator 0'));
  redis.kill('SIGSTOP');
  const took: number[] = [];
  const end = performance.now() + STOPPED_MS;
  // Limits the rate, because a replay contains a limited number of messages.
  while (performance.now() < end) {
    took.push(await send('creator'), await send('fan'));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await allAre(['redis']);
  expect(await metricOf(here, 'stagedoor_redis_up')).toBe(0);
  expect(await metricOf(here, 'stagedoor_redis_passed_total')).toBeGreaterThan(took.length / 4);
  took.sort((one, other) => one - other);
  const p99 = took[Math.floor(took.length * 0.99)] ?? 0;
  process.stdout.write(
    `${took.length} sends while Redis was stopped: p50 ${took[took.length >> 1]?.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, max ${took.at(-1)?.toFixed(1)} ms\n`,
  );
  // Each process waits for Redis once, for 0.2 seconds. The limit leaves room for a slow machine.
  expect(took.length).toBeGreaterThan(20);
  expect(p99).toBeLessThan(2_000);
  redis.kill('SIGCONT');
  await allAre([]);
  expect(await metricOf(here, 'stagedoor_redis_up')).toBe(1);
  for (const side of [front, back])
    await until(() => expect(sent.filter((text) => !heardBy(side).has(text))).toEqual([]));
  await send('creator');
  await until(() => expect(heardBy(front)).toContain(sent.at(-1)));
  for (const side of [front, back]) side.close();
});

it('after Redis is killed and restarted, both sides receive what they missed', async () => {
  const { send, sent, front, back } = await talk();
  await send('fan');
  await until(() => expect(heardBy(back)).toContain('fan 0'));
  await kill(redis);
  await allAre(['redis']);
  // Longer than the time before the last message that a replay repeats anyway.
  const end = performance.now() + 2 * OVERLAP_MS + 500;
  while (performance.now() < end) {
    await Promise.all([send('creator'), send('fan')]);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  expect(heardBy(front)).not.toContain(sent.find((text) => text.startsWith('creator')));
  redis = await processes.startRedis(redisPort);
  await allAre([]);
  for (const side of [front, back])
    await until(() => expect(sent.filter((text) => !heardBy(side).has(text))).toEqual([]));
  for (const side of [front, back]) side.close();
});
