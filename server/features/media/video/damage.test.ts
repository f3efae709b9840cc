import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Media } from '@stagedoor/contract/media.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SENTENCES } from '../sentences.ts';
import { type IdleStage, openIdleStage } from '../tus.testing.ts';
import { glanceAt } from './damage.ts';
import { inspect } from './inspect.ts';
import { isMoving } from './job.ts';
import { packageAsIs } from './package.ts';
import { changed, follow, h264, heard, packets } from './testing.ts';
import { findTools } from './tools.ts';

let stage: IdleStage;

beforeAll(async () => {
  stage = await openIdleStage();
});
afterAll(() => stage.test.close());

const PER_SECOND = 10;
const films = new Map<string, Promise<Buffer>>();
/** Its first frame of each second is a key frame. */
function film(size = '160x90', seconds = 6): Promise<Buffer> {
  const args = ['-r', `${PER_SECOND}`, '-g', `${PER_SECOND}`, '-movflags', '+faststart', '-bf', '0'];
  const made = films.get(size) ?? h264({ seconds, size, args });
  films.set(size, made);
  return made;
}
const published = async (file: Buffer) => stage.makeReady(await stage.client.upload(file, 'film.mp4', 'video/mp4'));
const namesOf = async (view: Media) =>
  (await stage.creator.inject('GET', view.stream?.hls ?? '')).body.split('\n').filter((line) => line.endsWith('.m3u8'));

async function isPlayableAsIs(file: Buffer): Promise<boolean> {
  const tools = await findTools(stage.test.ctx.config);
  if (!tools) throw new Error('ffmpeg is missing');
  const dir = await mkdtemp(path.join(tmpdir(), 'stagedoor-damage-'));
  try {
    await writeFile(path.join(dir, 'film'), file);
    const source = await inspect(tools, dir, 'film', 'mov');
    if (!isMoving(source) || !source.video.isPlayable) throw new Error('it is encoded anyway');
    const bench = { tools, dir };
    const [packaged, seen] = await Promise.all([packageAsIs(bench, 'film', source), glanceAt(bench, 'film', source)]);
    return packaged !== undefined && !seen.isDamaged;
  } finally {
    await rm(dir, { recursive: true });
  }
}

async function expectWhole(view: Media, seconds: number): Promise<void> {
  const rungs = await follow(stage.creator, view.stream?.hls ?? '');
  expect(rungs.length).toBeGreaterThan(0);
  const files = rungs.map((rung) => rung.bytes);
  if (view.stage === 'done') files.push((await stage.creator.inject('GET', view.stream?.file ?? '')).rawPayload);
  for (const bytes of files) expect(await heard(bytes)).toBe('');
  expect(Math.abs((view.durationSeconds ?? 0) - seconds)).toBeLessThan(0.8);
}

const framesOf = (file: Buffer) => packets(file, 'v');
async function garbled(file: Buffer, isHit: (frame: number) => boolean): Promise<Buffer> {
  const broken = Buffer.from(file);
  for (const [frame, { at, size }] of (await framesOf(file)).entries())
    if (isHit(frame))
      for (let byte = at + Math.min(60, size >> 1); byte < at + size; byte += 1) broken[byte] = (byte * 89) & 0xff;
  return broken;
}

