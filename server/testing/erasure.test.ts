import { createECDH, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPaidDeposit, requireCleanLedger } from '../modules/commerce/deposits/testing.ts';
import { createPictureFile, makeReadyPicture } from '../modules/content/media/testing.ts';
import { makePost } from '../modules/content/posts/testing.ts';
import { createPayoutMethod } from '../modules/finance/payouts/testing.ts';
import { eraseUser } from '../modules/identity/account-deletion/testing.ts';
import { createExport, findExport } from '../modules/identity/data-export/testing.ts';
import { seedMessage } from '../modules/messaging/chat/testing.ts';
import { createTestApp, type TestApp, type TestUser } from './app.ts';

const DAY_MS = 24 * 60 * 60_000;
const MARK = 'quillfeather';
const text = (label: string) => `${MARK} ${label}`;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ env: { CHAT_FAN_NOTES: 'true' } });
});
afterAll(() => app.close());

async function sendRequest(user: TestUser, method: 'POST' | 'PUT' | 'GET', url: string, body?: object) {
  const response = await user.inject(method, `/api${url}`, body);
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.body}`);
  return response.json();
}
async function send(user: TestUser, url: string, fields: object, [name, content]: [string, Buffer]) {
  const data = new FormData();
  for (const [field, value] of Object.entries(fields)) data.set(field, value);
  data.append('file', new Blob([new Uint8Array(content)]), name);
  const request = new Request('http://localhost/', { method: 'POST', body: data });
  const type = request.headers.get('content-type') ?? '';
  const response = await user.inject('POST', `/api${url}`, Buffer.from(await request.arrayBuffer()), {
    'content-type': type,
  });
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.body}`);
  return response.json();
}
async function files(): Promise<Set<string>> {
  const entries = await readdir(app.ctx.config.dataDir, { recursive: true, withFileTypes: true });
  return new Set(entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name)));
}
const since = async (before: ReadonlySet<string>) => [...(await files())].filter((file) => !before.has(file));
async function listTablesContaining(word: string): Promise<string[]> {
  const { rows } = await app.owner.pool.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema')
        -- Where mail goes that is not sent; never in production.
        and c.relname <> 'development_mail' order by 1`,
  );
  const tables = [];
  for (const { name } of rows) {
    const { rowCount } = await app.owner.pool.query(`select 1 from ${name} t where t::text ilike $1 limit 1`, [
      `%${word}%`,
    ]);
    if ((rowCount ?? 0) > 0) tables.push(name);
  }
  return tables;
}
async function listTablesOfUser(userId: string): Promise<string[]> {
  const { rows } = await app.owner.pool.query<{ name: string; column: string }>(
    `select t.oid::regclass::text as name, quote_ident(a.attname) as column from pg_class t join pg_attribute a on a.attrelid = t.oid
      where t.relkind in ('r', 'p') and t.relnamespace = 'public'::regnamespace and a.atttypid = 'uuid'::regtype order by 1, 2`,
  );
  const tables = new Set<string>();
  for (const { name, column } of rows) {
    const { rowCount } = await app.owner.pool.query(`select 1 from ${name} t where t.${column} = $1 limit 1`, [userId]);
    if ((rowCount ?? 0) > 0) tables.add(name);
  }
  return [...tables];
}
async function deleteAccount(user: TestUser, code?: string): Promise<void> {
  await sendRequest(user, 'POST', '/account/deletion', { currentPassword: user.password, ...(code && { code }) });
  await app.ctx.events.waitUntilIdle();
  app.clock.advance(14 * DAY_MS);
  await eraseUser(app.ctx, user.id, { signal: undefined });
  await app.ctx.events.waitUntilIdle();
  // A job deletes profile pictures a day later.
  await app.owner.pool.query(
    `select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs where task_identifier = 'media.discard'), now())`,
  );
  await app.ctx.jobs.runDue(['media.remove', 'media.discard', 'dataExport.deleteFile']);
}

/**
 * May still contain the user id, as a pseudonym: ledger, content of others, and records with a legal retention period.
 */
const RETAINED_TABLES = [
  'affiliate_codes',
  'broadcasters',
  'broadcasts',
  'fan_creator_relations',
  'account_deletions',
  'conversations',
  'creators',
  'ledger_accounts',
  'media_counts',
  'messages',
  'name_reviews',
  'notifications',
  'idempotency_keys',
  'payout_methods',
  'posts',
  'sales',
  'sales_fees',
  'security_log',
  'users',
  'verifications',
];

test('nothing that a creator wrote, uploaded or was called remains after account deletion', async () => {
  const fan = await app.signUp('customer');
  await createPaidDeposit(app, fan, 50);
  const before = await files();
  const first = text('at first');
  const creator = await app.signUp('creator', { username: MARK, name: first });
  await app.owner.pool.query('update creators set is_verified = true, verified_name = $2 where user_id = $1', [
    ...[creator.id, first],
  ]);
  await sendRequest(creator, 'PUT', '/creator/profile', {
    ...{ name: text('renamed'), craft: text('craft'), city: text('city'), bio: text('bio'), category: null },
    links: [{ network: 'x', url: `https://x.com/${MARK}` }],
  });
  const picture = await createPictureFile();
  for (const kind of ['avatar', 'cover']) await send(creator, `/creator/profile/${kind}`, {}, ['me.jpg', picture]);
  const draft = { caption: text('draft'), price: 0, media: [], tags: [MARK], people: [] };
  await sendRequest(creator, 'POST', '/creator/drafts', draft);
  const mediaIds = [await makeReadyPicture(app.ctx, creator.id, { hasFiles: true })];
  await makePost(app.ctx, creator.id, { caption: text('post'), mediaIds, alts: [text('alt')], tags: [MARK] });
  await sendRequest(fan, 'POST', `/customer/follow/${creator.id}`, { isFollowed: true });
  await sendRequest(fan, 'PUT', `/notifications/muted-creators/${creator.id}`, { isPushEnabled: false });
  await sendRequest(fan, 'POST', `/tip/customer-send/${creator.id}`, { amount: 5, type: 'profile' });
  const pair = { creatorId: creator.id, fanId: fan.id };
  const { conversationId } = await seedMessage(app.ctx, pair, { from: 'creator', text: text('message') });
  await sendRequest(creator, 'PUT', `/message/note/${conversationId}`, { note: text('note') });
  await sendRequest(creator, 'POST', '/message/broadcast-text', { audience: 'followers', text: text('broadcast') });
  await send(creator, '/message/media-message', { conversationId }, [`${MARK}.txt`, Buffer.from(text('document'))]);
  await createPayoutMethod(app, creator, { kind: 'paypal', email: `${MARK}@example.com` });
  const p256dh = createECDH('prime256v1').generateKeys('base64url');
  const keys = { p256dh, auth: randomBytes(16).toString('base64url') };
  await sendRequest(creator, 'POST', '/web-notify/subscribe', {
    endpoint: `https://fcm.googleapis.com/fcm/send/${MARK}`,
    keys,
  });
  await sendRequest(creator, 'PUT', '/notifications/settings', { quietFrom: '22:00', quietUntil: '07:00' });
  await sendRequest(creator, 'PUT', '/customer/update-notification-preferences', { tip: { push: false } });
  await sendRequest(creator, 'GET', '/affiliate/code');
  await app.inject('POST', '/api/auth/login', { username: creator.username, password: creator.password });
  await app.inject('POST', '/api/auth/forgot-password', { email: creator.email });
  await sendRequest(creator, 'POST', '/account/data-export');
  const dataExport = await findExport(app.ctx.db, creator.id);
  await createExport(app.ctx, { userId: creator.id, id: dataExport?.id ?? '' }, { isLast: true, signal: undefined });
  const { secret } = await sendRequest(creator, 'POST', '/auth/two-factor/setup', {
    currentPassword: creator.password,
  });
  const code = () => generateSync({ strategy: 'totp', secret, epoch: app.clock.now().getTime() / 1000 });
  await sendRequest(creator, 'POST', '/auth/two-factor/enable', { code: code() });
  await app.ctx.events.waitUntilIdle();
  const tables = await listTablesOfUser(creator.id);
  for (const table of ['data_exports', 'drafts', 'known_devices', 'mail_tokens', 'notifications', 'push_settings'])
    expect(tables).toContain(table);
  expect((await listTablesContaining(MARK)).length).toBeGreaterThan(11);
  expect((await since(before)).length).toBeGreaterThan(10);

  app.clock.advance(60_000);
  await deleteAccount(creator, code());
  expect(await listTablesContaining(MARK)).toEqual([]);
  expect(await since(before)).toEqual([]);
  expect((await listTablesOfUser(creator.id)).filter((table) => !RETAINED_TABLES.includes(table))).toEqual([]);
  const remaining = await app.owner.pool.query(
    `select two_factor_secret, two_factor_enabled_at, referral_code, avatar_key, consented_at, last_seen_at from users where id = $1
      union all select null, null, null, c.cover_key, null, null from creators c where c.user_id = $1
      union all select null, m.created_at, m.label, null, null, null from payout_methods m where m.user_id = $1 and m.removed_at is null
      union all select null, null, n.id::text, null, null, null from notifications n where n.user_id = $1`,
    [creator.id],
  );
  expect(remaining.rows.flatMap((row) => Object.values(row)).filter((value) => value !== null)).toEqual([]);
  await requireCleanLedger(app);
});

