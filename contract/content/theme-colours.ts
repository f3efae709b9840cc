/**
 * Contrast (WCAG 2.2, 1.4.3), nearest readable colour, and the palette of a page. OKLCH after Björn Ottosson, "A
 * perceptual color space" (2020).
 */

/** Text (WCAG 2.2, 1.4.3). */
export const CONTRAST = 4.5;
/** Edge of a control (WCAG 2.2, 1.4.11). */
const EDGE_CONTRAST = 3;
export const LIGHTNESS_STEPS = 1_000;

type Triple = readonly [number, number, number];
export type Oklch = { l: number; c: number; h: number };

function toChannels(hex: string): Triple {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}

function toHexString(channels: Triple): string {
  return `#${channels
    .map((one) =>
      Math.round(one * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

function toLinear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}

function toGamma(light: number): number {
  return light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;
}

export function getLuminance(hex: string): number {
  const [r, g, b] = toChannels(hex);
  return 0.2126 * toLinear(r) + 0.7152 * toLinear(g) + 0.0722 * toLinear(b);
}

export function getContrast(one: string, other: string): number {
  const [a, b] = [getLuminance(one) + 0.05, getLuminance(other) + 0.05];
  return Math.max(a, b) / Math.min(a, b);
}

export function toOklch(hex: string): Oklch {
  const [r, g, b] = toChannels(hex);
  const [red, green, blue] = [toLinear(r), toLinear(g), toLinear(b)];
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
  const bb = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  return {
    l: 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    c: Math.hypot(a, bb),
    h: Math.atan2(bb, a),
  };
}

function toLinearRgb({ l, c, h }: Oklch): Triple {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)];
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}

const isInGamut = (light: number) => light >= -0.0001 && light <= 1.0001;

/** Chroma outside sRGB is reduced until it fits. */
export function toHex(colour: Oklch): string {
  const l = Math.min(1, Math.max(0, colour.l));
  let c = colour.c;
  if (!toLinearRgb({ ...colour, l }).every(isInGamut)) {
    let [low, high] = [0, c];
    for (let step = 0; step < 18; step += 1) {
      const middle = (low + high) / 2;
      if (toLinearRgb({ l, c: middle, h: colour.h }).every(isInGamut)) low = middle;
      else high = middle;
    }
    c = low;
  }
  const [r, g, b] = toLinearRgb({ l, c, h: colour.h });
  const toChannel = (light: number) => Math.min(1, Math.max(0, toGamma(Math.min(1, Math.max(0, light)))));
  return toHexString([toChannel(r), toChannel(g), toChannel(b)]);
}

/** `step` is 0 (black) to {@link LIGHTNESS_STEPS} (white). */
export function setLightness(hex: string, step: number): string {
  const { c, h } = toOklch(hex);
  return toHex({ l: step / LIGHTNESS_STEPS, c, h });
}

/** Rounding to 8 bits makes contrast uneven within this many steps of the threshold. */
const ROUNDING_STEPS = 6;

/** Smallest distance that passes, or Infinity. Larger distances must pass too. */
function findSmallestDistance(most: number, passes: (distance: number) => boolean): number {
  if (!passes(most)) return Number.POSITIVE_INFINITY;
  let [failing, passing] = [-1, most];
  while (passing - failing > 1) {
    const middle = (passing + failing) >> 1;
    if (passes(middle)) passing = middle;
    else failing = middle;
  }
  for (let distance = passing - 1; distance >= Math.max(0, failing - ROUNDING_STEPS); distance -= 1)
    if (passes(distance)) passing = distance;
  return passing;
}

/**
 * The nearest colour in lightness that passes, or the colour itself. Ties go to the darker one. `passes` must be
 * monotonic toward the end of the lightness range.
 */
export function findNearestColour(hex: string, passes: (candidate: string) => boolean): string {
  if (passes(hex)) return hex;
  const { l, c, h } = toOklch(hex);
  const at = Math.round(l * LIGHTNESS_STEPS);
  const toCandidate = (step: number) => toHex({ l: step / LIGHTNESS_STEPS, c, h });
  const darker = findSmallestDistance(at, (distance) => passes(toCandidate(at - distance)));
  const lighter = findSmallestDistance(LIGHTNESS_STEPS - at, (distance) => passes(toCandidate(at + distance)));
  if (Math.min(darker, lighter) === Number.POSITIVE_INFINITY) return hex;
  return toCandidate(darker <= lighter ? at - darker : at + lighter);
}

const toInk = ({ c, h }: Oklch) => toHex({ l: 0.19, c: Math.min(c, 0.03), h });
const toPaper = ({ c, h }: Oklch) => toHex({ l: 0.965, c: Math.min(c, 0.015), h });

export function toTextColour(background: string): string {
  const colour = toOklch(background);
  const [ink, paper] = [toInk(colour), toPaper(colour)];
  return getContrast(ink, background) >= getContrast(paper, background) ? ink : paper;
}

/** Either white or black always has enough contrast. */
export function toAccentTextColour(accent: string): string {
  return ['#ffffff', '#0c0d11'].find((text) => getContrast(text, accent) >= CONTRAST) ?? '#000000';
}

export const isDark = (background: string): boolean =>
  getLuminance(toTextColour(background)) > getLuminance(background);

function mixColours(from: string, to: string, part: number): string {
  const [a, b] = [toChannels(from), toChannels(to)];
  const mixChannel = (index: 0 | 1 | 2) => a[index] + (b[index] - a[index]) * part;
  return toHexString([mixChannel(0), mixChannel(1), mixChannel(2)]);
}

export type Palette = {
  isDark: boolean;
  surface: string;
  raised: readonly [string, string, string];
  text: string;
  muted: string;
  line: string;
  edge: string;
  accent: string;
  onAccent: string;
  success: string;
  warn: string;
  danger: string;
};

/** The lightness of these colours is adjusted to the background. */
const STATUS_COLOURS = { success: '#1c7a4c', warn: '#8a5a10', danger: '#b3164a' } as const;

/** All derived colours have enough contrast if the pair passed validation. */
export function toPalette({ background, accent }: ColourPair): Palette {
  const text = toTextColour(background);
  const isReadableOn = (surface: string) => (colour: string) => getContrast(colour, surface) >= CONTRAST;
  const toRaisedColour = (part: number) => {
    const raised = mixColours(background, text, part);
    return getContrast(text, raised) >= CONTRAST && getContrast(accent, raised) >= CONTRAST ? raised : background;
  };
  const raised = [toRaisedColour(0.03), toRaisedColour(0.06), toRaisedColour(0.1)] as const;
  const grades = Array.from({ length: 21 }, (_, n) => mixColours(text, background, (20 - n) / 50));
  const edges = Array.from({ length: 51 }, (_, n) => mixColours(background, text, n / 50));
  const toStatusColour = (colour: string) => findNearestColour(colour, isReadableOn(background));
  return {
    isDark: isDark(background),
    surface: background,
    raised,
    text,
    muted: grades.find((grade) => [background, ...raised].every((one) => getContrast(grade, one) >= CONTRAST)) ?? text,
    line: mixColours(background, text, 0.14),
    edge: edges.find((edge) => getContrast(edge, raised[2]) >= EDGE_CONTRAST) ?? text,
    accent,
    onAccent: toAccentTextColour(accent),
    success: toStatusColour(STATUS_COLOURS.success),
    warn: toStatusColour(STATUS_COLOURS.warn),
    danger: toStatusColour(STATUS_COLOURS.danger),
  };
}

export type ColourPair = { background: string; accent: string };

export function toOtherMode({ background, accent }: ColourPair): ColourPair {
  const colour = toOklch(background);
  const other = toHex(
    isDark(background)
      ? { l: 0.968, c: Math.min(colour.c, 0.022), h: colour.h }
      : { l: 0.185, c: Math.min(colour.c, 0.035), h: colour.h },
  );
  // Mirrors the lightness of the accent.
  const { l, c, h } = toOklch(accent);
  return {
    background: other,
    accent: findNearestColour(toHex({ l: 1.12 - l, c, h }), (one) => getContrast(one, other) >= CONTRAST),
  };
}

export type ContrastProblem = {
  part: 'background' | 'accent';
  colour: string;
  against: string;
  ratio: number;
  nearest: string;
};

const isReadableBackground = (background: string) => getContrast(toTextColour(background), background) >= CONTRAST;

export function findContrastProblems({ background, accent }: ColourPair): ContrastProblem[] {
  const problems: ContrastProblem[] = [];
  if (!isReadableBackground(background))
    problems.push({
      part: 'background',
      colour: background,
      against: toTextColour(background),
      ratio: getContrast(toTextColour(background), background),
      nearest: findNearestColour(background, isReadableBackground),
    });
  if (getContrast(accent, background) < CONTRAST)
    problems.push({
      part: 'accent',
      colour: accent,
      against: background,
      ratio: getContrast(accent, background),
      nearest: findNearestColour(accent, (one) => getContrast(one, background) >= CONTRAST),
    });
  return problems;
}

/** Returns the lowest contrast of text on background, accent on background, and text on accent. */
export function getWeakestContrast({ background, accent }: ColourPair): number {
  return Math.min(
    getContrast(toTextColour(background), background),
    getContrast(accent, background),
    getContrast(toAccentTextColour(accent), accent),
  );
}

/** `4.5:1`, rounded down. */
export function formatRatio(ratio: number): string {
  return `${(Math.floor(ratio * 10) / 10).toFixed(1)}:1`;
}
