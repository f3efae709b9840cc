/** Transfer functions of ITU-T H.273, and tone mapping of light brighter than white paper. */
import { inverse, type Primaries, primariesOf, type Three, times, toXyz } from './primaries.ts';

/** Maps a coded value to light, both 0 to 1. */
export type Curve = (value: number) => number;
/** Maps three coded values to light in BT.2020 primaries, all 0 to 1. */
export type Scene = (coded: Three) => Three;

export const srgb: Curve = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
export const power =
  (exponent: number): Curve =>
  (value) =>
    value ** exponent;
/** Display curve for BT.709 and BT.2020 values (ITU-R BT.1886). */
const screen = power(2.4);

const CURVES: ReadonlyMap<number, Curve> = new Map([
  [1, screen],
  [4, power(2.2)],
  [5, power(2.8)],
  [6, screen],
  [8, power(1)],
  [14, screen],
  [15, screen],
]);

/** Unknown codes count as sRGB. */
export function curveOf(code: number): Curve {
  return CURVES.get(code) ?? srgb;
}

/** Reference white of HDR pictures (ITU-R BT.2408) and their peak, in candela per square meter. */
const PAPER = 203;
const PEAK = 1000;

/**
 * Tone curve of SMPTE ST 2094-50 for pictures without own metadata, as browsers apply it. Light relative to paper is
 * halved to make room for highlights, and bent so that the peak just fits.
 */
function tone(light: number): number {
  const peak = PEAK / PAPER;
  if (light <= 1) return light / 2;
  if (light >= peak) return 1;
  // A quadratic Bézier curve over [1, 0.5], [x, y] and [peak, 1].
  const [x, y] = [1.65, 0.825];
  const [a, b] = [peak - 2 * x + 1, 2 * (x - 1)];
  const t = (-b + Math.sqrt(b * b + 4 * a * (light - 1))) / (2 * a);
  return 0.5 * (1 - t) ** 2 + 2 * y * t * (1 - t) + t * t;
}

/** SMPTE ST 2084, relative to paper white. */
function pq(value: number): number {
  const root = value ** (32 / 2523);
  const light = Math.max(0, root - 3424 / 4096) / (2413 / 128 - (2392 / 128) * root);
  return (10_000 / PAPER) * light ** (16_384 / 2610);
}

/** ARIB STD-B67: light of the scene. */
function hlg(value: number): number {
  const a = 0.17883277;
  const b = 1 - 4 * a;
  const c = 0.5 - a * Math.log(4 * a);
  return value <= 0.5 ? value ** 2 / 3 : (Math.exp((value - c) / a) + b) / 12;
}

const scaled = ([r, g, b]: Three, by: number): Three => [r * by, g * by, b * by];

/** Light on a display with the peak above. The system gamma is 1.2 (ITU-R BT.2100). */
function shown(scene: Three): Three {
  const brightness = 0.2627 * scene[0] + 0.678 * scene[1] + 0.0593 * scene[2];
  return scaled(scene, (PEAK / PAPER) * Math.max(0, brightness) ** 0.2);
}

const HDR: ReadonlyMap<number, (coded: Three) => Three> = new Map([
  [16, ([r, g, b]) => [pq(r), pq(g), pq(b)]],
  [18, ([r, g, b]) => [hlg(r), hlg(g), hlg(b)]],
]);
const WIDE = primariesOf(9);
const HLG = 18;

export function sceneOf(code: number, primaries: Primaries): Scene | undefined {
  const light = HDR.get(code);
  if (!light) return undefined;
  const from = toXyz(primaries);
  const to = inverse(toXyz(WIDE));
  return (coded) => {
    const wide = times(to, times(from, light(coded)));
    const seen = code === HLG ? shown(wide) : wide;
    // All channels are scaled alike, by the brightest one, so that hues do not change.
    const most = Math.max(...seen);
    return most > 0 ? scaled(seen, tone(most) / most) : [0, 0, 0];
  };
}

export { WIDE };