test('a fan’s note about a creator and the avatar’s thumbhash are removed with the account', async () => {
  const [creator, fan] = [await app.signUp('creator'), await app.signUp('customer')];
  const pair = { creatorId: creator.id, fanId: fan.id };
  const { conversationId } = await seedMessage(app.ctx, pair, { from: 'fan', text: 'Hello' });
  await sendRequest(fan, 'PUT', `/message/note/${conversationId}`, { note: text('note') });
  const blur = '3OcRJYB4d3h_iIeHeEh3eIhw-j2w';
  await app.owner.pool.query('update users set avatar_thumbhash = $2 where id = $1', [fan.id, blur]);
  await deleteAccount(fan);
  const { rows } = await app.owner.pool.query(
    'select c.fan_note, u.avatar_thumbhash from conversations c join users u on u.id = c.fan_id where c.id = $1',
    [conversationId],
  );
  expect(rows).toEqual([{ fan_note: '', avatar_thumbhash: null }]);
});

test('a scheduled broadcast is canceled by account deletion', async () => {
  const creator = await app.signUp('creator');
  const scheduledAt = new Date(app.clock.now().getTime() + 30 * DAY_MS).toISOString();
  const { data } = await sendRequest(creator, 'POST', '/message/broadcast-text', {
    ...{ audience: 'followers', text: text('later'), scheduledAt },
  });
  await deleteAccount(creator);
  const { rows } = await app.owner.pool.query('select state, text from broadcasts where id = $1', [data.id]);
  expect(rows).toEqual([{ state: 'cancelled', text: '' }]);
});

