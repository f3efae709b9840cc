import { randomUUID } from 'node:crypto';
import type { AdminAnnouncement } from '@stagedoor/contract/admin/announcements.ts';
import { ANNOUNCEMENTS_MAX } from '@stagedoor/contract/admin/announcements.ts';
import type { SiteStatus } from '@stagedoor/contract/commerce/site-status.ts';
import { addDismissed, DISMISSED_COOKIE, isDismissed } from '@stagedoor/contract/shared/dismissed-announcements.ts';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type App, createApp } from '../../../app.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';

const HOUR_MS = 60 * 60_000;
let app: TestApp;
let other: App;
let owner: TestUser;
let fan: TestUser;
let creator: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  const { config, log } = app.ctx;
  // This server was never started, so it receives no events.
  other = await createApp({ config, databaseUrl: app.databaseUrl, log, clock: app.clock, hasPages: false });
  [owner, fan, creator] = await Promise.all([app.signUp('operator'), app.signUp('customer'), app.signUp('creator')]);
});
afterAll(async () => {
  await other.close();
  await app.close();
});

const inHours = (hours: number) => new Date(app.clock.now().getTime() + hours * HOUR_MS).toISOString();
const ANNOUNCEMENT = {
  ...{ title: 'We move house', text: 'On Sunday from noon.', level: 'info', audience: 'everyone' },
  ...{ isDismissable: true, from: null },
};
const postAnnouncement = (change: object = {}, by = owner, key: string = randomUUID()) =>
  by.inject(
    'POST',
    '/api/admin/announcements',
    { ...ANNOUNCEMENT, until: inHours(1), ...change },
    { 'idempotency-key': key },
  );
async function createAnnouncement(change: object = {}): Promise<AdminAnnouncement> {
  const response = await postAnnouncement(change);
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
}
const end = (id: string, by = owner) => by.inject('POST', `/api/admin/announcements/${id}/end`);
const list = async (): Promise<AdminAnnouncement[]> =>
  (await owner.inject('GET', '/api/admin/announcements?limit=50')).json().data;
const getSiteStatus = async (user: TestUser): Promise<SiteStatus> =>
  (await user.inject('GET', '/api/site-status')).json();
const listTitles = async (user: TestUser) =>
  ((await getSiteStatus(user)).announcements ?? []).map(({ title }) => title);
afterEach(async () => {
  for (const { id, state } of await list()) if (state !== 'over') await end(id);
});

test('an announcement reaches its audience only, and visitors see none', async () => {
  await createAnnouncement({ title: 'To all' });
  await createAnnouncement({ title: 'To fans', audience: 'fans' });
  await createAnnouncement({ title: 'To creators', audience: 'creators', level: 'important' });
  expect(await listTitles(fan)).toEqual(['To fans', 'To all']);
  expect(await listTitles(creator)).toEqual(['To creators', 'To all']);
  expect(await listTitles(owner)).toEqual(['To all']);
  expect((await app.inject('GET', '/api/site-status')).statusCode).toBe(401);
});

test('an announcement starts and ends by itself, and clients learn the time of the next change', async () => {
  const [from, until] = [inHours(1), inHours(2)];
  await createAnnouncement({ from, until });
  expect(await getSiteStatus(fan)).toEqual({ changesAt: from });
  app.clock.advance(HOUR_MS);
  expect(await getSiteStatus(fan)).toMatchObject({ announcements: [{ title: ANNOUNCEMENT.title }], changesAt: until });
  app.clock.advance(HOUR_MS);
  expect(await getSiteStatus(fan)).toEqual({});
  expect((await list())[0]).toMatchObject({ state: 'over', endedAt: null });
});

test('a server without events shows and removes an announcement within three seconds', async () => {
  const realNow = performance.now.bind(performance);
  let skewMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => realNow() + skewMs);
  const countShown = async () => {
    const response = await other.http.inject({ url: '/api/site-status', headers: { cookie: fan.cookie } });
    return (response.json().announcements ?? []).length;
  };
  expect(await countShown()).toBe(0);
  const { id } = await createAnnouncement();
  skewMs += 3_000;
  expect(await countShown()).toBe(1);
  await end(id);
  skewMs += 3_000;
  expect(await countShown()).toBe(0);
});

