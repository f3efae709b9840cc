/** Transfer functions of ITU-T H.273, and tone mapping of light brighter than white paper. */
import { getPrimaries, invert, multiply, type Primaries, type Triple, toXyz } from './primaries.ts';

/** Maps a coded value to light, both 0 to 1. */
export type TransferCurve = (value: number) => number;
/** Maps three coded values to light in BT.2020 primaries, all 0 to 1. */
export type HdrMapping = (coded: Triple) => Triple;

export const srgbCurve: TransferCurve = (value) =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
export const createPowerCurve =
  (exponent: number): TransferCurve =>
  (value) =>
    value ** exponent;
/** Display curve for BT.709 and BT.2020 values (ITU-R BT.1886). */
const displayCurve = createPowerCurve(2.4);

const CURVES: ReadonlyMap<number, TransferCurve> = new Map([
  [1, displayCurve],
  [4, createPowerCurve(2.2)],
  [5, createPowerCurve(2.8)],
  [6, displayCurve],
  [8, createPowerCurve(1)],
  [14, displayCurve],
  [15, displayCurve],
]);

/** Unknown codes count as sRGB. */
export function getTransferCurve(code: number): TransferCurve {
  return CURVES.get(code) ?? srgbCurve;
}

/** Reference white of HDR pictures (ITU-R BT.2408) and their peak, in candela per square meter. */
const PAPER_WHITE_NITS = 203;
const PEAK_NITS = 1000;

/**
 * Tone curve of SMPTE ST 2094-50 for pictures without own metadata, as browsers apply it. Light relative to paper is
 * halved to leave space for highlights, and bent so that the peak just fits.
 */
function toneMap(light: number): number {
  const peak = PEAK_NITS / PAPER_WHITE_NITS;
  if (light <= 1) return light / 2;
  if (light >= peak) return 1;
  // A quadratic Bézier curve over [1, 0.5], [x, y] and [peak, 1].
  const [x, y] = [1.65, 0.825];
  const [a, b] = [peak - 2 * x + 1, 2 * (x - 1)];
  const t = (-b + Math.sqrt(b * b + 4 * a * (light - 1))) / (2 * a);
  return 0.5 * (1 - t) ** 2 + 2 * y * t * (1 - t) + t * t;
}

/** SMPTE ST 2084, relative to paper white. */
function decodePq(value: number): number {
  const root = value ** (32 / 2523);
  const light = Math.max(0, root - 3424 / 4096) / (2413 / 128 - (2392 / 128) * root);
  return (10_000 / PAPER_WHITE_NITS) * light ** (16_384 / 2610);
}

/** ARIB STD-B67: light of the scene. */
function decodeHlg(value: number): number {
  const a = 0.17883277;
  const b = 1 - 4 * a;
  const c = 0.5 - a * Math.log(4 * a);
  return value <= 0.5 ? value ** 2 / 3 : (Math.exp((value - c) / a) + b) / 12;
}

const scale = ([r, g, b]: Triple, factor: number): Triple => [r * factor, g * factor, b * factor];

/** Light on a display with the peak above. The system gamma is 1.2 (ITU-R BT.2100). */
function applySystemGamma(sceneLight: Triple): Triple {
  const brightness = 0.2627 * sceneLight[0] + 0.678 * sceneLight[1] + 0.0593 * sceneLight[2];
  return scale(sceneLight, (PEAK_NITS / PAPER_WHITE_NITS) * Math.max(0, brightness) ** 0.2);
}

const HDR_CURVES: ReadonlyMap<number, (coded: Triple) => Triple> = new Map([
  [16, ([r, g, b]) => [decodePq(r), decodePq(g), decodePq(b)]],
  [18, ([r, g, b]) => [decodeHlg(r), decodeHlg(g), decodeHlg(b)]],
]);
const BT2020 = getPrimaries(9);
const HLG = 18;

export function findHdrMapping(code: number, primaries: Primaries): HdrMapping | undefined {
  const light = HDR_CURVES.get(code);
  if (!light) return undefined;
  const from = toXyz(primaries);
  const to = invert(toXyz(BT2020));
  return (coded) => {
    const bt2020 = multiply(to, multiply(from, light(coded)));
    const displayed = code === HLG ? applySystemGamma(bt2020) : bt2020;
    // All channels are scaled alike, by the brightest one, so that hues do not change.
    const brightest = Math.max(...displayed);
    return brightest > 0 ? scale(displayed, toneMap(brightest) / brightest) : [0, 0, 0];
  };
}

export { BT2020 };
