import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { PICTURE_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { encodeHeic, encodeHeicCollection } from './color/testing.ts';
import { readHeif, readImageSequence } from './containers/heif.ts';
import { MEDIA_MESSAGES } from './error-messages.ts';
import { decodeHeic } from './heic.ts';
import { decodePicture, inspectPicture } from './pictures.ts';
import { sniffMediaType } from './sniff-type.ts';
import { findAnimation } from './video/animated.ts';

const noise = { type: 'gaussian', mean: 128, sigma: 50 } as const;
const createPhotograph = () => sharp({ create: { width: 160, height: 120, channels: 3, background: '#888', noise } });

describe.each<[string, () => Promise<Buffer>]>([
  ['JPEG', () => createPhotograph().jpeg().toBuffer()],
  ['a progressive JPEG', () => createPhotograph().jpeg({ progressive: true }).toBuffer()],
  ['PNG', () => createPhotograph().png().toBuffer()],
  ['an interlaced PNG', () => createPhotograph().png({ progressive: true }).toBuffer()],
  ['WebP', () => createPhotograph().webp().toBuffer()],
  ['a lossless WebP', () => createPhotograph().webp({ lossless: true }).toBuffer()],
  ['GIF', () => createPhotograph().gif().toBuffer()],
  ['AVIF', () => createPhotograph().avif().toBuffer()],
  ['HEIC', async () => encodeHeic(await createPhotograph().png().toBuffer())],
  // A decoder that ignores the rest of the file would show the main picture.
  ['HEIC with a smaller one beside it', async () => encodeHeic(await createPhotograph().png().toBuffer(), '-t', '64')],
])('%s', (_name, make) => {
  it('is reported as damaged when its end is missing', async () => {
    const complete = await make();
    expect(await decodePicture(complete)).toMatchObject({ width: 160, height: 120 });
    for (const length of [0.1, 0.5, 0.99].map((part) => Math.floor(complete.length * part)))
      await expect(decodePicture(complete.subarray(0, length)), `${length} bytes`).rejects.toThrow(
        MEDIA_MESSAGES.damaged,
      );
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
  const createTwoPictures = async () => {
    const small = await sharp({ create: { width: 128, height: 72, channels: 3, background: colour } })
      .png()
      .toBuffer();
    return encodeHeicCollection(await createPhotograph().png().toBuffer(), small);
  };

  it('decodes the picture that the file marks as primary', async () => {
    const file = await createTwoPictures();
    const offset = file.indexOf('pitm') + 8;
    const ids = [1, 2, 3, 4, 5].map((id) => {
      const other = Buffer.from(file);
      other.writeUInt16BE(id, offset);
      return other;
    });
    const sizes = new Set<number>();
    for (const other of ids) {
      const inspected = await inspectPicture(other).catch(() => undefined);
      if (!inspected) continue;
      const { width, height } = inspected;
      expect(await decodePicture(other)).toMatchObject({ width, height });
      sizes.add(width);
    }
    expect([...sizes].toSorted((a, b) => a - b)).toEqual([128, 160]);
  });
});

describe('a picture with a huge side', () => {
  it('is refused before a decoder reads a row', async () => {
    const png = await sharp({ create: { width: 10, height: 6, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    for (const [width, height] of [
      [50_000_000, 1],
      [1, 50_000_000],
      [PICTURE_LIMITS.maxSidePixels + 1, 1],
    ] as const) {
      png.writeUInt32BE(width, 16);
      png.writeUInt32BE(height, 20);
      png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
      await expect(inspectPicture(png)).rejects.toThrow(MEDIA_MESSAGES.sideTooLong);
      await expect(decodePicture(png)).rejects.toThrow(MEDIA_MESSAGES.sideTooLong);
    }
    png.writeUInt32BE(PICTURE_LIMITS.maxSidePixels, 16);
    png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
    expect(await inspectPicture(png)).toMatchObject({ width: PICTURE_LIMITS.maxSidePixels });
  });

  it('is refused as an animation, too', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'stagedoor-picture-'));
    const file = path.join(folder, 'wide.gif');
    const findWithWidth = async (width: number) => {
      const frames = await Promise.all(
        ['red', 'blue'].map((background) =>
          sharp({ create: { width, height: 2, channels: 3, background } })
            .png()
            .toBuffer(),
        ),
      );
      await writeFile(
        file,
        await sharp(frames, { join: { animated: true } })
          .gif({ delay: [500, 500] })
          .toBuffer(),
      );
      return findAnimation(file, 'image/gif');
    };
    try {
      expect(await findWithWidth(1_000)).toMatchObject({ width: 1_000, height: 2 });
      await expect(findWithWidth(PICTURE_LIMITS.maxSidePixels + 1)).rejects.toThrow(MEDIA_MESSAGES.loopTooLarge);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('a HEIC that declares huge dimensions', () => {
  it('is not decoded', async () => {
    const file = await encodeHeic(await createPhotograph().png().toBuffer());
    for (let at = file.indexOf('ispe'); at > 0; at = file.indexOf('ispe', at + 4)) {
      file.writeUInt32BE(20_000, at + 8);
      file.writeUInt32BE(20_000, at + 12);
    }
    await expect(decodeHeic(file)).rejects.toThrow('exceeds pixel limit');
  });
});

describe('the extents that a HEIF file declares', () => {
  it('must lie inside the file or inside its idat box', () => {
    const createExtent = (offset: number, length: number) =>
      box('iloc', [1, 0, 0, 0, 0x44, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, offset, 0, 0, 0, length]);
    expect(readHeif(heif(createExtent(0, 9), box('idat', Buffer.alloc(9)))).isWhole).toBe(true);
    expect(readHeif(heif(createExtent(1, 9), box('idat', Buffer.alloc(9)))).isWhole).toBe(false);
    expect(readHeif(heif(createExtent(0, 9))).isWhole).toBe(false);
    const farExtents = box(
      'iloc',
      [0, 0, 0, 0, 0x88, 0x80, 0, 1, 0, 1, 0, 0],
      Buffer.alloc(8),
      [0, 1],
      Buffer.alloc(8, 255),
      Buffer.alloc(8, 255),
    );
    expect(readHeif(heif(farExtents)).isWhole).toBe(false);
  });

  it('are read quickly, however many the file declares', () => {
    const items = Buffer.alloc(3_000_000);
    for (let at = 8; at < items.length; at += 10) items.fill(255, at, at + 2);
    const endless = box('iloc', [2, 0, 0, 0, 0, 0, 255, 255, 255, 255], items);
    const manyBoxes = box('ipco', Buffer.from('\0\0\0\x08free'.repeat(300_000), 'latin1'));
    const file = heif(
      box('pitm', [0, 0, 0, 0, 0, 1]),
      box('iprp', manyBoxes, box('ipma', [0, 0, 0, 0, 0, 0, 0, 0])),
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
  const animated = Buffer.concat([
    box('ftyp', Buffer.from('avis\0\0\0\0avisavifmif1')),
    box('moov', box('trak', box('mdia', table('mdhd'), handler, tables))),
  ]);

  it('is damaged when it has more boxes than any picture', () => {
    const manyBoxes = (boxes: number) =>
      Buffer.concat([animated, Buffer.from('\0\0\0\x08free'.repeat(boxes), 'latin1')]);
    expect(readImageSequence(manyBoxes(1000))).toBeDefined();
    expect(() => readImageSequence(manyBoxes(40_000))).toThrow(RangeError);
  });

  it('is refused when its file is larger than a picture may be', async () => {
    const dir = await mkdtemp(path.join(tmpdir(), 'stagedoor-large-'));
    try {
      const file = path.join(dir, 'large.avif');
      await writeFile(file, animated);
      await truncate(file, PICTURE_LIMITS.maxBytes + 1);
      await expect(sniffMediaType(file)).rejects.toThrow(MEDIA_MESSAGES.pictureTooLarge);
    } finally {
      await rm(dir, { recursive: true });
    }
  });
});
