/** Inspection is tested for each kind. One of each kind is uploaded and played. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Media } from '@stagedoor/contract/content/media.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTools, inspectSource, type ProbedSource } from '../../../media-processing/index.ts';
import {
  collectFfmpegMessages,
  convertFile,
  createH264,
  createMediaFile,
  listPackets,
  probeFile,
} from '../../../media-processing/testing.ts';
import { createPictureFile, fetchRenditions } from '../../testing.ts';
import { type IdleUploadTest, openIdleUploadTest } from '../../tus.testing.ts';

let uploadTest: IdleUploadTest;

beforeAll(async () => {
  uploadTest = await openIdleUploadTest();
});
afterAll(() => uploadTest.test.close());

const cachedFiles = new Map<string, Promise<Buffer>>();
/** Programs take long to start, so a file that several tests use is made once. */
function getCachedFile(name: string, make: () => Promise<Buffer>): Promise<Buffer> {
  const file = cachedFiles.get(name) ?? make();
  cachedFiles.set(name, file);
  return file;
}

async function inspectFile(file: Buffer, name: string): Promise<ProbedSource> {
  const tools = await findTools(uploadTest.test.ctx.config);
  if (!tools) throw new Error('ffmpeg is missing');
  const folder = await mkdtemp(path.join(tmpdir(), 'stagedoor-inspect-'));
  const demuxer: ProbedSource['demuxer'] = /\.(mkv|webm)$/.test(name) ? 'matroska' : 'mov';
  try {
    await writeFile(path.join(folder, 'film'), file);
    return await inspectSource(tools, folder, 'film', demuxer);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function uploadReady(file: Buffer): Promise<Media> {
  const view = await uploadTest.makeReady(await uploadTest.client.upload(file, 'film.bin', 'video/mp4'));
  expect(view).toMatchObject({ status: 'ready', failure: null });
  return view;
}
async function uploadAndFetch(file: Buffer): Promise<{ view: Media; bytes: Buffer }> {
  const view = await uploadReady(file);
  const [rendition] = await fetchRenditions(uploadTest.creator, view.stream?.hls ?? '');
  return { view, bytes: rendition?.bytes ?? Buffer.alloc(0) };
}
const listCodecs = async (bytes: Buffer) => (await probeFile(bytes)).streams.map(({ codec_name }) => codec_name);

const toDataUrl = (type: string, content: Buffer | string) =>
  `data:${type};base64,${Buffer.from(content).toString('base64')}`;
const SRT = '1\n00:00:00,100 --> 00:00:00,900\nHello\n\n2\n00:00:01,000 --> 00:00:01,500\nagain\n';
const CHAPTERS =
  ';FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1000\ntitle=One\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=1000\nEND=2000\ntitle=Two\n';
const srt = ['-f', 'srt', '-i', toDataUrl('text/plain', SRT)];
const mapAll = ['-map', '0', '-map', '1'];
const copy = ['-c:v', 'copy', '-c:a', 'copy'];

describe('streams other than picture and sound are ignored', () => {
  let film: Buffer;
  let cover: Buffer;
  beforeAll(async () => {
    film = await createH264({ size: '64x36' });
    cover = await createPictureFile({ width: 300, height: 200, color: '#204060' });
  });

  type ExtraStream = [name: string, file: string, args: () => string[], codec: string];
  const extraStreams: ExtraStream[] = [
    ['subtitles in MP4', 'a.mp4', () => [...srt, ...mapAll, ...copy, '-c:s', 'mov_text'], 'mov_text'],
    [
      'subtitles in front, in MOV',
      'a.mov',
      () => [...srt, '-map', '1', '-map', '0', ...copy, '-c:s', 'mov_text'],
      'mov_text',
    ],
    ['SubRip in MKV', 'a.mkv', () => [...srt, ...mapAll, ...copy, '-c:s', 'srt'], 'subrip'],
    ['ASS in MKV', 'a.mkv', () => [...srt, ...mapAll, ...copy, '-c:s', 'ass'], 'ass'],
    [
      'WebVTT in WebM',
      'a.webm',
      () => [...srt, ...mapAll, '-c:v', 'libvpx', '-c:a', 'libopus', '-c:s', 'webvtt'],
      'webvtt',
    ],
    ['a timecode in MOV', 'a.mov', () => [...copy, '-timecode', '01:00:00:00'], 'unknown'],
    ['a second sound in MKV', 'a.mkv', () => ['-map', '0', '-map', '0:a', ...copy, '-c:a:1', 'ac3'], 'ac3'],
    [
      'a second sound in DTS',
      'a.mkv',
      () => ['-map', '0', '-map', '0:a', ...copy, '-c:a:1', 'dca', '-strict', '-2'],
      'dts',
    ],
    [
      'a cover in MP4',
      'a.mp4',
      () => ['-i', toDataUrl('image/png', cover), ...mapAll, '-c', 'copy', '-disposition:v:1', 'attached_pic'],
      'mjpeg',
    ],
    [
      'chapters in MP4',
      'a.mp4',
      () => ['-f', 'ffmetadata', '-i', toDataUrl('text/plain', CHAPTERS), ...copy, '-map_chapters', '1'],
      'bin_data',
    ],
  ];

  it.each(extraStreams)('%s is not selected as picture or sound', async (row, name, args, extraCodec) => {
    const file = await getCachedFile(row, () => convertFile(film, name, args()));
    const codecs = await listCodecs(file);
    expect(codecs).toContain(extraCodec === 'unknown' ? undefined : extraCodec);
    const source = await inspectFile(file, name);
    expect(source.seconds).toBeCloseTo(2, 0);
    expect(codecs[source.video?.index ?? -1]).toBe(name.endsWith('webm') ? 'vp8' : 'h264');
    expect(source.audio?.isPlayable).toBe(!name.endsWith('webm'));
    expect(source.cover).toBe(extraCodec === 'mjpeg' ? 2 : null);
  });

  const PLAYED = ['subtitles in front, in MOV', 'WebVTT in WebM'];
  it.each(extraStreams.filter(([name]) => PLAYED.includes(name)))(
    '%s is not part of the playable video',
    async (row, name, args) => {
      const { bytes, view } = await uploadAndFetch(await getCachedFile(row, () => convertFile(film, name, args())));
      expect(await listCodecs(bytes)).toEqual(['h264', 'aac']);
      expect(view.durationSeconds).toBeCloseTo(2, 0);
      expect(bytes.includes('Hello')).toBe(false);
    },
  );

  it('a cover in M4A becomes the picture of the audio', async () => {
    const args = [
      '-i',
      toDataUrl('image/jpeg', cover),
      '-map',
      '0:a',
      '-map',
      '1:v',
      '-c',
      'copy',
      '-disposition:v',
      'attached_pic',
    ];
    const view = await uploadReady(await convertFile(film, 'a.m4a', args));
    expect(view).toMatchObject({ kind: 'audio', picture: { width: 300, height: 200 } });
    const { format } = await sharp(
      (await uploadTest.creator.inject('GET', view.picture?.url ?? '')).rawPayload,
    ).metadata();
    expect(format).toBeDefined();
  });
});

const createScene = (kind: 'picture' | 'sound', at: number, seconds: number) =>
  kind === 'picture'
    ? ['-f', 'lavfi', '-i', `color=black:s=64x36:r=25:d=${seconds},drawbox=enable='gte(t,${at})':color=white:t=fill`]
    : ['-f', 'lavfi', '-i', `sine=f=440:r=48000:d=${seconds},volume='gte(t,${at})':eval=frame`];

async function createOffsetVideo(
  name: string,
  { picture, sound }: { picture: [number, number, number]; sound: [number, number, number] },
): Promise<Buffer> {
  const coded = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '25', '-c:a', 'aac'];
  const part = (file: string, kind: 'picture' | 'sound', [, at, seconds]: [number, number, number]) =>
    getCachedFile(`${kind} ${at} ${seconds}`, () =>
      createMediaFile(file, [...createScene(kind, at, seconds), ...coded]),
    );
  const film = await part('v.mp4', 'picture', picture);
  const tone = await part('a.m4a', 'sound', sound);
  // Copies the streams, because an encoder would fill the beginning itself.
  const later = (file: string, by: number) => ['-itsoffset', String(by), '-i', file];
  const ins = [...later('v.mp4', picture[0]), ...later('a.m4a', sound[0])];
  return createMediaFile(name, [...ins, ...mapAll, '-c', 'copy', '-copyts'], { 'v.mp4': film, 'a.m4a': tone });
}

async function findChanges(bytes: Buffer): Promise<{ pictureAt: number; soundAt: number }> {
  const filters = ['-vf', 'blackdetect=d=0.1:pix_th=0.2', '-af', 'silencedetect=noise=-30dB:d=0.1'];
  const text = await collectFfmpegMessages(bytes, filters, 'info');
  const at = (pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? Number.NaN);
  return { pictureAt: at(/black_end:([\d.]+)/), soundAt: at(/silence_end: ([\d.]+)/) };
}

describe('a late start or an early end is not treated as damage', () => {
  type LateCase = [
    string,
    string,
    Parameters<typeof createOffsetVideo>[1],
    { seconds: number; at: number; isRemuxed: boolean },
  ];
  // Start, change within it, length, all in seconds.
  const lateCases: LateCase[] = [
    [
      'a picture 8 s behind its sound in MP4',
      'a.mp4',
      { picture: [8, 1, 3], sound: [0, 9, 11] },
      { seconds: 11, at: 9, isRemuxed: false },
    ],
    [
      'a picture 8 s behind its sound in MKV',
      'a.mkv',
      { picture: [8, 1, 3], sound: [0, 9, 11] },
      { seconds: 11, at: 9, isRemuxed: false },
    ],
    [
      'both 8 s behind the clock in MP4',
      'a.mp4',
      { picture: [8, 1, 3], sound: [8, 1, 3] },
      { seconds: 3, at: 1, isRemuxed: true },
    ],
    [
      'both 8 s behind the clock in MKV',
      'a.mkv',
      { picture: [8, 1, 3], sound: [8, 1, 3] },
      { seconds: 3, at: 1, isRemuxed: true },
    ],
    [
      'a sound 3 s behind its picture',
      'a.mov',
      { picture: [0, 4, 6], sound: [3, 1, 3] },
      { seconds: 6, at: 4, isRemuxed: true },
    ],
    [
      'a sound that ends long before the picture',
      'a.mp4',
      { picture: [0, 1, 9], sound: [0, 1, 2] },
      { seconds: 9, at: 1, isRemuxed: true },
    ],
    [
      'a picture that ends long before the sound',
      'a.mp4',
      { picture: [0, 1, 2], sound: [0, 1, 9] },
      { seconds: 9, at: 1, isRemuxed: false },
    ],
    [
      'a picture that ends long before the sound in MKV',
      'a.mkv',
      { picture: [0, 1, 2], sound: [0, 1, 9] },
      { seconds: 9, at: 1, isRemuxed: false },
    ],
  ];

  it.each(lateCases)('%s is inspected with its full duration', async (row, name, timing, { seconds, isRemuxed }) => {
    const source = await inspectFile(await getCachedFile(row, () => createOffsetVideo(name, timing)), name);
    expect(Math.abs(source.seconds - seconds)).toBeLessThan(0.15);
    expect(source.video?.isPlayable).toBe(isRemuxed);
  });

  const PLAYED = [
    'a picture 8 s behind its sound in MP4',
    'both 8 s behind the clock in MKV',
    'a picture that ends long before the sound in MKV',
  ];
  it.each(lateCases.filter(([name]) => PLAYED.includes(name)))(
    '%s plays with picture and sound in sync',
    async (row, name, timing, { seconds, at, isRemuxed }) => {
      const { view, bytes } = await uploadAndFetch(await getCachedFile(row, () => createOffsetVideo(name, timing)));
      expect(Math.abs((view.durationSeconds ?? 0) - seconds)).toBeLessThan(0.15);
      // Sound and picture must cover the whole duration, because players skip what only one of them covers.
      for (const kind of ['v', 'a'] as const) {
        const coveredPackets = await listPackets(bytes, kind);
        expect(Math.min(...coveredPackets.map(({ start }) => start))).toBeLessThan(0.1);
        expect(Math.abs(Math.max(...coveredPackets.map(({ end }) => end)) - seconds)).toBeLessThan(0.25);
      }
      const changes = await findChanges(bytes);
      expect(Math.abs(changes.pictureAt - changes.soundAt)).toBeLessThanOrEqual(0.05);
      expect(Math.abs(changes.pictureAt - at)).toBeLessThan(0.15);
      expect(isRemuxed).toBe(
        (await uploadTest.creator.inject('GET', view.stream?.hls ?? '')).body.includes('src.m3u8'),
      );
    },
  );

  it('a part that an editor cut off at the beginning is not shown', async () => {
    const film = await createMediaFile('a.mp4', [
      ...['-f', 'lavfi', '-i', "color=white:s=64x36:r=25:d=5,drawbox=enable='gte(t,1.5)':color=black:t=fill"],
      ...createScene('sound', 1.5, 5),
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '250', '-c:a', 'aac'],
    ]);
    const cut = await createMediaFile('c.mp4', ['-ss', '2', '-i', 'a.mp4', '-c', 'copy'], { 'a.mp4': film });
    const { view, bytes } = await uploadAndFetch(cut);
    expect(Math.abs((view.durationSeconds ?? 0) - 3)).toBeLessThan(0.15);
    expect(await collectFfmpegMessages(bytes, ['-vf', 'blackdetect=d=0.1:pix_th=0.2', '-an'], 'info')).toMatch(
      /black_start:0(?:\.0\d+)? /,
    );
  });
});

