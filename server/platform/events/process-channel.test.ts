import { connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { type Database, openDatabase } from '../database/db.ts';
import { createLogger } from '../log.ts';
import { createProcessChannel, type ProcessChannel } from './process-channel.ts';

const soon = { timeout: 30_000, interval: 10 };
const PATIENCE_MS = 1_500;
let database: TestDatabase;
let db: Database;
let channel: ProcessChannel | undefined;
const sockets: Socket[] = [];
/** A proxy. After `freezeConnections`, its connections silently pass nothing on. */
const proxy = createServer((near) => {
  const { host, port } = new pg.Client({ connectionString: database.url });
  const far = connect(path.join(host, `.s.PGSQL.${port}`));
  for (const socket of [near, far]) sockets.push(socket.on('error', () => undefined));
  near.pipe(far).pipe(near);
});
function freezeConnections(): void {
  for (const socket of sockets.splice(0)) {
    socket.unpipe();
    socket.pause();
  }
}

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await channel?.close();
  for (const socket of sockets) socket.destroy();
  proxy.close();
  await db.close();
  await database.drop();
});

test('a listener notices a silently dead connection, reports it and reconnects', async () => {
  const address = proxy.address();
  const { database: name } = new pg.Client({ connectionString: database.url });
  const url = `postgresql://postgres@127.0.0.1:${typeof address === 'object' ? address?.port : ''}/${name}`;
  const log = createLogger({ level: 'silent', isPretty: false });
  channel = createProcessChannel(url, () => db, log, { beatMs: 100, timeoutMs: PATIENCE_MS });
  const listeningChanges: boolean[] = [];
  const receivedKinds: string[] = [];
  await channel.listen({
    receive: ({ kind }) => receivedKinds.push(kind),
    onListening: (isListening) => listeningChanges.push(isListening),
  });
  channel.publish({ kind: 'missed' });
  await expect.poll(() => receivedKinds, soon).toEqual(['missed']);
  await sleep(PATIENCE_MS + 500);
  expect(listeningChanges).toEqual([true]);

  const frozen = sockets.slice();
  freezeConnections();
  channel.publish({ kind: 'wake' });
  await expect.poll(() => listeningChanges, soon).toEqual([true, false, true]);
  expect(receivedKinds).toEqual(['missed']);
  channel.publish({ kind: 'missed' });
  await expect.poll(() => receivedKinds, soon).toEqual(['missed', 'missed']);
  for (const socket of frozen) socket.destroy();
});
