import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../testing/app.ts';
import { makeDeposit } from '../ledger/testing.ts';
import { charge, refundSale } from '../sales/index.ts';
import {
  type Entitlement,
  type Grant,
  grantAccess,
  isFree,
  joinEntitlement,
  revokeAccess,
  rightToNew,
} from './index.ts';

let test: TestApp;
let fanId: string;
let ownerId: string;

beforeAll(async () => {
  test = await createTestApp();
  fanId = (await test.signUp('customer')).id;
  ownerId = (await test.signUp('creator')).id;
  await makeDeposit(test.ctx.db, fanId, 100_000);
});
afterAll(() => test.close());

const ROW = { viewer: '$1::uuid', owner: '$2::uuid', whole: '$4::uuid' };
const ONE = {
  name: 'test-one',
  text: `select e.source from (select 1) x ${joinEntitlement({ ...ROW, subject: '$3::uuid', price: '$5::bigint', standing: '$6' })}`,
};
const MANY = {
  name: 'test-many',
  text: `select e.source from unnest($3::uuid[], $5::bigint[], $6::text[]) as x (id, price, standing)
    ${joinEntitlement({ ...ROW, subject: 'x.id', price: 'x.price', standing: 'x.standing' })}`,
};

const STANDINGS = ['shown', 'withdrawn', 'shut'] as const;
const ALL = [500, 0].flatMap((price) => STANDINGS.map((standing) => ({ price, standing })));

async function rightsTo(viewerId: string | null, subjectId: string): Promise<Entitlement[]> {
  const { db } = test.ctx;
  type Found = { source: Entitlement };
  const alone: Entitlement[] = [];
  for (const { price, standing } of ALL) {
    const rows = await db.run<Found>(ONE, [viewerId, ownerId, subjectId, ownerId, price, standing]);
    expect(rows).toHaveLength(1);
    alone.push(rows[0]?.source ?? null);
  }
  const listed = await db.run<Found>(MANY, [
    viewerId,
    ownerId,
    ALL.map(() => subjectId),
    ownerId,
    ALL.map(({ price }) => price),
    ALL.map(({ standing }) => standing),
  ]);
  expect(listed.map(({ source }) => source)).toEqual(alone);
  return alone;
}

async function buy(subjectId: string): Promise<string> {
  const sale = await test.ctx.db.transaction((tx) =>
    charge(tx, {
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

const give = (subjectId: string, more: Partial<Grant> = {}) =>
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
const take = (subjectId: string, source: Grant['source'] = 'gift') =>
  test.ctx.db.transaction((tx) => revokeAccess(tx, { fanId, subjectId, source, at: test.clock.now() }));
const gone = () => new Date(test.clock.now().getTime() - 60_000);
const later = () => new Date(test.clock.now().getTime() + 3_600_000);

const NOTHING = [null, null, null, 'free', null, null];
const PAID = ['purchase', 'purchase', null, 'free', 'purchase', null];
const GIVEN = ['gift', null, null, 'free', null, null];
const SUBSCRIBED = ['subscription', null, null, 'free', null, null];

it.each<[string, (id: string) => Promise<unknown>, (string | null)[]]>([
  ['nothing', async () => undefined, NOTHING],
  ['a purchase', buy, PAID],
  ['a gift', (id) => give(id), GIVEN],
  ['a gift that will end', (id) => give(id, { until: later() }), GIVEN],
  ['a gift that has ended', (id) => give(id, { until: gone() }), NOTHING],
  ['a gift taken back', (id) => give(id).then(() => take(id)), NOTHING],
  ['a gift of something else', () => give(randomUUID()), NOTHING],
  ['a purchase and a gift taken back', (id) => Promise.all([buy(id), give(id)]).then(() => take(id)), PAID],
  [
    'a gift given again',
    (id) =>
      give(id)
        .then(() => take(id))
        .then(() => give(id)),
    GIVEN,
  ],
  [
    'a purchase given back',
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
  expect(await rightsTo(fanId, subjectId)).toEqual(expected);
  expect(await rightsTo(null, subjectId)).toEqual(NOTHING);
  expect(await rightsTo(randomUUID(), subjectId)).toEqual(NOTHING);
  expect(await rightsTo(ownerId, subjectId)).toEqual(ALL.map(() => 'own'));
});

it('a subscription opens every part while it lasts, and what was bought separately stays bought', async () => {
  const [part, bought] = [randomUUID(), randomUUID()];
  await buy(bought);
  const source = 'subscription';
  await give(ownerId, { source, until: later() });
  expect(await rightsTo(fanId, part)).toEqual(SUBSCRIBED);
  expect(await rightsTo(fanId, bought)).toEqual(PAID);
  await give(ownerId, { source, until: gone() });
  expect(await rightsTo(fanId, part)).toEqual(NOTHING);
  await give(ownerId, { source, until: null });
  expect(await rightsTo(fanId, part)).toEqual(SUBSCRIBED);
  await give(part);
  expect(await rightsTo(fanId, part)).toEqual(GIVEN);
  expect(await take(ownerId, source)).toBe(true);
  expect(await take(ownerId, source)).toBe(false);
  expect(await take(part)).toBe(true);
  expect(await rightsTo(fanId, part)).toEqual(NOTHING);
});

it('the access check is inlined into the calling statement and uses indexes', async () => {
  const plan = await test.ctx.db.run<{ 'QUERY PLAN': string }>(
    {
      name: 'test-plan',
      text: `explain (costs off) select e.source from (values (uuidv7(), 5::bigint), (uuidv7(), 5)) x (id, price)
        ${joinEntitlement({ ...ROW, owner: `'${ownerId}'::uuid`, whole: 'x.id', viewer: `'${fanId}'::uuid`, subject: 'x.id', price: 'x.price', standing: "'shown'" })}`,
    },
    [],
  );
  const text = plan.map((row) => row['QUERY PLAN']).join('\n');
  expect(text).not.toContain('Function Scan');
  expect(text).toContain('sales_owned_pkey');
});

describe('rightToNew', () => {
  it.each<[string, boolean, number, Entitlement]>([
    ['its owner, whatever it costs', true, 500, 'own'],
    ['its owner if it is free', true, 0, 'own'],
    ['everyone if it is free', false, 0, 'free'],
    ['no one else if it has a price', false, 1, null],
  ])('opens new content to %s', (_, isOwn, priceCents, expected) => {
    expect(rightToNew(isOwn, priceCents)).toBe(expected);
    expect(isFree(priceCents)).toBe(priceCents === 0);
  });
});

it('revoking a grant emits entitlement.revoked once, and nothing where there was no grant', async () => {
  const { events } = test.ctx;
  const [subjectId, lastId] = [randomUUID(), randomUUID()];
  const emitted: unknown[] = [];
  events.everywhere(
    'entitlement.revoked',
    'test.revoked',
    ({ payload }) => {
      if (payload.subjectId === subjectId || payload.subjectId === lastId) emitted.push(payload);
    },
    () => undefined,
  );
  await take(subjectId);
  await give(subjectId);
  await take(subjectId);
  await take(subjectId);
  await give(lastId);
  await take(lastId);
  await events.settle();
  await expect
    .poll(() => emitted)
    .toEqual([
      { fanId, subjectId, source: 'gift' },
      { fanId, subjectId: lastId, source: 'gift' },
    ]);
});
