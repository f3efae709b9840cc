/** Several real processes behind a proxy, with Redis between them and a client in Python. */
import { execFileSync, spawn } from 'node:child_process';
import { request } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../../testing/app.ts';
import { createProcesses, findFreePort, killProcess } from '../../../../testing/processes.ts';
import { seedMessage } from '../testing.ts';

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Debian's Python has the required packages. Another one that comes first on PATH may not have them. */
const python = findPython();
function findPython(): string {
  for (const program of ['/usr/bin/python3', 'python3']) {
    try {
      execFileSync(program, ['-c', 'import socketio, websocket'], { stdio: 'ignore' });
      return program;
    } catch {}
  }
  throw new Error('python3-socketio is missing: npm test installs it');
}

/** Two parts of a replay. */
const MISSED = CHAT_LIMITS.replayBatch + 20;

const processes = createProcesses();
afterEach(() => processes.endAll());

type Client = {
  received: [string, unknown][];
  listPayloads(name: string): Record<string, unknown>[];
  emit(name: string, payload: unknown): void;
};

function pythonClient(address: string, cookie: string): Client {
  const child = spawn(python, [script('fixtures/client.py'), address, cookie], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  processes.add(child);
  const received: [string, unknown][] = [];
  createInterface({ input: child.stdout }).on('line', (line) => received.push(JSON.parse(line)));
  return {
    received,
    listPayloads: (name) => received.filter(([other]) => other === name).flatMap(([, payload]) => Object(payload)),
    emit: (name, payload) => void child.stdin.write(`${JSON.stringify(['emit', name, payload])}\n`),
  };
}

const until = (check: () => void | Promise<void>, timeout = 60_000) => vi.waitFor(check, { timeout, interval: 50 });

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ env: { PORT: String(await findFreePort()) } });
});
afterAll(() => app.close());

async function pair() {
  const [creator, fan] = await Promise.all([app.signUp('creator'), app.signUp('customer')]);
  const { conversationId } = await seedMessage(
    app.ctx,
    { creatorId: creator.id, fanId: fan.id },
    { from: 'fan', text: 'Hello' },
  );
  await app.ctx.events.waitUntilIdle();
  return { creator, fan, conversationId };
}

/** A job of a killed process stays locked until another process finds out, so nothing may run when the last is killed. */
async function countWork(): Promise<number> {
  const { rows } = await app.ctx.db.pool.query(
    'select id from outbox union all select id from event_jobs union all select id from graphile_worker._private_jobs where locked_at is not null',
  );
  return rows.length;
}

async function startProxy(): Promise<{ server: Server; port: number; ports: number[] }> {
  const ports: number[] = [];
  let next = 0;
  const open = (client: Socket, tries: number) => {
    next += 1;
    const upstream = connect(ports[next % ports.length] ?? 0, '127.0.0.1');
    let isUp = false;
    upstream.once('connect', () => {
      isUp = true;
      client.pipe(upstream).pipe(client);
    });
    upstream.once('error', () => (isUp || tries === 0 ? client.destroy() : open(client, tries - 1)));
    upstream.once('close', () => isUp && client.destroy());
    client.once('close', () => upstream.destroy());
    client.once('error', () => upstream.destroy());
  };
  const server = createServer((client) => open(client, ports.length));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port, ports };
}

function post(url: string, cookie: string, body: object): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const httpRequest = request(url, {
      method: 'POST',
      agent: false,
      headers: { cookie, 'content-type': 'application/json' },
    });
    httpRequest.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode)));
    httpRequest.on('error', reject);
    httpRequest.end(JSON.stringify(body));
  });
}

it('no message is lost when one of two processes with Redis is killed during a conversation', async () => {
  const redisPort = await findFreePort();
  await processes.startRedis(redisPort);
  const proxy = await startProxy();
  const env = { REDIS_URL: `redis://127.0.0.1:${redisPort}`, PUBLIC_URL: `http://127.0.0.1:${proxy.port}` };
  const servers = await Promise.all([processes.startProcess(app, env), processes.startProcess(app, env)]);
  proxy.ports.push(...servers.map(({ port }) => port));
  const address = `http://127.0.0.1:${proxy.port}`;
  const { creator, fan, conversationId } = await pair();
  const [fanClient, creatorClient] = [pythonClient(address, fan.cookie), pythonClient(address, creator.cookie)];
  await until(() => {
    for (const client of [fanClient, creatorClient]) expect(client.received.map(([name]) => name)).toContain('connect');
  });
  await until(() =>
    expect([
      ...fanClient.listPayloads('INITIAL_USER_STATUS'),
      ...fanClient.listPayloads('CREATOR_USER_STATUS'),
    ]).toContainEqual(expect.objectContaining({ id: creator.id, status: 'online' })),
  );

  // Retries with the same client id, so that a message with a lost response is not sent twice.
  const send = (text: string): Promise<void> =>
    vi.waitFor(
      async () => {
        const body = { conversationId, text, clientId: `00000000-0000-4000-8000-${text.padStart(12, '0')}` };
        expect(await post(`${address}/api/message/text`, creator.cookie, body)).toBe(200);
      },
      { timeout: 30_000, interval: 100 },
    );
  for (let n = 1; n <= 10; n += 1) await send(String(n));
  await until(() => expect(new Set(fanClient.listPayloads('RECEIVE_MESSAGE').map(({ text }) => text)).size).toBe(10));
  servers[0]?.child.kill('SIGKILL');
  for (let n = 11; n <= 24; n += 1) await send(String(n));
  const all = Array.from({ length: 24 }, (_, n) => String(n + 1));
  for (const client of [fanClient, creatorClient])
    await until(
      () =>
        expect(
          [...new Set(client.listPayloads('RECEIVE_MESSAGE').map(({ text }) => String(text)))]
            .filter((text) => text !== 'Hello')
            .sort((a, b) => Number(a) - Number(b)),
        ).toEqual(all),
      30_000,
    );
  const stored = (
    await app.inject('GET', `/api/message/list/${conversationId}?limit=50`, undefined, { cookie: fan.cookie })
  ).json().data;
  expect(stored.map(({ text }: { text: string }) => text)).toEqual([...all.toReversed(), 'Hello']);
  proxy.server.close();
});

