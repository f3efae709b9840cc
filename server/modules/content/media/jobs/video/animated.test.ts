import type { Media } from '@stagedoor/contract/content/media.ts';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MEDIA_MESSAGES } from '../../../media-processing/index.ts';
import { convertFile, createMediaFile, probeFile } from '../../../media-processing/testing.ts';
import { publishPost } from '../../testing.ts';
import { type IdleUploadTest, openIdleUploadTest } from '../../tus.testing.ts';

const RED = [220, 20, 20] as const;
const GREEN = [20, 180, 20] as const;
const BLUE = [30, 30, 230] as const;
const WHITE = [255, 255, 255] as const;
type Color = readonly [number, number, number];

const SIZE = { width: 120, height: 80 };
async function createFrame(color: Color): Promise<Buffer> {
  const [r, g, b] = color;
  return sharp({ create: { ...SIZE, channels: 3, background: { r, g, b } } })
    .png()
    .toBuffer();
}

const DELAYS = [500, 1000, 1500];
async function createAnimation(): Promise<Sharp> {
  const frames = await Promise.all([RED, GREEN, BLUE].map(createFrame));
  return sharp(frames, { join: { animated: true } });
}

function memoize<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const gif = memoize(async () => (await createAnimation()).gif({ delay: DELAYS, loop: 0 }).toBuffer());
const webp = memoize(async () => (await createAnimation()).webp({ delay: DELAYS, quality: 95 }).toBuffer());
const apng = memoize(async () => convertFile(await gif(), 'a.png', ['-f', 'apng', '-final_delay', '1.5']));
const avif = memoize(async () =>
  convertFile(await gif(), 'a.avif', ['-vf', 'fps=2', '-c:v', 'libaom-av1', '-cpu-used', '8', '-pix_fmt', 'yuv420p']),
);

const PER_SECOND = 10;
async function sampleColors(film: Buffer): Promise<number[][]> {
  const pixels = ['-vf', `fps=${PER_SECOND},crop=2:2:60:40`, '-f', 'rawvideo', '-pix_fmt', 'rgb24'];
  const shown = await convertFile(film, 'pixels', pixels);
  return Array.from({ length: shown.length / 12 }, (_, at) => [...shown.subarray(at * 12, at * 12 + 3)]);
}