describe('an interlaced video', () => {
  const toFieldArgs = (order: string) => ['-vf', `interlace=scan=${order}:lowpass=off`, '-flags', '+ildct+ilme'];
  const createMovingArgs = (seconds: number) => ['-f', 'lavfi', '-i', `testsrc2=s=640x360:r=50:d=${seconds}`];
  const x264 = (order: string) => [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
    '-x264opts',
    `${order}=1`,
  ];
  async function getCombedShare(bytes: Buffer): Promise<number> {
    const text = await collectFfmpegMessages(bytes, ['-vf', 'idet'], 'info');
    const [, tff, bff, progressive, unknown] =
      /Multi frame detection: TFF:\s*(\d+) BFF:\s*(\d+) Progressive:\s*(\d+) Undetermined:\s*(\d+)/.exec(text) ?? [];
    const interlacedCount = Number(tff) + Number(bff);
    return interlacedCount / (interlacedCount + Number(progressive) + Number(unknown));
  }

  const films: [string, string, string[]][] = [
    ['H.264, upper field first', 'a.mp4', [...toFieldArgs('tff'), ...x264('tff')]],
    ['H.264, lower field first, in MKV', 'a.mkv', [...toFieldArgs('bff'), ...x264('bff')]],
    ['MPEG-2', 'a.mkv', [...toFieldArgs('tff'), '-c:v', 'mpeg2video', '-b:v', '4M']],
    [
      'MPEG-4, which is marked as interlaced only in its frames',
      'a.mp4',
      [...toFieldArgs('tff'), '-c:v', 'mpeg4', '-b:v', '4M'],
    ],
  ];

  it.each(films)('%s is detected as interlaced', async (_name, name, args) => {
    expect(
      (await inspectFile(await createMediaFile(name, [...createMovingArgs(0.4), ...args]), name)).video,
    ).toMatchObject({
      isInterlaced: true,
      isPlayable: false,
    });
  });

  it.each(films.slice(-1))('%s is encoded to progressive frames', async (_name, name, args) => {
    const file = await createMediaFile(name, [...createMovingArgs(2), ...args]);
    expect(await getCombedShare(file)).toBeGreaterThan(0.9);
    const { bytes } = await uploadAndFetch(file);
    expect((await probeFile(bytes)).streams[0]).toMatchObject({ codec_name: 'h264', field_order: 'progressive' });
    expect(await getCombedShare(bytes)).toBeLessThan(0.1);
  });
});
