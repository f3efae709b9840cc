/** Reads and writes chunks of a PNG (W3C PNG, third edition). */
import { crc32, deflateSync } from 'node:zlib';
import type { Primaries } from '../color/primaries.ts';
import type { AnimationMetadata, Cicp } from './heif.ts';

const SIGNATURE_BYTES = 8;
/** Maximum number of chunks. The largest accepted file has fewer, even in the smallest chunks that encoders write. */
const MAX_CHUNKS = 100_000;
const HEAD_BYTES = SIGNATURE_BYTES + 25;

export type PngMetadata = {
  cicp: Cicp | undefined;
  hasProfile: boolean;
  isSrgb: boolean;
  gamma: number | undefined;
  primaries: Primaries | undefined;
};

type Chunk = { type: string; body: Buffer };

function* iterateChunks(file: Buffer): Generator<Chunk> {
  for (let at = SIGNATURE_BYTES; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at);
    if (at + 12 + length > file.length) return;
    yield { type: file.toString('latin1', at + 4, at + 8), body: file.subarray(at + 8, at + 8 + length) };
    at += 12 + length;
  }
}

/** Reads only the chunks before the pixels. */
export function readPng(file: Buffer): PngMetadata {
  const metadata: PngMetadata = {
    cicp: undefined,
    hasProfile: false,
    isSrgb: false,
    gamma: undefined,
    primaries: undefined,
  };
  for (const { type, body } of iterateChunks(file)) {
    if (type === 'IDAT') break;
    const { length } = body;
    const point = (offset: number) =>
      [body.readUInt32BE(offset) / 100_000, body.readUInt32BE(offset + 4) / 100_000] as const;
    if (type === 'cICP' && length === 4) {
      const [primaries = 2, transfer = 2, matrix, isFull] = body;
      // All other values are meant for video.
      if (matrix === 0 && isFull === 1) metadata.cicp = { primaries, transfer };
    } else if (type === 'iCCP') metadata.hasProfile = true;
    else if (type === 'sRGB') metadata.isSrgb = true;
    else if (type === 'gAMA' && length === 4) metadata.gamma = body.readUInt32BE(0) / 100_000;
    else if (type === 'cHRM' && length === 32)
      metadata.primaries = { white: point(0), red: point(8), green: point(16), blue: point(24) };
  }
  return metadata;
}

/** Returns undefined for a still picture. Throws RangeError if a part is missing. */
export function readPngAnimation(file: Buffer): AnimationMetadata | undefined {
  let declaredFrames = 0;
  let count = 0;
  let isWhole = false;
  const delaysMs: number[] = [];
  for (const { type, body } of iterateChunks(file)) {
    count += 1;
    if (count > MAX_CHUNKS) throw new RangeError('more chunks than any picture has');
    if (type === 'acTL' && body.length === 8) declaredFrames = body.readUInt32BE(0);
    else if (type === 'IEND') isWhole = true;
    else if (type === 'fcTL' && body.length === 26)
      delaysMs.push((1000 * body.readUInt16BE(20)) / (body.readUInt16BE(22) || 100));
    if (type === 'IDAT' && declaredFrames < 2) return undefined;
  }
  if (!isWhole || delaysMs.length !== declaredFrames) throw new RangeError('the file ends early');
  return { width: file.readUInt32BE(16), height: file.readUInt32BE(20), delaysMs };
}

/** The PNG must not have a profile yet. */
export function addIccProfile(png: Buffer, profile: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from('iCCPx\0\0', 'latin1'), deflateSync(profile)]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length - 4);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([png.subarray(0, HEAD_BYTES), length, body, checksum, png.subarray(HEAD_BYTES)]);
}
