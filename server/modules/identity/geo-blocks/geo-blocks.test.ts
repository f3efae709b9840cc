import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { makeVerified } from '../../compliance/verification/testing.ts';
import { makeReadyPicture, publishPost } from '../../content/media/testing.ts';
import { makePost } from '../../content/posts/testing.ts';
import { getFrameAncestors } from '../../content/profiles/index.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';

/** These addresses belong to Deutsche Telekom and Apple in the database that is shipped. */
const GERMANY = '84.128.1.1';
const GERMANY_6 = '2003:d5::1';
const AMERICA = '17.0.0.1';

let app: TestApp;
let creator: TestUser;
let fan: TestUser;
let free: string;
let paid: string;
let picture: string;

beforeAll(async () => {
  app = await createTestApp({ env: { TRUST_PROXY: '127.0.0.1' } });
  [creator, fan] = await Promise.all([app.signUp('creator'), app.signUp('customer')]);
  picture = await makeReadyPicture(app.ctx, creator.id, { hasFiles: true });
  free = await publishPost(creator, [picture]);
  paid = await publishPost(creator, [await makeReadyPicture(app.ctx, creator.id, { hasFiles: true })], { price: 5 });
  await createDeposit(app.ctx.db, fan.id, 50_000);
  await app.ctx.events.waitUntilIdle();
});
afterAll(() => app.close());
beforeEach(() => hide([]));

const fromAddress = (address: string) => ({ 'x-forwarded-for': address });
async function hide(codes: string[]) {
  const response = await creator.inject('PUT', '/api/creator/geo-blocks', { codes });
  expect(response.statusCode).toBe(200);
  return response.json();
}
const get = async (client: Pick<TestUser, 'inject'>, url: string, address: string) =>
  (await client.inject('GET', url, undefined, fromAddress(address))).statusCode;

const listPublicUrls = () => [
  `/api/public/profile/${creator.id}`,
  `/api/public/profile/${creator.username}`,
  `/api/post/${free}`,
  `/api/post/${paid}`,
  `/api/public/posts/${creator.id}`,
  `/api/public/tip-goal/${creator.id}`,
  `/api/public/call-terms/${creator.id}`,
  `/media/public/m/${picture}/640.webp`,
  `/media/public/p/${picture}/preview.webp`,
  `/post/${free}.jpg`,
  `/@${creator.username}`,
];

test('every public address of a hidden creator fails in the region and is unchanged elsewhere', async () => {
  const urls = listPublicUrls();
  const statuses = await Promise.all(urls.map((url) => get(app, url, AMERICA)));
  await hide(['DE']);
  // The IPv4 address as an IPv6 address carries it: mapped, 6to4 and NAT64.
  const embeddedAddresses = [`::ffff:${GERMANY}`, '::ffff:5480:101', '2002:5480:101::1', '64:ff9b::5480:101'];
  for (const address of [GERMANY, GERMANY_6, ...embeddedAddresses])
    expect(await Promise.all(urls.map((url) => get(app, url, address)))).toEqual(
      urls.map((url) => (url.startsWith('/@') ? 302 : 404)),
    );
  expect(await Promise.all(urls.map((url) => get(app, url, AMERICA)))).toEqual(statuses);
  expect(statuses.filter((status) => status < 400).length).toBe(urls.length);
});

test('the response equals that of an unknown id', async () => {
  await hide(['DE']);
  const hidden = await app.inject('GET', `/api/public/profile/${creator.id}`, undefined, fromAddress(GERMANY));
  const unknown = await app.inject('GET', `/api/public/profile/${randomUUID()}`, undefined, fromAddress(GERMANY));
  expect(hidden.json()).toEqual(unknown.json());
});

test('hidden creators are missing from search, discovery, the feed and the following list', async () => {
  await fan.inject('POST', `/api/customer/follow/${creator.id}`, { isFollowed: true });
  await app.ctx.events.waitUntilIdle();
  await makeVerified(app.ctx, creator.id);
  app.clock.advance(61_000);
  const candidates = (await (await app.signUp('operator')).inject('GET', '/api/admin/new-creator-slots')).json();
  expect(candidates.data).toMatchObject([{ id: creator.id, slot: expect.any(Number) }]);
  const lists = [
    '/api/public/creators',
    `/api/public/creators?search=${creator.username}`,
    '/api/public/creators?sort=new',
    '/api/feed',
    '/api/customer/following-list',
  ];
  const includesCreator = async (url: string, address: string) => {
    const response = await fan.inject('GET', url, undefined, fromAddress(address));
    expect([url, response.statusCode]).toEqual([url, 200]);
    return response.body.includes(creator.id);
  };
  await hide(['DE']);
  for (const url of lists) {
    expect([url, await includesCreator(url, AMERICA)]).toEqual([url, true]);
    expect([url, await includesCreator(url, GERMANY)]).toEqual([url, false]);
  }
});

