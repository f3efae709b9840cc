import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { VIDEO } from '@stagedoor/contract/atoms/limits.ts';
import type { Media } from '@stagedoor/contract/media.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SENTENCES } from '../sentences.ts';
import { pictureFile } from '../testing.ts';
import { type IdleStage, openIdleStage, tusClient } from '../tus.testing.ts';
import { h264, inputs, made } from './testing.ts';

const upload = ({ client }: IdleStage, file: Buffer, name = 'film.mp4') => client.upload(file, name, 'video/mp4');
async function fate(stage: IdleStage, file: Buffer, name?: string): Promise<Media> {
  return stage.makeReady(await upload(stage, file, name));
}
async function left({ test }: IdleStage): Promise<string[]> {
  const { dataDir } = test.ctx.config;
  const found = await Promise.all(['uploads', 'work'].map((name) => readdir(path.join(dataDir, name)).catch(() => [])));
  return found.flat();
}

describe('hostile files', () => {
  let stage: IdleStage;
  let asked = 0;
  const trap = createServer((_request, response) => {
    asked += 1;
    response.end('#EXTM3U');
  });
  let url = '';
  beforeAll(async () => {
    stage = await openIdleStage();
    await new Promise<void>((resolve) => void trap.listen(0, '127.0.0.1', resolve));
    const address = trap.address();
    url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`;
  });
  afterAll(async () => {
    trap.close();
    await stage.test.close();
  });

  const playlist = (target: string) =>
    `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${target}\n#EXT-X-ENDLIST\n`;
  const ftyp = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom\0\0\0\0isommp41', 'latin1')]);
  /** Frames of MP3 can simply be concatenated. */
  const tooLong = async () => {
    const minute = await silentMinute();
    return Buffer.concat(Array.from({ length: VIDEO.maxSeconds / 60 + 1 }, () => minute));
  };
  const silentMinute = () =>
    made('s.mp3', [
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
      () => Buffer.from(playlist('file:///etc/passwd')),
      'a playlist (M3U8)',
    ],
    ['a playlist that names an address', () => Buffer.from(playlist(url)), 'a playlist (M3U8)'],
    [
      'a playlist behind the beginning of a film',
      () => Buffer.concat([ftyp, Buffer.from(playlist(url))]),
      SENTENCES.damagedVideo,
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
      () => made('f.mp4', [...inputs({ seconds: 0.1, size: '4400x2400' }), '-c:v', 'mpeg4', '-frames:v', '1']),
      SENTENCES.frame,
    ],
    ['silence of more than four hours', tooLong, SENTENCES.long],
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
      SENTENCES.damagedVideo,
    ],
  ])('%s', async (_name, make, sentence) => {
    const view = await fate(stage, await make(), '../../holiday.mp4');
    expect(view).toMatchObject({
      status: 'failed',
      failure: expect.stringContaining(sentence),
      fileName: 'holiday.mp4',
      stream: null,
      picture: null,
    });
    expect(await left(stage)).toEqual([]);
    expect(asked).toBe(0);
  });

  it('a video with a web page appended is reduced to the video', async () => {
    const page = '<script>alert(1)</script><?php system($_GET[0]); ?>';
    const { id } = await fate(stage, Buffer.concat([await h264({ seconds: 1, size: '64x36' }), Buffer.from(page)]));
    const { stream } = await stage.improve(id);
    const { rawPayload, headers } = await stage.creator.inject('GET', stream?.file ?? '');
    expect(rawPayload.includes('script')).toBe(false);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('two browsers that send the same upload produce one complete video', async () => {
    const file = await h264({ seconds: 1, size: '64x36' });
    const both = [stage.client, tusClient(stage.origin, stage.creator.cookie)];
    const address =
      (await stage.client.create(file.length, { filename: 'a.mp4', filetype: 'video/mp4' })).headers.get('location') ??
      '';
    const half = Math.floor(file.length / 2);
    await Promise.allSettled(both.map((client) => client.patch(address, 0, file.subarray(0, half))));
    for (let tries = 0; tries < 10; tries += 1) {
      const at = Number((await stage.client.head(address)).headers.get('upload-offset'));
      if (at === file.length) break;
      await Promise.allSettled(both.map((client) => client.patch(address, at, file.subarray(at))));
    }
    const view = await stage.makeReady(address.slice('/files/'.length));
    expect(view).toMatchObject({ status: 'ready', byteSize: file.length });
  });
});

it('without ffmpeg, videos and animated pictures are refused with a message, and pictures still work', async () => {
  const stage = await openIdleStage({ FFMPEG_PATH: '/nowhere/ffmpeg' });
  try {
    const animated = await made('a.gif', inputs({ seconds: 0.2, size: '64x36', hasSound: false }));
    for (const file of [await h264({ seconds: 1, size: '64x36' }), animated])
      expect(await fate(stage, file)).toMatchObject({ status: 'failed', failure: SENTENCES.noTools });
    expect(await fate(stage, await pictureFile({ width: 80, height: 60 }))).toMatchObject({
      status: 'ready',
      kind: 'picture',
    });
    expect(await left(stage)).toEqual([]);
  } finally {
    await stage.test.close();
  }
});

/** Mounting a small disk needs root on Linux. */
const canMount = process.platform === 'linux' && process.getuid?.() === 0;

describe.skipIf(!canMount)('a full disk', () => {
  async function small(stage: IdleStage, folder: string, size: string): Promise<() => void> {
    const dir = path.join(stage.test.ctx.config.dataDir, folder);
    await mkdir(dir, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', dir]);
    return () => void execFileSync('umount', ['-l', dir]);
  }

  it('refuses uploads that cannot fit, and fails those that run out of space', async () => {
    const stage = await openIdleStage();
    const unmount = await small(stage, 'uploads', '8m');
    try {
      const large = await stage.client.create(30_000_000, { filename: 'a.mp4', filetype: 'video/mp4' });
      expect([large.status, await large.text()]).toEqual([507, SENTENCES.full]);
      const file = await h264({ seconds: 2, size: '640x360' });
      const created = await stage.client.create(file.length, { filename: 'a.mp4', filetype: 'video/mp4' });
      expect(created.status).toBe(201);
      const address = created.headers.get('location') ?? '';
      const filler = path.join(stage.test.ctx.config.dataDir, 'uploads', 'filler');
      await writeFile(filler, Buffer.alloc(8 * 1024 * 1024 - 200_000));
      const patched = await stage.client.patch(address, 0, file);
      expect([patched.status, await patched.text()]).toEqual([507, SENTENCES.full]);
      const id = address.slice('/files/'.length);
      expect((await stage.creator.inject('GET', `/api/creator/media/${id}`)).json()).toMatchObject({
        status: 'failed',
        failure: SENTENCES.full,
      });
      expect(await left(stage)).toEqual(['filler']);
      await rm(filler);
      expect((await fate(stage, file)).status).toBe('ready');
    } finally {
      unmount();
      await stage.test.close();
    }
  });

  it('makes processing wait and start again, without publishing partial results', async () => {
    const stage = await openIdleStage();
    const unmount = await small(stage, 'work', '100k');
    const { pool } = stage.test.ctx.db;
    try {
      const view = await fate(stage, await h264({ seconds: 4, size: '640x360' }));
      expect(view).toMatchObject({ status: 'processing', stream: null });
      const { rows } = await pool.query(
        `select attempts from graphile_worker._private_jobs where key = $1 and locked_at is null`,
        [`media.stream:${view.id}`],
      );
      expect(rows).toEqual([{ attempts: 1 }]);
      expect(await left(stage)).toEqual([]);
      unmount();
      await pool.query('update graphile_worker._private_jobs set run_at = now() where key = $1', [
        `media.stream:${view.id}`,
      ]);
      expect((await stage.makeReady(view.id)).stream?.hls).toContain('master.m3u8');
    } finally {
      await stage.test.close();
    }
  });
});
