import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPaidDeposit } from '../modules/commerce/deposits/testing.ts';
import { createFollow } from '../modules/content/follows/testing.ts';
import { createPictureFile, makeReadyPicture, makeReadyStream } from '../modules/content/media/testing.ts';
import { makePost } from '../modules/content/posts/testing.ts';
import { listMailedLinks } from '../modules/identity/accounts/testing.ts';
import { createExport, findExport, purgeExpiredExports, unzip } from '../modules/identity/data-export/testing.ts';
import { seedMessage } from '../modules/messaging/chat/testing.ts';
import { createReportedCase, decideCaseAs } from '../modules/trust/moderation/testing.ts';
import { createTestApp, type TestApp, type TestUser } from './app.ts';

const NOON = new Date('2026-11-18T12:00:00Z');
const DAY_MS = 24 * 60 * 60_000;

let app: TestApp;
let fan: TestUser;
let creator: TestUser;
beforeAll(async () => {
  app = await createTestApp({ now: NOON });
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.set(NOON);
  [fan, creator] = await Promise.all([app.signUp('customer'), app.signUp('creator', { name: '<b>Inês</b> & co' })]);
});

const requestExport = (user: TestUser) => user.inject('POST', '/api/account/data-export');
const getExport = async (user: TestUser) => (await user.inject('GET', '/api/account/data-export')).json().dataExport;
/** Fails where the job would retry. */
async function finishExport(user: TestUser): Promise<void> {
  const row = await findExport(app.ctx.db, user.id);
  await createExport(app.ctx, { userId: user.id, id: row?.id ?? '' }, { isLast: true, signal: undefined });
  await app.ctx.jobs.runDue(['dataExport.create', 'dataExport.deleteFile']);
}
const open = (user: TestUser, currentPassword = user.password) =>
  user.inject('POST', '/api/account/data-export/unlock', { currentPassword });
const file = (user: TestUser) => user.inject('GET', '/api/account/data-export/file');

async function downloadExport(user: TestUser) {
  await requestExport(user);
  await finishExport(user);
  expect((await open(user)).statusCode).toBe(200);
  const response = await file(user);
  expect(response.statusCode).toBe(200);
  return { answer: response, files: unzip(response.rawPayload) };
}
const json = (files: Map<string, Buffer>, name: string): Record<string, unknown>[] =>
  JSON.parse(files.get(`data/${name}.json`)?.toString() ?? 'null');

