import type { Media } from '@stagedoor/contract/media.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApp, TestUser } from '../../../testing/app.ts';
import { SENTENCES } from '../sentences.ts';
import { openStage, type TusClient } from '../tus.testing.ts';
import { changed, follow, h264, heard, packets, until } from './testing.ts';

let test: TestApp;
let creator: TestUser;
let client: TusClient;

beforeAll(async () => {
  ({ test, creator, client } = await openStage());
});
afterAll(() => test.close());

const film = (size = '320x180') => h264({ seconds: 6, size, args: ['-movflags', '+faststart', '-bf', '0'] });
const upload = (file: Buffer) => client.upload(file, 'film.mp4', 'video/mp4');
const settled = async (file: Buffer) =>
  until(creator, await upload(file), ({ status }) => status !== 'processing', 60_000);
const done = (id: string) => until(creator, id, ({ stage }) => stage === 'done', 60_000);
const namesOf = async (view: Media) =>
  (await creator.inject('GET', view.stream?.hls ?? '')).body.split('\n').filter((line) => line.endsWith('.m3u8'));

async function expectWhole(view: Media, seconds: number): Promise<void> {
  const rungs = await follow(creator, view.stream?.hls ?? '');
  const file = await creator.inject('GET', view.stream?.file ?? '');
  expect(rungs.length).toBeGreaterThan(0);
  for (const bytes of [...rungs.map((rung) => rung.bytes), file.rawPayload]) expect(await heard(bytes)).toBe('');
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
    const [from, to] = [70, 76].map((at) => async () => (await framesOf(file))[at]?.at ?? 0);
    const zeroed = Buffer.from(file).fill(0, await from?.(), await to?.());
    expect(await heard(zeroed)).not.toBe('');
    const view = await settled(zeroed);
    expect(view).toMatchObject({ status: 'ready', failure: null });
    expect(await namesOf(view)).toEqual(['v180.m3u8']);
    await expectWhole(await done(view.id), 6);
  });

  it('is encoded before it is published when a spot check finds damage', async () => {
    const view = await settled(await garbled(await film(), (frame) => frame % 25 === 1));
    expect(view.status).toBe('ready');
    expect(await namesOf(view)).toEqual(['v180.m3u8']);
    await expectWhole(await done(view.id), 6);
  });

  it.each([
    ['small, with nothing to encode otherwise', '320x180', ['v180.m3u8']],
    ['with a ladder', '640x480', ['v480.m3u8', 'v360.m3u8']],
  ])(
    'is replaced by its encoded version when only a full decode finds the damage: %s',
    { timeout: 90_000 },
    async (_name, size, names) => {
      const broken = await garbled(await film(size), (frame) => frame === 62 || frame === 63);
      expect(await heard(broken)).toContain('error while decoding');
      const view = await settled(broken);
      expect(view.status).toBe('ready');
      const last = await done(view.id);
      expect(await namesOf(last)).toEqual(names);
      await expectWhole(last, 6);
    },
  );

  it('is published up to the cut when it was cut off near its end', async () => {
    const file = await film();
    const view = await settled(file.subarray(0, ((await framesOf(file))[140]?.at ?? 0) + 500));
    expect(view.status).toBe('ready');
    expect(await namesOf(view)).toEqual(['v180.m3u8']);
    await expectWhole(await done(view.id), 5.6);
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

  const long = (distance: number) =>
    h264({
      seconds: 30,
      size: '160x90',
      hasSound: false,
      args: ['-bf', '0', '-g', `${distance}`, '-sc_threshold', '0'],
    });

  it.each([
    ['parsed', 744, HEADS.parsed],
    ['decoded', 700, HEADS.decoded],
  ])('is encoded before it is published when its end cannot be %s', async (_name, from, head) => {
    const view = await settled(await unreadableFrom(await long(100), from, head));
    expect(view.status).toBe('ready');
    expect(await namesOf(view)).toEqual(['v90.m3u8']);
  });

  it.each([
    ['far from its end is replaced by what decodes, with its length', 600, 'ready', 24],
    ['from early on is withdrawn', 260, 'failed', undefined],
  ] as const)('that turns out to be unreadable %s', async (_name, from, status, seconds) => {
    const file = await h264({
      seconds: 30,
      size: '160x90',
      hasSound: false,
      args: ['-bf', '0', '-g', '1000', '-sc_threshold', '0'],
    });
    const id = await upload(await unreadableFrom(file, from));
    const view = async (): Promise<Media> => (await creator.inject('GET', `/api/creator/media/${id}`)).json();
    await expect.poll(async () => (await view()).stage, { timeout: 60_000 }).toBe('done');
    const last = await view();
    expect(last).toMatchObject({ status, failure: status === 'failed' ? SENTENCES.damagedVideo : null });
    if (seconds !== undefined) await expectWhole(last, seconds);
  });

  it('is published up to the cut when it was cut off near its end in MKV', async () => {
    const file = await changed(await film(), 'a.mkv', ['-c', 'copy']);
    const view = await settled(file.subarray(0, Math.round(file.length * 0.93)));
    expect(view.status).toBe('ready');
    await expectWhole(await done(view.id), 5.6);
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
    const id = await upload(await breaks(await film()));
    const view: () => Promise<Media> = async () => (await creator.inject('GET', `/api/creator/media/${id}`)).json();
    await expect.poll(async () => (await view()).status, { timeout: 60_000 }).not.toBe('processing');
    expect(await view()).toMatchObject({ status: 'failed', failure: SENTENCES.damagedVideo, stream: null });
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
