import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { type ClientRequest, request as open } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import fastify from 'fastify';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readConfig } from './config.ts';
import { whileReading } from './form-reading.ts';

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
    const who = String(request.headers['x-network']);
    Object.defineProperty(request, 'ip', { value: who });
    return whileReading({ config }, request, async (place) => {
      await pipeline(request.raw, createWriteStream(place()));
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

type Sending = { request: ClientRequest; answer: Promise<string> };

function begin(network: string): Sending {
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

const lying = async (count: number) =>
  expect.poll(async () => (await readdir(forms).catch(() => [])).length, { timeout: 30_000 }).toBe(count);

async function largest(): Promise<number> {
  const names = await readdir(forms);
  const sizes = await Promise.all(names.map(async (name) => (await stat(path.join(forms, name))).size));
  return Math.max(0, ...sizes);
}

it('three forms of a caller are read at once, a fourth is refused, and another caller is unaffected', async () => {
  const mine = ['one', 'one', 'one'].map(begin);
  await lying(3);
  expect(await begin('one').answer).toBe('503');
  const theirs = begin('two');
  theirs.request.end('b');
  expect(await theirs.answer).toBe('200');

  mine[0]?.request.end('b');
  expect(await mine[0]?.answer).toBe('200');
  const next = begin('one');
  next.request.end('b');
  expect(await next.answer).toBe('200');
  await lying(2);
});

it('256 forms are read in total, and the next one when one has ended or disconnected', async () => {
  const held = Array.from({ length: 256 }, (_, n) => begin(`network ${n}`));
  await lying(256);
  expect(await begin('late').answer).toBe('503');

  held[0]?.request.end('b');
  held[1]?.request.destroy();
  await lying(254);
  const next = begin('late');
  next.request.end('b');
  expect(await next.answer).toBe('200');
});

it('the limit per caller drops from three to one as the total fills up', async () => {
  const crowd = (count: number, name: string) => Array.from({ length: count }, (_, n) => begin(`${name} ${n}`));
  const held = crowd(126, 'early');
  await lying(126);
  const early = ['one', 'one', 'one'].map(begin);
  await lying(129);
  expect(await begin('one').answer).toBe('503');

  held.push(...crowd(85, 'late'));
  await lying(214);
  const two = begin('two');
  await lying(215);
  expect(await begin('two').answer).toBe('503');
  early[0]?.request.end('b');
  expect(await early[0]?.answer).toBe('200');
  await lying(214);
  expect(await begin('one').answer).toBe('503');
  const three = begin('three');
  three.request.end('b');
  expect(await three.answer).toBe('200');

  for (const { request } of held.slice(0, 100)) request.destroy();
  await lying(114);
  const more = ['two', 'two'].map(begin);
  await lying(116);
  for (const { request, answer } of [two, ...more]) {
    request.end('b');
    expect(await answer).toBe('200');
  }
});

it('a form slower than 1 kB/s is cut and deleted, and a slow but steady one is read to the end', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const [dripping, slow] = [begin('dripping'), begin('slow')];
  await lying(2);
  for (let quarters = 1; quarters <= 3; quarters += 1) {
    slow.request.write(Buffer.alloc(16_000));
    await expect.poll(largest, { timeout: 30_000 }).toBe(1 + 16_000 * quarters);
    dripping.request.write('a');
    vi.advanceTimersByTime(15_000);
  }
  expect(await dripping.answer).toBe('cut');
  await lying(1);
  slow.request.end('b');
  expect(await slow.answer).toBe('200');
  await lying(0);
});
