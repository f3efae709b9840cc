import { connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { type Database, openDatabase } from './db.ts';
import { createLogger } from './log.ts';
import { createProcessChannel, type ProcessChannel } from './process-channel.ts';

const soon = { timeout: 30_000, interval: 10 };
const PATIENCE_MS = 1_500;
let database: TestDatabase;
let db: Database;
let channel: ProcessChannel | undefined;
const sockets: Socket[] = [];
/** A proxy. After `forget`, its connections silently pass nothing on. */
const between = createServer((near) => {
  const { host, port } = new pg.Client({ connectionString: database.url });
  const far = connect(path.join(host, `.s.PGSQL.${port}`));
  for (const socket of [near, far]) sockets.push(socket.on('error', () => undefined));
  near.pipe(far).pipe(near);
});
function forget(): void {
  for (const socket of sockets.splice(0)) {
    socket.unpipe();
    socket.pause();
  }
}

beforeAll(async () => {
  database = await testDatabase();
  db = openDatabase(database.url);
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await channel?.close();
  for (const socket of sockets) socket.destroy();
  between.close();
  await db.close();
  await database.drop();
});

test('a listener notices a silently dead connection, reports it and reconnects', async () => {
  const address = between.address();
  const { database: name } = new pg.Client({ connectionString: database.url });
  const url = `postgresql://postgres@127.0.0.1:${typeof address === 'object' ? address?.port : ''}/${name}`;
  const log = createLogger({ level: 'silent', isPretty: false });
  channel = createProcessChannel(url, () => db, log, { beatMs: 100, patienceMs: PATIENCE_MS });
  const hearing: boolean[] = [];
  const heard: string[] = [];
  await channel.listen({ hear: ({ kind }) => heard.push(kind), onHearing: (isHearing) => hearing.push(isHearing) });
  channel.publish({ kind: 'missed' });
  await expect.poll(() => heard, soon).toEqual(['missed']);
  await sleep(PATIENCE_MS + 500);
  expect(hearing).toEqual([true]);

  const forgotten = sockets.slice();
  forget();
  channel.publish({ kind: 'wake' });
  await expect.poll(() => hearing, soon).toEqual([true, false, true]);
  expect(heard).toEqual(['missed']);
  channel.publish({ kind: 'missed' });
  await expect.poll(() => heard, soon).toEqual(['missed', 'missed']);
  for (const socket of forgotten) socket.destroy();
});
