/** Avatar and cover: crop, focal point and removal (row B4). */
import { profile as profileView } from '@stagedoor/contract/content/profiles.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';

let test: TestApp;
let creator: TestUser;
let fan: TestUser;

beforeAll(async () => {
  test = await createTestApp();
  [creator, fan] = await Promise.all([test.signUp('creator'), test.signUp('customer')]);
});
afterAll(() => test.close());

async function createStripes(isRotated = false): Promise<Buffer> {
  const tile = (background: string) =>
    sharp({ create: { width: 300, height: 300, channels: 3, background } })
      .png()
      .toBuffer();
  const flat = await sharp({ create: { width: 900, height: 300, channels: 3, background: '#000' } })
    .composite([
      { input: await tile('#f00'), left: 0, top: 0 },
      { input: await tile('#0f0'), left: 300, top: 0 },
      { input: await tile('#00f'), left: 600, top: 0 },
    ])
    .png()
    .toBuffer();
  const image = sharp(flat);
  return (isRotated ? image.rotate(-90).withMetadata({ orientation: 6 }) : image).jpeg({ quality: 95 }).toBuffer();
}

async function send(as: TestUser, url: string, fields: Record<string, string>, file?: Buffer, name = 'file') {
  const data = new FormData();
  for (const [key, value] of Object.entries(fields)) data.set(key, value);
  if (file) data.set(name, new Blob([new Uint8Array(file)], { type: 'image/jpeg' }), 'me.jpg');
  const request = new Request('http://localhost/', { method: 'POST', body: data });
  return as.inject('POST', url, Buffer.from(await request.arrayBuffer()), {
    'content-type': request.headers.get('content-type') ?? '',
  });
}

async function getColor(address: string | null): Promise<string> {
  const { rawPayload } = await test.inject('GET', address ?? '');
  const { dominant } = await sharp(rawPayload).stats();
  return dominant.r > 128 ? 'red' : dominant.g > 128 ? 'green' : 'blue';
}

it.each([
  [{}, 'green'],
  [{ cropX: '0', cropY: '0', cropSide: '1' }, 'red'],
  [{ cropX: '0.6667', cropY: '0', cropSide: '1' }, 'blue'],
  [{ cropX: '0.75', cropY: '0.2', cropSide: '0.5' }, 'blue'],
  [{ cropX: '1', cropY: '1', cropSide: '1' }, 'blue'],
])('an avatar is the square that was chosen: %o shows %s', async (crop, color) => {
  for (const isRotated of [false, true]) {
    const response = await send(creator, '/api/creator/profile/avatar', crop, await createStripes(isRotated));
    expect(await getColor(response.json().avatarUrl)).toBe(color);
  }
  const viewer = await send(fan, '/api/customer/profile-update', crop, await createStripes(), 'avatar');
  expect(await getColor(viewer.json().avatarUrl)).toBe(color);
});

it('an invalid square for an avatar is refused', async () => {
  for (const crop of [
    { cropX: '0', cropSide: '1' },
    { cropX: '0', cropY: '0', cropSide: '0' },
    { cropX: '-1', cropY: '0', cropSide: '1' },
    { cropX: 'NaN', cropY: '0', cropSide: '1' },
    { cropX: '0', cropY: '0', cropSide: '1e9' },
  ])
    expect((await send(creator, '/api/creator/profile/avatar', crop, await createStripes())).json()).toMatchObject({
      code: 'VALIDATION',
    });
});

it('a cover keeps its focal point until it is replaced, and avatar and cover can be removed', async () => {
  await send(creator, '/api/creator/profile/cover', {}, await createStripes());
  const body = { name: 'Somebody', category: null, coverFocus: { x: 10, y: 90 } };
  expect((await creator.inject('PUT', '/api/creator/profile', body)).json().coverFocus).toEqual({ x: 10, y: 90 });
  for (const address of [`/api/public/profile/${creator.id}`, '/api/public/creators']) {
    const shown = (await test.inject('GET', address)).json();
    expect((shown.data?.[0] ?? shown).coverFocus).toEqual({ x: 10, y: 90 });
  }
  for (const coverFocus of [{ x: 101, y: 0 }, { x: 0, y: -1 }, { x: 0.5, y: 0 }, 'top'])
    expect((await creator.inject('PUT', '/api/creator/profile', { ...body, coverFocus })).statusCode).toBe(400);
  const replaced = await send(creator, '/api/creator/profile/cover', {}, await createStripes());
  expect(replaced.json().coverFocus).toEqual({ x: 50, y: 50 });

  for (const pictureKind of ['avatar', 'cover'])
    for (const _again of [1, 2])
      expect((await creator.inject('DELETE', `/api/creator/profile/${pictureKind}`)).statusCode).toBe(200);
  const bare = z.parse(profileView, (await test.inject('GET', `/api/public/profile/${creator.id}`)).json());
  expect(bare).toMatchObject({ avatarUrl: null, cover: null, coverFocus: { x: 50, y: 50 } });
  expect((await fan.inject('DELETE', '/api/creator/profile/cover')).statusCode).toBe(403);
});

function createHugePng(width: number, height: number): Buffer {
  const head = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  return Buffer.concat([head, size, Buffer.from('0802000000', 'hex'), Buffer.alloc(64)]);
}

it('an invalid cover is refused with a message, and the previous cover stays', async () => {
  const getCover = async () => (await creator.inject('GET', '/api/creator/profile')).json().cover;
  const whole = await createStripes();
  expect((await send(creator, '/api/creator/profile/cover', {}, whole)).statusCode).toBe(200);
  const before = await getCover();
  expect(before).not.toBeNull();
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="300"><image href="file:///etc/passwd"/></svg>';
  for (const [name, file] of Object.entries({
    nothing: Buffer.alloc(0),
    text: Buffer.from('This is no picture.'),
    drawing: Buffer.from(svg),
    page: Buffer.from('<!doctype html><script>alert(1)</script>'),
    document: Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n<<>>\nendobj'),
    archive: Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(200)]),
    cut: whole.subarray(0, 300),
    promised: createHugePng(100_000, 100_000),
  })) {
    const response = await send(creator, '/api/creator/profile/cover', {}, file);
    expect([400, 413, 415], name).toContain(response.statusCode);
    expect(response.json().message, name).toMatch(/^[A-Z].+\.$/);
  }
  expect(await getCover()).toEqual(before);
});
