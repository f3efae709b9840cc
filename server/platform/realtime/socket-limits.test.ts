import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { seedMessage } from '../../modules/messaging/chat/testing.ts';
import { createTestApp, type TestApp } from '../../testing/app.ts';

let app: TestApp;
let port = 0;
beforeAll(async () => {
  app = await createTestApp({ env: { PROCESS_ROLE: 'web', RATE_LIMIT_FACTOR: '1' } });
  await app.app.start();
  port = Number(new URL(await app.app.http.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => app.close());

const until = (assertion: () => void) => vi.waitFor(assertion, { timeout: 30_000, interval: 20 });

type TestSocket = {
  socket: WebSocket;
  refusal: unknown;
  received: string[];
  say(name: string, payload: unknown): void;
};

async function connect(cookie: string): Promise<TestSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`, { headers: { cookie } });
  const received: string[] = [];
  const refusal = await new Promise<unknown>((resolve, reject) => {
    socket.addEventListener('error', () => reject(new Error('no connection')));
    socket.addEventListener('message', ({ data }) => {
      const text = String(data);
      if (text.startsWith('0')) socket.send('40');
      if (text === '2') socket.send('3');
      if (text.startsWith('40')) resolve(undefined);
      if (text.startsWith('44{')) resolve(JSON.parse(text.slice(2)));
      if (text.startsWith('42')) received.push(text.slice(2));
    });
  });
  return { socket, refusal, received, say: (name, payload) => socket.send(`42${JSON.stringify([name, payload])}`) };
}
const isOpen = ({ socket }: TestSocket) => socket.readyState === WebSocket.OPEN;

function watchStatements(ids: readonly string[]) {
  const run = app.ctx.db.run;
  const counts = { inFlight: 0, max: 0, byName: new Map<string, number>() };
  vi.spyOn(app.ctx.db, 'run').mockImplementation(async (statement, values) => {
    const isOwn = values.some((value) => ids.includes(String(value)));
    if (!isOwn || !statement.name.startsWith('chat-')) return run(statement, values);
    counts.byName.set(statement.name, (counts.byName.get(statement.name) ?? 0) + 1);
    counts.inFlight += 1;
    counts.max = Math.max(counts.max, counts.inFlight);
    return run(statement, values).finally(() => {
      counts.inFlight -= 1;
    });
  });
  return counts;
}

async function conversation() {
  const [creator, fan] = await Promise.all([app.signUp('creator'), app.signUp('customer')]);
  const pair = { creatorId: creator.id, fanId: fan.id };
  const sent = [];
  for (let n = 0; n < 3; n += 1) sent.push(await seedMessage(app.ctx, pair, { from: 'creator', text: `${n}` }));
  await app.ctx.events.waitUntilIdle();
  return { creator, fan, id: sent[0]?.conversationId ?? '', messages: sent.map(({ messageId }) => messageId) };
}

test('300 sockets of one session are mostly refused with a reason, and only flooding ones are closed', async () => {
  const { creator, fan, id, messages } = await conversation();
  const login = await app.inject('POST', '/api/auth/login', { username: fan.username, password: fan.password });
  const elsewhere = await connect(login.cookies.map(({ name, value }) => `${name}=${value}`).join('; '));
  const [other, visitor] = [await connect(creator.cookie), await connect('')];
  const counts = watchStatements([fan.id, id]);
  const flood = await Promise.all(Array.from({ length: 300 }, () => connect(fan.cookie)));
  const open = flood.filter(({ refusal }) => refusal === undefined);
  expect(open).toHaveLength(30);
  for (const { refusal } of flood.filter((testSocket) => !open.includes(testSocket)))
    expect([
      { message: 'TOO_MANY_SOCKETS', data: { retryAfterSeconds: 60 } },
      { message: 'TOO_MANY_SIGNALS', data: { retryAfterSeconds: 10 } },
    ]).toContainEqual(refusal);

  await app.owner.transaction(async (tx) => {
    await tx.query.selectFrom('conversations').select('id').where('id', '=', id).forUpdate().execute();
    const sendSignals = (rounds: number) => {
      for (let round = 0; round < rounds; round += 1)
        for (const testSocket of open) {
          testSocket.say('UPDATE_MESSAGE_STATUS', {
            conversationId: id,
            msgIds: [messages[round % 3]],
            status: 'read',
          });
          testSocket.say('MESSAGE_TYPING', { conversationId: id });
        }
    };
    sendSignals(3);
    await until(() => expect(counts.byName.get('chat-mark')).toBe(1));
    sendSignals(150);
    await until(() => expect(open.filter(isOpen).length).toBe(0));
    expect((await app.inject('GET', '/api/public/creators')).statusCode).toBe(200);
    expect((await creator.inject('GET', '/api/auth/user')).statusCode).toBe(200);
  });
  await until(() => expect(counts.inFlight).toBe(0));
  expect(counts.max).toBe(1);
  await until(() => expect(counts.byName.get('chat-mark')).toBe(2));
  const marked = await app.owner.query
    .selectFrom('conversations')
    .select(['fan_read_seq', 'last_seq'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(marked.fan_read_seq).toBe(marked.last_seq);

  for (const testSocket of [elsewhere, other, visitor]) expect(isOpen(testSocket)).toBe(true);
  expect((await connect(fan.cookie)).refusal).toEqual({ message: 'TOO_MANY_SIGNALS', data: { retryAfterSeconds: 30 } });
  app.clock.advance(31_000);
  const back = await connect(fan.cookie);
  expect(back.refusal).toBeUndefined();
  back.say('MESSAGE_TYPING', { conversationId: id });
  await until(() => expect(other.received.at(-1)).toContain('MESSAGE_TYPING'));
  for (const testSocket of [elsewhere, other, visitor, back]) testSocket.socket.close();
  vi.restoreAllMocks();
});

test("a third browser is refused while two use the account's limit, until a tab closes", async () => {
  const fan = await app.signUp('customer');
  const [second, third] = [await app.logIn(fan), await app.logIn(fan)];
  const openSockets: TestSocket[] = [];
  for (const { cookie } of [fan, second]) {
    openSockets.push(...(await Promise.all(Array.from({ length: 30 }, () => connect(cookie)))));
    app.clock.advance(11_000);
  }
  expect(openSockets.filter(({ refusal }) => refusal !== undefined)).toEqual([]);
  expect((await connect(third.cookie)).refusal).toEqual({
    message: 'TOO_MANY_SOCKETS',
    data: { retryAfterSeconds: 60 },
  });
  openSockets.pop()?.socket.close();
  await vi.waitFor(async () => expect((await connect(third.cookie)).refusal).toBeUndefined(), { timeout: 30_000 });
  for (const testSocket of openSockets) testSocket.socket.close();
});

test('a hundred signals at the start of a call all pass from one socket', async () => {
  const { creator, fan } = await conversation();
  const [front, back] = [await connect(fan.cookie), await connect(creator.cookie)];
  const others = await Promise.all(Array.from({ length: 100 }, () => createConversation(fan.id)));
  for (const one of others) front.say('MESSAGE_TYPING', { conversationId: one.id });
  const received = () =>
    others.map(({ testSocket }) => testSocket.received.some((text) => text.includes('MESSAGE_TYPING')));
  await until(() => expect(received()).not.toContain(false));
  expect(isOpen(front)).toBe(true);
  for (const testSocket of [front, back, ...others.map(({ testSocket }) => testSocket)]) testSocket.socket.close();
});

test('a client that reconnects endlessly or floods packets on one connection is disconnected', async () => {
  const fan = await app.signUp('customer');
  const openSockets = await Promise.all(Array.from({ length: 30 }, () => connect(fan.cookie)));
  for (const packet of ['40', '40/x,', '3', '41', '42["unknown"]']) {
    const flooder = await connect(fan.cookie);
    const answers: string[] = [];
    flooder.socket.addEventListener('message', ({ data }) => answers.push(String(data)));
    for (let n = 0; n < 20_000; n += 1) flooder.socket.send(packet);
    await until(() => expect(flooder.socket.readyState, packet).toBe(WebSocket.CLOSED));
    expect(answers.length, packet).toBeLessThan(10);
    app.clock.advance(61_000);
  }
  for (const testSocket of openSockets) testSocket.socket.close();
});

async function createConversation(fanId: string) {
  const creator = await app.signUp('creator');
  const { conversationId } = await seedMessage(app.ctx, { creatorId: creator.id, fanId }, { from: 'fan', text: 'Hi' });
  return { id: conversationId, testSocket: await connect(creator.cookie) };
}
