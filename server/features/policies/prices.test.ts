import { randomUUID } from 'node:crypto';
import type { PriceKind, PriceLimit, PriceLimits } from '@stagedoor/contract/atoms/prices.ts';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type App, createApp } from '../../app.ts';
import { createTestApp, type Inject, type TestApp, type TestUser } from '../../testing/app.ts';
import { openTab, writeDirectly } from '../chat/testing.ts';
import { makeFollow } from '../follows/testing.ts';
import { makeDeposit } from '../ledger/testing.ts';
import { makeReadyPicture } from '../media/testing.ts';

const ground = 'As the board decided';
let app: TestApp;
let other: App;
let owner: TestUser;
let creator: TestUser;
let fan: TestUser;
let conversationId: string;
/** These requests go to a second server, which receives no events. */
let elsewhere: (who: TestUser) => Inject;
beforeAll(async () => {
  app = await createTestApp();
  const { config, log } = app.ctx;
  other = await createApp({ config, databaseUrl: app.databaseUrl, log, clock: app.clock, hasPages: false });
  elsewhere =
    ({ cookie }) =>
    (method, url, payload, headers = {}) =>
      other.http.inject({ method, url, ...(payload && { payload }), headers: { cookie, ...headers } });
  [owner, creator, fan] = await Promise.all([app.signUp('operator'), app.signUp('creator'), app.signUp('customer')]);
  await makeDeposit(app.ctx.db, fan.id, 40_000);
  await makeFollow(app.ctx, fan.id, creator.id);
  const pair = { creatorId: creator.id, fanId: fan.id };
  ({ conversationId } = await writeDirectly(app.ctx, pair, { from: 'fan', text: 'Hello' }));
});
afterAll(async () => {
  await other.close();
  await app.close();
});

const limits = async (): Promise<PriceLimits> => (await owner.inject('GET', '/api/admin/price-limits')).json();
let first: PriceLimits | undefined;
async function put(change: Partial<PriceLimits>, by = owner, from?: PriceLimits) {
  const before = from ?? (await limits());
  first ??= before;
  return by.inject('PUT', '/api/admin/price-limits', { from: before, to: { ...before, ...change }, ground });
}
async function set(change: Partial<PriceLimits>) {
  const answer = await put(change);
  expect(answer.statusCode, answer.body).toBe(200);
}
afterEach(async () => {
  if (first) await set(first);
});

const key = () => ({ 'idempotency-key': randomUUID() });
const picture = () => makeReadyPicture(app.ctx, creator.id);
const post = async (price: number) => ({
  caption: 'Dusk',
  price,
  media: [{ id: await picture() }],
  tags: [],
  people: [],
});
const tip = (amount: number, headers = key(), as: Inject = fan.inject) =>
  as('POST', `/api/tip/customer-send/${creator.id}`, { amount, type: 'profile' }, headers);
const CALLS = { isAvailable: true, audioRate: null, shortestMinutes: 1, hours: [], timeZone: 'UTC' };
const rates = (change: object, as: Inject = creator.inject) =>
  as('PUT', '/api/creator/call-settings', { ...CALLS, ...change });

type Try = (as: (who: TestUser) => Inject, price: number) => ReturnType<Inject>;
type Way = { kind: PriceKind; limit: PriceLimit; field: string; words: string; ask: Try };
const amount = { field: 'amount', words: 'Amount must be' };
const paidPost = { kind: 'post', limit: { min: 5, max: 9 }, field: 'price', words: 'A paid post costs' } as const;
const paidMessage = {
  kind: 'chatMedia',
  limit: { min: 5, max: 9 },
  field: 'price',
  words: 'A paid message costs',
} as const;
const WAYS: Readonly<Record<string, Way>> = {
  'a tip': { kind: 'tip', limit: { min: 2, max: 8 }, ...amount, ask: (as, price) => tip(price, key(), as(fan)) },
  'a post': { ...paidPost, ask: async (as, price) => as(creator)('POST', '/api/post', await post(price), key()) },
  'another price of a post': {
    ...paidPost,
    ask: async (as, price) => {
      const made = await creator.inject('POST', '/api/post', await post(7), key());
      const { id, media } = made.json();
      const body = { ...(await post(price)), media: [{ id: media[0].id }] };
      return as(creator)('PATCH', `/api/post/${id}`, body);
    },
  },
  'a draft': { ...paidPost, ask: (as, price) => as(creator)('POST', '/api/creator/drafts', { price }, key()) },
  'an upload’s default': {
    ...paidPost,
    ask: async (as, price) => as(creator)('PATCH', `/api/creator/media/${await picture()}`, { price }),
  },
  'a message': {
    ...paidMessage,
    ask: async (as, price) =>
      as(creator)(
        'POST',
        '/api/message/media',
        { conversationId, text: '', price, mediaIds: [await picture()] },
        key(),
      ),
  },
  'a broadcast': {
    ...paidMessage,
    ask: async (as, price) => {
      const body = { audience: 'followers', text: '', price, mediaIds: [await picture()] };
      return as(creator)('POST', '/api/message/broadcast-media', body, key());
    },
  },
  'a minute of video': {
    ...{ kind: 'callRate', limit: { min: 4, max: 6 }, ...amount, field: 'videoRate' },
    ask: (as, videoRate) => rates({ videoRate }, as(creator)),
  },
  'a minute of voice': {
    ...{ kind: 'callRate', limit: { min: 4, max: 6 }, ...amount, field: 'audioRate' },
    ask: (as, audioRate) => rates({ videoRate: null, audioRate }, as(creator)),
  },
  'a deposit': {
    ...{ kind: 'addFunds', limit: { min: 20, max: 40 }, ...amount },
    ask: (as, price) =>
      as(fan)('POST', '/api/customer/deposite-fund', { paymentProvider: 'ccbill', amount: price }, key()),
  },
};

