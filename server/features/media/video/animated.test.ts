import type { Media } from '@stagedoor/contract/media.ts';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SENTENCES } from '../sentences.ts';
import { publish } from '../testing.ts';
import { type IdleStage, openIdleStage } from '../tus.testing.ts';
import { changed, made, probe } from './testing.ts';

const RED = [220, 20, 20] as const;
const GREEN = [20, 180, 20] as const;
const BLUE = [30, 30, 230] as const;
const WHITE = [255, 255, 255] as const;
type Colour = readonly [number, number, number];

const SIZE = { width: 120, height: 80 };
async function frame(colour: Colour): Promise<Buffer> {
  const [r, g, b] = colour;
  return sharp({ create: { ...SIZE, channels: 3, background: { r, g, b } } })
    .png()
    .toBuffer();
}

const DELAYS = [500, 1000, 1500];
async function moving(): Promise<Sharp> {
  const frames = await Promise.all([RED, GREEN, BLUE].map(frame));
  return sharp(frames, { join: { animated: true } });
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const gif = once(async () => (await moving()).gif({ delay: DELAYS, loop: 0 }).toBuffer());
const webp = once(async () => (await moving()).webp({ delay: DELAYS, quality: 95 }).toBuffer());
const apng = once(async () => changed(await gif(), 'a.png', ['-f', 'apng', '-final_delay', '1.5']));
const avif = once(async () =>
  changed(await gif(), 'a.avif', ['-vf', 'fps=2', '-c:v', 'libaom-av1', '-cpu-used', '8', '-pix_fmt', 'yuv420p']),
);

const PER_SECOND = 10;
async function coloursOf(film: Buffer): Promise<number[][]> {
  const pixels = ['-vf', `fps=${PER_SECOND},crop=2:2:60:40`, '-f', 'rawvideo', '-pix_fmt', 'rgb24'];
  const shown = await changed(film, 'pixels', pixels);
  return Array.from({ length: shown.length / 12 }, (_, at) => [...shown.subarray(at * 12, at * 12 + 3)]);
}

describe('an animated picture', () => {
  let stage: IdleStage;
  beforeAll(async () => {
    stage = await openIdleStage();
  });
  afterAll(() => stage.test.close());

  const processed = async (file: Buffer) => stage.makeReady(await stage.client.upload(file, 'dance.gif', 'image/gif'));
  const ready = async (file: Buffer) => {
    const view = await processed(file);
    expect(view).toMatchObject({ status: 'ready', failure: null });
    return view;
  };
  const readyGif = once(async () => ready(await gif()));
  const readyWebp = once(async () => ready(await webp()));
  const filmOf = async ({ stream }: Media) => {
    const answer = await stage.creator.inject('GET', stream?.file ?? '');
    expect([answer.statusCode, answer.headers['content-type']], answer.body.slice(0, 200)).toEqual([200, 'video/mp4']);
    return answer.rawPayload;
  };

  it.each<[string, () => Promise<Media>]>([
    ['GIF', readyGif],
    ['WebP', readyWebp],
    ['APNG', async () => ready(await apng())],
    ['AVIF', async () => ready(await avif())],
  ])(
    '%s becomes a silent loop with the same timing and colors, playable as one file as soon as it is ready',
    async (_name, upload) => {
      const view = await upload();
      expect(view).toMatchObject({ kind: 'video', status: 'ready', fileName: 'dance.gif', ...SIZE });
      expect(view.stream).toMatchObject({ isLoop: true, hls: expect.stringContaining('master.m3u8') });
      const file = await filmOf(view);
      const { streams, format } = await probe(file);
      expect(streams).toMatchObject([{ codec_type: 'video', codec_name: 'h264', pix_fmt: 'yuv420p', ...SIZE }]);
      expect(Number(format.duration)).toBeCloseTo(3, 1);
      const colours: [number, Colour][] = [
        [0.2, RED],
        [0.4, RED],
        [0.6, GREEN],
        [1.4, GREEN],
        [1.6, BLUE],
        [2.8, BLUE],
      ];
      const shown = await coloursOf(file);
      for (const [second, colour] of colours) {
        const seen = shown[Math.round(second * PER_SECOND)] ?? [];
        const furthest = Math.max(...colour.map((value, at) => Math.abs(value - (seen[at] ?? 0))));
        expect(furthest, `at ${second} s: ${seen}`).toBeLessThan(16);
      }
    },
  );

  it('is processed to the end when it is an extremely wide strip', async () => {
    const strip = await made('strip.gif', ['-f', 'lavfi', '-i', 'testsrc=s=1920x26:r=5:d=0.4']);
    const view = await stage.improve((await ready(strip)).id);
    expect(view).toMatchObject({ kind: 'video', status: 'ready', stage: 'done', width: 1920, height: 26 });
  });

  it('can be posted like a video, locked behind its preview', async () => {
    const { id } = await readyGif();
    const postId = await publish(stage.creator, [id], { price: 5 });
    const fan = await stage.test.signUp('customer');
    const [item] = (await fan.inject('GET', `/api/post/${postId}`)).json().media;
    expect(item).toMatchObject({ kind: 'video', isLocked: true, preview: { url: expect.stringContaining('preview') } });
    expect(item).not.toHaveProperty('stream');
    const [own] = (await stage.creator.inject('GET', `/api/post/${postId}`)).json().media;
    expect(own).toMatchObject({ isLocked: false, stream: { isLoop: true } });
  });

  it('is drawn on white where it is transparent, and complete where frames update only parts', async () => {
    const drawn =
      'color=c=black@0:s=120x80:r=5:d=3,format=rgba,drawbox=x=t*20:y=0:w=20:h=20:color=red:t=fill:replace=1';
    const view = await ready(await made('a.png', ['-f', 'lavfi', '-i', drawn, '-f', 'apng']));
    const seen = (await coloursOf(await filmOf(view)))[1.5 * PER_SECOND] ?? [];
    expect(Math.max(...WHITE.map((value, at) => value - (seen[at] ?? 0)))).toBeLessThan(8);
  });

  it('is public in a free post', async () => {
    const { id } = await readyWebp();
    const postId = await publish(stage.creator, [id]);
    const [item] = (await stage.test.inject('GET', `/api/post/${postId}`)).json().media;
    const answer = await stage.test.inject('GET', item.stream.file);
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'video/mp4']);
  });

  it('is repeated within its video when it is very short', async () => {
    const quick = (await moving()).gif({ delay: [100, 100, 100] });
    const view = await ready(await quick.toBuffer());
    expect(view.durationSeconds).toBeCloseTo(3, 0);
  });

  it('with odd or large sides is scaled to a size that plays', async () => {
    const wide = await made('a.gif', ['-f', 'lavfi', '-i', 'testsrc2=s=2401x333:r=5:d=0.4']);
    expect(await ready(wide)).toMatchObject({ kind: 'video', width: 1920, height: 266 });
  });

  it('with a single frame is a picture', async () => {
    for (const file of [
      await sharp(await frame(RED))
        .gif()
        .toBuffer(),
      await made('a.png', ['-f', 'lavfi', '-i', 'color=c=red:s=120x80', '-frames:v', '1', '-f', 'apng']),
    ])
      expect(await ready(file)).toMatchObject({ kind: 'picture', stream: null });
  });

  it('with a missing part is reported as damaged', async () => {
    for (const make of [gif, webp, apng, avif]) {
      const noisy =
        make === gif ? await made('a.gif', ['-f', 'lavfi', '-i', 'testsrc2=s=160x120:r=5:d=1']) : await make();
      expect(await processed(noisy.subarray(0, Math.floor(noisy.length * 0.7)))).toMatchObject({
        status: 'failed',
        failure: SENTENCES.damaged,
      });
    }
  });

  it('that is too long or too large is refused with a message', async () => {
    const frames = await Promise.all(Array.from({ length: 7 }, (_, at) => frame(at % 2 ? RED : BLUE)));
    const slow = await sharp(frames, { join: { animated: true } })
      .gif({ delay: frames.map(() => 10_000) })
      .toBuffer();
    expect(await processed(slow)).toMatchObject({ status: 'failed', failure: SENTENCES.longLoop });
    const claims = Buffer.from(await apng());
    claims.writeUInt32BE(60_000, 16);
    claims.writeUInt32BE(60_000, 20);
    expect(await processed(claims)).toMatchObject({ status: 'failed', failure: SENTENCES.largeLoop });
  });
});
