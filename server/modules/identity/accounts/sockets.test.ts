import { publicPostRemoved } from '@stagedoor/contract/content/posts.ts';
import { balanceChanged } from '@stagedoor/contract/finance/wallet.ts';
import { postId } from '@stagedoor/contract/shared/ids.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp } from '../../../testing/app.ts';

let app: TestApp;
let port = 0;
beforeAll(async () => {
  app = await createTestApp({ env: { PROCESS_ROLE: 'web' } });
  await app.app.start();
  await app.app.http.listen({ port: 0, host: '127.0.0.1' });
  const address = app.app.http.server.address();
  port = typeof address === 'object' && address ? address.port : 0;
});
afterAll(() => app.close());

/** `resume` requests recovery of an earlier connection. */
async function connect(cookie: string, resume?: { pid: string; offset: string }) {
  const url = `ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`;
  const socket = new WebSocket(url, { headers: { cookie } });
  const closed = new Promise<void>((resolve) => socket.addEventListener('close', () => resolve()));
  const received: string[] = [];
  const pid = await new Promise<string>((resolve, reject) => {
    socket.addEventListener('error', () => reject(new Error('no connection')));
    socket.addEventListener('message', ({ data }) => {
      const text = String(data);
      if (text.startsWith('0')) socket.send(`40${resume ? JSON.stringify(resume) : ''}`);
      if (text.startsWith('42')) received.push(text.slice(2));
      if (text.startsWith('40')) resolve(JSON.parse(text.slice(2)).pid);
    });
  });
  return { socket, closed, received, pid };
}

test('logging out or ending a session disconnects its sockets and no others', async () => {
  const user = await app.signUp('customer');
  const { username, password } = user;
  const second = await app.inject('POST', '/api/auth/login', { username, password });
  const other = await connect(second.cookies.map(({ name, value }) => `${name}=${value}`).join('; '));
  const own = await connect(user.cookie);
  const visitor = await connect('');
  await user.inject('POST', '/api/auth/sessions/revoke-others');
  await other.closed;
  expect(own.socket.readyState).toBe(WebSocket.OPEN);
  await user.inject('POST', '/api/auth/logout');
  await own.closed;
  expect(visitor.socket.readyState).toBe(WebSocket.OPEN);
  visitor.socket.close();
});

test('a broken connection cannot be resumed without its session', async () => {
  const user = await app.signUp('customer');
  const emitBalance = (deposit: number) =>
    app.ctx.realtime.emitToUser(user.id, balanceChanged, { deposit, depositRevision: deposit, transactionId: null });
  const connection = await connect(user.cookie);
  emitBalance(1);
  await expect
    .poll(() => connection.received)
    .toEqual(['["BALANCE_CHANGED",{"deposit":1,"depositRevision":1,"transactionId":null}]']);
  connection.socket.close();
  await connection.closed;
  emitBalance(2);
  const stranger = await connect('', { pid: connection.pid ?? 'x', offset: '1' });
  emitBalance(3);
  app.ctx.realtime.emitToAll(publicPostRemoved, { postId: z.parse(postId, user.id) });
  await expect.poll(() => stranger.received).toEqual([`["${publicPostRemoved.name}",{"postId":"${user.id}"}]`]);
  stranger.socket.close();
});