test.each(Object.entries(WAYS))('the limits of %s apply to the cent and on every server at once', async (_, way) => {
  const { kind, limit, field, words, ask } = way;
  const { min, max } = limit;
  await set({ [kind]: limit });
  for (const as of [elsewhere, ({ inject }: TestUser) => inject]) {
    for (const price of [min, max]) expect((await ask(as, price)).statusCode, String(price)).toBe(200);
    for (const price of [min - 0.01, max + 0.01, ...(as === elsewhere ? [0.4, 1_200] : [])]) {
      const refused = await ask(as, price);
      const message = `${words} between $${min.toFixed(2)} and $${max.toFixed(2)}`;
      expect([refused.statusCode, refused.json().error]).toEqual([400, [{ field, message }]]);
    }
  }
  await set({ [kind]: { min: kind === 'addFunds' ? 5 : 0.5, max: 900 } });
  expect((await ask(elsewhere, kind === 'addFunds' ? 5 : 0.5)).statusCode).toBe(200);
});

test('an existing price stays, can be edited otherwise and can still be bought', async () => {
  const body = await post(4);
  const { id, media } = (await creator.inject('POST', '/api/post', body, key())).json();
  const draft = (await creator.inject('POST', '/api/creator/drafts', { price: 4 }, key())).json();
  const upload = await picture();
  await creator.inject('PATCH', `/api/creator/media/${upload}`, { price: 4 });
  await rates({ videoRate: 3 });
  const message = { conversationId, text: '', price: 4, mediaIds: [await picture()] };
  const clientId = randomUUID();
  const send = () => creator.inject('POST', '/api/message/media', { ...message, clientId });
  const sent = (await send()).json().data;
  const tipped = key();
  const { transactionId } = (await tip(1, tipped)).json();
  await set({
    ...{ tip: { min: 2, max: 3 }, post: { min: 5, max: 6 }, chatMedia: { min: 5, max: 6 } },
    callRate: { min: 5, max: 6 },
  });

  const edit = (change: object) =>
    creator.inject('PATCH', `/api/post/${id}`, { ...body, media: [{ id: media[0].id }], ...change });
  expect((await edit({ caption: 'Later' })).json()).toMatchObject({ caption: 'Later', price: 4 });
  expect((await edit({ price: 4.01 })).statusCode).toBe(400);
  const rewrite = (price: number) =>
    creator.inject('PUT', `/api/creator/drafts/${draft.id}`, { version: draft.version, caption: 'Later', price });
  expect((await rewrite(4.01)).statusCode).toBe(400);
  expect((await rewrite(4)).json()).toMatchObject({ caption: 'Later', price: 4 });
  const named = await creator.inject('PATCH', `/api/creator/media/${upload}`, { title: 'Dusk', price: 4 });
  expect(named.json()).toMatchObject({ title: 'Dusk', price: 4 });
  expect((await rates({ videoRate: 3, shortestMinutes: 2 })).json()).toMatchObject({
    videoRate: 3,
    shortestMinutes: 2,
  });
  expect((await creator.inject('PUT', '/api/creator/call-availability', { isAvailable: true })).statusCode).toBe(200);
  expect((await send()).json().data.id).toBe(sent.id);
  expect((await tip(1, tipped)).json().transactionId).toBe(transactionId);
  expect((await tip(1)).statusCode).toBe(400);

  expect((await fan.inject('POST', `/api/post/unlock/${id}`, { price: 4 }, key())).statusCode).toBe(200);
  expect((await fan.inject('POST', `/api/message/purchase-chat-media/${sent.id}`, {}, key())).statusCode).toBe(200);
});

