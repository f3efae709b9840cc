import { randomUUID } from 'node:crypto';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { sendRequestedMail } from '../modules/identity/accounts/testing.ts';
import { createTestApp, PRODUCTION_ENV, type TestApp, type TestUser } from '../testing/app.ts';
import { defineJob } from './jobs/jobs.ts';

function startSmtp(answer: (count: number) => string | undefined) {
  const mails: string[] = [];
  const server = createServer((socket: Socket) => {
    let buffered = '';
    let isData = false;
    socket.on('error', () => undefined);
    socket.write('220 test\r\n');
    socket.on('data', (chunk) => {
      buffered += chunk.toString();
      for (;;) {
        const end = isData ? '\r\n.\r\n' : '\r\n';
        const at = buffered.indexOf(end);
        if (at < 0) return;
        const line = buffered.slice(0, at);
        buffered = buffered.slice(at + end.length);
        if (isData) {
          mails.push(line);
          isData = false;
          const response = answer(mails.length);
          if (response === undefined) return void socket.destroy();
          socket.write(`${response}\r\n`);
        } else if (line === 'DATA') {
          isData = true;
          socket.write('354 go on\r\n');
        } else if (line === 'STARTTLS') {
          socket.write('502 not here\r\n');
        } else if (line === 'QUIT') {
          socket.end('221 bye\r\n');
        } else {
          socket.write('250 ok\r\n');
        }
      }
    });
  });
  return { mails, server };
}

let test: TestApp | undefined;
const smtp = startSmtp((count) => (count === 1 ? undefined : '250 taken'));
afterAll(async () => {
  await test?.close();
  await new Promise((resolve) => smtp.server.close(resolve));
});

it('a mail that may have been lost is sent again with the same Message-ID', async () => {
  await new Promise<void>((resolve) => smtp.server.listen(0, '127.0.0.1', resolve));
  const { port } = smtp.server.address() as AddressInfo;
  const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Stagedoor <door@stage.example>' };
  const app = await createTestApp({ env });
  test = app;
  await app.app.start();
  await app.ctx.db.transaction((tx) => app.ctx.mailer.send(tx, { to: 'a@b.example', subject: 'Hello', text: 'You' }));
  await app.ctx.db.transaction((tx) => app.ctx.mailer.send(tx, { to: 'c@d.example', subject: 'Hello', text: 'You' }));
  await vi.waitFor(
    async () => {
      await app.ctx.db.pool.query('update graphile_worker._private_jobs set run_at = now() where locked_at is null');
      expect(smtp.mails).toHaveLength(3);
    },
    { timeout: 30_000, interval: 200 },
  );
  const ids = smtp.mails.map((mail) => /^Message-ID: <(.+)@stage\.example>\r?$/m.exec(mail)?.[1] ?? 'none');
  const idsTo = (to: string) => ids.filter((_, index) => smtp.mails[index]?.includes(`To: ${to}`));
  const [twice, once] = [idsTo('a@b.example'), idsTo('c@d.example')].toSorted((a, b) => b.length - a.length);
  expect([twice?.length, once?.length]).toEqual([2, 1]);
  expect(new Set(twice).size).toBe(1);
  expect(new Set(ids).size).toBe(2);
});

it('a queued mail is encrypted and is not sent without the required TLS', async () => {
  const plain = startSmtp(() => '250 taken');
  await new Promise<void>((resolve) => plain.server.listen(0, '127.0.0.1', resolve));
  const { port } = plain.server.address() as AddressInfo;
  const app = await createTestApp({ env: { SMTP_URL: `smtp://127.0.0.1:${port}?requireTLS=true` } });
  try {
    const headers = { 'List-Unsubscribe': '<https://stage.example/unsubscribe/open-sesame>' };
    const mail = { to: 'a@b.example', subject: 'Reset', text: 'https://stage.example/reset?token=sesame', headers };
    await app.ctx.db.transaction((tx) => app.ctx.mailer.send(tx, mail));
    const { rows } = await app.owner.pool.query('select payload::text from graphile_worker._private_jobs');
    expect(rows.map(({ payload }) => payload).join()).toContain('a@b.example');
    expect(rows.map(({ payload }) => payload).join()).not.toContain('sesame');
    await app.app.start();
    await vi.waitFor(
      async () => {
        const { rows: tried } = await app.owner.pool.query(
          `select last_error from graphile_worker._private_jobs where last_error is not null`,
        );
        expect(tried).toEqual([{ last_error: expect.stringContaining('ETLS') }]);
      },
      { timeout: 30_000, interval: 200 },
    );
    expect(plain.mails).toEqual([]);
  } finally {
    await app.close();
    await new Promise((resolve) => plain.server.close(resolve));
  }
});

