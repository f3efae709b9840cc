import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { chargeFan, refundSale } from '../../commerce/sales/index.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';
import {
  type AccessGrant,
  type Entitlement,
  getInitialEntitlement,
  grantAccess,
  isFree,
  joinEntitlement,
  revokeAccess,
} from './index.ts';

let test: TestApp;
let fanId: string;
let ownerId: string;

beforeAll(async () => {
  test = await createTestApp();
  fanId = (await test.signUp('customer')).id;
  ownerId = (await test.signUp('creator')).id;
  await createDeposit(test.ctx.db, fanId, 100_000);
});
afterAll(() => test.close());

const ROW = { viewer: '$1::uuid', owner: '$2::uuid', container: '$4::uuid' };
const ONE = {
  name: 'test-one',
  text: `select e.source from (select 1) x ${joinEntitlement({ ...ROW, subject: '$3::uuid', price: '$5::bigint', access: '$6' })}`,
};
const MANY = {
  name: 'test-many',
  text: `select e.source from unnest($3::uuid[], $5::bigint[], $6::text[]) as x (id, price, access)
    ${joinEntitlement({ ...ROW, subject: 'x.id', price: 'x.price', access: 'x.access' })}`,
};

const ACCESS_LEVELS = ['shown', 'withdrawn', 'ownerOnly'] as const;
const ALL = [500, 0].flatMap((price) => ACCESS_LEVELS.map((access) => ({ price, access })));

async function listRights(viewerId: string | null, subjectId: string): Promise<Entitlement[]> {
  const { db } = test.ctx;
  type RightRow = { source: Entitlement };
  const alone: Entitlement[] = [];
  for (const { price, access } of ALL) {
    const rows = await db.run<RightRow>(ONE, [viewerId, ownerId, subjectId, ownerId, price, access]);
    expect(rows).toHaveLength(1);
    alone.push(rows[0]?.source ?? null);
  }
  const listed = await db.run<RightRow>(MANY, [
    viewerId,
    ownerId,
    ALL.map(() => subjectId),
    ownerId,
    ALL.map(({ price }) => price),
    ALL.map(({ access }) => access),
  ]);
  expect(listed.map(({ source }) => source)).toEqual(alone);
  return alone;
}

async function buy(subjectId: string): Promise<string> {
  const sale = await test.ctx.db.transaction((tx) =>
    chargeFan(tx, {
      kind: 'post',
      fanId,
      creatorId: ownerId,
      grossCents: 500,
      operationId: randomUUID(),
      subjectId,
      at: test.clock.now(),
    }),
  );
  return sale.transactionId;
}

const grant = (subjectId: string, more: Partial<AccessGrant> = {}) =>
  test.ctx.db.transaction((tx) =>
    grantAccess(tx, {
      fanId,
      subjectId,
      source: 'gift',
      grantedBy: ownerId,
      until: null,
      at: test.clock.now(),
      ...more,
    }),
  );
const revoke = (subjectId: string, source: AccessGrant['source'] = 'gift') =>
  test.ctx.db.transaction((tx) => revokeAccess(tx, { fanId, subjectId, source, at: test.clock.now() }));
const getPast = () => new Date(test.clock.now().getTime() - 60_000);
const getFuture = () => new Date(test.clock.now().getTime() + 3_600_000);

const NOTHING = [null, null, null, 'free', null, null];
const PAID = ['purchase', 'purchase', null, 'free', 'purchase', null];
const EXPECTED_BY_GIFT = ['gift', null, null, 'free', null, null];
const SUBSCRIBED = ['subscription', null, null, 'free', null, null];

