import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import fastify from 'fastify';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../../testing/app.ts';
import { createDeposit } from '../../../ledger/ledger/testing.ts';
import { variantKey } from '../keys.ts';
import { makeReadyPicture, publishPost } from '../testing.ts';
import { countInflightResponse } from './inflight-limits.ts';

const MEGABYTE = 1024 * 1024;
const folder = `a/${randomUUID()}/abcd`;
const [LARGE, SMALL] = [`${folder}/1920.webp`, `${folder}/96.webp`];
let app: TestApp;
let port = 0;
beforeAll(async () => {
  // A tenth of the limits: 50 responses and 12.8 MB in flight, 1,200 requests a minute.
  app = await createTestApp({ env: { TRUST_PROXY: '127.0.0.1', RATE_LIMIT_FACTOR: '0.1' } });
  await app.ctx.storage.put(`public/${LARGE}`, Buffer.alloc(24 * MEGABYTE), 'image/webp');
  await app.ctx.storage.put(`public/${SMALL}`, Buffer.alloc(1_000), 'image/webp');
  port = Number(new URL(await app.app.http.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => app.close());

const fetchPublic = (from: string, name: string) =>
  app.inject('GET', `/media/public/${name}`, undefined, { 'x-forwarded-for': from });

async function openStalled(from: string, url = `/media/public/${LARGE}`, cookie = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`GET ${url} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${from}\r\nCookie: ${cookie}\r\n\r\n`);
  await once(socket, 'data');
  return socket.pause();
}

test('stalled readers use up the in-flight limit of their own network only', async () => {
  const sockets = await Promise.all(Array.from({ length: 12 }, () => openStalled('203.0.113.1')));
  const refused = await fetchPublic('203.0.113.1', LARGE);
  expect([refused.statusCode, refused.json().code, refused.headers['retry-after']]).toEqual([429, 'RATE_LIMITED', '5']);
  expect(refused.headers['cache-control']).toBe('no-store');
  expect((await fetchPublic('203.0.113.2', LARGE)).statusCode).toBe(200);
  for (const socket of sockets) socket.destroy();
  await vi.waitFor(async () => expect((await fetchPublic('203.0.113.1', LARGE)).statusCode).toBe(200), {
    timeout: 30_000,
  });
});

test('a watermarked picture counts with its full size, because it is held in memory for each request', async () => {
  const [creator, fan] = [await app.signUp('creator'), await app.signUp('customer')];
  const id = await makeReadyPicture(app.ctx, creator.id);
  const side = 4_000;
  const noise = { width: side, height: side, channels: 3 } as const;
  const picture = await sharp(randomBytes(side * side * 3), { raw: noise })
    .jpeg()
    .toBuffer();
  await app.ctx.storage.put(variantKey(id, '1080.jpg'), picture, 'image/jpeg');
  const postId = await publishPost(creator, [id], { price: 5 });
  await createDeposit(app.ctx.db, fan.id, 1_000);
  expect((await fan.inject('POST', `/api/post/unlock/${postId}`, {})).statusCode).toBe(200);
  await creator.inject('PUT', '/api/creator/media-settings', { isWatermarked: true });
  await app.ctx.events.waitUntilIdle();
  const url = `/api/asset/private/post/m/${id}/1080.jpg`;
  const fetchMarked = (from: string) => fan.inject('GET', url, undefined, { 'x-forwarded-for': from });
  const marked = await fetchMarked('203.0.113.7');
  expect([marked.statusCode, marked.rawPayload.equals(picture)]).toEqual([200, false]);
  expect(marked.rawPayload.length).toBeGreaterThan(6.5 * MEGABYTE);
  expect(marked.rawPayload.length).toBeLessThan(12 * MEGABYTE);

  const socket = await openStalled('203.0.113.7', url, fan.cookie);
  const refused = await fetchMarked('203.0.113.7');
  expect([refused.statusCode, refused.json().code, refused.headers['retry-after']]).toEqual([429, 'RATE_LIMITED', '5']);
  expect((await fetchMarked('203.0.113.8')).statusCode).toBe(200);
  socket.destroy();
  await vi.waitFor(async () => expect((await fetchMarked('203.0.113.7')).statusCode).toBe(200), { timeout: 30_000 });
});

test('a network may load a limited number of pictures a minute, and completed responses free their slots', async () => {
  const fetchMany = (count: number) =>
    Promise.all(Array.from({ length: count }, () => fetchPublic('203.0.113.3', SMALL)));
  const statuses: number[] = [];
  for (let count = 0; count < 24; count += 1)
    statuses.push(...(await fetchMany(50)).map(({ statusCode }) => statusCode));
  expect(new Set(statuses)).toEqual(new Set([200]));
  const [refused] = await fetchMany(1);
  expect([refused?.statusCode, refused?.headers['retry-after']]).toEqual([429, '60']);
  app.clock.advance(60_000);
  expect((await fetchPublic('203.0.113.3', SMALL)).statusCode).toBe(200);
  expect((await fetchPublic('203.0.113.4', SMALL)).statusCode).toBe(200);
});

test('a network may have fifty responses in flight, and another one when one of them has completed', async () => {
  const pendingReplies: (() => void)[] = [];
  const http = fastify({ trustProxy: true });
  http.get('/', (request, reply) => {
    countInflightResponse(app.ctx, request, reply, 1);
    pendingReplies.push(() => void reply.send('x'));
  });
  const get = (from: string) => http.inject({ url: '/', headers: { 'x-forwarded-for': from } });
  const waitForRequests = (count: number) =>
    vi.waitFor(() => expect(pendingReplies.length).toBe(count), { timeout: 30_000 });
  const answers = Array.from({ length: 50 }, () => get('203.0.113.5'));
  await waitForRequests(50);
  expect((await get('203.0.113.5')).json()).toMatchObject({ code: 'RATE_LIMITED' });
  answers.push(get('203.0.113.6'));
  await waitForRequests(51);
  pendingReplies[0]?.();
  await answers[0];
  answers.push(get('203.0.113.5'));
  await waitForRequests(52);
  expect((await get('203.0.113.5')).json()).toMatchObject({ code: 'RATE_LIMITED' });
  for (const sendReply of pendingReplies.slice(1)) sendReply();
  expect(new Set((await Promise.all(answers)).map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  await http.close();
});
