/** Sockets live as long as the session they came with: over the real server and the real protocol (Engine.IO 4). */
import { afterAll, beforeAll, expect, test } from 'vitest';
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

/** A connected socket; `closed` settles when the server cuts it. */
async function connect(cookie: string) {
  const url = `ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`;
  const socket = new WebSocket(url, { headers: { cookie } });
  const closed = new Promise<void>((resolve) => socket.addEventListener('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('error', () => reject(new Error('no connection')));
    socket.addEventListener('message', ({ data }) => {
      if (String(data).startsWith('0')) socket.send('40');
      if (String(data).startsWith('40')) resolve();
    });
  });
  return { socket, closed };
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
