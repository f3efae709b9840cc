import { readdir } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApp, TestUser } from '../../../../../testing/app.ts';
import {
  convertFile,
  createH264,
  createInputArgs,
  createMediaFile,
  probeFile,
} from '../../../media-processing/testing.ts';
import { fetchRenditions } from '../../testing.ts';
import { type IdleUploadTest, openIdleUploadTest } from '../../tus.testing.ts';

let uploadTest: IdleUploadTest;
let test: TestApp;
let creator: TestUser;

beforeAll(async () => {
  uploadTest = await openIdleUploadTest();
  ({ test, creator } = uploadTest);
});
afterAll(() => test.close());

const uploadAndProcess = async (file: Buffer, name = 'film.mp4') =>
  uploadTest.makeReady(await uploadTest.client.upload(file, name, 'video/mp4'));
async function uploadReady(file: Buffer, name?: string) {
  const view = await uploadAndProcess(file, name);
  expect(view).toMatchObject({ status: 'ready', failure: null });
  return view;
}
async function improveFully(id: string) {
  const view = await uploadTest.improve(id, { hasGifs: false });
  expect(view).toMatchObject({ status: 'ready', stage: 'done' });
  return view;
}

describe('a video in H.264', () => {
  it('plays immediately without encoding, and later as a plain file with frames for the scrubber', async () => {
    const first = await uploadReady(
      await createH264({ seconds: 5, args: ['-metadata', 'location=+48.2/', '-metadata', 'make=Secret'] }),
    );
    expect(first).toMatchObject({ kind: 'video', width: 320, height: 180, failure: null, isUsed: false });
    expect(first.durationSeconds).toBeCloseTo(5, 0);
    expect(first.picture).toMatchObject({ width: 320, height: 180 });
    const [own] = await fetchRenditions(creator, first.stream?.hls ?? '');
    expect(own?.resolution).toBe('320x180');
    expect(own?.codecs).toMatch(/^avc1\.[0-9a-f]{6},mp4a\.40\.2$/);
    const probed = await probeFile(own?.bytes ?? Buffer.alloc(0));
    expect(probed.streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac']);
    expect(own?.bytes.includes('Secret')).toBe(false);

    const last = await improveFully(first.id);
    expect(last.stream).toMatchObject({ fileType: 'video/mp4', waveform: [], captions: [] });
    const file = await creator.inject('GET', last.stream?.file ?? '');
    expect([file.statusCode, file.headers['content-type']]).toEqual([200, 'video/mp4']);
    expect(Number((await probeFile(file.rawPayload)).format.duration)).toBeCloseTo(5, 0);
    expect(file.rawPayload.includes('Secret')).toBe(false);
    expect(file.rawPayload.indexOf('moov')).toBeLessThan(file.rawPayload.indexOf('mdat'));
    const { sprite } = last.stream ?? {};
    expect(sprite).toMatchObject({ columns: 10, count: 3, frameWidth: 160, frameHeight: 90 });
    const frames = await creator.inject('GET', sprite?.url ?? '');
    expect(await sharp(frames.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 1600, height: 90 });
    expect(await readdir(path.join(test.ctx.config.dataDir, 'work'))).toEqual([]);
  });

  it('gets smaller renditions in the background, none larger, and stays upright in portrait', async () => {
    const { id } = await uploadReady(await createH264({ seconds: 0.4, size: '364x480', args: ['-crf', '35'] }));
    const { stream } = await improveFully(id);
    const renditions = await fetchRenditions(creator, stream?.hls ?? '');
    expect(renditions.map(({ resolution }) => resolution).sort()).toEqual(['360x474', '364x480']);
    for (const { bytes } of renditions) expect((await probeFile(bytes)).streams[0]?.codec_name).toBe('h264');
  });

  it('may have no sound', async () => {
    const { id } = await uploadReady(await createH264({ seconds: 0.4, hasSound: false, size: '364x364' }));
    const { stream } = await improveFully(id);
    const renditions = await fetchRenditions(creator, stream?.hls ?? '');
    expect(renditions).toHaveLength(2);
    for (const { bytes, codecs } of renditions) {
      expect(codecs).not.toContain('mp4a');
      expect((await probeFile(bytes)).streams).toHaveLength(1);
    }
  });

  it('is shown upright when it was filmed sideways', async () => {
    const sideways = await createMediaFile('film.mp4', [
      ...createInputArgs({ seconds: 1, size: '64x36' }),
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
    ]);
    const view = await uploadReady(
      await convertFile(sideways, 'turned.mp4', ['-c', 'copy', '-metadata:s:v:0', 'rotate=90']),
    );
    expect(view).toMatchObject({ width: 36, height: 64, picture: { width: 36, height: 64 } });
    const renditions = await fetchRenditions(creator, (await improveFully(view.id)).stream?.hls ?? '');
    expect((await probeFile(renditions[0]?.bytes ?? Buffer.alloc(0))).streams[0]).toMatchObject({
      width: 36,
      height: 64,
    });
  });
});

describe('a video in another format', () => {
  it.each([
    [
      'VP9 and Opus in WebM',
      'film.webm',
      ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus'],
    ],
    ['Theora and Vorbis in OGG', 'film.ogv', ['-c:v', 'libtheora', '-c:a', 'libvorbis']],
    [
      'HEVC in MOV',
      'film.mov',
      ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none', '-c:a', 'aac'],
    ],
    [
      '4:4:4 H.264 in MKV',
      'film.mkv',
      ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv444p', '-c:a', 'flac'],
    ],
  ])('%s is encoded to H.264 and AAC', async (_name, name, codec) => {
    const film = await createMediaFile(name, [
      ...createInputArgs({ seconds: 1, size: '64x36' }),
      ...codec,
      '-shortest',
    ]);
    const view = await uploadReady(film, 'holiday.txt');
    const [rendition] = await fetchRenditions(creator, view.stream?.hls ?? '');
    expect(
      (await probeFile(rendition?.bytes ?? Buffer.alloc(0))).streams.map(({ codec_name, pix_fmt }) => [
        codec_name,
        pix_fmt,
      ]),
    ).toEqual([
      ['h264', 'yuv420p'],
      ['aac', undefined],
    ]);
  });

  it('gets a plain file with picture and sound', async () => {
    const film = await createMediaFile('film.avi', [
      ...createInputArgs({ seconds: 1, size: '64x36' }),
      '-c:v',
      'mpeg4',
      '-c:a',
      'mp3',
    ]);
    const { stream } = await improveFully((await uploadReady(film)).id);
    const { streams } = await probeFile((await creator.inject('GET', stream?.file ?? '')).rawPayload);
    expect(streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac']);
  });
});

describe('a video in HDR', () => {
  const hdr = (transfer: string) => [
    ...[
      '-vf',
      `setparams=color_primaries=bt2020:color_trc=${transfer}:colorspace=bt2020nc`,
      '-c:a',
      'aac',
      '-shortest',
    ],
    ...['-color_primaries', 'bt2020', '-color_trc', transfer, '-colorspace', 'bt2020nc'],
  ];
  const x265 = (transfer: string) => [
    ...['-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p10le'],
    '-x265-params',
    `log-level=none:colorprim=bt2020:transfer=${transfer}:colormatrix=bt2020nc`,
  ];
  const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];

  it.each([
    ['HLG, as phones make it', 'arib-std-b67', x265('arib-std-b67')],
    ['PQ in H.264, which would otherwise play as it is', 'smpte2084', x264],
  ])('%s is mapped to what every screen shows, and labeled accordingly', async (_name, transfer, codec) => {
    const file = await createMediaFile('film.mp4', [
      ...createInputArgs({ seconds: 0.4, size: '128x72' }),
      ...codec,
      ...hdr(transfer),
    ]);
    expect((await probeFile(file)).streams[0]).toMatchObject({ color_transfer: transfer, color_primaries: 'bt2020' });
    const view = await improveFully((await uploadReady(file)).id);
    const renditions = await fetchRenditions(creator, view.stream?.hls ?? '');
    const whole = (await creator.inject('GET', view.stream?.file ?? '')).rawPayload;
    for (const bytes of [...renditions.map((rendition) => rendition.bytes), whole]) {
      expect((await probeFile(bytes)).streams[0]).toMatchObject({
        codec_name: 'h264',
        pix_fmt: 'yuv420p',
        color_transfer: 'bt709',
        color_primaries: 'bt709',
        color_space: 'bt709',
        color_range: 'tv',
      });
    }
    const poster = await creator.inject('GET', view.picture?.url ?? '');
    const { channels } = await sharp(poster.rawPayload).stats();
    for (const { min, max } of channels) expect([min < 40, max > 170]).toEqual([true, true]);
  });
});

describe('an unreadable video', () => {
  it('fails with a message when it is cut off, and leaves no files', async () => {
    const whole = await createH264({ seconds: 4 });
    const faststart = await createH264({ seconds: 4, args: ['-movflags', '+faststart'] });
    for (const file of [whole.subarray(0, 4000), faststart.subarray(0, faststart.length / 3)]) {
      const view = await uploadAndProcess(Buffer.from(file));
      expect(view).toMatchObject({
        status: 'failed',
        failure: 'This video is damaged or incomplete. Upload it again.',
        stream: null,
      });
    }
    expect(await readdir(path.join(test.ctx.config.dataDir, 'work'))).toEqual([]);
    expect(await readdir(path.join(test.ctx.config.dataDir, 'uploads'))).toEqual([]);
  });
});
