import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Media } from '@stagedoor/contract/content/media.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  findTools,
  hasVideo,
  inspectSource,
  MEDIA_MESSAGES,
  remuxSource,
  spotCheck,
} from '../../../media-processing/index.ts';
import { collectFfmpegMessages, convertFile, createH264, listPackets } from '../../../media-processing/testing.ts';
import { fetchRenditions } from '../../testing.ts';
import { type IdleUploadTest, openIdleUploadTest } from '../../tus.testing.ts';

let uploadTest: IdleUploadTest;

beforeAll(async () => {
  uploadTest = await openIdleUploadTest();
});
afterAll(() => uploadTest.test.close());

const PER_SECOND = 10;
const films = new Map<string, Promise<Buffer>>();
/** Its first frame of each second is a key frame. */
function createFilm(size = '160x90', seconds = 6): Promise<Buffer> {
  const args = ['-r', `${PER_SECOND}`, '-g', `${PER_SECOND}`, '-movflags', '+faststart', '-bf', '0'];
  const made = films.get(size) ?? createH264({ seconds, size, args });
  films.set(size, made);
  return made;
}
const uploadReady = async (file: Buffer) =>
  uploadTest.makeReady(await uploadTest.client.upload(file, 'film.mp4', 'video/mp4'));
const listPlaylistNames = async (view: Media) =>
  (await uploadTest.creator.inject('GET', view.stream?.hls ?? '')).body
    .split('\n')
    .filter((line) => line.endsWith('.m3u8'));

async function isPlayableAsIs(file: Buffer): Promise<boolean> {
  const tools = await findTools(uploadTest.test.ctx.config);
  if (!tools) throw new Error('ffmpeg is missing');
  const dir = await mkdtemp(path.join(tmpdir(), 'stagedoor-damage-'));
  try {
    await writeFile(path.join(dir, 'film'), file);
    const source = await inspectSource(tools, dir, 'film', 'mov');
    if (!hasVideo(source) || !source.video.isPlayable) throw new Error('it is encoded anyway');
    const workspace = { tools, dir };
    const [packaged, seen] = await Promise.all([
      remuxSource(workspace, 'film', source),
      spotCheck(workspace, 'film', source),
    ]);
    return packaged !== undefined && !seen.isDamaged;
  } finally {
    await rm(dir, { recursive: true });
  }
}

async function expectPlayable(view: Media, seconds: number): Promise<void> {
  const renditions = await fetchRenditions(uploadTest.creator, view.stream?.hls ?? '');
  expect(renditions.length).toBeGreaterThan(0);
  const files = renditions.map((rendition) => rendition.bytes);
  if (view.stage === 'done') files.push((await uploadTest.creator.inject('GET', view.stream?.file ?? '')).rawPayload);
  for (const bytes of files) expect(await collectFfmpegMessages(bytes)).toBe('');
  expect(Math.abs((view.durationSeconds ?? 0) - seconds)).toBeLessThan(0.8);
}

const listFrames = (file: Buffer) => listPackets(file, 'v');
async function garbleFrames(file: Buffer, shouldGarble: (frame: number) => boolean): Promise<Buffer> {
  const broken = Buffer.from(file);
  for (const [frame, { at, size }] of (await listFrames(file)).entries())
    if (shouldGarble(frame))
      for (let byte = at + Math.min(60, size >> 1); byte < at + size; byte += 1) broken[byte] = (byte * 89) & 0xff;
  return broken;
}