it.each<[string, (id: string) => Promise<unknown>, (string | null)[]]>([
  ['nothing', async () => undefined, NOTHING],
  ['a purchase', buy, PAID],
  ['a gift', (id) => grant(id), EXPECTED_BY_GIFT],
  ['a gift that will end', (id) => grant(id, { until: getFuture() }), EXPECTED_BY_GIFT],
  ['a gift that has ended', (id) => grant(id, { until: getPast() }), NOTHING],
  ['a revoked gift', (id) => grant(id).then(() => revoke(id)), NOTHING],
  ['a gift of something else', () => grant(randomUUID()), NOTHING],
  ['a purchase and a revoked gift', (id) => Promise.all([buy(id), grant(id)]).then(() => revoke(id)), PAID],
  [
    'a gift given again',
    (id) =>
      grant(id)
        .then(() => revoke(id))
        .then(() => grant(id)),
    EXPECTED_BY_GIFT,
  ],
  [
    'a refunded purchase',
    async (id) => {
      const saleId = await buy(id);
      const operation = { actorId: fanId, operationId: randomUUID(), at: test.clock.now() };
      await test.ctx.db.transaction((tx) => refundSale(tx, { saleId, ...operation }));
    },
    NOTHING,
  ],
])('access of a viewer with %s', async (_, prepare, expected) => {
  const subjectId = randomUUID();
  await prepare(subjectId);
  expect(await listRights(fanId, subjectId)).toEqual(expected);
  expect(await listRights(null, subjectId)).toEqual(NOTHING);
  expect(await listRights(randomUUID(), subjectId)).toEqual(NOTHING);
  expect(await listRights(ownerId, subjectId)).toEqual(ALL.map(() => 'own'));
});

it('a subscription opens every part while it lasts, and what was bought separately stays bought', async () => {
  const [part, bought] = [randomUUID(), randomUUID()];
  await buy(bought);
  const source = 'subscription';
  await grant(ownerId, { source, until: getFuture() });
  expect(await listRights(fanId, part)).toEqual(SUBSCRIBED);
  expect(await listRights(fanId, bought)).toEqual(PAID);
  await grant(ownerId, { source, until: getPast() });
  expect(await listRights(fanId, part)).toEqual(NOTHING);
  await grant(ownerId, { source, until: null });
  expect(await listRights(fanId, part)).toEqual(SUBSCRIBED);
  await grant(part);
  expect(await listRights(fanId, part)).toEqual(EXPECTED_BY_GIFT);
  expect(await revoke(ownerId, source)).toBe(true);
  expect(await revoke(ownerId, source)).toBe(false);
  expect(await revoke(part)).toBe(true);
  expect(await listRights(fanId, part)).toEqual(NOTHING);
});

it('the access check is inlined into the calling statement and uses indexes', async () => {
  const plan = await test.ctx.db.run<{ 'QUERY PLAN': string }>(
    {
      name: 'test-plan',
      text: `explain (costs off) select e.source from (values (uuidv7(), 5::bigint), (uuidv7(), 5)) x (id, price)
        ${joinEntitlement({ ...ROW, owner: `'${ownerId}'::uuid`, container: 'x.id', viewer: `'${fanId}'::uuid`, subject: 'x.id', price: 'x.price', access: "'shown'" })}`,
    },
    [],
  );
  const text = plan.map((row) => row['QUERY PLAN']).join('\n');
  expect(text).not.toContain('Function Scan');
  expect(text).toContain('owned_purchases_pkey');
});

describe('getInitialEntitlement', () => {
  it.each<[string, boolean, number, Entitlement]>([
    ['its owner, whatever it costs', true, 500, 'own'],
    ['its owner if it is free', true, 0, 'own'],
    ['everyone if it is free', false, 0, 'free'],
    ['no one else if it has a price', false, 1, null],
  ])('opens new content to %s', (_, isOwn, priceCents, expected) => {
    expect(getInitialEntitlement(isOwn, priceCents)).toBe(expected);
    expect(isFree(priceCents)).toBe(priceCents === 0);
  });
});

it('revoking a grant emits entitlement.revoked once, and nothing where there was no grant', async () => {
  const { events } = test.ctx;
  const [subjectId, lastId] = [randomUUID(), randomUUID()];
  const emitted: unknown[] = [];
  events.addLocalHandler(
    'entitlement.revoked',
    'test.revoked',
    ({ payload }) => {
      if (payload.subjectId === subjectId || payload.subjectId === lastId) emitted.push(payload);
    },
    () => undefined,
  );
  await revoke(subjectId);
  await grant(subjectId);
  await revoke(subjectId);
  await revoke(subjectId);
  await grant(lastId);
  await revoke(lastId);
  await events.waitUntilIdle();
  await expect
    .poll(() => emitted)
    .toEqual([
      { fanId, subjectId, source: 'gift' },
      { fanId, subjectId: lastId, source: 'gift' },
    ]);
});