describe('a video with broken bytes', () => {
  it('is encoded before it is published when frames are missing', async () => {
    const file = await film();
    const frames = await framesOf(file);
    const zeroed = Buffer.from(file).fill(0, frames[28]?.at ?? 0, frames[31]?.at ?? 0);
    expect(await heard(zeroed)).not.toBe('');
    const view = await published(zeroed);
    expect(view).toMatchObject({ status: 'ready', failure: null });
    expect(await namesOf(view)).toEqual(['v90.m3u8']);
    await expectWhole(view, 6);
  });

  it('is encoded before it is published when a spot check finds damage', async () => {
    const view = await published(await garbled(await film(), (frame) => frame % PER_SECOND === 1));
    expect(view).toMatchObject({ status: 'ready', failure: null });
    expect(await namesOf(view)).toEqual(['v90.m3u8']);
    await expectWhole(view, 6);
  });

  it.each([
    ['small, with nothing to encode otherwise', '160x90', 6, ['v90.m3u8']],
    ['with a ladder', '480x480', 3, ['v480.m3u8', 'v360.m3u8']],
  ])(
    'is replaced by its encoded version when only a full decode finds the damage: %s',
    { timeout: 90_000 },
    async (_name, size, seconds, names) => {
      const broken = await garbled(await film(size, seconds), (frame) => frame === 25 || frame === 26);
      expect(await heard(broken)).toContain('error while decoding');
      const view = await published(broken);
      expect(view.status).toBe('ready');
      expect(await namesOf(view)).toEqual(['src.m3u8']);
      const last = await stage.improve(view.id, { hasGifs: false });
      expect(last.stage).toBe('done');
      expect(await namesOf(last)).toEqual(names);
      await expectWhole(last, seconds);
    },
  );

  it('is published up to the cut when it was cut off near its end', async () => {
    const file = await film();
    const view = await published(file.subarray(0, ((await framesOf(file))[56]?.at ?? 0) + 200));
    expect(view.status).toBe('ready');
    expect(await namesOf(view)).toEqual(['v90.m3u8']);
    await expectWhole(view, 5.6);
  });

  /** Missing parameter sets, which parsers report, and an invalid slice type, which only decoders report. */
  const HEADS = { parsed: [0x98, 0x02, 0x5b], decoded: [0x8b, 0x98] };
  const unreadableFrom = async (file: Buffer, from: number, head = HEADS.decoded) => {
    const broken = Buffer.from(file);
    for (const { at, size } of (await framesOf(file)).slice(from))
      for (let unit = at; unit + 7 < at + size; unit += 4 + file.readUInt32BE(unit))
        if ([1, 5].includes(file.readUInt8(unit + 4) % 32)) broken.set(head, unit + 5);
    return broken;
  };

  const long = (seconds: number, distance: number) =>
    h264({
      seconds,
      size: '64x36',
      hasSound: false,
      args: ['-r', `${PER_SECOND}`, '-bf', '0', '-g', `${distance}`, '-sc_threshold', '0'],
    });

  it.each<[string, () => Promise<Buffer>]>([
    // The last key frame is behind all spot checks except the one at the end.
    ['its end cannot be parsed', async () => unreadableFrom(await long(10, 18), 98, HEADS.parsed)],
    ['its end cannot be decoded', async () => unreadableFrom(await long(10, 18), 90)],
  ])('is not published without encoding when %s', async (_name, make) => {
    expect(await isPlayableAsIs(await make())).toBe(false);
  });

  it('is published without encoding when it has no damage', async () => {
    for (const file of [await film(), await long(10, 18)]) expect(await isPlayableAsIs(file)).toBe(true);
  });

  it.each([
    ['far from its end is replaced by what decodes, with its length', 240, 'ready', 24],
    ['from early on is withdrawn', 104, 'failed', undefined],
  ] as const)('that turns out to be unreadable %s', async (_name, from, status, seconds) => {
    const { id } = await published(await unreadableFrom(await long(30, 1000), from));
    const last = await stage.improve(id, { hasGifs: false });
    expect(last).toMatchObject({
      stage: 'done',
      status,
      failure: status === 'failed' ? SENTENCES.damagedVideo : null,
    });
    if (seconds !== undefined) await expectWhole(last, seconds);
  });

  it('is published up to the cut when it was cut off near its end in MKV', async () => {
    const file = await changed(await film(), 'a.mkv', ['-c', 'copy']);
    const view = await published(file.subarray(0, Math.round(file.length * 0.93)));
    expect(view.status).toBe('ready');
    await expectWhole(view, 5.6);
  });

  const sps = (file: Buffer) => {
    const broken = Buffer.from(file);
    const at = broken.indexOf('avcC') + 12;
    for (let byte = at + 4; byte < at + 10; byte += 1) broken[byte] = (broken[byte] ?? 0) ^ 0xff;
    return broken;
  };
  it.each<[string, (file: Buffer) => Buffer | Promise<Buffer>]>([
    ['without a readable header', sps],
    [
      'of noise',
      (file) =>
        Buffer.concat([file.subarray(0, file.indexOf('mdat') + 4), noise(file.length - file.indexOf('mdat') - 4)]),
    ],
    [
      'of noise from the middle on',
      (file) => Buffer.concat([file.subarray(0, file.length / 2), noise(file.length / 2)]),
    ],
    ['with most frames broken', (file) => garbled(file, (frame) => frame % 3 !== 0)],
    ['cut off in the middle', (file) => file.subarray(0, file.length * 0.5)],
  ])('%s is refused', async (_name, breaks) => {
    expect(await published(await breaks(await film()))).toMatchObject({
      status: 'failed',
      failure: SENTENCES.damagedVideo,
      stream: null,
    });
  });
});

function noise(length: number): Buffer {
  const bytes = Buffer.alloc(Math.floor(length));
  let state = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    state = (state * 1103515245 + 12345) % 2147483648;
    bytes[at] = state >> 16;
  }
  return bytes;
}
