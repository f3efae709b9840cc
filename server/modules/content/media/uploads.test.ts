import { appendFile, mkdir, readdir, statfs, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApp, TestUser } from '../../../testing/app.ts';
import { MEDIA_MESSAGES } from '../media-processing/index.ts';
import { createPictureFile } from './testing.ts';
import { createTusClient, type IdleUploadTest, openIdleUploadTest, type TusClient } from './tus.testing.ts';
import { cleanFileName, sweepUploads } from './uploads.ts';

let uploadTest: IdleUploadTest;
let test: TestApp;
let origin: string;
let creator: TestUser;
let client: TusClient;

beforeAll(async () => {
  uploadTest = await openIdleUploadTest();
  ({ test, creator, client, origin } = uploadTest);
});
afterAll(() => test.close());

async function processUpload(id: string) {
  const view = await uploadTest.makeReady(id);
  expect(view.status).not.toBe('processing');
  return view;
}

const countLeftovers = async () => (await readdir(path.join(test.ctx.config.dataDir, 'uploads'))).length;

describe('another user’s upload', () => {
  it('cannot be reached by any spelling of the address', async () => {
    const victim = createTusClient(origin, (await test.signUp('creator')).cookie);
    const theirs = (await victim.create(100)).headers.get('location') ?? '';
    const theirId = theirs.slice('/files/'.length);
    for (const tail of [`?/${theirId}`, `?x=1/${theirId}/`, `%3F/${theirId}`, `/../${theirId}`, `?#/${theirId}`]) {
      const own = (await client.create(100)).headers.get('location') ?? '';
      await client.patch(`${own}${tail}`, 0, Buffer.from('overwritten'));
      await client.remove(`${own}${tail}`);
      expect((await victim.head(theirs)).headers.get('upload-offset')).toBe('0');
      await client.remove(own);
    }
    await victim.remove(theirs);
  });
});

const BEYOND_4_GIB = 2 ** 32 + 10;

describe('a file of more than four gigabytes', async () => {
  const { bavail, bsize } = await statfs(tmpdir());
  // The file is sparse, but uploads are refused where it would not fit.
  it.skipIf(bavail * bsize < 2 * BEYOND_4_GIB)('resumes at its offset and ends at its length', async () => {
    const tail = Buffer.from('its end');
    const url = (
      await client.create(BEYOND_4_GIB + tail.length, { filename: 'film.mp4', filetype: 'video/mp4' })
    ).headers.get('location');
    if (!url) throw new Error('no upload URL');
    await truncate(path.join(test.ctx.config.dataDir, 'uploads', url.slice('/files/'.length)), BEYOND_4_GIB);
    expect((await client.head(url)).headers.get('upload-offset')).toBe(String(BEYOND_4_GIB));
    expect((await client.patch(url, BEYOND_4_GIB - 2 ** 32, tail)).status).toBe(409);
    const response = await client.patch(url, BEYOND_4_GIB, tail);
    expect([response.status, response.headers.get('upload-offset')]).toEqual([204, String(BEYOND_4_GIB + tail.length)]);
    expect(await processUpload(url.slice('/files/'.length))).toMatchObject({
      status: 'failed',
      byteSize: BEYOND_4_GIB + tail.length,
    });
    expect(await countLeftovers()).toBe(0);
  });

  it('is served by ranges beyond 4 GiB', async () => {
    const id = await client.upload(await createPictureFile({ width: 200, height: 200 }));
    await processUpload(id);
    const file = path.join(test.ctx.config.dataDir, 'media', 'private', 'm', id, 'h', 'src.mp4');
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, '');
    await truncate(file, BEYOND_4_GIB);
    await appendFile(file, 'its end');
    const range = `bytes=${BEYOND_4_GIB}-${BEYOND_4_GIB + 6}`;
    const part = await creator.inject('GET', `/api/asset/private/media/m/${id}/h/src.mp4`, undefined, { range });
    expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([
      206,
      'its end',
      `bytes ${BEYOND_4_GIB}-${BEYOND_4_GIB + 6}/${BEYOND_4_GIB + 7}`,
    ]);
    const [from, to] = [BEYOND_4_GIB - 300_000, BEYOND_4_GIB + 6];
    const large = await fetch(`${origin}/api/asset/private/media/m/${id}/h/src.mp4`, {
      headers: { range: `bytes=${from}-${to}`, cookie: creator.cookie },
    });
    const bytes = Buffer.from(await large.arrayBuffer());
    expect([large.status, bytes.length, bytes.subarray(-7).toString()]).toEqual([206, 300_007, 'its end']);
  });
});

