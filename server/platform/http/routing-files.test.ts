import { once } from 'node:events';
import { type FileHandle, open } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { fileResponse, route } from '@stagedoor/contract/shared/route.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../testing/app.ts';
import { createBind } from './routing.ts';

const BYTES = 64 * 1024 * 1024;
const streamFile = route({
  method: 'GET',
  path: '/pour',
  summary: 'A file',
  auth: 'public',
  rate: 'read',
  response: fileResponse,
  files: ['text/csv'],
});

let app: TestApp;
let port: number;
let beforeFile: (hasClosed: Promise<unknown>) => Promise<unknown>;
let file: FileHandle | undefined;

beforeAll(async () => {
  app = await createTestApp();
  createBind(
    app.app.http,
    app.ctx,
    new Map(),
  )(streamFile, async ({ reply }) => {
    await beforeFile(once(reply.raw, 'close'));
    file = await open(path.join(app.ctx.config.dataDir, 'poured'), 'w+');
    await file.truncate(BYTES);
    return { name: 'poured.csv', type: 'text/csv', bytes: BYTES, body: file.createReadStream({ start: 0 }) };
  });
  await app.app.http.listen({ port: 0, host: '127.0.0.1' });
  const address = app.app.http.server.address();
  if (typeof address !== 'object' || !address) throw new Error('it does not listen');
  port = address.port;
});
afterAll(() => app.close());

async function openRequest(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write('GET /api/pour HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return socket;
}

test('a file is closed when its client disconnected before it was opened', async () => {
  const handlerCalled = Promise.withResolvers<void>();
  beforeFile = (hasClosed) => {
    handlerCalled.resolve();
    return hasClosed;
  };
  const socket = await openRequest();
  await handlerCalled.promise;
  socket.destroy();
  await expect.poll(() => file?.fd).toBe(-1);
});

test('a file is closed when its client disconnects during the download', async () => {
  beforeFile = async () => undefined;
  const socket = await openRequest();
  await once(socket, 'data');
  expect(file?.fd).toBeGreaterThan(0);
  socket.destroy();
  await expect.poll(() => file?.fd).toBe(-1);
});