test('hidden creators are not named in posts of others, and other tagged users stay', async () => {
  const [host, other] = [await app.signUp('creator'), await app.signUp('creator')];
  const id = await makePost(app.ctx, host.id, { people: [creator.id, other.id] });
  await hide(['DE']);
  const listTaggedIds = async (address: string) => {
    const response = await app.inject('GET', `/api/post/${id}`, undefined, fromAddress(address));
    return response.json().people.map((one: { id: string }) => one.id);
  };
  expect(await listTaggedIds(AMERICA)).toEqual([creator.id, other.id]);
  expect(await listTaggedIds(GERMANY)).toEqual([other.id]);
});

test('an unknown location sees everything', async () => {
  await hide(['DE', 'AU', 'JP']);
  for (const address of ['127.0.0.1', '192.168.1.1', '10.0.0.1', '::1', '2001:db8::1', '203.0.113.5'])
    expect(await get(app, `/api/public/profile/${creator.id}`, address)).toBe(200);
});

test('creators are never hidden from themselves', async () => {
  await hide(['DE']);
  for (const url of listPublicUrls().filter((url) => url.startsWith('/api/')))
    expect([url, await get(creator, url, GERMANY)]).toEqual([url, 200]);
});

test('following, tipping, unlocking and writing to a hidden creator return 404', async () => {
  await hide(['DE']);
  const attempts: [string, object][] = [
    [`/api/customer/follow/${creator.id}`, { isFollowed: true }],
    [`/api/tip/customer-send/${creator.id}`, { amount: 5, type: 'profile' }],
    [`/api/post/unlock/${paid}`, { price: 5 }],
    ['/api/message/text', { receiverId: creator.id, text: 'Hello' }],
  ];
  for (const [url, body] of attempts) {
    const response = await fan.inject('POST', url, body, { ...fromAddress(GERMANY), 'idempotency-key': randomUUID() });
    expect([url, response.statusCode]).toEqual([url, 404]);
  }
});

test('a hidden creator can be neither blocked nor unfollowed by a stranger, but a follower can unfollow', async () => {
  const [stranger, follower] = await Promise.all([app.signUp('customer'), app.signUp('customer')]);
  await follower.inject('POST', `/api/customer/follow/${creator.id}`, { isFollowed: true });
  await hide(['DE']);
  const blocked = await stranger.inject(
    'POST',
    `/api/message/block-unblock-creator/${creator.id}`,
    { isBlocked: true },
    fromAddress(GERMANY),
  );
  expect(blocked.statusCode).toBe(404);
  expect((await stranger.inject('GET', '/api/message/blocked', undefined, fromAddress(GERMANY))).json().data).toEqual(
    [],
  );
  const unfollow = async (client: TestUser) =>
    (await client.inject('POST', `/api/customer/follow/${creator.id}`, { isFollowed: false }, fromAddress(GERMANY)))
      .statusCode;
  expect(await unfollow(stranger)).toBe(404);
  expect(await unfollow(follower)).toBe(200);
  expect(await unfollow(follower)).toBe(404);
});

test('a buyer can open purchases in a hidden region', async () => {
  const buyer = await app.signUp('customer');
  await createDeposit(app.ctx.db, buyer.id, 5_000);
  const medium = await makeReadyPicture(app.ctx, creator.id, { hasFiles: true });
  const post = await publishPost(creator, [medium], { price: 5 });
  const bought = await buyer.inject(
    'POST',
    `/api/post/unlock/${post}`,
    { price: 5 },
    { 'idempotency-key': randomUUID() },
  );
  expect(bought.statusCode).toBe(200);
  await hide(['DE']);
  const response = await buyer.inject('GET', `/api/post/${post}`, undefined, fromAddress(GERMANY));
  expect([response.statusCode, response.json().isUnlocked]).toEqual([200, true]);
  const file = `/api/asset/private/post/m/${medium}/640.webp`;
  expect(await get(buyer, file, GERMANY)).toBe(200);
  expect(await get(fan, file, GERMANY)).toBe(404);
  expect(await get(buyer, `/api/public/profile/${creator.id}`, GERMANY)).toBe(404);
});

