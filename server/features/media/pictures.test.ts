import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PICTURE } from '@stagedoor/contract/atoms/limits.ts';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { heic, heics } from './colours/testing.ts';
import { readHeif, readSequence } from './formats/heif.ts';
import { decodeHeic } from './heic.ts';
import { decodePicture, inspectPicture } from './pictures.ts';
import { recognise } from './recognise.ts';
import { SENTENCES } from './sentences.ts';

const noise = { type: 'gaussian', mean: 128, sigma: 50 } as const;
const photograph = () => sharp({ create: { width: 160, height: 120, channels: 3, background: '#888', noise } });

describe.each<[string, () => Promise<Buffer>]>([
  ['JPEG', () => photograph().jpeg().toBuffer()],
  ['a progressive JPEG', () => photograph().jpeg({ progressive: true }).toBuffer()],
  ['PNG', () => photograph().png().toBuffer()],
  ['an interlaced PNG', () => photograph().png({ progressive: true }).toBuffer()],
  ['WebP', () => photograph().webp().toBuffer()],
  ['a lossless WebP', () => photograph().webp({ lossless: true }).toBuffer()],
  ['GIF', () => photograph().gif().toBuffer()],
  ['AVIF', () => photograph().avif().toBuffer()],
  ['HEIC', async () => heic(await photograph().png().toBuffer())],
  // A decoder that ignores the rest of the file would show the main picture.
  ['HEIC with a smaller one beside it', async () => heic(await photograph().png().toBuffer(), '-t', '64')],
])('%s', (_name, make) => {
  it('is reported as damaged when its end is missing', async () => {
    const whole = await make();
    expect(await decodePicture(whole)).toMatchObject({ width: 160, height: 120 });
    for (const length of [0.1, 0.5, 0.99].map((part) => Math.floor(whole.length * part)))
      await expect(decodePicture(whole.subarray(0, length)), `${length} bytes`).rejects.toThrow(SENTENCES.damaged);
  });
});

const box = (type: string, ...parts: (Buffer | number[])[]): Buffer => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
};
const heif = (...boxes: Buffer[]) =>
  Buffer.concat([box('ftyp', Buffer.from('heic')), box('meta', [0, 0, 0, 0], ...boxes)]);

describe('a HEIC with two pictures', () => {
  const colour = { r: 255, g: 0, b: 0 };
  const two = async () => {
    const small = await sharp({ create: { width: 128, height: 72, channels: 3, background: colour } })
      .png()
      .toBuffer();
    return heics(await photograph().png().toBuffer(), small);
  };

  it('decodes the picture that the file marks as primary', async () => {
    const file = await two();
    const place = file.indexOf('pitm') + 8;
    const ids = [1, 2, 3, 4, 5].map((id) => {
      const other = Buffer.from(file);
      other.writeUInt16BE(id, place);
      return other;
    });
    const sizes = new Set<number>();
    for (const other of ids) {
      const meant = await inspectPicture(other).catch(() => undefined);
      if (!meant) continue;
      const { width, height } = meant;
      expect(await decodePicture(other)).toMatchObject({ width, height });
      sizes.add(width);
    }
    expect([...sizes].toSorted((a, b) => a - b)).toEqual([128, 160]);
  });
});

describe('a HEIC that declares huge dimensions', () => {
  it('is not decoded', async () => {
    const file = await heic(await photograph().png().toBuffer());
    for (let at = file.indexOf('ispe'); at > 0; at = file.indexOf('ispe', at + 4)) {
      file.writeUInt32BE(20_000, at + 8);
      file.writeUInt32BE(20_000, at + 12);
    }
    await expect(decodeHeic(file)).rejects.toThrow('exceeds pixel limit');
  });
});

describe('the extents that a HEIF file declares', () => {
  it('must lie inside the file or inside its idat box', () => {
    const inside = (offset: number, length: number) =>
      box('iloc', [1, 0, 0, 0, 0x44, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, offset, 0, 0, 0, length]);
    expect(readHeif(heif(inside(0, 9), box('idat', Buffer.alloc(9)))).isWhole).toBe(true);
    expect(readHeif(heif(inside(1, 9), box('idat', Buffer.alloc(9)))).isWhole).toBe(false);
    expect(readHeif(heif(inside(0, 9))).isWhole).toBe(false);
    const far = box(
      'iloc',
      [0, 0, 0, 0, 0x88, 0x80, 0, 1, 0, 1, 0, 0],
      Buffer.alloc(8),
      [0, 1],
      Buffer.alloc(8, 255),
      Buffer.alloc(8, 255),
    );
    expect(readHeif(heif(far)).isWhole).toBe(false);
  });

  it('are read quickly, however many the file declares', () => {
    const items = Buffer.alloc(3_000_000);
    for (let at = 8; at < items.length; at += 10) items.fill(255, at, at + 2);
    const endless = box('iloc', [2, 0, 0, 0, 0, 0, 255, 255, 255, 255], items);
    const crowd = box('ipco', Buffer.from('\0\0\0\x08free'.repeat(300_000), 'latin1'));
    const file = heif(
      box('pitm', [0, 0, 0, 0, 0, 1]),
      box('iprp', crowd, box('ipma', [0, 0, 0, 0, 0, 0, 0, 0])),
      box('iloc', [0, 0, 0, 0, 0, 0, 0, 0]),
    );
    const started = performance.now();
    expect(readHeif(heif(endless)).isWhole).toBe(false);
    expect(readHeif(file)).toMatchObject({ isWhole: false, cicp: undefined });
    // Without a limit, the first file takes minutes.
    expect(performance.now() - started).toBeLessThan(5000);
    expect(readHeif(heif(box('iloc', [2])))).toMatchObject({ isWhole: false });
    expect(readHeif(Buffer.alloc(64))).toMatchObject({ isWhole: true });
  });
});

describe('an AVIF image sequence', () => {
  const table = (type: string) => box(type, Buffer.alloc(100));
  const handler = box('hdlr', Buffer.alloc(8), Buffer.from('pict'), Buffer.alloc(13));
  const tables = box('minf', box('stbl', table('stsd'), table('stts')));
  const moving = Buffer.concat([
    box('ftyp', Buffer.from('avis\0\0\0\0avisavifmif1')),
    box('moov', box('trak', box('mdia', table('mdhd'), handler, tables))),
  ]);

  it('is damaged when it has more boxes than any picture', () => {
    const crowd = (boxes: number) => Buffer.concat([moving, Buffer.from('\0\0\0\x08free'.repeat(boxes), 'latin1')]);
    expect(readSequence(crowd(1000))).toBeDefined();
    expect(() => readSequence(crowd(40_000))).toThrow(RangeError);
  });

  it('is refused when its file is larger than a picture may be', async () => {
    const dir = await mkdtemp(path.join(tmpdir(), 'stagedoor-large-'));
    try {
      const file = path.join(dir, 'large.avif');
      await writeFile(file, moving);
      await truncate(file, PICTURE.maxBytes + 1);
      await expect(recognise(file)).rejects.toThrow(SENTENCES.pictureBytes);
    } finally {
      await rm(dir, { recursive: true });
    }
  });
});
