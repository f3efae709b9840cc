import { sessionId, userId } from '@stagedoor/contract/atoms/ids.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { createProcesses, freePort } from '../testing/processes.ts';
import { systemClock } from './clock.ts';
import { newId } from './ids.ts';
import { createLogger } from './log.ts';
import { createOpenSockets, type OpenSockets } from './open-sockets.ts';
import { createRedis, type Redis } from './redis.ts';
import type { Actor } from './session.ts';

const processes = createProcesses();
let shared: Redis[];
let nodes: OpenSockets[];
beforeAll(async () => {
  const port = await freePort();
  await processes.startRedis(port);
  const log = createLogger({ level: 'silent', isPretty: false });
  shared = [0, 1].map(() => createRedis(`redis://127.0.0.1:${port}`, log, systemClock));
  for (const redis of shared) await redis.open();
  nodes = shared.map((redis) => createOpenSockets({ ofSession: 3, ofAccount: 5 }, redis));
});
afterAll(async () => {
  for (const node of nodes) node.stop();
  for (const redis of shared) await redis.close();
  await processes.endAll();
});

const someone = (id = newId(systemClock)): Actor => ({
  userId: z.parse(userId, id),
  sessionId: z.parse(sessionId, newId(systemClock)),
  type: 'customer',
  username: 'someone',
  isBlocked: false,
  hasSecondFactor: false,
  loggedInAt: new Date(),
});

async function enter(node: number, actor: Actor): Promise<(() => void) | undefined> {
  const place = nodes[node]?.enter(actor);
  if (place && (await place.hasRoom)) return place.leave;
  place?.leave();
  return undefined;
}

test('open sockets are limited per session and account across processes, and closing one makes room', async () => {
  const one = someone();
  const other = someone(one.userId);
  const leave = await enter(0, one);
  expect(leave).toBeTypeOf('function');
  expect([await enter(1, one), await enter(1, one)]).not.toContain(undefined);
  expect(await enter(0, one)).toBeUndefined();
  expect([await enter(0, other), await enter(1, other)]).not.toContain(undefined);
  expect(await enter(0, other)).toBeUndefined();
  expect(await enter(1, someone())).toBeTypeOf('function');
  leave?.();
  leave?.();
  await vi.waitFor(async () => expect(await enter(1, other)).toBeTypeOf('function'), { timeout: 30_000 });
  expect(await enter(0, other)).toBeUndefined();
});
