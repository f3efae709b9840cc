import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../../testing/app.ts';
import { createProcesses, findFreePort, killProcess, type TestProcess } from '../../../../testing/processes.ts';
import { openReconnectingClient, type ReconnectingClient, seedMessage } from '../testing.ts';

const OVERLAP_MS = 1_000;
/** Longer than it takes to give up a connection to Redis. */
const STOPPED_MS = 4_000;

const processes = createProcesses();
let app: TestApp;
let firstServer: TestProcess;
let secondServer: TestProcess;
let redisPort = 0;
let redis: Awaited<ReturnType<typeof processes.startRedis>>;
beforeAll(async () => {
  app = await createTestApp();
  redisPort = await findFreePort();
  redis = await processes.startRedis(redisPort);
  const env = { REDIS_URL: `redis://127.0.0.1:${redisPort}`, REPLAY_OVERLAP_MS: String(OVERLAP_MS) };
  [firstServer, secondServer] = await Promise.all([processes.startProcess(app, env), processes.startProcess(app, env)]);
});
afterEach(() => void redis.kill('SIGCONT'));
afterAll(async () => {
  await processes.endAll();
  await app.close();
});

const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 30_000, interval: 50 });
const getHealth = async ({ address }: TestProcess) => {
  const response = await fetch(`${address}/readyz`);
  return { code: response.status, ...Object(await response.json()) };
};
const getMetric = async ({ address }: TestProcess, name: string) =>
  Number(new RegExp(`^${name} (\\d+)`, 'm').exec(await (await fetch(`${address}/metrics`)).text())?.[1]);
const allAre = (degraded: string[]) =>
  until(async () => {
    for (const server of [firstServer, secondServer])
      expect(await getHealth(server)).toEqual({ code: 200, status: 'ready', failed: [], degraded });
  });

async function startConversation() {
  const [creator, fan] = await Promise.all([app.signUp('creator'), app.signUp('customer')]);
  const seeded = await seedMessage(app.ctx, { creatorId: creator.id, fanId: fan.id }, { from: 'fan', text: 'Hello' });
  await app.ctx.events.waitUntilIdle();
  const sent: string[] = [];
  const send = async (from: 'creator' | 'fan'): Promise<number> => {
    const [server, cookie] = from === 'creator' ? [firstServer, creator.cookie] : [secondServer, fan.cookie];
    const text = `${from} ${sent.length}`;
    const began = performance.now();
    const response = await fetch(`${server.address}/api/message/text`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ conversationId: seeded.conversationId, text }),
    });
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    sent.push(text);
    return performance.now() - began;
  };
  const fanClient = openReconnectingClient([secondServer.port, firstServer.port], fan.cookie);
  const creatorClient = openReconnectingClient([firstServer.port, secondServer.port], creator.cookie);
  await until(() => expect([fanClient, creatorClient].map((side) => side.isConnected())).toEqual([true, true]));
  return { send, sent, fanClient, creatorClient };
}

const listReceivedTexts = (side: ReconnectingClient) => new Set(side.messages().map(({ text }) => text));

it('stopping Redis for seconds delays no message, and both sides then receive what they missed', async () => {
  const { send, sent, fanClient, creatorClient } = await startConversation();
  await send('creator');
  await until(() => expect(listReceivedTexts(fanClient)).toContain('creator 0'));
  redis.kill('SIGSTOP');
  const durations: number[] = [];
  const end = performance.now() + STOPPED_MS;
  // Limits the rate, because a replay contains a limited number of messages.
  while (performance.now() < end) {
    durations.push(await send('creator'), await send('fan'));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await allAre(['redis']);
  expect(await getMetric(firstServer, 'stagedoor_redis_up')).toBe(0);
  expect(await getMetric(firstServer, 'stagedoor_redis_bypassed_total')).toBeGreaterThan(durations.length / 4);
  durations.sort((one, other) => one - other);
  const p99 = durations[Math.floor(durations.length * 0.99)] ?? 0;
  process.stdout.write(
    `${durations.length} sends while Redis was stopped: p50 ${durations[durations.length >> 1]?.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, max ${durations.at(-1)?.toFixed(1)} ms\n`,
  );
  // Each process waits for Redis once, for 0.2 seconds. The limit allows for a slow machine.
  expect(durations.length).toBeGreaterThan(20);
  expect(p99).toBeLessThan(2_000);
  redis.kill('SIGCONT');
  await allAre([]);
  expect(await getMetric(firstServer, 'stagedoor_redis_up')).toBe(1);
  for (const side of [fanClient, creatorClient])
    await until(() => expect(sent.filter((text) => !listReceivedTexts(side).has(text))).toEqual([]));
  await send('creator');
  await until(() => expect(listReceivedTexts(fanClient)).toContain(sent.at(-1)));
  for (const side of [fanClient, creatorClient]) side.close();
});

it('after Redis is killed and restarted, both sides receive what they missed', async () => {
  const { send, sent, fanClient, creatorClient } = await startConversation();
  await send('fan');
  await until(() => expect(listReceivedTexts(creatorClient)).toContain('fan 0'));
  await killProcess(redis);
  await allAre(['redis']);
  // Longer than the time before the last message that a replay repeats anyway.
  const end = performance.now() + 2 * OVERLAP_MS + 500;
  while (performance.now() < end) {
    await Promise.all([send('creator'), send('fan')]);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  expect(listReceivedTexts(fanClient)).not.toContain(sent.find((text) => text.startsWith('creator')));
  redis = await processes.startRedis(redisPort);
  await allAre([]);
  for (const side of [fanClient, creatorClient])
    await until(() => expect(sent.filter((text) => !listReceivedTexts(side).has(text))).toEqual([]));
  for (const side of [fanClient, creatorClient]) side.close();
});
