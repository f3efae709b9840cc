/** Sockets live as long as the session they came with: over the real server and the real protocol (Engine.IO 4). */
import { postId } from '@stagedoor/contract/atoms/ids.ts';
import { publicPostRemoved } from '@stagedoor/contract/posts.ts';
import { balanceChanged } from '@stagedoor/contract/wallet.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp } from '../../testing/app.ts';

let app: TestApp;
let port = 0;
beforeAll(async () => {
  app = await createTestApp({ env: { ROLE: 'web' } });
  await app.app.start();
  await app.app.http.listen({ port: 0, host: '127.0.0.1' });
  const address = app.app.http.server.address();
  port = typeof address === 'object' && address ? address.port : 0;
});
afterAll(() => app.close());

/** A connected socket; `closed` settles when the server cuts it. `resume` asks for what an earlier one had. */
async function connect(cookie: string, resume?: { pid: string; offset: string }) {
  const url = `ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`;
  const socket = new WebSocket(url, { headers: { cookie } });
  const closed = new Promise<void>((resolve) => socket.addEventListener('close', () => resolve()));
  const heard: string[] = [];
  const pid = await new Promise<string>((resolve, reject) => {
    socket.addEventListener('error', () => reject(new Error('no connection')));
    socket.addEventListener('message', ({ data }) => {
      const text = String(data);
      if (text.startsWith('0')) socket.send(`40${resume ? JSON.stringify(resume) : ''}`);
      if (text.startsWith('42')) heard.push(text.slice(2));
      if (text.startsWith('40')) resolve(JSON.parse(text.slice(2)).pid);
    });
  });
  return { socket, closed, heard, pid };
}

test('logging out, and ending a session elsewhere, cuts its sockets and no others', async () => {
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

test('a connection that broke off comes back with what it missed, unless its session ended meanwhile', async () => {
  const user = await app.signUp('customer');
  const tell = (deposit: number) => app.ctx.realtime.toUser(user.id, balanceChanged, { deposit, transactionId: null });
  const breakOff = async () => {
    const connection = await connect(user.cookie);
    tell(1);
    await vi.waitFor(() => expect(connection.heard).toHaveLength(1));
    const offset = String(JSON.parse(connection.heard[0] ?? '[]').at(-1));
    connection.socket.close();
    await connection.closed;
    return { pid: connection.pid, offset };
  };

  const resumed = await connect(user.cookie, await breakOff());
  tell(2);
  await vi.waitFor(() => expect(resumed.heard).toHaveLength(1));

  const broken = await breakOff();
  tell(3);
  await user.inject('POST', '/api/auth/logout');
  const stranger = await connect('', broken);
  tell(4);
  app.ctx.realtime.toPublic(publicPostRemoved, { postId: z.parse(postId, user.id) });
  await vi.waitFor(() => expect(stranger.heard.join()).toContain(publicPostRemoved.name));
  expect(stranger.heard).toHaveLength(1);
  stranger.socket.close();
});