describe('an animated picture', () => {
  let uploadTest: IdleUploadTest;
  beforeAll(async () => {
    uploadTest = await openIdleUploadTest();
  });
  afterAll(() => uploadTest.test.close());

  const uploadAndProcess = async (file: Buffer) =>
    uploadTest.makeReady(await uploadTest.client.upload(file, 'dance.gif', 'image/gif'));
  const uploadReady = async (file: Buffer) => {
    const view = await uploadAndProcess(file);
    expect(view).toMatchObject({ status: 'ready', failure: null });
    return view;
  };
  const readyGif = memoize(async () => uploadReady(await gif()));
  const readyWebp = memoize(async () => uploadReady(await webp()));
  const fetchFile = async ({ stream }: Media) => {
    const response = await uploadTest.creator.inject('GET', stream?.file ?? '');
    expect([response.statusCode, response.headers['content-type']], response.body.slice(0, 200)).toEqual([
      200,
      'video/mp4',
    ]);
    return response.rawPayload;
  };

  it.each<[string, () => Promise<Media>]>([
    ['GIF', readyGif],
    ['WebP', readyWebp],
    ['APNG', async () => uploadReady(await apng())],
    ['AVIF', async () => uploadReady(await avif())],
  ])(
    '%s becomes a silent loop with the same timing and colors, playable as one file as soon as it is ready',
    async (_name, upload) => {
      const view = await upload();
      expect(view).toMatchObject({ kind: 'video', status: 'ready', fileName: 'dance.gif', ...SIZE });
      expect(view.stream).toMatchObject({ isLoop: true, hls: expect.stringContaining('master.m3u8') });
      const file = await fetchFile(view);
      const { streams, format } = await probeFile(file);
      expect(streams).toMatchObject([{ codec_type: 'video', codec_name: 'h264', pix_fmt: 'yuv420p', ...SIZE }]);
      expect(Number(format.duration)).toBeCloseTo(3, 1);
      const expectedColors: [number, Color][] = [
        [0.2, RED],
        [0.4, RED],
        [0.6, GREEN],
        [1.4, GREEN],
        [1.6, BLUE],
        [2.8, BLUE],
      ];
      const shown = await sampleColors(file);
      for (const [second, color] of expectedColors) {
        const seen = shown[Math.round(second * PER_SECOND)] ?? [];
        const maxDifference = Math.max(...color.map((value, at) => Math.abs(value - (seen[at] ?? 0))));
        expect(maxDifference, `at ${second} s: ${seen}`).toBeLessThan(16);
      }
    },
  );

  it('is processed to the end when it is an extremely wide strip', async () => {
    const strip = await createMediaFile('strip.gif', ['-f', 'lavfi', '-i', 'testsrc=s=1920x26:r=5:d=0.4']);
    const view = await uploadTest.improve((await uploadReady(strip)).id);
    expect(view).toMatchObject({ kind: 'video', status: 'ready', stage: 'done', width: 1920, height: 26 });
  });

  it('can be posted like a video, locked behind its preview', async () => {
    const { id } = await readyGif();
    const postId = await publishPost(uploadTest.creator, [id], { price: 5 });
    const fan = await uploadTest.test.signUp('customer');
    const [item] = (await fan.inject('GET', `/api/post/${postId}`)).json().media;
    expect(item).toMatchObject({ kind: 'video', isLocked: true, preview: { url: expect.stringContaining('preview') } });
    expect(item).not.toHaveProperty('stream');
    const [own] = (await uploadTest.creator.inject('GET', `/api/post/${postId}`)).json().media;
    expect(own).toMatchObject({ isLocked: false, stream: { isLoop: true } });
  });

  it('is drawn on white where it is transparent, and complete where frames update only parts', async () => {
    const drawn =
      'color=c=black@0:s=120x80:r=5:d=3,format=rgba,drawbox=x=t*20:y=0:w=20:h=20:color=red:t=fill:replace=1';
    const view = await uploadReady(await createMediaFile('a.png', ['-f', 'lavfi', '-i', drawn, '-f', 'apng']));
    const seen = (await sampleColors(await fetchFile(view)))[1.5 * PER_SECOND] ?? [];
    expect(Math.max(...WHITE.map((value, at) => value - (seen[at] ?? 0)))).toBeLessThan(8);
  });

  it('is public in a free post', async () => {
    const { id } = await readyWebp();
    const postId = await publishPost(uploadTest.creator, [id]);
    const [item] = (await uploadTest.test.inject('GET', `/api/post/${postId}`)).json().media;
    const response = await uploadTest.test.inject('GET', item.stream.file);
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'video/mp4']);
  });

  it('is repeated within its video when it is very short', async () => {
    const quick = (await createAnimation()).gif({ delay: [100, 100, 100] });
    const view = await uploadReady(await quick.toBuffer());
    expect(view.durationSeconds).toBeCloseTo(3, 0);
  });

  it('with odd or large sides is scaled to a size that plays', async () => {
    const wide = await createMediaFile('a.gif', ['-f', 'lavfi', '-i', 'testsrc2=s=2401x333:r=5:d=0.4']);
    expect(await uploadReady(wide)).toMatchObject({ kind: 'video', width: 1920, height: 266 });
  });

  it('with a single frame is a picture', async () => {
    for (const file of [
      await sharp(await createFrame(RED))
        .gif()
        .toBuffer(),
      await createMediaFile('a.png', ['-f', 'lavfi', '-i', 'color=c=red:s=120x80', '-frames:v', '1', '-f', 'apng']),
    ])
      expect(await uploadReady(file)).toMatchObject({ kind: 'picture', stream: null });
  });

  it('with a missing part is reported as damaged', async () => {
    for (const make of [gif, webp, apng, avif]) {
      const noisy =
        make === gif
          ? await createMediaFile('a.gif', ['-f', 'lavfi', '-i', 'testsrc2=s=160x120:r=5:d=1'])
          : await make();
      expect(await uploadAndProcess(noisy.subarray(0, Math.floor(noisy.length * 0.7)))).toMatchObject({
        status: 'failed',
        failure: MEDIA_MESSAGES.damaged,
      });
    }
  });

  it('that is too long or too large is refused with a message', async () => {
    const frames = await Promise.all(Array.from({ length: 7 }, (_, at) => createFrame(at % 2 ? RED : BLUE)));
    const slow = await sharp(frames, { join: { animated: true } })
      .gif({ delay: frames.map(() => 10_000) })
      .toBuffer();
    expect(await uploadAndProcess(slow)).toMatchObject({ status: 'failed', failure: MEDIA_MESSAGES.loopTooLong });
    const largeFile = Buffer.from(await apng());
    largeFile.writeUInt32BE(60_000, 16);
    largeFile.writeUInt32BE(60_000, 20);
    expect(await uploadAndProcess(largeFile)).toMatchObject({ status: 'failed', failure: MEDIA_MESSAGES.loopTooLarge });
  });
});
