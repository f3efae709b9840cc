/** Two processes without Redis, of which one is this process. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTab } from '../modules/messaging/chat/testing.ts';
import { createTestApp, type TestApp, type TestUser } from './app.ts';
import { createProcesses, type TestProcess } from './processes.ts';

const processes = createProcesses();
let app: TestApp;
let firstServer: Pick<TestProcess, 'address'>;
let secondServer: TestProcess;
beforeAll(async () => {
  app = await createTestApp();
  await app.app.start();
  firstServer = { address: await app.app.http.listen({ port: 0, host: '127.0.0.1' }) };
  secondServer = await processes.startProcess(app);
});
afterAll(async () => {
  await processes.endAll();
  await app.close();
});

const PASSWORD = 'Another9!Stage';

async function call(
  server: Pick<TestProcess, 'address'>,
  cookie: string,
  method: string,
  path: string,
  body?: object,
): Promise<number> {
  const response = await fetch(`${server.address}/api${path}`, {
    method,
    headers: { cookie, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  return response.status;
}
const getOwnUser = (server: TestProcess, cookie: string) => call(server, cookie, 'GET', '/auth/user');

async function logIn({ username, password }: TestUser): Promise<string> {
  const response = await app.inject('POST', '/api/auth/login', { username, password });
  return response.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
}

/** Shorter than the five seconds for which sessions are cached. */
const waitForCheck = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 4_500, interval: 20 });

test.each<[string, (user: TestUser, other: string) => Promise<unknown>]>([
  ['logging out', (_, other) => call(firstServer, other, 'POST', '/auth/logout')],
  ['ending the others', (user) => call(firstServer, user.cookie, 'POST', '/auth/sessions/revoke-others')],
  [
    'a new password',
    ({ cookie, password }) =>
      call(firstServer, cookie, 'POST', '/customer/profile-pass-change', {
        currentPassword: password,
        newPassword: PASSWORD,
      }),
  ],
  [
    'blocking the account, by whatever statement',
    ({ id }) => app.ctx.db.query.updateTable('users').set({ is_blocked: true }).where('id', '=', id).execute(),
  ],
  [
    'its row going, as with the account',
    ({ id }) => app.ctx.db.query.deleteFrom('sessions').where('user_id', '=', id).execute(),
  ],
])(
  '%s ends the session and its sockets on the other process too',
  async (_title, end) => {
    const user = await app.signUp('customer');
    const other = await logIn(user);
    const tab = await openTab(secondServer.port, other);
    expect(await getOwnUser(secondServer, other)).toBe(200);
    await end(user, other);
    await waitForCheck(async () => expect([401, 403]).toContain(await getOwnUser(secondServer, other)));
    await tab.closed;
  },
  60_000,
);

test('a process without a listening connection caches no sessions and checks all sockets after it reconnects', async () => {
  const user = await app.signUp('customer');
  const other = await logIn(user);
  const tab = await openTab(secondServer.port, other);
  expect(await getOwnUser(secondServer, other)).toBe(200);
  await app.ctx.db.pool.query(
    "select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'stagedoor-channel' and datname = current_database()",
  );
  await app.ctx.db.query.deleteFrom('sessions').where('user_id', '=', user.id).execute();
  await waitForCheck(async () => expect(await getOwnUser(secondServer, other)).toBe(401));
  await tab.closed;
});
