/** Reads and writes chunks of a PNG (W3C PNG, third edition). */
import { crc32, deflateSync } from 'node:zlib';
import type { Primaries } from '../colours/primaries.ts';
import type { Cicp, Movement } from './heif.ts';

const SIGNATURE_BYTES = 8;
/** Maximum number of chunks. The largest accepted file has fewer, even in the smallest chunks that encoders write. */
const MOST = 100_000;
const HEAD_BYTES = SIGNATURE_BYTES + 25;

export type PngFacts = {
  cicp: Cicp | undefined;
  hasProfile: boolean;
  isSrgb: boolean;
  gamma: number | undefined;
  primaries: Primaries | undefined;
};

type Chunk = { type: string; body: Buffer };

function* chunksOf(file: Buffer): Generator<Chunk> {
  for (let at = SIGNATURE_BYTES; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at);
    if (at + 12 + length > file.length) return;
    yield { type: file.toString('latin1', at + 4, at + 8), body: file.subarray(at + 8, at + 8 + length) };
    at += 12 + length;
  }
}

/** Reads only the chunks before the pixels. */
export function readPng(file: Buffer): PngFacts {
  const facts: PngFacts = {
    cicp: undefined,
    hasProfile: false,
    isSrgb: false,
    gamma: undefined,
    primaries: undefined,
  };
  for (const { type, body } of chunksOf(file)) {
    if (type === 'IDAT') break;
    const { length } = body;
    const point = (place: number) =>
      [body.readUInt32BE(place) / 100_000, body.readUInt32BE(place + 4) / 100_000] as const;
    if (type === 'cICP' && length === 4) {
      const [primaries = 2, transfer = 2, matrix, isFull] = body;
      // All other values are meant for video.
      if (matrix === 0 && isFull === 1) facts.cicp = { primaries, transfer };
    } else if (type === 'iCCP') facts.hasProfile = true;
    else if (type === 'sRGB') facts.isSrgb = true;
    else if (type === 'gAMA' && length === 4) facts.gamma = body.readUInt32BE(0) / 100_000;
    else if (type === 'cHRM' && length === 32)
      facts.primaries = { white: point(0), red: point(8), green: point(16), blue: point(24) };
  }
  return facts;
}

/** Returns undefined for a still picture. Throws RangeError if a part is missing. */
export function readFrames(file: Buffer): Movement | undefined {
  let promised = 0;
  let count = 0;
  let isWhole = false;
  const delaysMs: number[] = [];
  for (const { type, body } of chunksOf(file)) {
    count += 1;
    if (count > MOST) throw new RangeError('more chunks than any picture has');
    if (type === 'acTL' && body.length === 8) promised = body.readUInt32BE(0);
    else if (type === 'IEND') isWhole = true;
    else if (type === 'fcTL' && body.length === 26)
      delaysMs.push((1000 * body.readUInt16BE(20)) / (body.readUInt16BE(22) || 100));
    if (type === 'IDAT' && promised < 2) return undefined;
  }
  if (!isWhole || delaysMs.length !== promised) throw new RangeError('the file ends early');
  return { width: file.readUInt32BE(16), height: file.readUInt32BE(20), delaysMs };
}

/** The PNG must not have a profile yet. */
export function withProfile(png: Buffer, profile: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from('iCCPx\0\0', 'latin1'), deflateSync(profile)]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length - 4);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([png.subarray(0, HEAD_BYTES), length, body, check, png.subarray(HEAD_BYTES)]);
}
