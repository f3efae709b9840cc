import { randomUUID } from 'node:crypto';
import type { DeskAnnouncement } from '@stagedoor/contract/announcements-desk.ts';
import { ANNOUNCEMENTS_AT_ONCE } from '@stagedoor/contract/announcements-desk.ts';
import { CLOSED_COOKIE, hasClosed, withClosed } from '@stagedoor/contract/atoms/closed-notices.ts';
import type { HouseNow } from '@stagedoor/contract/house.ts';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type App, createApp } from '../../app.ts';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';

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
const WORDS = {
  ...{ title: 'We move house', text: 'On Sunday from noon.', level: 'info', audience: 'everybody' },
  ...{ isDismissable: true, from: null },
};
const ask = (part: object = {}, by = owner, key: string = randomUUID()) =>
  by.inject('POST', '/api/admin/announcements', { ...WORDS, until: inHours(1), ...part }, { 'idempotency-key': key });
async function say(part: object = {}): Promise<DeskAnnouncement> {
  const answer = await ask(part);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}
const end = (id: string, by = owner) => by.inject('POST', `/api/admin/announcements/${id}/end`);
const list = async (): Promise<DeskAnnouncement[]> =>
  (await owner.inject('GET', '/api/admin/announcements?limit=50')).json().data;
const house = async (who: TestUser): Promise<HouseNow> => (await who.inject('GET', '/api/house')).json();
const titles = async (who: TestUser) => ((await house(who)).announcements ?? []).map(({ title }) => title);
afterEach(async () => {
  for (const { id, state } of await list()) if (state !== 'over') await end(id);
});

test('an announcement reaches its audience only, and visitors see none', async () => {
  await say({ title: 'To all' });
  await say({ title: 'To fans', audience: 'fans' });
  await say({ title: 'To creators', audience: 'creators', level: 'important' });
  expect(await titles(fan)).toEqual(['To fans', 'To all']);
  expect(await titles(creator)).toEqual(['To creators', 'To all']);
  expect(await titles(owner)).toEqual(['To all']);
  expect((await app.inject('GET', '/api/house')).statusCode).toBe(401);
});

test('an announcement starts and ends by itself, and clients learn the time of the next change', async () => {
  const [from, until] = [inHours(1), inHours(2)];
  await say({ from, until });
  expect(await house(fan)).toEqual({ changesAt: from });
  app.clock.advance(HOUR_MS);
  expect(await house(fan)).toMatchObject({ announcements: [{ title: WORDS.title }], changesAt: until });
  app.clock.advance(HOUR_MS);
  expect(await house(fan)).toEqual({});
  expect((await list())[0]).toMatchObject({ state: 'over', endedAt: null });
});

test('a server without events shows and removes an announcement within three seconds', async () => {
  const realNow = performance.now.bind(performance);
  let skewMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => realNow() + skewMs);
  const said = async () => {
    const answer = await other.http.inject({ url: '/api/house', headers: { cookie: fan.cookie } });
    return (answer.json().announcements ?? []).length;
  };
  expect(await said()).toBe(0);
  const { id } = await say();
  skewMs += 3_000;
  expect(await said()).toBe(1);
  await end(id);
  skewMs += 3_000;
  expect(await said()).toBe(0);
});

test('a closed announcement stays closed for this account on this device, unless it cannot be closed', async () => {
  const { id } = await say();
  const firm = await say({ title: 'Firm', isDismissable: false });
  const closed = withClosed(withClosed(undefined, fan.id, id), fan.id, firm.id);
  const titlesOf = async ({ cookie }: TestUser) => {
    const answer = await app.app.http.inject({
      url: '/api/house',
      headers: { cookie: `${cookie}; ${CLOSED_COOKIE}=${closed}` },
    });
    return answer.json().announcements.map(({ title }: { title: string }) => title);
  };
  expect(await titlesOf(fan)).toEqual(['Firm']);
  expect(await titlesOf(creator)).toEqual(['Firm', WORDS.title]);
  expect(await titles(fan)).toEqual(['Firm', WORDS.title]);
});

test('the cookie retains the latest closed announcements and ignores malformed content', () => {
  const ids = Array.from({ length: 40 }, () => randomUUID());
  const cookie = ids.reduce<string | undefined>((kept, id) => withClosed(kept, fan.id, id), '<script>.x');
  expect(cookie?.length).toBeLessThan(800);
  expect(ids.map((id) => hasClosed(cookie, fan.id, id))).toEqual(ids.map((_, place) => place >= 10));
});

test('writing and ending are logged with the text, and repeating a request creates no second announcement', async () => {
  const key = randomUUID();
  const first = await ask({ title: 'Once' }, owner, key);
  expect((await ask({ title: 'Twice' }, owner, key)).statusCode).toBe(409);
  const { id, until } = first.json();
  const again = await owner.inject(
    'POST',
    '/api/admin/announcements',
    { ...WORDS, title: 'Once', until },
    { 'idempotency-key': key },
  );
  expect(again.json().id).toBe(id);
  expect((await end(id)).json()).toMatchObject({ state: 'over', endedAt: app.clock.now().toISOString() });
  expect((await end(id)).statusCode).toBe(409);
  const { data } = (await owner.inject('GET', `/api/admin/audit?act=announcement&subjectId=${id}`)).json();
  expect(data).toMatchObject([
    { act: 'announcement.end', facts: { title: 'Once' } },
    { act: 'announcement.write', facts: { title: 'Once', text: WORDS.text, audience: 'everybody', until } },
  ]);
  expect((await list()).filter(({ title }) => title === 'Once')).toHaveLength(1);
});

test('only owners write announcements, all operators read them, and invalid ones are refused', async () => {
  for (const role of ['moderator', 'finance', 'support', 'auditor'] as const) {
    const who = await app.signUp('operator', { roles: [role] });
    expect((await who.inject('GET', '/api/admin/announcements')).statusCode).toBe(200);
    expect((await ask({}, who)).statusCode).toBe(403);
    expect((await end(randomUUID(), who)).statusCode).toBe(403);
  }
  expect((await fan.inject('GET', '/api/admin/announcements')).statusCode).toBe(403);
  expect((await end(randomUUID())).statusCode).toBe(404);
  const wrong = [
    { title: ' ' },
    { title: 'x'.repeat(81) },
    { text: 'x'.repeat(501) },
    { title: 'Turned \u202e round' },
    { audience: 'visitors' },
    { level: 'urgent' },
    { until: inHours(-1) },
    { from: inHours(-1) },
    { from: inHours(2), until: inHours(2) },
    { until: inHours(91 * 24) },
    { until: 'tomorrow' },
  ];
  for (const part of wrong) expect((await ask(part)).statusCode, JSON.stringify(part)).toBe(400);
  expect((await ask({ from: inHours(24), until: inHours(91 * 24) })).statusCode).toBe(200);
});

test('the number of simultaneous announcements is limited, also for concurrent requests', async () => {
  const many = Array.from({ length: ANNOUNCEMENTS_AT_ONCE + 3 }, () => ask());
  const answers = (await Promise.all(many)).map(({ statusCode }) => statusCode).sort();
  expect(answers.filter((status) => status === 200)).toHaveLength(ANNOUNCEMENTS_AT_ONCE);
  expect(answers.filter((status) => status === 409)).toHaveLength(3);
});
