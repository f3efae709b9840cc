import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { type ClientRequest, request as open } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import fastify from 'fastify';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readConfig } from '../config.ts';
import { withFormLimit } from './multipart-limits.ts';

let close: () => Promise<void>;
let port: number;
let forms: string;

beforeEach(async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'forms-'));
  forms = path.join(dataDir, 'forms');
  const config = readConfig({ DATA_DIR: dataDir });
  const app = fastify({ bodyLimit: 1024 ** 3 });
  app.decorateRequest('actor', undefined);
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
  app.setErrorHandler((error, _request, reply) =>
    reply.code(503).send(error instanceof AppError ? error.message : String(error)),
  );
  app.post('/', (request, reply) => {
    const network = String(request.headers['x-network']);
    Object.defineProperty(request, 'ip', { value: network });
    return withFormLimit({ config }, request, async (createPath) => {
      await pipeline(request.raw, createWriteStream(createPath()));
      return reply.send('read');
    });
  });
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
  close = async () => {
    app.server.closeAllConnections();
    await app.close();
    await rm(dataDir, { recursive: true, force: true });
  };
});

afterEach(async () => {
  vi.useRealTimers();
  await close();
});

type Upload = { request: ClientRequest; answer: Promise<string> };

function startUpload(network: string): Upload {
  const request = open({ port, host: '127.0.0.1', method: 'POST', agent: false, headers: { 'x-network': network } });
  const answer = new Promise<string>((resolve) => {
    request.once('response', (response) => {
      response.resume();
      resolve(String(response.statusCode));
    });
    request.once('error', () => resolve('cut'));
  });
  request.setHeader('content-type', 'application/octet-stream');
  request.write('a');
  return { request, answer };
}

const expectStoredForms = async (count: number) =>
  expect.poll(async () => (await readdir(forms).catch(() => [])).length, { timeout: 30_000 }).toBe(count);

async function readLargestSize(): Promise<number> {
  const names = await readdir(forms);
  const sizes = await Promise.all(names.map(async (name) => (await stat(path.join(forms, name))).size));
  return Math.max(0, ...sizes);
}

it('three forms of a caller are read at once, a fourth is refused, and another caller is unaffected', async () => {
  const own = ['one', 'one', 'one'].map(startUpload);
  await expectStoredForms(3);
  expect(await startUpload('one').answer).toBe('503');
  const other = startUpload('two');
  other.request.end('b');
  expect(await other.answer).toBe('200');

  own[0]?.request.end('b');
  expect(await own[0]?.answer).toBe('200');
  const next = startUpload('one');
  next.request.end('b');
  expect(await next.answer).toBe('200');
  await expectStoredForms(2);
});

it('256 forms are read in total, and the next one when one has ended or disconnected', async () => {
  const uploads = Array.from({ length: 256 }, (_, n) => startUpload(`network ${n}`));
  await expectStoredForms(256);
  expect(await startUpload('late').answer).toBe('503');

  uploads[0]?.request.end('b');
  uploads[1]?.request.destroy();
  await expectStoredForms(254);
  const next = startUpload('late');
  next.request.end('b');
  expect(await next.answer).toBe('200');
});

it('the limit per caller drops from three to one as the total fills up', async () => {
  const startUploads = (count: number, name: string) =>
    Array.from({ length: count }, (_, n) => startUpload(`${name} ${n}`));
  const uploads = startUploads(126, 'early');
  await expectStoredForms(126);
  const early = ['one', 'one', 'one'].map(startUpload);
  await expectStoredForms(129);
  expect(await startUpload('one').answer).toBe('503');

  uploads.push(...startUploads(85, 'late'));
  await expectStoredForms(214);
  const two = startUpload('two');
  await expectStoredForms(215);
  expect(await startUpload('two').answer).toBe('503');
  early[0]?.request.end('b');
  expect(await early[0]?.answer).toBe('200');
  await expectStoredForms(214);
  expect(await startUpload('one').answer).toBe('503');
  const three = startUpload('three');
  three.request.end('b');
  expect(await three.answer).toBe('200');

  for (const { request } of uploads.slice(0, 100)) request.destroy();
  await expectStoredForms(114);
  const more = ['two', 'two'].map(startUpload);
  await expectStoredForms(116);
  for (const { request, answer } of [two, ...more]) {
    request.end('b');
    expect(await answer).toBe('200');
  }
});

it('a form slower than 1 kB/s is cut and deleted, and a slow but steady one is read to the end', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const [dripping, slow] = [startUpload('dripping'), startUpload('slow')];
  await expectStoredForms(2);
  for (let quarters = 1; quarters <= 3; quarters += 1) {
    slow.request.write(Buffer.alloc(16_000));
    await expect.poll(readLargestSize, { timeout: 30_000 }).toBe(1 + 16_000 * quarters);
    dripping.request.write('a');
    vi.advanceTimersByTime(15_000);
  }
  expect(await dripping.answer).toBe('cut');
  await expectStoredForms(1);
  slow.request.end('b');
  expect(await slow.answer).toBe('200');
  await expectStoredForms(0);
});
