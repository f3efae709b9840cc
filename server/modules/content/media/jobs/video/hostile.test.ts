import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import type { Media } from '@stagedoor/contract/content/media.ts';
import { VIDEO_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MEDIA_MESSAGES } from '../../../media-processing/index.ts';
import { createH264, createInputArgs, createMediaFile } from '../../../media-processing/testing.ts';
import { createPictureFile } from '../../testing.ts';
import { createTusClient, type IdleUploadTest, openIdleUploadTest } from '../../tus.testing.ts';

const uploadFile = ({ client }: IdleUploadTest, file: Buffer, name = 'film.mp4') =>
  client.upload(file, name, 'video/mp4');
async function uploadAndProcess(uploadTest: IdleUploadTest, file: Buffer, name?: string): Promise<Media> {
  return uploadTest.makeReady(await uploadFile(uploadTest, file, name));
}
async function listLeftovers({ test }: IdleUploadTest): Promise<string[]> {
  const { dataDir } = test.ctx.config;
  const folders = await Promise.all(
    ['uploads', 'work'].map((name) => readdir(path.join(dataDir, name)).catch(() => [])),
  );
  return folders.flat();
}

describe('hostile files', () => {
  let uploadTest: IdleUploadTest;
  let requestCount = 0;
  const trapServer = createServer((_request, response) => {
    requestCount += 1;
    response.end('#EXTM3U');
  });
  let url = '';
  beforeAll(async () => {
    uploadTest = await openIdleUploadTest();
    await new Promise<void>((resolve) => void trapServer.listen(0, '127.0.0.1', resolve));
    const address = trapServer.address();
    url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`;
  });
  afterAll(async () => {
    trapServer.close();
    await uploadTest.test.close();
  });

  const createPlaylist = (target: string) =>
    `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${target}\n#EXT-X-ENDLIST\n`;
  const ftyp = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom\0\0\0\0isommp41', 'latin1')]);
  /** Frames of MP3 can simply be concatenated. */
  const tooLong = async () => {
    const minute = await silentMinute();
    return Buffer.concat(Array.from({ length: VIDEO_LIMITS.maxSeconds / 60 + 1 }, () => minute));
  };
  const silentMinute = () =>
    createMediaFile('s.mp3', [
      '-f',
      'lavfi',
      '-i',
      'anullsrc=r=8000:cl=mono',
      '-t',
      '60',
      '-b:a',
      '8k',
      '-write_xing',
      '0',
      '-id3v2_version',
      '0',
    ]);

  it.each<[string, () => Promise<Buffer> | Buffer, string]>([
    [
      'a playlist that names a file of the server',
      () => Buffer.from(createPlaylist('file:///etc/passwd')),
      'a playlist (M3U8)',
    ],
    ['a playlist that names an address', () => Buffer.from(createPlaylist(url)), 'a playlist (M3U8)'],
    [
      'a playlist behind the beginning of a film',
      () => Buffer.concat([ftyp, Buffer.from(createPlaylist(url))]),
      MEDIA_MESSAGES.damagedVideo,
    ],
    ['a list of files to join', () => Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'\n"), 'a text file'],
    ['a ZIP', () => Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(5000)]), 'a ZIP archive'],
    [
      'SVG with a script',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
      'a drawing (SVG)',
    ],
    [
      'a program with the ending of a film',
      () => Buffer.concat([Buffer.from('\x7fELF', 'latin1'), Buffer.alloc(9000, 3)]),
      'a Linux program',
    ],
    [
      'a picture of a film’s size in pixels',
      () =>
        createMediaFile('f.mp4', [
          ...createInputArgs({ seconds: 0.1, size: '4400x2400' }),
          '-c:v',
          'mpeg4',
          '-frames:v',
          '1',
        ]),
      MEDIA_MESSAGES.frameTooLarge,
    ],
    ['silence of more than four hours', tooLong, MEDIA_MESSAGES.tooLong],
    [
      'Matroska without anything in it',
      () =>
        Buffer.concat([
          Buffer.from('1a45dfa3', 'hex'),
          Buffer.from([0x8b]),
          Buffer.from('42 82 88'.replaceAll(' ', ''), 'hex'),
          Buffer.from('matroska'),
          Buffer.alloc(400, 9),
        ]),
      MEDIA_MESSAGES.damagedVideo,
    ],
  ])('%s', async (_name, make, sentence) => {
    const view = await uploadAndProcess(uploadTest, await make(), '../../holiday.mp4');
    expect(view).toMatchObject({
      status: 'failed',
      failure: expect.stringContaining(sentence),
      fileName: 'holiday.mp4',
      stream: null,
      picture: null,
    });
    expect(await listLeftovers(uploadTest)).toEqual([]);
    expect(requestCount).toBe(0);
  });

  it('a video with a web page appended is reduced to the video', async () => {
    const page = '<script>alert(1)</script><?php system($_GET[0]); ?>';
    const { id } = await uploadAndProcess(
      uploadTest,
      Buffer.concat([await createH264({ seconds: 1, size: '64x36' }), Buffer.from(page)]),
    );
    const { stream } = await uploadTest.improve(id);
    const { rawPayload, headers } = await uploadTest.creator.inject('GET', stream?.file ?? '');
    expect(rawPayload.includes('script')).toBe(false);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('two browsers that send the same upload produce one complete video', async () => {
    const file = await createH264({ seconds: 1, size: '64x36' });
    const clients = [uploadTest.client, createTusClient(uploadTest.origin, uploadTest.creator.cookie)];
    const address =
      (await uploadTest.client.create(file.length, { filename: 'a.mp4', filetype: 'video/mp4' })).headers.get(
        'location',
      ) ?? '';
    const half = Math.floor(file.length / 2);
    await Promise.allSettled(clients.map((client) => client.patch(address, 0, file.subarray(0, half))));
    for (let tries = 0; tries < 10; tries += 1) {
      const at = Number((await uploadTest.client.head(address)).headers.get('upload-offset'));
      if (at === file.length) break;
      await Promise.allSettled(clients.map((client) => client.patch(address, at, file.subarray(at))));
    }
    const view = await uploadTest.makeReady(address.slice('/files/'.length));
    expect(view).toMatchObject({ status: 'ready', byteSize: file.length });
  });
});

it('without ffmpeg, videos and animated pictures are refused with a message, and pictures still work', async () => {
  const uploadTest = await openIdleUploadTest({ FFMPEG_PATH: '/nowhere/ffmpeg' });
  try {
    const animated = await createMediaFile('a.gif', createInputArgs({ seconds: 0.2, size: '64x36', hasSound: false }));
    for (const file of [await createH264({ seconds: 1, size: '64x36' }), animated])
      expect(await uploadAndProcess(uploadTest, file)).toMatchObject({
        status: 'failed',
        failure: MEDIA_MESSAGES.noTools,
      });
    expect(await uploadAndProcess(uploadTest, await createPictureFile({ width: 80, height: 60 }))).toMatchObject({
      status: 'ready',
      kind: 'picture',
    });
    expect(await listLeftovers(uploadTest)).toEqual([]);
  } finally {
    await uploadTest.test.close();
  }
});

/** Mounting a small disk needs root on Linux. */
const canMount = process.platform === 'linux' && process.getuid?.() === 0;

describe.skipIf(!canMount)('a full disk', () => {
  async function mountSmallDisk(uploadTest: IdleUploadTest, folder: string, size: string): Promise<() => void> {
    const dir = path.join(uploadTest.test.ctx.config.dataDir, folder);
    await mkdir(dir, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', dir]);
    return () => void execFileSync('umount', ['-l', dir]);
  }

  it('refuses uploads that cannot fit, and fails those that run out of space', async () => {
    const uploadTest = await openIdleUploadTest();
    const unmount = await mountSmallDisk(uploadTest, 'uploads', '8m');
    try {
      const large = await uploadTest.client.create(30_000_000, { filename: 'a.mp4', filetype: 'video/mp4' });
      expect([large.status, await large.text()]).toEqual([507, MEDIA_MESSAGES.storageFull]);
      const file = await createH264({ seconds: 2, size: '640x360' });
      const created = await uploadTest.client.create(file.length, { filename: 'a.mp4', filetype: 'video/mp4' });
      expect(created.status).toBe(201);
      const address = created.headers.get('location') ?? '';
      const filler = path.join(uploadTest.test.ctx.config.dataDir, 'uploads', 'filler');
      await writeFile(filler, Buffer.alloc(8 * 1024 * 1024 - 200_000));
      const patched = await uploadTest.client.patch(address, 0, file);
      expect([patched.status, await patched.text()]).toEqual([507, MEDIA_MESSAGES.storageFull]);
      const id = address.slice('/files/'.length);
      expect((await uploadTest.creator.inject('GET', `/api/creator/media/${id}`)).json()).toMatchObject({
        status: 'failed',
        failure: MEDIA_MESSAGES.storageFull,
      });
      expect(await listLeftovers(uploadTest)).toEqual(['filler']);
      await rm(filler);
      expect((await uploadAndProcess(uploadTest, file)).status).toBe('ready');
    } finally {
      unmount();
      await uploadTest.test.close();
    }
  });

  it('makes processing wait and start again, without publishing partial results', async () => {
    const uploadTest = await openIdleUploadTest();
    const unmount = await mountSmallDisk(uploadTest, 'work', '100k');
    const { pool } = uploadTest.test.ctx.db;
    try {
      const view = await uploadAndProcess(uploadTest, await createH264({ seconds: 4, size: '640x360' }));
      expect(view).toMatchObject({ status: 'processing', stream: null });
      const { rows } = await pool.query(
        `select attempts from graphile_worker._private_jobs where key = $1 and locked_at is null`,
        [`media.stream:${view.id}`],
      );
      expect(rows).toEqual([{ attempts: 1 }]);
      expect(await listLeftovers(uploadTest)).toEqual([]);
      unmount();
      await pool.query('update graphile_worker._private_jobs set run_at = now() where key = $1', [
        `media.stream:${view.id}`,
      ]);
      expect((await uploadTest.makeReady(view.id)).stream?.hls).toContain('master.m3u8');
    } finally {
      await uploadTest.test.close();
    }
  });
});
