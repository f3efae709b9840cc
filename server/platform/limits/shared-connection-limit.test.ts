import { sessionId, userId } from '@stagedoor/contract/shared/ids.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { createProcesses, findFreePort } from '../../testing/processes.ts';
import { systemClock } from '../clock.ts';
import { createId } from '../ids.ts';
import { createLogger } from '../log.ts';
import type { Actor } from '../security/session.ts';
import { createOpenSockets, type OpenSockets } from './shared-connection-limit.ts';
import { createRedis, type Redis } from '../realtime/redis.ts';

const processes = createProcesses();
let shared: Redis[];
let processesSockets: OpenSockets[];
beforeAll(async () => {
  const port = await findFreePort();
  await processes.startRedis(port);
  const log = createLogger({ level: 'silent', isPretty: false });
  shared = [0, 1].map(() => createRedis(`redis://127.0.0.1:${port}`, log, systemClock));
  for (const redis of shared) await redis.open();
  processesSockets = shared.map((redis) => createOpenSockets({ perSession: 3, perAccount: 5 }, redis));
});
afterAll(async () => {
  for (const node of processesSockets) node.stop();
  for (const redis of shared) await redis.close();
  await processes.endAll();
});

const createActor = (id = createId(systemClock)): Actor => ({
  userId: z.parse(userId, id),
  sessionId: z.parse(sessionId, createId(systemClock)),
  type: 'customer',
  username: 'someone',
  isBlocked: false,
  hasSecondFactor: false,
  loggedInAt: new Date(),
});

async function openSocket(node: number, actor: Actor): Promise<(() => void) | undefined> {
  const socket = processesSockets[node]?.addSocket(actor);
  if (socket && (await socket.isWithinLimits)) return socket.removeSocket;
  socket?.removeSocket();
  return undefined;
}

test('open sockets are limited per session and account across processes, and closing one makes room', async () => {
  const one = createActor();
  const other = createActor(one.userId);
  const leave = await openSocket(0, one);
  expect(leave).toBeTypeOf('function');
  expect([await openSocket(1, one), await openSocket(1, one)]).not.toContain(undefined);
  expect(await openSocket(0, one)).toBeUndefined();
  expect([await openSocket(0, other), await openSocket(1, other)]).not.toContain(undefined);
  expect(await openSocket(0, other)).toBeUndefined();
  expect(await openSocket(1, createActor())).toBeTypeOf('function');
  leave?.();
  leave?.();
  await vi.waitFor(async () => expect(await openSocket(1, other)).toBeTypeOf('function'), { timeout: 30_000 });
  expect(await openSocket(0, other)).toBeUndefined();
});
