/** Builds ICC profiles, so that the color library understands pictures with ITU-T H.273 codes or PNG gAMA and cHRM. */
import type { Cicp } from '../containers/heif.ts';
import {
  BT2020,
  createPowerCurve,
  findHdrMapping,
  getTransferCurve,
  type HdrMapping,
  srgbCurve,
  type TransferCurve,
} from './curves.ts';
import {
  D50,
  getPrimaries,
  isSrgbPrimaries,
  multiply,
  type Primaries,
  SRGB,
  type Triple,
  toXyz,
  transpose,
} from './primaries.ts';

const CURVE_POINTS = 4096;
/** The library uses the same number of grid points. */
const GRID_POINTS = 33;

function toUint16s(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [at, value] of values.entries())
    bytes.writeUInt16BE(Math.round(Math.min(65_535, Math.max(0, value))), at * 2);
  return bytes;
}

/** As s15Fixed16. */
function toS15Fixed16(values: Iterable<number>): Buffer {
  return Buffer.concat(
    [...values].map((value) => {
      const bytes = Buffer.alloc(4);
      bytes.writeInt32BE(Math.round(value * 65_536));
      return bytes;
    }),
  );
}

const createTag = (name: string, ...parts: Buffer[]) =>
  Buffer.concat([Buffer.from(`${name}\0\0\0\0`, 'latin1'), ...parts]);

/** Builds a display profile of ICC.1:2001-04 (version 2.4). Content that several tags share is written once. */
function assemble(tags: readonly (readonly [name: string, content: Buffer])[]): Buffer {
  const offsets = new Map<Buffer, number>();
  let end = 128 + 4 + tags.length * 12;
  for (const [, content] of tags) {
    if (offsets.has(content)) continue;
    offsets.set(content, end);
    end += content.length;
  }
  const index = Buffer.alloc(4 + tags.length * 12);
  index.writeUInt32BE(tags.length);
  for (const [at, [name, content]] of tags.entries()) {
    index.write(name, 4 + at * 12, 'latin1');
    index.writeUInt32BE(offsets.get(content) ?? 0, 8 + at * 12);
    index.writeUInt32BE(content.length, 12 + at * 12);
  }
  const header = Buffer.alloc(128);
  header.writeUInt32BE(end);
  header.writeUInt32BE(0x02400000, 8);
  header.write('mntrRGB XYZ ', 12, 'latin1');
  header.write('acsp', 36, 'latin1');
  toS15Fixed16(D50).copy(header, 68);
  return Buffer.concat([header, index, ...offsets.keys()]);
}

const WHITE_TAG = ['wtpt', createTag('XYZ ', toS15Fixed16(D50))] as const;

/** Returns undefined if the primaries span no colors. */
function createCurveProfile(primaries: Primaries, curve: TransferCurve): Buffer | undefined {
  const [red, green, blue] = transpose(toXyz(primaries));
  if (![...red, ...green, ...blue].every((value) => Math.abs(value) < 16)) return undefined;
  const point = (column: Triple) => createTag('XYZ ', toS15Fixed16(column));
  const values = Array.from({ length: CURVE_POINTS }, (_, at) => 65_535 * curve(at / (CURVE_POINTS - 1)));
  const table = createTag('curv', toUint16s(0, CURVE_POINTS, ...values));
  return assemble([
    WHITE_TAG,
    ...([
      ['rXYZ', point(red)],
      ['gXYZ', point(green)],
      ['bXYZ', point(blue)],
      ['rTRC', table],
      ['gTRC', table],
      ['bTRC', table],
    ] as const),
  ]);
}

function createHdrProfile(hdrMapping: HdrMapping): Buffer {
  const bt2020ToXyz = toXyz(BT2020);
  const values: number[] = [];
  const step = 1 / (GRID_POINTS - 1);
  for (let at = 0; at < GRID_POINTS ** 3; at += 1) {
    const coded = [
      Math.floor(at / GRID_POINTS ** 2),
      Math.floor(at / GRID_POINTS) % GRID_POINTS,
      at % GRID_POINTS,
    ] as const;
    const [r, g, b] = coded;
    // XYZ as u1Fixed15.
    for (const value of multiply(bt2020ToXyz, hdrMapping([r * step, g * step, b * step]))) values.push(value * 32_768);
  }
  const identityCurve = toUint16s(0, 65_535, 0, 65_535, 0, 65_535);
  const dimensions = Buffer.from([3, 3, GRID_POINTS, 0]);
  const identityMatrix = toS15Fixed16([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  return assemble([
    WHITE_TAG,
    [
      'A2B0',
      createTag(
        'mft2',
        dimensions,
        identityMatrix,
        toUint16s(2, 2),
        identityCurve,
        toUint16s(...values),
        identityCurve,
      ),
    ],
  ]);
}

function createProfile({ primaries, transfer }: Cicp): Buffer | undefined {
  const sourcePrimaries = getPrimaries(primaries);
  const hdrMapping = findHdrMapping(transfer, sourcePrimaries);
  if (hdrMapping) return createHdrProfile(hdrMapping);
  const curve = getTransferCurve(transfer);
  return sourcePrimaries === SRGB && curve === srgbCurve ? undefined : createCurveProfile(sourcePrimaries, curve);
}

const profileCache = new Map<string, Buffer | undefined>();

/** Returns undefined for sRGB and for unknown codes, which count as sRGB. */
export function findCicpProfile(cicp: Cicp): Buffer | undefined {
  const key = `${cicp.primaries} ${cicp.transfer}`;
  if (!profileCache.has(key)) {
    // Limits memory, because clients can invent codes.
    if (profileCache.size > 100) profileCache.clear();
    profileCache.set(key, createProfile(cicp));
  }
  return profileCache.get(key);
}

/** Uses PNG `gAMA` (as a fraction) and `cHRM`. Returns undefined if they mean sRGB or are impossible. */
export function findGammaProfile(gamma: number, primaries: Primaries = SRGB): Buffer | undefined {
  // Old encoders wrote a gamma of 1/2.2 for sRGB.
  const isSrgbGamma = isSrgbPrimaries(primaries) && Math.abs(gamma - 1 / 2.2) < 0.005;
  return isSrgbGamma || gamma < 0.1 || gamma > 10
    ? undefined
    : createCurveProfile(primaries, createPowerCurve(1 / gamma));
}