describe('a picture', () => {
  it('is uploaded in parts, rotated, stripped of location and device, and served in every width up to its own', async () => {
    const file = await sharp(await createPictureFile({ width: 1600, height: 1200 }))
      .withExif({ IFD0: { Make: 'Secret camera' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const created = await client.create(file.length, { filename: '../../etc/Ünïcode <b>.jpg' });
    expect(created.status).toBe(201);
    const url = created.headers.get('location') ?? '';
    expect(url).toMatch(/^\/files\/[0-9a-f-]{36}$/);
    expect(created.headers.get('upload-expires')).toBeTruthy();
    expect((await client.patch(url, 0, file.subarray(0, 5000))).status).toBe(204);
    const head = await client.head(url);
    expect(head.headers.get('upload-offset')).toBe('5000');
    expect((await client.patch(url, 4000, file.subarray(4000))).status).toBe(409);
    expect((await client.patch(url, 5000, file.subarray(5000))).status).toBe(204);

    const id = url.slice('/files/'.length);
    const view = await processUpload(id);
    expect(view).toMatchObject({
      id,
      kind: 'picture',
      status: 'ready',
      failure: null,
      fileName: 'Ünïcode <b>.jpg',
      byteSize: file.length,
    });
    expect(view.picture).toMatchObject({ width: 1200, height: 1600 });
    expect(view.picture?.thumbhash).toMatch(/^[A-Za-z0-9+/=]{20,48}$/);
    const srcset = view.picture?.sources.find(({ type }) => type === 'image/webp')?.srcset ?? '';
    expect(srcset.match(/ \d+w/g)).toEqual([' 96w', ' 192w', ' 384w', ' 640w', ' 1080w']);
    for (const address of [view.picture?.url ?? '', ...srcset.split(', ').map((entry) => entry.split(' ')[0] ?? '')]) {
      const response = await creator.inject('GET', address);
      expect(response.statusCode).toBe(200);
      const metadata = await sharp(response.rawPayload).metadata();
      expect(metadata.exif).toBeUndefined();
      expect(response.rawPayload.includes('Secret camera')).toBe(false);
    }
    const completed = await client.head(url);
    expect([completed.status, completed.headers.get('upload-offset')]).toEqual([200, String(file.length)]);
    expect(await countLeftovers()).toBe(0);
  });

  it('is served in every width from 16 to 3840 (row C8), including small ones that pages do not offer', async () => {
    const id = await client.upload(await createPictureFile({ width: 3900, height: 130 }));
    const { picture } = await processUpload(id);
    const at96 = picture?.sources.find(({ type }) => type === 'image/webp')?.srcset.split(' ')[0] ?? '';
    expect(at96).toContain('/96.webp');
    for (const width of [16, 48, 96, 192, 384, 640, 1080, 1920, 3840]) {
      const response = await creator.inject('GET', at96.replace('/96.webp', `/${width}.webp`));
      expect(response.statusCode).toBe(200);
      expect(await sharp(response.rawPayload).metadata()).toMatchObject({ format: 'webp', width });
    }
    const [visitor, stranger] = [test.inject, (await test.signUp('creator')).inject];
    for (const inject of [visitor, stranger])
      expect((await inject('GET', at96.replace('/96.webp', '/16.webp'))).statusCode).toBe(404);
  });

  it('gets AVIF up to 1920 px wide', async () => {
    const id = await client.upload(await createPictureFile({ width: 2400, height: 240 }));
    await processUpload(id);
    const { picture } = await uploadTest.improve(id);
    expect(picture?.sources.map(({ type }) => type)).toEqual(['image/avif', 'image/webp']);
    expect(picture?.sources[0]?.srcset.match(/ \d+w/g)).toEqual([
      ' 96w',
      ' 192w',
      ' 384w',
      ' 640w',
      ' 1080w',
      ' 1920w',
    ]);
    const first = await creator.inject('GET', picture?.sources[0]?.srcset.split(' ')[0] ?? '');
    expect([first.statusCode, first.headers['content-type']]).toEqual([200, 'image/avif']);
  });

  it('may be PNG, WebP, GIF or AVIF too, whatever its file name', async () => {
    const image = sharp({ create: { width: 60, height: 40, channels: 4, background: '#12345680' } });
    for (const file of [
      await image.clone().png().toBuffer(),
      await image.clone().webp().toBuffer(),
      await image.clone().gif().toBuffer(),
      await image.clone().avif().toBuffer(),
    ]) {
      const view = await processUpload(await client.upload(file, 'holiday.exe'));
      expect(view.status).toBe('ready');
      expect(view.picture).toMatchObject({ width: 60, height: 40 });
    }
  });
});

describe('an invalid picture or request', () => {
  const damaged = 'This image is damaged or incomplete. Upload it again.';
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';

  it.each([
    [
      'a renamed executable',
      async () => Buffer.concat([Buffer.from('MZ'), Buffer.alloc(5000, 7)]),
      /a Windows program/,
    ],
    [
      'an ELF program',
      async () => Buffer.concat([Buffer.from('\x7fELF', 'latin1'), Buffer.alloc(5000, 7)]),
      /a Linux program/,
    ],
    ['SVG', async () => Buffer.from(svg), /a drawing \(SVG\)/],
    ['HTML', async () => Buffer.from('<!doctype html><script>alert(1)</script>'), /a web page \(HTML\)/],
    ['a truncated JPEG', async () => (await createPictureFile()).subarray(0, 6000), damaged],
    [
      'a truncated PNG',
      async () =>
        (
          await sharp(await createPictureFile())
            .png()
            .toBuffer()
        ).subarray(0, 3000),
      damaged,
    ],
    [
      'a JPEG header with HTML behind',
      async () => Buffer.concat([(await createPictureFile()).subarray(0, 400), Buffer.from(svg.repeat(20))]),
      damaged,
    ],
    [
      '60 megapixels',
      async () => {
        const claims = await sharp({ create: { width: 10, height: 6, channels: 3, background: 'red' } })
          .png()
          .toBuffer();
        claims.writeUInt32BE(10_000, 16);
        claims.writeUInt32BE(6_000, 20);
        claims.writeUInt32BE(crc32(claims.subarray(12, 29)), 29);
        return claims;
      },
      'This image is too large. The limit is 50 megapixels.',
    ],
  ])('%s fails with a message and leaves no files', async (_name, make, sentence) => {
    const id = await client.upload(await make(), 'picture.jpg');
    const view = await processUpload(id);
    expect(view).toMatchObject({ status: 'failed', failure: expect.stringMatching(sentence), picture: null });
    expect(await countLeftovers()).toBe(0);
  });

  it('a polyglot file is reduced to its pixels', async () => {
    const file = Buffer.concat([
      await createPictureFile({ width: 300, height: 200 }),
      Buffer.from(`<?php system($_GET[0]); ?>${svg}PK\x03\x04`),
    ]);
    const { picture, status } = await processUpload(await client.upload(file));
    expect(status).toBe('ready');
    for (const address of [picture?.url ?? '', picture?.sources[0]?.srcset.split(' ')[0] ?? '']) {
      const { rawPayload, headers } = await creator.inject('GET', address);
      expect(rawPayload.includes('php')).toBe(false);
      expect(rawPayload.includes('script')).toBe(false);
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  });

  it('empty uploads, oversized uploads, unknown lengths and incomplete requests are refused', async () => {
    expect((await client.create(0)).status).toBe(400);
    expect((await client.create(40 * 1024 * 1024 + 1)).status).toBe(413);
    expect((await client.create('-5')).status).toBe(400);
    expect((await client.create('abc')).status).toBe(400);
    const deferred = await fetch(`${origin}/files`, {
      method: 'POST',
      headers: { 'tus-resumable': '1.0.0', 'upload-defer-length': '1', cookie: creator.cookie },
    });
    expect(deferred.status).toBeGreaterThanOrEqual(400);
    const old = await fetch(`${origin}/files`, {
      method: 'POST',
      headers: { 'upload-length': '5', cookie: creator.cookie },
    });
    expect(old.status).toBe(412);
    const created = await client.create(10);
    const url = created.headers.get('location') ?? '';
    expect((await client.patch(url, 0, Buffer.alloc(500))).status).toBe(413);
    expect((await client.remove(url)).status).toBe(204);
    expect(await countLeftovers()).toBe(0);
  });
});

describe('upload permissions', () => {
  it('let creators and fans upload and access only their own files, and only from this site', async () => {
    const fan = await test.signUp('customer');
    const other = await test.signUp('creator');
    const operator = await test.signUp('operator');
    expect((await createTusClient(origin).create(100)).status).toBe(401);
    expect((await createTusClient(origin, operator.cookie).create(100)).status).toBe(403);
    expect((await createTusClient(origin, fan.cookie).create(100)).status).toBe(201);
    expect((await client.create(100, {}, { origin: 'https://evil.example' })).status).toBe(403);

    const url = (await client.create(100)).headers.get('location') ?? '';
    const stranger = createTusClient(origin, other.cookie);
    expect((await stranger.head(url)).status).toBe(404);
    expect((await stranger.patch(url, 0, Buffer.alloc(10))).status).toBe(404);
    expect((await stranger.remove(url)).status).toBe(404);
    expect((await createTusClient(origin).head(url)).status).toBe(401);
    for (const path of ['/files/..%2f..%2fpasswd', '/files/x', `${url}.json`])
      expect((await client.head(path)).status).toBe(404);
    expect((await fetch(`${origin}${url}`, { headers: { cookie: creator.cookie } })).status).toBe(404);
    await client.remove(url);

    const id = await client.upload(await createPictureFile({ width: 50, height: 50 }));
    await processUpload(id);
    expect((await other.inject('GET', `/api/creator/media/${id}`)).statusCode).toBe(404);
    expect((await other.inject('DELETE', `/api/creator/media/${id}`)).statusCode).toBe(404);
    expect((await fan.inject('GET', `/api/creator/media/${id}`)).statusCode).toBe(403);
    expect((await creator.inject('DELETE', `/api/creator/media/${id}`)).statusCode).toBe(200);
    expect((await creator.inject('GET', `/api/creator/media/${id}`)).statusCode).toBe(404);
  });

  it('allow at most 40 unfinished uploads, even when all start together, and they expire after a day', async () => {
    const busyCreator = await test.signUp('creator');
    const theirs = createTusClient(origin, busyCreator.cookie);
    const answers = await Promise.all(Array.from({ length: 50 }, () => theirs.create(1000)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(40);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
    test.clock.advance(25 * 60 * 60_000);
    await sweepUploads(test.ctx);
    expect(await countLeftovers()).toBe(0);
    expect((await theirs.create(1000)).status).toBe(201);
  });
});

it('an upload that ended several processes fails instead of ending the next one', async () => {
  const file = await createPictureFile({ width: 200, height: 200 });
  const createReceivedUpload = async (inspections: number) => {
    const id = (await client.create(file.length, {})).headers.get('location')?.slice('/files/'.length) ?? '';
    const uploadPath = path.join(test.ctx.config.dataDir, 'uploads', id);
    await writeFile(uploadPath, file);
    await writeFile(`${uploadPath}.inspections`, '.'.repeat(inspections));
    return id;
  };
  const [crashedOften, crashedOnce] = [await createReceivedUpload(3), await createReceivedUpload(1)];
  await sweepUploads(test.ctx);
  expect(await processUpload(crashedOften)).toMatchObject({
    status: 'failed',
    failure: MEDIA_MESSAGES.processingFailed,
  });
  expect(await processUpload(crashedOnce)).toMatchObject({ status: 'ready', failure: null });
  expect(await countLeftovers()).toBe(0);
});

it('file names are reduced to safe text', () => {
  expect(cleanFileName('C:\\Users\\me\\a\u0000b\u202egnp.exe')).toBe('abgnp.exe');
  expect(cleanFileName(undefined)).toBe('');
  expect(cleanFileName(`${'x'.repeat(5_000)}.txt`)).toBe(`${'x'.repeat(196)}.txt`);
  expect(cleanFileName('x'.repeat(999))).toHaveLength(200);
  expect(cleanFileName('ab\u200bc\u00ad “x"; y%22.pdf')).toBe('abc “x"; y%22.pdf');
  expect(cleanFileName('می\u200cخواهم 👨‍👩‍👧.pdf')).toBe('می\u200cخواهم 👨‍👩‍👧.pdf');
  expect(cleanFileName(`${'x'.repeat(195)}😀😀.txt`)).toBe(`${'x'.repeat(195)}.txt`);
});