it('a client that was offline while its process was down receives all messages in order, in parts', async () => {
  const proxy = await startProxy();
  const address = `http://127.0.0.1:${proxy.port}`;
  const start = async () => {
    const server = await processes.startProcess(app, { PUBLIC_URL: address });
    proxy.ports.splice(0, 1, server.port);
    return server;
  };
  const first = await start();
  const { creator, fan, conversationId } = await pair();
  const pairs = await Promise.all(
    Array.from({ length: 4 }, async () => ({ creatorId: creator.id, fanId: (await app.signUp('customer')).id })),
  );
  const client = pythonClient(address, creator.cookie);
  await until(() => expect(client.received.map(([name]) => name)).toContain('connect'));
  const body = { conversationId, text: 'the last it knows' };
  expect(await post(`${address}/api/message/text`, fan.cookie, body)).toBe(200);
  await until(() => expect(client.listPayloads('RECEIVE_MESSAGE')).toMatchObject([{ text: 'the last it knows' }]));
  await until(async () => expect(await countWork()).toBe(0));
  await killProcess(first.child);
  // The processes use the real clock, and the message that the client knows has its time.
  app.clock.advance(Date.now() - app.clock.now().getTime());
  const missed: string[] = [];
  for (let n = 0; n < MISSED; n += 1) {
    app.clock.advance(20);
    const between = pairs[n % pairs.length] ?? { creatorId: creator.id, fanId: fan.id };
    missed.push((await seedMessage(app.ctx, between, { from: 'fan', text: `missed ${n}` })).messageId);
  }
  await app.ctx.events.waitUntilIdle();
  await start();
  const listReceived = () =>
    client.listPayloads('RECEIVE_MESSAGE').filter(({ text }) => String(text).startsWith('missed'));
  await until(() => expect(listReceived().length).toBeGreaterThanOrEqual(MISSED), 30_000);
  expect(listReceived().map(({ id }) => id)).toEqual(missed);
  proxy.server.close();
});

it('a client written against the specification works with its names and payloads', async () => {
  await app.app.start();
  const address = await app.app.http.listen({ port: app.ctx.config.port, host: '127.0.0.1' });
  const { creator, fan, conversationId } = await pair();
  const client = pythonClient(address, fan.cookie);
  await until(() =>
    expect(client.listPayloads('INITIAL_USER_STATUS')).toEqual([
      { id: creator.id, userType: 'creator', status: 'offline' },
    ]),
  );
  client.emit('USER_STATUS_ACTIVITY', null);
  client.emit('MESSAGE_TYPING', { conversationId });
  const { data } = (await creator.inject('POST', '/api/message/text', { conversationId, text: 'Good evening' })).json();
  await until(() => expect(client.listPayloads('RECEIVE_MESSAGE')).toEqual([data]));
  const newest = async () => (await creator.inject('GET', `/api/message/list/${conversationId}`)).json().data[0];
  await vi.waitFor(async () => expect((await newest()).status).toBe('delivered'), { timeout: 30_000 });
  client.emit('UPDATE_MESSAGE_STATUS', { conversationId, msgIds: [data.id], status: 'read' });
  await vi.waitFor(async () => expect((await newest()).status).toBe('read'), { timeout: 30_000 });
  await creator.inject('POST', `/api/message/block-unblock-customer/${fan.id}`, { isBlocked: true });
  await until(() =>
    expect(client.listPayloads('USER_BLOCK_UNBLOCK')).toMatchObject([{ conversationId, isBlocked: true }]),
  );
  await fan.inject('POST', '/api/auth/logout');
  await until(() => expect(client.received.map(([name]) => name)).toContain('disconnect'));
});
