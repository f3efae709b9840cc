import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createId } from '../../../platform/ids.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createFollow } from '../../content/follows/testing.ts';
import { makePost } from '../../content/posts/testing.ts';
import { sendDigests } from './digest.ts';

let app: TestApp;
const mails: string[] = [];
const smtp = createServer((socket: Socket) => {
  let [buffer, isData] = ['', false];
  socket.on('error', () => undefined);
  socket.write('220 test\r\n');
  socket.on('data', (chunk) => {
    buffer += chunk.toString();
    for (;;) {
      const end = isData ? '\r\n.\r\n' : '\r\n';
      const at = buffer.indexOf(end);
      if (at < 0) return;
      const line = buffer.slice(0, at);
      buffer = buffer.slice(at + end.length);
      if (isData) mails.push(line);
      socket.write(!isData && line === 'DATA' ? '354 go on\r\n' : line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n');
      isData = !isData && line === 'DATA';
    }
  });
});
beforeAll(async () => {
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  const { port } = smtp.address() as AddressInfo;
  const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Stagedoor <door@stage.example>' };
  app = await createTestApp({ env });
  await app.app.start();
});
afterAll(async () => {
  await app.close();
  await new Promise((resolve) => smtp.close(resolve));
});

const change = (user: TestUser, body: object) =>
  user.inject('PUT', '/api/customer/update-notification-preferences', body);
const listPreferences = async (user: TestUser) =>
  Object.fromEntries(
    (await user.inject('GET', '/api/customer/notification-preferences'))
      .json()
      .data.map(({ key, ...ways }: { key: string }) => [key, ways]),
  );
const listGroups = async (user: TestUser): Promise<{ kind: string }[]> => {
  await app.ctx.events.waitUntilIdle();
  return (await user.inject('GET', '/api/notifications')).json().data;
};
const DEFAULT = { push: true, email: false, inApp: true };

test('each role has its own preferences, changed one at a time', async () => {
  const [fan, creator, operator] = await Promise.all([
    app.signUp('customer'),
    app.signUp('creator'),
    app.signUp('operator'),
  ]);
  expect(await listPreferences(fan)).toEqual({
    ...{ newPost: DEFAULT, chatApprove: DEFAULT, creatorOnline: DEFAULT, newMessage: DEFAULT },
  });
  expect(Object.keys(await listPreferences(creator))).toEqual([
    ...['incomingVideoCall', 'chatRequest', 'tip', 'unlockChatMedia', 'unlockPost', 'newSubscriber', 'subscriberLeft'],
  ]);
  expect((await change(fan, { newPost: { email: true } })).statusCode).toBe(200);
  expect((await change(fan, { newPost: { inApp: false } })).statusCode).toBe(200);
  expect((await change(fan, { newMessage: false })).statusCode).toBe(200);
  const none = { push: false, email: false, inApp: false };
  expect(await listPreferences(fan)).toMatchObject({
    newPost: { push: true, email: true, inApp: false },
    newMessage: none,
  });
  expect((await change(fan, { newMessage: true })).json().data.at(-1)).toEqual({ key: 'newMessage', ...DEFAULT });
  for (const bad of [{}, { tip: true }, { newPost: true, newMessage: true }, { newPost: 'yes' }, { security: false }])
    expect((await change(fan, bad)).statusCode, JSON.stringify(bad)).toBe(400);
  expect((await change(fan, { newPost: { sms: true } })).statusCode).toBe(400);
  for (const ofFans of ['newPost', 'chatApprove', 'creatorOnline', 'newMessage'])
    expect((await change(creator, { [ofFans]: true })).statusCode, ofFans).toBe(400);
  expect((await operator.inject('GET', '/api/customer/notification-preferences')).statusCode).toBe(403);
});

test('unwanted kinds are not notified except money and security, and one click ends the daily mail', async () => {
  const [fan, quiet, creator] = [
    await app.signUp('customer'),
    await app.signUp('customer'),
    await app.signUp('creator'),
  ];
  for (const user of [fan, quiet]) await createFollow(app.ctx, user.id, creator.id);
  await change(quiet, { newPost: false });
  await change(fan, { newPost: { email: true, inApp: false } });
  await change(fan, { newMessage: { email: true } });
  await change(creator, { tip: { inApp: false } });
  const sale = {
    ...{ transactionId: createId(app.clock), kind: 'tip', fanId: fan.id, creatorId: creator.id, subjectId: null },
    ...{
      grossCents: 500,
      netCents: 400,
      balanceCents: 0,
      balanceLine: 1,
      tipType: null,
      at: app.clock.now().toISOString(),
    },
  };
  await app.ctx.db.transaction((tx) => tx.emit('sale.made', sale));
  await app.ctx.db.transaction((tx) =>
    tx.emit('debt.changed', { fanId: quiet.id, change: 'owed', cents: 100, owedCents: 100, isBlocked: false }),
  );
  await makePost(app.ctx, creator.id, { caption: 'Moon jar' });
  expect((await listGroups(quiet)).map(({ kind }) => kind)).toEqual(['debt']);
  expect((await listGroups(fan)).map(({ kind }) => kind)).toEqual(['tipped']);
  expect(await listGroups(creator)).toEqual([]);
  const rows = await app.ctx.db.query
    .selectFrom('notifications')
    .select('id')
    .where('user_id', '=', quiet.id)
    .execute();
  expect(rows).toHaveLength(1);

  const ofFan = () => mails.filter((mail) => mail.includes(`To: ${fan.email}`) && mail.includes('What you missed'));
  await Promise.all([sendDigests(app.ctx), sendDigests(app.ctx)]);
  await expect.poll(() => ofFan().length, { timeout: 30_000 }).toBe(1);
  const mail = (ofFan()[0] ?? '').replace(/=\r\n/g, '');
  expect(mail).toMatch(/published .*Moon jar/);
  expect(mail).not.toContain('tipped');
  expect(/^Subject: (.*)\r$/m.exec(mail)?.[1]).toBe('What you missed on Stagedoor');
  expect(mail).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  expect(mail.replace(/\r\n\s+/g, ' ')).toContain(
    `List-Unsubscribe: <${app.ctx.config.publicUrl}/api/notifications/unsubscribe/`,
  );
  const link =
    /^List-Unsubscribe:\s+<[^>]*?(\/api\/notifications\/unsubscribe\/[^>]+)>/m.exec(mail)?.[1]?.replace(/\s/g, '') ??
    '';
  await makePost(app.ctx, creator.id);
  await app.ctx.events.waitUntilIdle();
  app.clock.advance(23 * 60 * 60_000);
  await sendDigests(app.ctx);

  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const click = (path: string) => app.inject('POST', path, 'List-Unsubscribe=One-Click', form);
  expect((await click(link.replace(fan.id, quiet.id))).statusCode).toBe(404);
  expect((await click('/api/notifications/unsubscribe/nobody')).statusCode).toBe(404);
  expect((await app.inject('GET', '/api/notifications/unsubscribe/nobody')).statusCode).toBe(404);
  const opened = await app.inject('GET', link);
  expect([opened.statusCode, opened.headers.location]).toEqual([
    303,
    `/unsubscribe?token=${link.slice('/api/notifications/unsubscribe/'.length)}`,
  ]);
  expect((await listPreferences(fan)).newPost.email).toBe(true);
  expect((await click(link)).statusCode).toBe(200);
  const pressed = await app.inject('POST', link, '', { ...form, accept: 'text/html,*/*' });
  expect([pressed.statusCode, pressed.headers.location]).toEqual([303, '/unsubscribe?done']);
  expect(await listPreferences(fan)).toMatchObject({ newPost: { email: false }, newMessage: { email: false } });
  app.clock.advance(2 * 60 * 60_000);
  await sendDigests(app.ctx);
  expect(ofFan()).toHaveLength(1);
});

test('each notification is in one digest, and one that is written late is in the next', async () => {
  const [fan, creator] = [await app.signUp('customer'), await app.signUp('creator')];
  await createFollow(app.ctx, fan.id, creator.id);
  await change(fan, { newPost: { email: true } });
  const ofFan = () => mails.filter((mail) => mail.includes(`To: ${fan.email}`) && mail.includes('What you missed'));
  const next = async (count: number) => {
    await sendDigests(app.ctx);
    await expect.poll(() => ofFan().length, { timeout: 30_000 }).toBe(count);
    return (ofFan().at(-1) ?? '').replace(/=\r\n/g, '');
  };
  await makePost(app.ctx, creator.id, { caption: 'Moon jar' });
  await app.ctx.events.waitUntilIdle();
  expect(await next(1)).toMatch(/published .*Moon jar/);
  const subjectId = await makePost(app.ctx, creator.id, { caption: 'Late bowl' });
  await app.ctx.events.waitUntilIdle();
  // Simulates an event that was delayed while the mail was written.
  const before = createId({ now: () => new Date(app.clock.now().getTime() - 10 * 60_000) });
  const late = app.owner.query.updateTable('notifications').set({ id: before });
  await late.where('user_id', '=', fan.id).where('subject_id', '=', subjectId).execute();
  app.clock.advance(24 * 60 * 60_000 + 1_000);
  const second = await next(2);
  expect(second).toMatch(/published .*Late bowl/);
  expect(second).not.toMatch(/Moon jar|2 new posts/);
  app.clock.advance(24 * 60 * 60_000 + 1_000);
  await sendDigests(app.ctx);
  expect(ofFan()).toHaveLength(2);
});