test('refusals are counted once per request, without data about the visitor', async () => {
  await hide(['DE']);
  const before = (await creator.inject('GET', '/api/creator/geo-blocks')).json().blocked[0].blockedRequests;
  for (const address of [GERMANY, GERMANY_6]) await get(app, `/api/public/profile/${creator.id}`, address);
  await get(app, `/api/public/profile/${creator.id}`, AMERICA);
  const { blocked } = (await creator.inject('GET', '/api/creator/geo-blocks')).json();
  expect(blocked).toEqual([{ code: 'DE', name: 'Germany', blockedRequests: before + 2 }]);
  const storedHits = await app.owner.run({ name: 'test-refusals', text: 'select * from geo_block_hits' }, []);
  expect(JSON.stringify(storedHits)).not.toContain(GERMANY);
  const rows = await app.ctx.db.query.selectFrom('geo_block_hits').selectAll().execute();
  expect(Object.keys(rows[0] ?? {}).sort()).toEqual(['code', 'count', 'creator_id', 'day']);
});

test('the preview of a region follows the rules in force', async () => {
  const checkRegion = async (code: string) => (await creator.inject('GET', `/api/creator/geo-blocks/${code}`)).json();
  expect(await checkRegion('DE')).toEqual({ code: 'DE', name: 'Germany', isVisible: true });
  await hide(['DE']);
  expect(await checkRegion('DE')).toMatchObject({ isVisible: false });
  expect(await checkRegion('US')).toMatchObject({ isVisible: true });
  expect((await creator.inject('GET', '/api/creator/geo-blocks/XX')).statusCode).toBe(404);
});

test('invalid regions are refused, and so are states while only countries can be distinguished', async () => {
  for (const codes of [['XX'], ['US-TX'], ['de'], [''], Array.from({ length: 401 }, () => 'DE')])
    expect((await creator.inject('PUT', '/api/creator/geo-blocks', { codes })).statusCode).toBe(400);
  expect((await hide(['DE', 'DE'])).blocked).toHaveLength(1);
  expect((await fan.inject('GET', '/api/creator/geo-blocks')).statusCode).toBe(403);
});

test('embeds, referral links and counts do not reveal a hidden creator', async () => {
  await fan.inject('POST', `/api/customer/follow/${creator.id}`, { isFollowed: true });
  await creator.inject('PUT', '/api/creator/embeds', { allowed: 'named', origins: ['https://blog.example'] });
  const { code } = (await creator.inject('GET', '/api/affiliate/code')).json();
  const framers = (url: string, ip: string) =>
    app.ctx.geo.runWith(app.ctx.geo.findContext({ ip }, undefined), () => getFrameAncestors(app.ctx, url));
  const frames = [creator.id, creator.username].map((id) => `/embed/profile/${id}`).concat(`/embed/post/${free}`);
  const following = async (address: string) =>
    (await fan.inject('GET', '/api/customer/following-counts', undefined, fromAddress(address))).json().following;
  await hide(['DE']);
  for (const url of frames) {
    expect([url, await framers(url, GERMANY)]).toEqual([url, '*']);
    expect([url, await framers(url, AMERICA)]).toEqual([url, 'https://blog.example']);
  }
  expect(await get(app, `/api/affiliate/invitation/${code}`, GERMANY)).toBe(404);
  expect(await get(app, `/api/affiliate/invitation/${code}`, AMERICA)).toBe(200);
  expect([await following(GERMANY), await following(AMERICA)]).toEqual([0, 1]);
  await creator.inject('PUT', '/api/creator/embeds', { allowed: 'any', origins: [] });
});

test('saving the same regions again emits no event', async () => {
  await hide(['DE', 'FR']);
  await app.ctx.events.waitUntilIdle();
  let changeCount = 0;
  app.ctx.events.addLocalHandler(
    'geoBlocks.changed',
    'test.count',
    () => {
      changeCount += 1;
    },
    () => undefined,
  );
  await hide(['FR', 'DE', 'FR']);
  await app.ctx.events.waitUntilIdle();
  expect(changeCount).toBe(0);
  await hide(['DE']);
  await app.ctx.events.waitUntilIdle();
  expect(changeCount).toBe(1);
});
