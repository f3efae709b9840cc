import { randomUUID } from 'node:crypto';
import type { PriceKind, PriceLimit, PriceLimits } from '@stagedoor/contract/shared/prices.ts';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type App, createApp } from '../../../app.ts';
import { createTestApp, type Inject, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createFollow } from '../../content/follows/testing.ts';
import { makeReadyPicture } from '../../content/media/testing.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';
import { openTab, seedMessage } from '../../messaging/chat/testing.ts';

const reason = 'As the board decided';
let app: TestApp;
let other: App;
let owner: TestUser;
let creator: TestUser;
let fan: TestUser;
let conversationId: string;
/** These requests go to a second server, which receives no events. */
let injectElsewhere: (user: TestUser) => Inject;
beforeAll(async () => {
  app = await createTestApp();
  const { config, log } = app.ctx;
  other = await createApp({ config, databaseUrl: app.databaseUrl, log, clock: app.clock, hasPages: false });
  injectElsewhere =
    ({ cookie }) =>
    (method, url, payload, headers = {}) =>
      other.http.inject({ method, url, ...(payload && { payload }), headers: { cookie, ...headers } });
  [owner, creator, fan] = await Promise.all([app.signUp('operator'), app.signUp('creator'), app.signUp('customer')]);
  await createDeposit(app.ctx.db, fan.id, 40_000);
  await createFollow(app.ctx, fan.id, creator.id);
  const pair = { creatorId: creator.id, fanId: fan.id };
  ({ conversationId } = await seedMessage(app.ctx, pair, { from: 'fan', text: 'Hello' }));
});
afterAll(async () => {
  await other.close();
  await app.close();
});

const getLimits = async (): Promise<PriceLimits> => (await owner.inject('GET', '/api/admin/price-limits')).json();
let first: PriceLimits | undefined;
async function putLimits(change: Partial<PriceLimits>, by = owner, from?: PriceLimits) {
  const before = from ?? (await getLimits());
  first ??= before;
  return by.inject('PUT', '/api/admin/price-limits', { from: before, to: { ...before, ...change }, reason });
}
async function setLimits(change: Partial<PriceLimits>) {
  const response = await putLimits(change);
  expect(response.statusCode, response.body).toBe(200);
}
afterEach(async () => {
  if (first) await setLimits(first);
});

const createKey = () => ({ 'idempotency-key': randomUUID() });
const createPicture = () => makeReadyPicture(app.ctx, creator.id);
const createPostBody = async (price: number) => ({
  caption: 'Dusk',
  price,
  media: [{ id: await createPicture() }],
  tags: [],
  people: [],
});
const sendTip = (amount: number, headers = createKey(), as: Inject = fan.inject) =>
  as('POST', `/api/tip/customer-send/${creator.id}`, { amount, type: 'profile' }, headers);
const CALL_SETTINGS = { isAvailable: true, audioRate: null, minMinutes: 1, hours: [], timeZone: 'UTC' };
const setRates = (change: object, as: Inject = creator.inject) =>
  as('PUT', '/api/creator/call-settings', { ...CALL_SETTINGS, ...change });

type PriceRequest = (as: (user: TestUser) => Inject, price: number) => ReturnType<Inject>;
type PriceCase = { kind: PriceKind; limit: PriceLimit; field: string; label: string; request: PriceRequest };
const amount = { field: 'amount', label: 'Amount must be' };
const paidPost = { kind: 'post', limit: { min: 5, max: 9 }, field: 'price', label: 'A paid post costs' } as const;
const paidMessage = {
  kind: 'chatMedia',
  limit: { min: 5, max: 9 },
  field: 'price',
  label: 'A paid message costs',
} as const;
const PRICE_CASES: Readonly<Record<string, PriceCase>> = {
  'a tip': {
    kind: 'tip',
    limit: { min: 2, max: 8 },
    ...amount,
    request: (as, price) => sendTip(price, createKey(), as(fan)),
  },
  'a post': {
    ...paidPost,
    request: async (as, price) => as(creator)('POST', '/api/post', await createPostBody(price), createKey()),
  },
  'another price of a post': {
    ...paidPost,
    request: async (as, price) => {
      const createdPost = await creator.inject('POST', '/api/post', await createPostBody(7), createKey());
      const { id, media } = createdPost.json();
      const body = { ...(await createPostBody(price)), media: [{ id: media[0].id }] };
      return as(creator)('PATCH', `/api/post/${id}`, body);
    },
  },
  'a draft': {
    ...paidPost,
    request: (as, price) => as(creator)('POST', '/api/creator/drafts', { price }, createKey()),
  },
  'an upload’s default': {
    ...paidPost,
    request: async (as, price) => as(creator)('PATCH', `/api/creator/media/${await createPicture()}`, { price }),
  },
  'a message': {
    ...paidMessage,
    request: async (as, price) =>
      as(creator)(
        'POST',
        '/api/message/media',
        { conversationId, text: '', price, mediaIds: [await createPicture()] },
        createKey(),
      ),
  },
  'a broadcast': {
    ...paidMessage,
    request: async (as, price) => {
      const body = { audience: 'followers', text: '', price, mediaIds: [await createPicture()] };
      return as(creator)('POST', '/api/message/broadcast-media', body, createKey());
    },
  },
  'a minute of video': {
    ...{ kind: 'callRate', limit: { min: 4, max: 6 }, ...amount, field: 'videoRate' },
    request: (as, videoRate) => setRates({ videoRate }, as(creator)),
  },
  'a minute of voice': {
    ...{ kind: 'callRate', limit: { min: 4, max: 6 }, ...amount, field: 'audioRate' },
    request: (as, audioRate) => setRates({ videoRate: null, audioRate }, as(creator)),
  },
  'a deposit': {
    ...{ kind: 'addFunds', limit: { min: 20, max: 40 }, ...amount },
    request: (as, price) =>
      as(fan)('POST', '/api/customer/deposite-fund', { paymentProvider: 'ccbill', amount: price }, createKey()),
  },
};

