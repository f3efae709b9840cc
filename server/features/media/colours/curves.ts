/** From coded values to light: the curves of ITU-T H.273, and what is made of light that is brighter than paper. */
import { inverse, type Primaries, primariesOf, type Three, times, toXyz } from './primaries.ts';

/** From a coded value to light, both 0 to 1. */
export type Curve = (value: number) => number;
/** From three coded values to the light of BT.2020's primaries, all 0 to 1. */
export type Scene = (coded: Three) => Three;

export const srgb: Curve = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
export const power =
  (exponent: number): Curve =>
  (value) =>
    value ** exponent;
/** What screens make of BT.709's and BT.2020's values (ITU-R BT.1886). */
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

/** The curve of a code; sRGB's for a code that is not known, which is taken for it. */
export function curveOf(code: number): Curve {
  return CURVES.get(code) ?? srgb;
}

/** White paper in an HDR picture (ITU-R BT.2408), and its brightest light, in candela a square metre. */
const PAPER = 203;
const PEAK = 1000;

/**
 * Light relative to paper is halved, so that there is room for what is brighter, and bent from there so that the peak just
 * fits: the curve of SMPTE ST 2094-50 for pictures that say nothing themselves, as browsers draw it.
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

/** SMPTE ST 2084, relative to paper. */
function pq(value: number): number {
  const root = value ** (32 / 2523);
  const light = Math.max(0, root - 3424 / 4096) / (2413 / 128 - (2392 / 128) * root);
  return (10_000 / PAPER) * light ** (16_384 / 2610);
}

/** ARIB STD-B67: the light that the camera saw. */
function hlg(value: number): number {
  const a = 0.17883277;
  const b = 1 - 4 * a;
  const c = 0.5 - a * Math.log(4 * a);
  return value <= 0.5 ? value ** 2 / 3 : (Math.exp((value - c) / a) + b) / 12;
}

const scaled = ([r, g, b]: Three, by: number): Three => [r * by, g * by, b * by];

/** What a screen of the peak above makes of it: its system gamma is 1.2 (ITU-R BT.2100). */
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

/** How an HDR picture is brought to what every screen shows; nothing for codes of curves that are no HDR. */
export function sceneOf(code: number, primaries: Primaries): Scene | undefined {
  const light = HDR.get(code);
  if (!light) return undefined;
  const from = toXyz(primaries);
  const to = inverse(toXyz(WIDE));
  return (coded) => {
    const wide = times(to, times(from, light(coded)));
    const seen = code === HLG ? shown(wide) : wide;
    // All three alike, by the brightest, so that colours stay what they are.
    const most = Math.max(...seen);
    return most > 0 ? scaled(seen, tone(most) / most) : [0, 0, 0];
  };
}

export { WIDE };