test('purchased documents and voice notes stay after account deletion, the others are removed with their files', async () => {
  const [creator, fan] = await Promise.all([app.signUp('creator'), app.signUp('customer')]);
  await createPaidDeposit(app, fan, 50);
  const before = await files();
  const pair = { creatorId: creator.id, fanId: fan.id };
  const { conversationId } = await seedMessage(app.ctx, pair, { from: 'fan', text: 'Hello' });
  const voice = Buffer.concat([
    Buffer.from('OggS\0\x02'),
    Buffer.alloc(22),
    Buffer.from('OpusHead'),
    Buffer.alloc(200),
  ]);
  const sent: { id: string; isBought: boolean }[] = [];
  for (const isBought of [true, false])
    for (const [fields, name, content] of [
      [{}, 'score.txt', Buffer.from('Four bars.')],
      [{ durationSeconds: '2.5' }, 'voice.ogg', voice],
    ] as const) {
      const priced = { conversationId, price: '5', ...fields };
      const { data } = await send(creator, '/message/media-message', priced, [name, content]);
      sent.push({ id: data.id, isBought });
    }
  for (const { id } of sent.filter(({ isBought }) => isBought))
    await sendRequest(fan, 'POST', `/message/purchase-chat-media/${id}`, {});
  expect((await since(before)).length).toBe(4);
  await deleteAccount(creator);
  const remainingFiles = await app.owner.pool.query<{ id: string; message: string }>(
    'select f.id, a.holder_id as message from chat_files f join chat_attachments a on a.file_id = f.id where f.owner_id = $1',
    [creator.id],
  );
  expect(remainingFiles.rows.map(({ message }) => message).toSorted()).toEqual(
    sent.flatMap(({ id, isBought }) => (isBought ? [id] : [])).toSorted(),
  );
  const names = (await since(before)).map((file) => path.basename(file));
  expect(names.toSorted()).toEqual(remainingFiles.rows.map(({ id }) => id).toSorted());
  const reader = await app.logIn(fan);
  const page = await sendRequest(reader, 'GET', `/message/list/${conversationId}`);
  const urls = page.data.flatMap((one: { documents: { url: string }[]; voice: { url: string } | null }) => [
    ...one.documents.map(({ url }) => url),
    ...(one.voice ? [one.voice.url] : []),
  ]);
  expect(urls).toHaveLength(2);
  for (const url of urls) expect((await reader.inject('GET', url)).statusCode).toBe(200);
});