it('mail headers are sent as written, also those queued before headers were encrypted', async () => {
  const server = startSmtp(() => '250 taken');
  await new Promise<void>((resolve) => server.server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const app = await createTestApp({ env: { SMTP_URL: `smtp://127.0.0.1:${port}` } });
  try {
    const headers = { 'List-Unsubscribe': '<https://stage.example/u/1>' };
    const mail = { to: 'a@b.example', subject: 'News', text: 'Today', headers };
    await app.ctx.db.transaction((tx) => app.ctx.mailer.send(tx, mail));
    const old = { id: randomUUID(), ...mail };
    await app.owner.pool.query(`select graphile_worker.add_job('mail.send', $1)`, [JSON.stringify(old)]);
    await app.ctx.jobs.runDue(['mail.send']);
    expect(server.mails).toHaveLength(2);
    for (const text of server.mails) {
      expect(text).toContain('List-Unsubscribe: <https://stage.example/u/1>');
      expect(text).toContain('Today');
    }
  } finally {
    await app.close();
    await new Promise((resolve) => server.server.close(resolve));
  }
});

it('production requires TLS unless SMTP_URL disables it', async () => {
  const plain = startSmtp(() => '250 taken');
  await new Promise<void>((resolve) => plain.server.listen(0, '127.0.0.1', resolve));
  const { port } = plain.server.address() as AddressInfo;
  try {
    for (const [query, count] of [
      ['', 0],
      ['?requireTLS=false', 1],
    ] as const) {
      const app = await createTestApp({ env: { ...PRODUCTION_ENV, SMTP_URL: `smtp://127.0.0.1:${port}${query}` } });
      try {
        const mail = { to: 'a@b.example', subject: 'Hello', text: 'You' };
        await app.ctx.db.transaction((tx) => app.ctx.mailer.send(tx, mail));
        await app.ctx.jobs.runDue(['mail.send']);
        expect(plain.mails).toHaveLength(count);
      } finally {
        await app.close();
      }
    }
  } finally {
    await new Promise((resolve) => plain.server.close(resolve));
  }
});

describe('production without a mail server', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ env: PRODUCTION_ENV });
  });
  afterAll(() => app.close());

  const register = (username: string) =>
    app.inject('POST', '/api/customer/register', {
      ...{ username, email: `${username}@example.com`, password: 'Stagedoor1!' },
      ...{ accountType: 'customer', isGiveConsent: true },
    });
  const invite = (creator: TestUser, to: string) =>
    creator.inject('POST', '/api/creator/team/invitations', { to, rights: ['chat'] });
  const findCase = async (answer: ReturnType<TestApp['inject']>) => {
    const { reference } = (await answer).json();
    return app.ctx.db.query
      .selectFrom('cases')
      .select('id')
      .where('reference', '=', reference)
      .executeTakeFirstOrThrow();
  };
  const reply = async (id: string) =>
    (await app.signUp('operator')).inject('POST', `/api/admin/cases/${id}/replies`, {
      text: 'There.',
      isClosing: false,
    });
  const message = { name: 'Bea', email: 'bea@example.com', details: 'Where is it?' };

  it.each<[string, () => ReturnType<TestApp['inject']>]>([
    ['who registers', () => register('no.mail')],
    ['who is invited to a team by address', async () => invite(await app.signUp('creator'), 'bea@example.com')],
    [
      'who wrote without an account',
      async () => reply((await findCase(app.inject('POST', '/api/public/contact-admin', message))).id),
    ],
  ])('returns 503 if only a mail reaches a user: %s', async (_, send) => {
    const answer = await send();
    expect([answer.statusCode, answer.json().code, answer.json().message]).toEqual([
      ...[503, 'UNAVAILABLE', 'We can’t send email right now. Try again later.'],
    ]);
  });

  it.each([
    ['a confirmation', 'verify', { isEmailVerified: false }],
    ['a new password', 'reset', {}],
  ] as const)(
    'fails with UNAVAILABLE for a user who waits for %s, and stores no link',
    async (_, purpose, overrides) => {
      const { id, username: name } = await app.signUp('customer', overrides);
      await expect(sendRequestedMail(app.ctx, { purpose, name })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      expect(
        await app.ctx.db.query.selectFrom('mail_tokens').select('purpose').where('user_id', '=', id).execute(),
      ).toEqual([]);
    },
  );

  it('does not block log-in on a new device, a team invitation by name or a reply in the app', async () => {
    const [creator, fan] = [await app.signUp('creator'), await app.signUp('customer')];
    for (const _ of ['first', 'second']) {
      const { username, password } = fan;
      const loggedIn = await app.inject('POST', '/api/auth/login', { username, password });
      expect(loggedIn.statusCode, loggedIn.body).toBe(200);
    }
    const invited = await invite(creator, fan.username);
    expect(invited.json().invitations, invited.body).toHaveLength(1);
    const question = { subject: 'A payment', message: 'Missing.' };
    const answered = await reply((await findCase(fan.inject('POST', '/api/helpdesk/tickets', question))).id);
    expect(answered.statusCode, answered.body).toBe(200);
  });
});

it('a mail server that hangs delays only mails', async () => {
  const openSockets = new Set<Socket>();
  const server = createServer((socket: Socket) => {
    openSockets.add(socket.on('error', () => undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const app = await createTestApp({ env: { SMTP_URL: `smtp://127.0.0.1:${port}` } });
  try {
    const ran: number[] = [];
    const other = defineJob('test.other', z.object({ n: z.number() }));
    app.ctx.jobs.define(other, async ({ n }) => void ran.push(n));
    for (let n = 0; n < 6; n += 1)
      await app.ctx.db.transaction((tx) =>
        app.ctx.mailer.send(tx, { to: `a${n}@b.example`, subject: 'Hello', text: 'You' }),
      );
    await app.app.start();
    await vi.waitFor(() => expect(openSockets.size).toBeGreaterThan(2), { timeout: 30_000 });
    await app.ctx.db.transaction((tx) => app.ctx.jobs.add(tx, other, { n: 1 }));
    await vi.waitFor(() => expect(ran).toEqual([1]), { timeout: 8_000 });
  } finally {
    for (const socket of openSockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
    await app.close();
  }
});
