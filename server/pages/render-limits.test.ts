import { sessionId, userId } from '@stagedoor/contract/shared/ids.ts';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createTestClock } from '../platform/clock.ts';
import type { RequestCaller } from '../platform/http/http.ts';
import { createId } from '../platform/ids.ts';
import { createRateLimits } from '../platform/limits/rate-limit.ts';
import { createRenderLimits, type RefusedRender } from './render-limits.ts';

function open(rateFactor = 1) {
  const clock = createTestClock(new Date());
  const limits = createRateLimits(clock, undefined, rateFactor);
  const renderLimits = createRenderLimits({
    limits,
    config: { rateFactor } as Parameters<typeof createRenderLimits>[0]['config'],
  });
  const visitor = (ip: string): RequestCaller => ({ ip, actor: undefined });
  const member = (ip = '203.0.113.1', id = createId(clock)): RequestCaller => ({
    ip,
    actor: {
      ...{ userId: z.parse(userId, id), sessionId: z.parse(sessionId, createId(clock)), type: 'customer' },
      ...{ username: 'fan', isBlocked: false, hasSecondFactor: false, loggedInAt: clock.now() },
    },
  });
  const startRender = (caller: RequestCaller) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    let refused: RefusedRender | undefined;
    const made = renderLimits
      .runWithin(caller, () => promise)
      .then((answer) => {
        if (typeof answer !== 'string') refused = answer;
      });
    const end = async () => {
      resolve('made');
      await made;
    };
    return { end, refusal: () => Promise.resolve().then(() => refused) };
  };
  const startRenders = async (count: number, caller: (n: number) => RequestCaller) => {
    const started = Array.from({ length: count }, (_, n) => startRender(caller(n)));
    const refusals = await Promise.all(started.map(({ refusal }) => refusal()));
    return { started, refused: refusals.filter((one) => one !== undefined) };
  };
  const make = (caller: RequestCaller) => renderLimits.runWithin(caller, async () => 'made');
  return { clock, visitor, member, startRender, startRenders, make };
}
const BUSY = { status: 503, retryAfterSeconds: 5 };
const TOO_MANY = { status: 429, retryAfterSeconds: 5 };

test('50 pages render at once per network or account, and the next when one is done', async () => {
  const { visitor, member, startRenders, make } = open();
  const { started, refused } = await startRenders(51, () => visitor('203.0.113.9'));
  expect(refused).toEqual([TOO_MANY]);
  expect(await make(member('203.0.113.9'))).toBe('made');
  expect(await make(visitor('203.0.113.10'))).toBe('made');
  await started[0]?.end();
  expect(await make(visitor('203.0.113.9'))).toBe('made');

  const id = member().actor?.userId ?? '';
  expect((await startRenders(51, (n) => member(`203.0.113.${n}`, id))).refused).toEqual([TOO_MANY]);
});

test('anonymous visitors leave a quarter of the capacity to logged-in users', async () => {
  const { visitor, member, startRender, startRenders, make } = open();
  const anonymous = await startRenders(150, (n) => visitor(`198.51.100.${n % 10}`));
  expect(anonymous.refused).toEqual([]);
  expect(await make(visitor('192.0.2.1'))).toEqual(BUSY);
  const members = await startRenders(50, () => member());
  expect(members.refused).toEqual([]);
  expect(await make(member())).toEqual(BUSY);
  await members.started[0]?.end();
  expect(await make(visitor('192.0.2.1'))).toEqual(BUSY);
  expect(await make(member())).toBe('made');
  await anonymous.started[0]?.end();
  const last = startRender(visitor('192.0.2.1'));
  expect(await last.refusal()).toBeUndefined();
});

test('600 pages a minute are permitted, a request counts once, and refusals due to load do not count', async () => {
  const { clock, visitor, startRenders, make } = open();
  const one = visitor('203.0.113.9');
  for (let n = 0; n < 3; n += 1) expect(await make(one)).toBe('made');
  const others = await startRenders(150, (n) => visitor(`198.51.100.${n % 10}`));
  for (let n = 0; n < 10; n += 1) expect(await make(visitor('203.0.113.9'))).toEqual(BUSY);
  for (const { end } of others.started) await end();
  for (let n = 0; n < 599; n += 1) expect(await make(visitor('203.0.113.9'))).toBe('made');
  expect(await make(visitor('203.0.113.9'))).toEqual({ status: 429, retryAfterSeconds: 60 });
  expect(await make(one)).toBe('made');
  clock.advance(60_000);
  expect(await make(visitor('203.0.113.9'))).toBe('made');
});