test.each(Object.entries(PRICE_CASES))(
  'the limits of %s apply to the cent and on every server at once',
  async (_, priceCase) => {
    const { kind, limit, field, label, request } = priceCase;
    const { min, max } = limit;
    await setLimits({ [kind]: limit });
    for (const as of [injectElsewhere, ({ inject }: TestUser) => inject]) {
      for (const price of [min, max]) expect((await request(as, price)).statusCode, String(price)).toBe(200);
      for (const price of [min - 0.01, max + 0.01, ...(as === injectElsewhere ? [0.4, 1_200] : [])]) {
        const refused = await request(as, price);
        const message = `${label} between $${min.toFixed(2)} and $${max.toFixed(2)}`;
        expect([refused.statusCode, refused.json().error]).toEqual([400, [{ field, message }]]);
      }
    }
    await setLimits({ [kind]: { min: kind === 'addFunds' ? 5 : 0.5, max: 900 } });
    expect((await request(injectElsewhere, kind === 'addFunds' ? 5 : 0.5)).statusCode).toBe(200);
  },
);

test('an existing price stays, can be edited otherwise and can still be bought', async () => {
  const body = await createPostBody(4);
  const { id, media } = (await creator.inject('POST', '/api/post', body, createKey())).json();
  const draft = (await creator.inject('POST', '/api/creator/drafts', { price: 4 }, createKey())).json();
  const upload = await createPicture();
  await creator.inject('PATCH', `/api/creator/media/${upload}`, { price: 4 });
  await setRates({ videoRate: 3 });
  const message = { conversationId, text: '', price: 4, mediaIds: [await createPicture()] };
  const clientId = randomUUID();
  const send = () => creator.inject('POST', '/api/message/media', { ...message, clientId });
  const sent = (await send()).json().data;
  const tipKey = createKey();
  const { transactionId } = (await sendTip(1, tipKey)).json();
  await setLimits({
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
  const titled = await creator.inject('PATCH', `/api/creator/media/${upload}`, { title: 'Dusk', price: 4 });
  expect(titled.json()).toMatchObject({ title: 'Dusk', price: 4 });
  expect((await setRates({ videoRate: 3, minMinutes: 2 })).json()).toMatchObject({
    videoRate: 3,
    minMinutes: 2,
  });
  expect((await creator.inject('PUT', '/api/creator/call-availability', { isAvailable: true })).statusCode).toBe(200);
  expect((await send()).json().data.id).toBe(sent.id);
  expect((await sendTip(1, tipKey)).json().transactionId).toBe(transactionId);
  expect((await sendTip(1)).statusCode).toBe(400);

  expect((await fan.inject('POST', `/api/post/unlock/${id}`, { price: 4 }, createKey())).statusCode).toBe(200);
  expect((await fan.inject('POST', `/api/message/purchase-chat-media/${sent.id}`, {}, createKey())).statusCode).toBe(
    200,
  );
});

test('a draft is published only within the limits in force, and the refusal names them', async () => {
  const { media } = await createPostBody(4);
  const draft = (await creator.inject('POST', '/api/creator/drafts', { price: 4, media }, createKey())).json();
  await setLimits({ post: { min: 5, max: 6 } });
  const publish = () =>
    creator.inject('POST', `/api/creator/drafts/${draft.id}/publish`, { version: draft.version }, createKey());
  expect((await publish()).json().error).toEqual([
    { field: 'price', message: 'A paid post costs between $5.00 and $6.00' },
  ]);
  await setLimits({ post: { min: 4, max: 6 } });
  expect((await publish()).json()).toMatchObject({ price: 4 });
});

test('only owners set limits, invalid ones are refused, and each change is logged with operator and reason', async () => {
  const readRefusal = async (change: Partial<PriceLimits>) => (await putLimits(change)).json().error?.[0];
  expect(await readRefusal({ tip: { min: 5, max: 4 } })).toEqual({
    field: 'to.tip.max',
    message: 'Maximum is below minimum, $5.00.',
  });
  expect((await readRefusal({ post: { min: 0, max: 4 } })).field).toBe('to.post.min');
  expect((await readRefusal({ callRate: { min: 1, max: 1_000.01 } })).field).toBe('to.callRate.max');
  expect((await readRefusal({ addFunds: { min: 10, max: 901 } })).field).toBe('to.addFunds.max');
  expect((await readRefusal({ addFunds: { min: 10.5, max: 900 } })).field).toBe('to.addFunds.min');
  await setLimits({ tip: { min: 2, max: 80 }, addFunds: { min: 15, max: 900 } });
  const finance = await app.signUp('operator', { roles: ['finance'] });
  expect((await finance.inject('GET', '/api/admin/price-limits')).json()).toMatchObject({ tip: { min: 2, max: 80 } });
  expect((await putLimits({ tip: { min: 1, max: 80 } }, finance, await getLimits())).statusCode).toBe(403);
  const { data } = (await finance.inject('GET', '/api/admin/fee-changes?group=prices')).json();
  expect(data[0]).toMatchObject({ action: 'settings.prices', operator: { username: owner.username } });
  expect(data[0].details).toEqual({
    ...{ reason, tipMin: 2, tipMinBefore: 1, tipMax: 80, tipMaxBefore: 200 },
    ...{ addFundsMin: 15, addFundsMinBefore: 10 },
  });
  const count = data.length;
  await setLimits({});
  expect((await finance.inject('GET', '/api/admin/fee-changes?group=prices')).json().data).toHaveLength(count);
});

test('the second of two concurrent changes is refused, and tips at that moment follow one of the limits', async () => {
  const from = await getLimits();
  const [firstResponse, secondResponse, ...tips] = await Promise.all([
    putLimits({ tip: { min: 3, max: 9 } }, owner, from),
    putLimits({ tip: { min: 4, max: 8 } }, owner, from),
    ...Array.from({ length: 10 }, () => sendTip(2)),
  ]);
  expect([firstResponse.statusCode, secondResponse.statusCode].sort()).toEqual([200, 409]);
  for (const tipResponse of tips)
    if (tipResponse.statusCode !== 200)
      expect(tipResponse.json().error[0].message).toMatch(
        /^Amount must be between \$(?:3\.00 and \$9|4\.00 and \$8)\.00$/,
      );
  const { min } = (await getLimits()).tip;
  expect((await sendTip(min - 0.01)).statusCode).toBe(400);
  expect((await sendTip(min)).statusCode).toBe(200);
});

test('the site status lists changed limits only, and the public terms and texts follow', async () => {
  const getSiteStatus = async (as: Inject = fan.inject) => (await as('GET', '/api/site-status')).json();
  expect(await getSiteStatus()).toEqual({});
  await app.app.start();
  const { port } = new URL(await app.app.http.listen({ port: 0, host: '127.0.0.1' }));
  await app.ctx.events.waitUntilIdle();
  const tab = await openTab(Number(port), fan.cookie);
  await setLimits({ tip: { min: 2, max: 150 }, addFunds: { min: 25, max: 800 } });
  await app.ctx.events.waitUntilIdle();
  const prices = { tip: { min: 2, max: 150 }, addFunds: { min: 25, max: 800 } };
  expect(await getSiteStatus()).toEqual({ prices });
  await expect.poll(() => tab.listPayloads('SITE_STATUS_CHANGED').length).toBeGreaterThan(0);
  tab.close();
  const inThreeSeconds = performance.now() + 3_000;
  vi.spyOn(performance, 'now').mockReturnValue(inThreeSeconds);
  expect(await getSiteStatus(injectElsewhere(fan))).toEqual({ prices });
  expect((await app.inject('GET', '/api/public/terms')).json()).toMatchObject({ dependsOnSettings: true, prices });
  expect((await app.inject('GET', '/api/public/policies/terms-of-service')).body).toContain(
    'between $25.00 and $800.00 at once',
  );
});

test('an amount below the lowest price may stay in a wallet that is closed', async () => {
  const leavingFan = await app.signUp('customer');
  await createDeposit(app.ctx.db, leavingFan.id, 150);
  const getObstacles = async () => (await leavingFan.inject('GET', '/api/account/deletion')).body;
  expect(await getObstacles()).toContain('You have $1.50 in your wallet');
  await setLimits({ tip: { min: 2, max: 200 }, callRate: { min: 2, max: 50 } });
  expect(await getObstacles()).not.toContain('$1.50');
});