describe('a video with broken bytes', () => {
  it('is encoded before it is published when frames are missing', async () => {
    const file = await createFilm();
    const frames = await listFrames(file);
    const zeroed = Buffer.from(file).fill(0, frames[28]?.at ?? 0, frames[31]?.at ?? 0);
    expect(await collectFfmpegMessages(zeroed)).not.toBe('');
    const view = await uploadReady(zeroed);
    expect(view).toMatchObject({ status: 'ready', failure: null });
    expect(await listPlaylistNames(view)).toEqual(['v90.m3u8']);
    await expectPlayable(view, 6);
  });

  it('is encoded before it is published when a spot check finds damage', async () => {
    const view = await uploadReady(await garbleFrames(await createFilm(), (frame) => frame % PER_SECOND === 1));
    expect(view).toMatchObject({ status: 'ready', failure: null });
    expect(await listPlaylistNames(view)).toEqual(['v90.m3u8']);
    await expectPlayable(view, 6);
  });

  it.each([
    ['small, with nothing to encode otherwise', '160x90', 6, ['v90.m3u8']],
    ['with a ladder', '480x480', 3, ['v480.m3u8', 'v360.m3u8']],
  ])(
    'is replaced by its encoded version when only a full decode finds the damage: %s',
    { timeout: 90_000 },
    async (_name, size, seconds, names) => {
      const broken = await garbleFrames(await createFilm(size, seconds), (frame) => frame === 25 || frame === 26);
      expect(await collectFfmpegMessages(broken)).toContain('error while decoding');
      const view = await uploadReady(broken);
      expect(view.status).toBe('ready');
      expect(await listPlaylistNames(view)).toEqual(['src.m3u8']);
      const last = await uploadTest.improve(view.id, { hasGifs: false });
      expect(last.stage).toBe('done');
      expect(await listPlaylistNames(last)).toEqual(names);
      await expectPlayable(last, seconds);
    },
  );

  it('is published up to the cut when it was cut off near its end', async () => {
    const file = await createFilm();
    const view = await uploadReady(file.subarray(0, ((await listFrames(file))[56]?.at ?? 0) + 200));
    expect(view.status).toBe('ready');
    expect(await listPlaylistNames(view)).toEqual(['v90.m3u8']);
    await expectPlayable(view, 5.6);
  });

  /** Missing parameter sets, which parsers report, and an invalid slice type, which only decoders report. */
  const BROKEN_HEADS = { parsed: [0x98, 0x02, 0x5b], decoded: [0x8b, 0x98] };
  const breakFramesFrom = async (file: Buffer, from: number, head = BROKEN_HEADS.decoded) => {
    const broken = Buffer.from(file);
    for (const { at, size } of (await listFrames(file)).slice(from))
      for (let unit = at; unit + 7 < at + size; unit += 4 + file.readUInt32BE(unit))
        if ([1, 5].includes(file.readUInt8(unit + 4) % 32)) broken.set(head, unit + 5);
    return broken;
  };

  const createLongVideo = (seconds: number, distance: number) =>
    createH264({
      seconds,
      size: '64x36',
      hasSound: false,
      args: ['-r', `${PER_SECOND}`, '-bf', '0', '-g', `${distance}`, '-sc_threshold', '0'],
    });

  it.each<[string, () => Promise<Buffer>]>([
    // The last key frame is behind all spot checks except the one at the end.
    ['its end cannot be parsed', async () => breakFramesFrom(await createLongVideo(10, 18), 98, BROKEN_HEADS.parsed)],
    ['its end cannot be decoded', async () => breakFramesFrom(await createLongVideo(10, 18), 90)],
  ])('is not published without encoding when %s', async (_name, make) => {
    expect(await isPlayableAsIs(await make())).toBe(false);
  });

  it('is published without encoding when it has no damage', async () => {
    for (const file of [await createFilm(), await createLongVideo(10, 18)])
      expect(await isPlayableAsIs(file)).toBe(true);
  });

  it.each([
    ['far from its end is replaced by what decodes, with its length', 240, 'ready', 24],
    ['from early on is withdrawn', 104, 'failed', undefined],
  ] as const)('that turns out to be unreadable %s', async (_name, from, status, seconds) => {
    const { id } = await uploadReady(await breakFramesFrom(await createLongVideo(30, 1000), from));
    const last = await uploadTest.improve(id, { hasGifs: false });
    expect(last).toMatchObject({
      stage: 'done',
      status,
      failure: status === 'failed' ? MEDIA_MESSAGES.damagedVideo : null,
    });
    if (seconds !== undefined) await expectPlayable(last, seconds);
  });

  it('is published up to the cut when it was cut off near its end in MKV', async () => {
    const file = await convertFile(await createFilm(), 'a.mkv', ['-c', 'copy']);
    const view = await uploadReady(file.subarray(0, Math.round(file.length * 0.93)));
    expect(view.status).toBe('ready');
    await expectPlayable(view, 5.6);
  });

  const breakHeader = (file: Buffer) => {
    const broken = Buffer.from(file);
    const at = broken.indexOf('avcC') + 12;
    for (let byte = at + 4; byte < at + 10; byte += 1) broken[byte] = (broken[byte] ?? 0) ^ 0xff;
    return broken;
  };
  it.each<[string, (file: Buffer) => Buffer | Promise<Buffer>]>([
    ['without a readable header', breakHeader],
    [
      'of noise',
      (file) =>
        Buffer.concat([
          file.subarray(0, file.indexOf('mdat') + 4),
          createNoise(file.length - file.indexOf('mdat') - 4),
        ]),
    ],
    [
      'of noise from the middle on',
      (file) => Buffer.concat([file.subarray(0, file.length / 2), createNoise(file.length / 2)]),
    ],
    ['with most frames broken', (file) => garbleFrames(file, (frame) => frame % 3 !== 0)],
    ['cut off in the middle', (file) => file.subarray(0, file.length * 0.5)],
  ])('%s is refused', async (_name, breakFile) => {
    expect(await uploadReady(await breakFile(await createFilm()))).toMatchObject({
      status: 'failed',
      failure: MEDIA_MESSAGES.damagedVideo,
      stream: null,
    });
  });
});

function createNoise(length: number): Buffer {
  const bytes = Buffer.alloc(Math.floor(length));
  let state = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    state = (state * 1103515245 + 12345) % 2147483648;
    bytes[at] = state >> 16;
  }
  return bytes;
}
