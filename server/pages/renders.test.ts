import { sessionId, userId } from '@stagedoor/contract/atoms/ids.ts';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { testClock } from '../kernel/clock.ts';
import type { Caller } from '../kernel/http.ts';
import { newId } from '../kernel/ids.ts';
import { createLimits } from '../kernel/limits.ts';
import { createRenders, type Refused } from './renders.ts';

function open(rateFactor = 1) {
  const clock = testClock(new Date());
  const limits = createLimits(clock, undefined);
  const renders = createRenders({ limits, config: { rateFactor } as Parameters<typeof createRenders>[0]['config'] });
  const visitor = (ip: string): Caller => ({ ip, actor: undefined });
  const member = (ip = '203.0.113.1', id = newId(clock)): Caller => ({
    ip,
    actor: {
      ...{ userId: z.parse(userId, id), sessionId: z.parse(sessionId, newId(clock)), type: 'customer' },
      ...{ username: 'fan', isBlocked: false, hasSecondFactor: false, loggedInAt: clock.now() },
    },
  });
  const begin = (caller: Caller) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    let refused: Refused | undefined;
    const made = renders
      .within(caller, () => promise)
      .then((answer) => {
        if (typeof answer !== 'string') refused = answer;
      });
    const end = async () => {
      resolve('made');
      await made;
    };
    return { end, refusal: () => Promise.resolve().then(() => refused) };
  };
  const beginMany = async (count: number, caller: (n: number) => Caller) => {
    const begun = Array.from({ length: count }, (_, n) => begin(caller(n)));
    const refusals = await Promise.all(begun.map(({ refusal }) => refusal()));
    return { begun, refused: refusals.filter((one) => one !== undefined) };
  };
  const make = (caller: Caller) => renders.within(caller, async () => 'made');
  return { clock, visitor, member, begin, beginMany, make };
}
const BUSY = { status: 503, retryAfterSeconds: 5 };
const LATE = { status: 429, retryAfterSeconds: 5 };

test('50 pages render at once per network or account, and the next when one is done', async () => {
  const { visitor, member, beginMany, make } = open();
  const { begun, refused } = await beginMany(51, () => visitor('203.0.113.9'));
  expect(refused).toEqual([LATE]);
  expect(await make(member('203.0.113.9'))).toBe('made');
  expect(await make(visitor('203.0.113.10'))).toBe('made');
  await begun[0]?.end();
  expect(await make(visitor('203.0.113.9'))).toBe('made');

  const id = member().actor?.userId ?? '';
  expect((await beginMany(51, (n) => member(`203.0.113.${n}`, id))).refused).toEqual([LATE]);
});

test('anonymous visitors leave a quarter of the capacity to logged-in users', async () => {
  const { visitor, member, begin, beginMany, make } = open();
  const strangers = await beginMany(150, (n) => visitor(`198.51.100.${n % 10}`));
  expect(strangers.refused).toEqual([]);
  expect(await make(visitor('192.0.2.1'))).toEqual(BUSY);
  const members = await beginMany(50, () => member());
  expect(members.refused).toEqual([]);
  expect(await make(member())).toEqual(BUSY);
  await members.begun[0]?.end();
  expect(await make(visitor('192.0.2.1'))).toEqual(BUSY);
  expect(await make(member())).toBe('made');
  await strangers.begun[0]?.end();
  const last = begin(visitor('192.0.2.1'));
  expect(await last.refusal()).toBeUndefined();
});

test('600 pages a minute are permitted, a request counts once, and refusals due to load do not count', async () => {
  const { clock, visitor, beginMany, make } = open();
  const one = visitor('203.0.113.9');
  for (let n = 0; n < 3; n += 1) expect(await make(one)).toBe('made');
  const others = await beginMany(150, (n) => visitor(`198.51.100.${n % 10}`));
  for (let n = 0; n < 10; n += 1) expect(await make(visitor('203.0.113.9'))).toEqual(BUSY);
  for (const { end } of others.begun) await end();
  for (let n = 0; n < 599; n += 1) expect(await make(visitor('203.0.113.9'))).toBe('made');
  expect(await make(visitor('203.0.113.9'))).toEqual({ status: 429, retryAfterSeconds: 60 });
  expect(await make(one)).toBe('made');
  clock.advance(60_000);
  expect(await make(visitor('203.0.113.9'))).toBe('made');
});