describe('the content of a data export', () => {
  test('contains a creator’s profile, posts, media, messages of both sides and statements', async () => {
    const mediaId = await makeReadyPicture(app.ctx, creator.id, { hasFiles: true });
    await makePost(app.ctx, creator.id, { caption: 'Moon <jar>', mediaIds: [mediaId], priceCents: 1_500 });
    await createPaidDeposit(app, fan, 100);
    await fan.inject('POST', `/api/tip/customer-send/${creator.id}`, { amount: 20, type: 'profile' });
    const pair = { creatorId: creator.id, fanId: fan.id };
    await seedMessage(app.ctx, pair, { from: 'fan', text: 'Is it <script>fired</script>?' });
    await seedMessage(app.ctx, pair, { from: 'creator', text: 'It is.' });
    const { files } = await downloadExport(creator);

    expect(json(files, 'account')).toMatchObject([{ username: creator.username, email: creator.email }]);
    expect(json(files, 'posts')).toMatchObject([{ caption: 'Moon <jar>', price: 15, mediaIds: [mediaId] }]);
    expect(json(files, 'messages')).toMatchObject([
      { with: fan.username, from: 'them', text: 'Is it <script>fired</script>?' },
      { with: fan.username, from: 'you', text: 'It is.' },
    ]);
    const [medium] = json(files, 'media');
    expect(medium?.file).toBe(`media/${mediaId}.webp`);
    const stored = await app.ctx.storage.open(`private/m/${mediaId}/1080.webp`);
    expect(files.get(`media/${mediaId}.webp`)?.length).toBe(stored?.byteSize);
    expect(files.get('statements/earnings.csv')?.toString()).toContain('18.00');
    const all = Buffer.concat([...files.values()]).toString('latin1');
    expect(all).not.toContain(fan.email);
    expect(all).not.toMatch(/argon2id/);
  });

  test('contains the settings of a creator: call prices, embeds, watermark, drafts, referral code, consents', async () => {
    const set = async (method: 'PUT' | 'POST' | 'GET', url: string, body?: object) => {
      const response = await creator.inject(method, `/api${url}`, body);
      expect(response.statusCode, `${url}: ${response.body}`).toBe(200);
      return response.json();
    };
    const hours = [{ day: 1, from: '18:00', to: '22:00' }];
    const terms = {
      isAvailable: true,
      videoRate: 3,
      audioRate: null,
      ...{ minMinutes: 2, hours, timeZone: 'Europe/Lisbon' },
      callerRule: 'followers',
      callerTierId: null,
    };
    await set('PUT', '/creator/call-settings', terms);
    await set('PUT', '/creator/embeds', { allowed: 'named', origins: ['https://blog.example'] });
    await set('POST', '/creator/drafts', { caption: 'Not yet', price: 0, media: [], tags: ['clay'], people: [] });
    await set('PUT', '/notifications/settings', { quietFrom: '22:00', quietUntil: '07:00' });
    const { code } = await set('GET', '/affiliate/code');
    const [open] = (await set('GET', '/policies/pending')).data;
    await set('POST', '/policies/agree', {
      agreed: [{ key: open.key, version: open.version, textHash: open.textHash }],
    });
    const { files } = await downloadExport(creator);
    expect(json(files, 'call-settings')).toEqual([terms]);
    expect(json(files, 'profile')).toMatchObject([{ frames: { allowed: 'named', origins: ['https://blog.example'] } }]);
    expect(json(files, 'media-settings')).toEqual([{ isWatermarked: false }]);
    expect(json(files, 'drafts')).toMatchObject([{ caption: 'Not yet', tags: ['clay'] }]);
    expect(json(files, 'notification-preferences')).toMatchObject([{ quietFrom: '22:00' }]);
    expect(json(files, 'referral-code')).toMatchObject([{ code }]);
    expect(json(files, 'agreements')).toMatchObject([{ policy: open.key, version: open.version, source: 'prompted' }]);
    expect(json(files, 'agreements')[0]?.text).toContain('Tips are gifts.');
  });

  test('lists media that were taken down by an operator, without their files', async () => {
    const [mediaId, openId] = [
      await makeReadyPicture(app.ctx, creator.id, { hasFiles: true }),
      await makeReadyPicture(app.ctx, creator.id, { hasFiles: true }),
    ];
    await app.owner.pool.query('update media set taken_down_at = now() where id = $1', [mediaId]);
    const { files } = await downloadExport(creator);
    expect(json(files, 'media')).toMatchObject([
      { id: openId, file: `media/${openId}.webp` },
      { id: mediaId, file: null },
    ]);
    expect([...files.keys()].filter((path) => path.startsWith('media/'))).toEqual([`media/${openId}.webp`]);
  });

  test('contains the text of an unsent or taken down message for its author, and of an unsent one for its buyer', async () => {
    const pair = { creatorId: creator.id, fanId: fan.id };
    const ids: string[] = [];
    for (const text of ['unsent', 'bought', 'taken down', 'taken down and bought', 'plain'])
      ids.push((await seedMessage(app.ctx, pair, { from: 'creator', text })).messageId);
    await app.owner.pool.query(
      `update messages set unsent_at = case when text <> 'plain' then now() end, purchased_at = case when text like '%bought' then now() end,
        taken_down_at = case when text like 'taken down%' then now() end where id = any ($1::uuid[])`,
      [ids],
    );
    const listTexts = async (user: TestUser) =>
      json((await downloadExport(user)).files, 'messages').map(({ text }) => text);
    expect(await listTexts(fan)).toEqual(['', 'bought', '', '', 'plain']);
    expect(await listTexts(creator)).toEqual(['unsent', 'bought', 'taken down', 'taken down and bought', 'plain']);
  });

  test('contains the user’s own support messages and the replies, newest first, and none of other users', async () => {
    const operator = await app.signUp('operator');
    const ticket = { subject: 'A question', message: 'Where is my <receipt>?', pictures: [] };
    const key = () => ({ 'idempotency-key': randomUUID() });
    const opened = await fan.inject('POST', '/api/helpdesk/tickets', ticket, key());
    expect(opened.statusCode, opened.body).toBe(200);
    await creator.inject('POST', '/api/helpdesk/tickets', { ...ticket, message: 'Of another' }, key());
    const { id } = opened.json();
    app.clock.advance(1_000);
    await operator.inject('POST', `/api/admin/cases/${id}/replies`, { text: 'In your wallet.', isClosing: false });
    app.clock.advance(1_000);
    await fan.inject('POST', `/api/helpdesk/tickets/${id}/messages`, { message: 'Thank you.', pictures: [] });
    expect(json((await downloadExport(fan)).files, 'help')).toMatchObject([
      { title: 'A question', writtenBy: 'you', text: 'Thank you.' },
      { title: 'A question', writtenBy: 'us', text: 'In your wallet.' },
      { title: 'A question', writtenBy: 'you', text: 'Where is my <receipt>?' },
    ]);
  });

  test.each(['creator', 'fan'])(
    'omits a conversation that the %s deleted, only in that user’s export',
    async (side) => {
      const pair = { creatorId: creator.id, fanId: fan.id };
      const { conversationId } = await seedMessage(app.ctx, pair, { from: 'fan', text: 'An old secret' });
      const [deleting, other] = side === 'creator' ? [creator, fan] : [fan, creator];
      const deleted = await deleting.inject('DELETE', `/api/message/conversation/${conversationId}`);
      expect(deleted.statusCode, deleted.body).toBe(200);
      await seedMessage(app.ctx, pair, { from: 'creator', text: 'Anew' });
      const texts = async (user: TestUser) =>
        json((await downloadExport(user)).files, 'messages').map(({ text }) => text);
      expect(await texts(deleting)).toEqual(['Anew']);
      expect(await texts(other)).toEqual(['An old secret', 'Anew']);
    },
  );

  test('contains a fan’s payments, purchases, follows and likes', async () => {
    await createPaidDeposit(app, fan, 100);
    const postId = await makePost(app.ctx, creator.id, { priceCents: 1_200 });
    await fan.inject('POST', `/api/post/unlock/${postId}`, {});
    await fan.inject('POST', `/api/post/like-unlike/${postId}`, {});
    await fan.inject('POST', `/api/customer/follow/${creator.id}`, { isFollowed: true });
    const { files } = await downloadExport(fan);
    expect(json(files, 'bought-posts')).toMatchObject([{ postId, price: 12 }]);
    expect(json(files, 'follows')).toMatchObject([{ username: creator.username }]);
    expect(json(files, 'likes')).toMatchObject([{ postId }]);
    expect(json(files, 'media')).toEqual([]);
    expect(files.get('statements/wallet.csv')?.toString()).toContain('88.00');
  });

  test('lists a refunded post without its caption', async () => {
    await createPaidDeposit(app, fan, 100);
    const [retained, returned] = [
      await makePost(app.ctx, creator.id, { priceCents: 1_200, caption: 'Kept' }),
      await makePost(app.ctx, creator.id, { priceCents: 1_200, caption: 'Given back' }),
    ];
    for (const id of [retained, returned]) await fan.inject('POST', `/api/post/unlock/${id}`, {});
    await app.owner.pool.query('update post_purchases set revoked_at = now() where post_id = $1', [returned]);
    const bought = json((await downloadExport(fan)).files, 'bought-posts');
    expect(new Map(bought.map(({ postId, caption }) => [postId, caption]))).toEqual(
      new Map([
        [retained, 'Kept'],
        [returned, null],
      ]),
    );
  });

  test('contains broadcasts, profile pictures and moderation decisions with the profile snapshot of that time', async () => {
    const picture = async (kind: string, width: number, height: number) => {
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(await createPictureFile({ width, height }))]), 'it.jpg');
      const response = await creator.inject('POST', `/api/creator/profile/${kind}`, form);
      expect(response.statusCode, response.body).toBe(200);
    };
    await picture('avatar', 500, 500);
    await picture('cover', 1_600, 900);
    await createFollow(app.ctx, fan.id, creator.id);
    const body = { audience: 'followers', text: 'Tonight at nine', clientId: randomUUID() };
    expect((await creator.inject('POST', '/api/message/broadcast-text', body)).statusCode).toBe(200);
    const operator = await app.signUp('operator');
    const caseId = await createReportedCase(app, fan, { user: creator, message: 'Words of whoever reported it.' });
    expect((await decideCaseAs(operator, caseId, { action: 'warn', reason: 'Rule 4.' })).statusCode).toBe(200);
    const renamed = {
      name: 'Somebody else',
      craft: '',
      city: '',
      category: null,
      bio: '',
      links: [],
      layout: 'hero',
      shape: 'box',
      format: 'row',
    };
    const changed = await creator.inject('PUT', '/api/creator/profile', renamed);
    expect(changed.statusCode, changed.body).toBe(200);
    const { files } = await downloadExport(creator);
    expect(json(files, 'messages')).toEqual([]);
    expect(json(files, 'broadcasts')).toMatchObject([
      { text: 'Tonight at nine', audience: 'followers', state: 'sent' },
    ]);
    expect(json(files, 'portraits').map(({ file }) => file)).toEqual(['media/avatar.webp', 'media/cover.webp']);
    expect(await sharp(files.get('media/cover.webp')).metadata()).toMatchObject({ format: 'webp', width: 1_600 });
    const [decision, ...others] = json(files, 'decisions');
    expect([decision?.reason, others]).toEqual(['Rule 4.', []]);
    expect(decision?.yourProfileThen).toMatchObject([{ name: '<b>Inês</b> & co', username: creator.username }]);
    const all = Buffer.concat([...files.values()]).toString('latin1');
    expect(all).not.toContain('Words of whoever reported it.');
    expect(all).not.toContain(operator.username);
  });

  test('contains a fan’s spending limits, breaks and playback positions', async () => {
    const mediaId = await makeReadyStream(app.ctx, creator.id, { kind: 'video', seconds: 600 });
    await makePost(app.ctx, creator.id, { mediaIds: [mediaId] });
    for (const [method, path, body] of [
      ['PUT', `media/${mediaId}/position`, { seconds: 42 }],
      ['PUT', 'customer/spending-limits/day', { limit: 50 }],
      ['POST', 'customer/break/spending', { days: 7 }],
    ] as const) {
      const response = await fan.inject(method, `/api/${path}`, body);
      expect(response.statusCode, `${path}: ${response.body}`).toBe(200);
    }
    const { files } = await downloadExport(fan);
    expect(json(files, 'watched')).toMatchObject([{ mediaId, creator: creator.username, seconds: 42 }]);
    expect(json(files, 'limits')).toMatchObject([
      { each: 'day', limit: 50, spent: 0 },
      { each: 'week', limit: null },
      { each: 'month', limit: null },
      { breakFromSpendingUntil: new Date(NOON.getTime() + 7 * DAY_MS).toISOString() },
    ]);
  });

  test('opens offline: the index links to all pages, and no page loads external resources or runs scripts', async () => {
    await seedMessage(
      app.ctx,
      { creatorId: creator.id, fanId: fan.id },
      { from: 'fan', text: '<img src=x onerror=alert(1)>' },
    );
    const { files } = await downloadExport(creator);
    const index = files.get('index.html')?.toString() ?? '';
    const links = [...index.matchAll(/href="([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(links.length).toBeGreaterThan(15);
    for (const path of links) expect(files.has(path), path).toBe(true);
    for (const [path, content] of files)
      if (path.endsWith('.html'))
        expect(content.toString(), path).not.toMatch(/<script|<img src=x|https?:\/\/|src="\//);
    expect(index).toContain('&lt;b&gt;Inês&lt;/b&gt; &amp; co');
  });

  test('links only to its own files, even if user texts contain paths', async () => {
    const mediaId = await makeReadyPicture(app.ctx, creator.id, { hasFiles: true });
    const pair = { creatorId: creator.id, fanId: fan.id };
    const texts = ['media/../../../tmp/x.jpg', 'files/../../Downloads/evil.html', `media/${mediaId}.webp`];
    for (const text of texts) await seedMessage(app.ctx, pair, { from: 'fan', text });
    const { files } = await downloadExport(creator);
    const messages = files.get('messages.html')?.toString() ?? '';
    for (const text of texts) expect(messages).toContain(`<dd>${text}</dd>`);
    expect(messages).not.toMatch(/<img|href="(?!index\.html)/);
    expect(files.get('media.html')?.toString()).toContain(
      `<a href="media/${mediaId}.webp"><img loading="lazy" src="media/${mediaId}.webp" alt=""></a>`,
    );
  });

  test('reads ten thousand messages in pages without duplicates or gaps', async () => {
    await seedMessage(app.ctx, { creatorId: creator.id, fanId: fan.id }, { from: 'fan', text: 'first' });
    await app.owner.pool.query(
      `insert into messages (conversation_id, seq, id, sender_id, client_id, is_from_creator, type, text, created_at)
        select c.id, n, uuidv7(), c.fan_id, uuidv7(), false, 'text', 'line ' || n, now() from conversations c, generate_series(100, 10099) n
        where c.fan_id = $1`,
      [fan.id],
    );
    const { files } = await downloadExport(fan);
    const texts = json(files, 'messages').map(({ text }) => text);
    expect(new Set(texts).size).toBe(10_001);
    expect(texts).toHaveLength(10_001);
  });
});

describe('requesting a data export', () => {
  test('creates one export for concurrent requests, and replaces it after a day', async () => {
    const responses = await Promise.all(Array.from({ length: 5 }, () => requestExport(fan)));
    expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(responses[0]?.json().dataExport).toMatchObject({ state: 'processing', bytes: null });
    await finishExport(fan);
    const first = await getExport(fan);
    expect(first).toMatchObject({ state: 'ready', expiresAt: new Date(NOON.getTime() + 7 * DAY_MS).toISOString() });
    expect((await requestExport(fan)).json().dataExport).toEqual(first);
    expect(await listMailedLinks(app.ctx, fan.email, 'Your data is ready to download')).toHaveLength(1);
    const keys = async () => {
      const files: string[] = [];
      for await (const { key } of app.ctx.storage.list('data_exports')) files.push(key);
      return files;
    };
    const before = (await keys()).length;
    app.clock.advance(DAY_MS + 1);
    expect((await requestExport(fan)).json().dataExport).toMatchObject({ state: 'processing' });
    await finishExport(fan);
    expect(await keys()).toHaveLength(before);
  });

  test('starts again a day after an attempt without result', async () => {
    const requested = (await requestExport(fan)).json().dataExport;
    app.clock.advance(DAY_MS);
    expect((await requestExport(fan)).json().dataExport).toEqual(requested);
    app.clock.advance(1);
    expect((await requestExport(fan)).json().dataExport).toMatchObject({
      state: 'processing',
      requestedAt: app.clock.now().toISOString(),
    });
    await finishExport(fan);
    expect(await getExport(fan)).toMatchObject({ state: 'ready' });
  });

  test('returns no export seven days after it was ready', async () => {
    await requestExport(fan);
    await finishExport(fan);
    await app.ctx.events.waitUntilIdle();
    await app.ctx.jobs.runDue(['reactions.quick']);
    app.clock.advance(7 * DAY_MS);
    expect(await getExport(fan)).toBeNull();
    expect((await open(fan)).statusCode).toBe(404);
    const { id } = (await findExport(app.ctx.db, fan.id)) ?? { id: '' };
    await purgeExpiredExports(app.ctx);
    await app.ctx.jobs.runDue(['dataExport.deleteFile']);
    expect(await app.ctx.storage.open(`data_exports/${id}.zip`)).toBeUndefined();
  });
});

describe('downloading a data export', () => {
  test('needs the password again, and works in this session for 15 minutes', async () => {
    await requestExport(fan);
    await finishExport(fan);
    expect((await file(fan)).statusCode).toBe(403);
    expect((await open(fan, 'Wrong-password-1!')).statusCode).toBe(400);
    expect((await file(fan)).statusCode).toBe(403);
    await open(fan);
    const response = await file(fan);
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="stagedoor-archive-2026-11-18.zip"',
      'cache-control': 'no-store',
      vary: expect.stringMatching(/cookie/i),
    });
    const elsewhere = await app.logIn(fan);
    expect((await file(elsewhere)).statusCode).toBe(403);
    app.clock.advance(15 * 60_000);
    expect((await file(fan)).statusCode).toBe(403);
  });

  test('is refused to other users and without a session', async () => {
    await requestExport(fan);
    await finishExport(fan);
    await open(fan);
    expect((await file(creator)).statusCode).toBe(404);
    expect((await app.inject('GET', '/api/account/data-export/file')).statusCode).toBe(401);
    expect(await getExport(creator)).toBeNull();
  });
});
