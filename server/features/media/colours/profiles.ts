/** Builds ICC profiles, so that the color library understands pictures with ITU-T H.273 codes or PNG gAMA and cHRM. */
import type { Cicp } from '../formats/heif.ts';
import { type Curve, curveOf, power, type Scene, sceneOf, srgb, WIDE } from './curves.ts';
import { areStandard, D50, type Primaries, primariesOf, SRGB, type Three, times, toXyz, turned } from './primaries.ts';

const CURVE_POINTS = 4096;
/** The library uses the same number of grid points. */
const CUBE = 33;

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [at, value] of values.entries())
    bytes.writeUInt16BE(Math.round(Math.min(65_535, Math.max(0, value))), at * 2);
  return bytes;
}

/** As s15Fixed16. */
function fixed(values: Iterable<number>): Buffer {
  return Buffer.concat(
    [...values].map((value) => {
      const bytes = Buffer.alloc(4);
      bytes.writeInt32BE(Math.round(value * 65_536));
      return bytes;
    }),
  );
}

const named = (name: string, ...parts: Buffer[]) => Buffer.concat([Buffer.from(`${name}\0\0\0\0`, 'latin1'), ...parts]);

/** Builds a display profile of ICC.1:2001-04 (version 2.4). Content that several tags share is written once. */
function assemble(tags: readonly (readonly [name: string, content: Buffer])[]): Buffer {
  const places = new Map<Buffer, number>();
  let end = 128 + 4 + tags.length * 12;
  for (const [, content] of tags) {
    if (places.has(content)) continue;
    places.set(content, end);
    end += content.length;
  }
  const index = Buffer.alloc(4 + tags.length * 12);
  index.writeUInt32BE(tags.length);
  for (const [at, [name, content]] of tags.entries()) {
    index.write(name, 4 + at * 12, 'latin1');
    index.writeUInt32BE(places.get(content) ?? 0, 8 + at * 12);
    index.writeUInt32BE(content.length, 12 + at * 12);
  }
  const header = Buffer.alloc(128);
  header.writeUInt32BE(end);
  header.writeUInt32BE(0x02400000, 8);
  header.write('mntrRGB XYZ ', 12, 'latin1');
  header.write('acsp', 36, 'latin1');
  fixed(D50).copy(header, 68);
  return Buffer.concat([header, index, ...places.keys()]);
}

const WHITE = ['wtpt', named('XYZ ', fixed(D50))] as const;

/** Returns undefined if the primaries span no colors. */
function ofCurve(primaries: Primaries, curve: Curve): Buffer | undefined {
  const [red, green, blue] = turned(toXyz(primaries));
  if (![...red, ...green, ...blue].every((value) => Math.abs(value) < 16)) return undefined;
  const point = (column: Three) => named('XYZ ', fixed(column));
  const values = Array.from({ length: CURVE_POINTS }, (_, at) => 65_535 * curve(at / (CURVE_POINTS - 1)));
  const table = named('curv', words(0, CURVE_POINTS, ...values));
  return assemble([
    WHITE,
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

function ofScene(scene: Scene): Buffer {
  const wide = toXyz(WIDE);
  const values: number[] = [];
  const step = 1 / (CUBE - 1);
  for (let at = 0; at < CUBE ** 3; at += 1) {
    const coded = [Math.floor(at / CUBE ** 2), Math.floor(at / CUBE) % CUBE, at % CUBE] as const;
    const [r, g, b] = coded;
    // XYZ as u1Fixed15.
    for (const value of times(wide, scene([r * step, g * step, b * step]))) values.push(value * 32_768);
  }
  const straight = words(0, 65_535, 0, 65_535, 0, 65_535);
  const shape = Buffer.from([3, 3, CUBE, 0]);
  const same = fixed([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  return assemble([WHITE, ['A2B0', named('mft2', shape, same, words(2, 2), straight, words(...values), straight)]]);
}

function make({ primaries, transfer }: Cicp): Buffer | undefined {
  const given = primariesOf(primaries);
  const scene = sceneOf(transfer, given);
  if (scene) return ofScene(scene);
  const curve = curveOf(transfer);
  return given === SRGB && curve === srgb ? undefined : ofCurve(given, curve);
}

const made = new Map<string, Buffer | undefined>();

/** Returns undefined for sRGB and for unknown codes, which count as sRGB. */
export function profileOfCicp(cicp: Cicp): Buffer | undefined {
  const key = `${cicp.primaries} ${cicp.transfer}`;
  if (!made.has(key)) {
    // Limits memory, because clients can invent codes.
    if (made.size > 100) made.clear();
    made.set(key, make(cicp));
  }
  return made.get(key);
}

/** Uses PNG `gAMA` (as a fraction) and `cHRM`. Returns undefined if they mean sRGB or are impossible. */
export function profileOfGamma(gamma: number, primaries: Primaries = SRGB): Buffer | undefined {
  // Old encoders wrote a gamma of 1/2.2 for sRGB.
  const isUsual = areStandard(primaries) && Math.abs(gamma - 1 / 2.2) < 0.005;
  return isUsual || gamma < 0.1 || gamma > 10 ? undefined : ofCurve(primaries, power(1 / gamma));
}