test('a draft is published only within the limits in force, and the refusal names them', async () => {
  const { media } = await post(4);
  const draft = (await creator.inject('POST', '/api/creator/drafts', { price: 4, media }, key())).json();
  await set({ post: { min: 5, max: 6 } });
  const publish = () =>
    creator.inject('POST', `/api/creator/drafts/${draft.id}/publish`, { version: draft.version }, key());
  expect((await publish()).json().error).toEqual([
    { field: 'price', message: 'A paid post costs between $5.00 and $6.00' },
  ]);
  await set({ post: { min: 4, max: 6 } });
  expect((await publish()).json()).toMatchObject({ price: 4 });
});

test('only owners set limits, invalid ones are refused, and each change is logged with operator and reason', async () => {
  const refusal = async (change: Partial<PriceLimits>) => (await put(change)).json().error?.[0];
  expect(await refusal({ tip: { min: 5, max: 4 } })).toEqual({
    field: 'to.tip.max',
    message: 'Maximum is below minimum, $5.00.',
  });
  expect((await refusal({ post: { min: 0, max: 4 } })).field).toBe('to.post.min');
  expect((await refusal({ callRate: { min: 1, max: 1_000.01 } })).field).toBe('to.callRate.max');
  expect((await refusal({ addFunds: { min: 10, max: 901 } })).field).toBe('to.addFunds.max');
  expect((await refusal({ addFunds: { min: 10.5, max: 900 } })).field).toBe('to.addFunds.min');
  await set({ tip: { min: 2, max: 80 }, addFunds: { min: 15, max: 900 } });
  const finance = await app.signUp('operator', { roles: ['finance'] });
  expect((await finance.inject('GET', '/api/admin/price-limits')).json()).toMatchObject({ tip: { min: 2, max: 80 } });
  expect((await put({ tip: { min: 1, max: 80 } }, finance, await limits())).statusCode).toBe(403);
  const { data } = (await finance.inject('GET', '/api/admin/fee-changes?of=prices')).json();
  expect(data[0]).toMatchObject({ act: 'settings.prices', operator: { username: owner.username } });
  expect(data[0].facts).toEqual({
    ...{ ground, tipMin: 2, tipMinBefore: 1, tipMax: 80, tipMaxBefore: 200 },
    ...{ addFundsMin: 15, addFundsMinBefore: 10 },
  });
  const count = data.length;
  await set({});
  expect((await finance.inject('GET', '/api/admin/fee-changes?of=prices')).json().data).toHaveLength(count);
});

test('the second of two concurrent changes is refused, and tips at that moment follow one of the limits', async () => {
  const from = await limits();
  const [one, two, ...tips] = await Promise.all([
    put({ tip: { min: 3, max: 9 } }, owner, from),
    put({ tip: { min: 4, max: 8 } }, owner, from),
    ...Array.from({ length: 10 }, () => tip(2)),
  ]);
  expect([one.statusCode, two.statusCode].sort()).toEqual([200, 409]);
  for (const each of tips)
    if (each.statusCode !== 200)
      expect(each.json().error[0].message).toMatch(/^Amount must be between \$(?:3\.00 and \$9|4\.00 and \$8)\.00$/);
  const { min } = (await limits()).tip;
  expect((await tip(min - 0.01)).statusCode).toBe(400);
  expect((await tip(min)).statusCode).toBe(200);
});

test('the site status lists changed limits only, and the public terms and texts follow', async () => {
  const house = async (as: Inject = fan.inject) => (await as('GET', '/api/house')).json();
  expect(await house()).toEqual({});
  await app.app.start();
  const { port } = new URL(await app.app.http.listen({ port: 0, host: '127.0.0.1' }));
  await app.ctx.events.settle();
  const tab = await openTab(Number(port), fan.cookie);
  await set({ tip: { min: 2, max: 150 }, addFunds: { min: 25, max: 800 } });
  await app.ctx.events.settle();
  const prices = { tip: { min: 2, max: 150 }, addFunds: { min: 25, max: 800 } };
  expect(await house()).toEqual({ prices });
  await expect.poll(() => tab.of('HOUSE_CHANGED').length).toBeGreaterThan(0);
  tab.close();
  const inThreeSeconds = performance.now() + 3_000;
  vi.spyOn(performance, 'now').mockReturnValue(inThreeSeconds);
  expect(await house(elsewhere(fan))).toEqual({ prices });
  expect((await app.inject('GET', '/api/public/terms')).json()).toMatchObject({ house: true, prices });
  expect((await app.inject('GET', '/api/public/policies/terms-of-service')).body).toContain(
    'between $25.00 and $800.00 at once',
  );
});

test('an amount below the lowest price may stay in a wallet that is closed', async () => {
  const leaving = await app.signUp('customer');
  await makeDeposit(app.ctx.db, leaving.id, 150);
  const hindrances = async () => (await leaving.inject('GET', '/api/account/closing')).body;
  expect(await hindrances()).toContain('You have $1.50 in your wallet');
  await set({ tip: { min: 2, max: 200 }, callRate: { min: 2, max: 50 } });
  expect(await hindrances()).not.toContain('$1.50');
});