test('a closed announcement stays closed for this account on this device, unless it cannot be closed', async () => {
  const { id } = await createAnnouncement();
  const permanent = await createAnnouncement({ title: 'Firm', isDismissable: false });
  const dismissedCookie = addDismissed(addDismissed(undefined, fan.id, id), fan.id, permanent.id);
  const readTitles = async ({ cookie }: TestUser) => {
    const response = await app.app.http.inject({
      url: '/api/site-status',
      headers: { cookie: `${cookie}; ${DISMISSED_COOKIE}=${dismissedCookie}` },
    });
    return response.json().announcements.map(({ title }: { title: string }) => title);
  };
  expect(await readTitles(fan)).toEqual(['Firm']);
  expect(await readTitles(creator)).toEqual(['Firm', ANNOUNCEMENT.title]);
  expect(await listTitles(fan)).toEqual(['Firm', ANNOUNCEMENT.title]);
});

test('the cookie retains the latest closed announcements and ignores malformed content', () => {
  const ids = Array.from({ length: 40 }, () => randomUUID());
  const cookie = ids.reduce<string | undefined>((previous, id) => addDismissed(previous, fan.id, id), '<script>.x');
  expect(cookie?.length).toBeLessThan(800);
  expect(ids.map((id) => isDismissed(cookie, fan.id, id))).toEqual(ids.map((_, index) => index >= 10));
});

test('writing and ending are logged with the text, and repeating a request creates no second announcement', async () => {
  const key = randomUUID();
  const first = await postAnnouncement({ title: 'Once' }, owner, key);
  expect((await postAnnouncement({ title: 'Twice' }, owner, key)).statusCode).toBe(409);
  const { id, until } = first.json();
  const repeated = await owner.inject(
    'POST',
    '/api/admin/announcements',
    { ...ANNOUNCEMENT, title: 'Once', until },
    { 'idempotency-key': key },
  );
  expect(repeated.json().id).toBe(id);
  expect((await end(id)).json()).toMatchObject({ state: 'over', endedAt: app.clock.now().toISOString() });
  expect((await end(id)).statusCode).toBe(409);
  const { data } = (await owner.inject('GET', `/api/admin/audit?action=announcement&subjectId=${id}`)).json();
  expect(data).toMatchObject([
    { action: 'announcement.end', details: { title: 'Once' } },
    { action: 'announcement.write', details: { title: 'Once', text: ANNOUNCEMENT.text, audience: 'everyone', until } },
  ]);
  expect((await list()).filter(({ title }) => title === 'Once')).toHaveLength(1);
});

test('only owners write announcements, all operators read them, and invalid ones are refused', async () => {
  for (const role of ['moderator', 'finance', 'support', 'auditor'] as const) {
    const user = await app.signUp('operator', { roles: [role] });
    expect((await user.inject('GET', '/api/admin/announcements')).statusCode).toBe(200);
    expect((await postAnnouncement({}, user)).statusCode).toBe(403);
    expect((await end(randomUUID(), user)).statusCode).toBe(403);
  }
  expect((await fan.inject('GET', '/api/admin/announcements')).statusCode).toBe(403);
  expect((await end(randomUUID())).statusCode).toBe(404);
  const wrong = [
    { title: ' ' },
    { title: 'x'.repeat(81) },
    { text: 'x'.repeat(501) },
    { audience: 'visitors' },
    { level: 'urgent' },
    { until: inHours(-1) },
    { from: inHours(-1) },
    { from: inHours(2), until: inHours(2) },
    { until: inHours(91 * 24) },
    { until: 'tomorrow' },
  ];
  for (const change of wrong) expect((await postAnnouncement(change)).statusCode, JSON.stringify(change)).toBe(400);
  expect((await postAnnouncement({ from: inHours(24), until: inHours(91 * 24) })).statusCode).toBe(200);
});

test('the number of simultaneous announcements is limited, also for concurrent requests', async () => {
  const requests = Array.from({ length: ANNOUNCEMENTS_MAX + 3 }, () => postAnnouncement());
  const statuses = (await Promise.all(requests)).map(({ statusCode }) => statusCode).sort();
  expect(statuses.filter((status) => status === 200)).toHaveLength(ANNOUNCEMENTS_MAX);
  expect(statuses.filter((status) => status === 409)).toHaveLength(3);
});
