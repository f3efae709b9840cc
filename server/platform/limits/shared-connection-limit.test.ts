import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createProcesses, findFreePort } from '../../testing/processes.ts';
import { systemClock } from '../clock.ts';
import { createLogger } from '../log.ts';
import { createRedis, type Redis } from '../realtime/redis.ts';
import {
  createSharedConnectionLimits,
  type SharedConnectionLimit,
  type SharedConnections,
} from './shared-connection-limit.ts';

const processes = createProcesses();
let shared: Redis[];
let processConnections: SharedConnections[];
beforeAll(async () => {
  const port = await findFreePort();
  await processes.startRedis(port);
  const log = createLogger({ level: 'silent', isPretty: false });
  shared = [0, 1].map(() => createRedis(`redis://127.0.0.1:${port}`, log, systemClock));
  for (const redis of shared) await redis.open();
  processConnections = shared.map(createSharedConnectionLimits);
});
afterAll(async () => {
  for (const node of processConnections) node.stop();
  for (const redis of shared) await redis.close();
  await processes.endAll();
});

const MAX = { session: 3, account: 5 };
let sessions = 0;
const createLimits = (account: string): SharedConnectionLimit[] => {
  sessions += 1;
  return [
    { key: `session:${sessions}`, max: MAX.session },
    { key: `account:${account}`, max: MAX.account },
  ];
};

async function open(node: number, limits: SharedConnectionLimit[]): Promise<(() => void) | undefined> {
  const connection = processConnections[node]?.open(limits);
  if (connection && (await connection.isWithinLimits)) return connection.close;
  connection?.close();
  return undefined;
}

test('limits connections per key across processes until one closes', async () => {
  const one = createLimits('ada');
  const other = createLimits('ada');
  const close = await open(0, one);
  expect(close).toBeTypeOf('function');
  expect([await open(1, one), await open(1, one)]).not.toContain(undefined);
  expect(await open(0, one)).toBeUndefined();
  expect([await open(0, other), await open(1, other)]).not.toContain(undefined);
  expect(await open(0, other)).toBeUndefined();
  expect(await open(1, createLimits('eva'))).toBeTypeOf('function');
  close?.();
  close?.();
  await vi.waitFor(async () => expect(await open(1, other)).toBeTypeOf('function'), { timeout: 30_000 });
  expect(await open(0, other)).toBeUndefined();
});
