/**
 * Contrast (WCAG 2.2, 1.4.3), nearest readable colour, and the palette of a page. OKLCH after Björn Ottosson, "A
 * perceptual color space" (2020).
 */

/** Text (WCAG 2.2, 1.4.3). */
export const CONTRAST = 4.5;
/** Edge of a control (WCAG 2.2, 1.4.11). */
const EDGE_CONTRAST = 3;
export const LIGHTNESS_STEPS = 1_000;

type Three = readonly [number, number, number];
export type Oklch = { l: number; c: number; h: number };

function channelsOf(hex: string): Three {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}

function hexOf(channels: Three): string {
  return `#${channels
    .map((one) =>
      Math.round(one * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}

function gamma(light: number): number {
  return light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;
}

export function luminance(hex: string): number {
  const [r, g, b] = channelsOf(hex);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one) + 0.05, luminance(other) + 0.05];
  return Math.max(a, b) / Math.min(a, b);
}

export function toOklch(hex: string): Oklch {
  const [r, g, b] = channelsOf(hex);
  const [red, green, blue] = [linear(r), linear(g), linear(b)];
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

function lightsOf({ l, c, h }: Oklch): Three {
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

const isShown = (light: number) => light >= -0.0001 && light <= 1.0001;

/** Chroma outside sRGB is reduced until it fits. */
export function toHex(colour: Oklch): string {
  const l = Math.min(1, Math.max(0, colour.l));
  let c = colour.c;
  if (!lightsOf({ ...colour, l }).every(isShown)) {
    let [low, high] = [0, c];
    for (let step = 0; step < 18; step += 1) {
      const middle = (low + high) / 2;
      if (lightsOf({ l, c: middle, h: colour.h }).every(isShown)) low = middle;
      else high = middle;
    }
    c = low;
  }
  const [r, g, b] = lightsOf({ l, c, h: colour.h });
  const shown = (light: number) => Math.min(1, Math.max(0, gamma(Math.min(1, Math.max(0, light)))));
  return hexOf([shown(r), shown(g), shown(b)]);
}

/** `step` is 0 (black) to {@link LIGHTNESS_STEPS} (white). */
export function onLine(hex: string, step: number): string {
  const { c, h } = toOklch(hex);
  return toHex({ l: step / LIGHTNESS_STEPS, c, h });
}

/** Rounding to 8 bits makes contrast uneven within this many steps of the threshold. */
const WAVER_STEPS = 6;

/** Smallest distance that passes, or Infinity. Larger distances must pass too. */
function firstOf(most: number, passes: (away: number) => boolean): number {
  if (!passes(most)) return Number.POSITIVE_INFINITY;
  let [unread, read] = [-1, most];
  while (read - unread > 1) {
    const middle = (read + unread) >> 1;
    if (passes(middle)) read = middle;
    else unread = middle;
  }
  for (let away = read - 1; away >= Math.max(0, unread - WAVER_STEPS); away -= 1) if (passes(away)) read = away;
  return read;
}

/**
 * The nearest colour in lightness that passes, or the colour itself. Ties go to the darker one. `passes` must be
 * monotonic toward the end of the lightness range.
 */
export function nearest(hex: string, passes: (candidate: string) => boolean): string {
  if (passes(hex)) return hex;
  const { l, c, h } = toOklch(hex);
  const at = Math.round(l * LIGHTNESS_STEPS);
  const candidate = (step: number) => toHex({ l: step / LIGHTNESS_STEPS, c, h });
  const darker = firstOf(at, (away) => passes(candidate(at - away)));
  const lighter = firstOf(LIGHTNESS_STEPS - at, (away) => passes(candidate(at + away)));
  if (Math.min(darker, lighter) === Number.POSITIVE_INFINITY) return hex;
  return candidate(darker <= lighter ? at - darker : at + lighter);
}

const inkOn = ({ c, h }: Oklch) => toHex({ l: 0.19, c: Math.min(c, 0.03), h });
const paperOn = ({ c, h }: Oklch) => toHex({ l: 0.965, c: Math.min(c, 0.015), h });

export function textOn(background: string): string {
  const colour = toOklch(background);
  const [ink, paper] = [inkOn(colour), paperOn(colour)];
  return contrast(ink, background) >= contrast(paper, background) ? ink : paper;
}

/** Either white or black always has enough contrast. */
export function textOnAccent(accent: string): string {
  return ['#ffffff', '#0c0d11'].find((text) => contrast(text, accent) >= CONTRAST) ?? '#000000';
}

export const isDark = (background: string): boolean => luminance(textOn(background)) > luminance(background);

function mixed(from: string, to: string, part: number): string {
  const [a, b] = [channelsOf(from), channelsOf(to)];
  const at = (index: 0 | 1 | 2) => a[index] + (b[index] - a[index]) * part;
  return hexOf([at(0), at(1), at(2)]);
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
const SIGNS = { success: '#1c7a4c', warn: '#8a5a10', danger: '#b3164a' } as const;

/** All derived colours have enough contrast if the pair passed validation. */
export function paletteOf({ background, accent }: Pair): Palette {
  const text = textOn(background);
  const isReadOn = (surface: string) => (colour: string) => contrast(colour, surface) >= CONTRAST;
  const step = (part: number) => {
    const raised = mixed(background, text, part);
    return contrast(text, raised) >= CONTRAST && contrast(accent, raised) >= CONTRAST ? raised : background;
  };
  const raised = [step(0.03), step(0.06), step(0.1)] as const;
  const grades = Array.from({ length: 21 }, (_, n) => mixed(text, background, (20 - n) / 50));
  const edges = Array.from({ length: 51 }, (_, n) => mixed(background, text, n / 50));
  const sign = (colour: string) => nearest(colour, isReadOn(background));
  return {
    isDark: isDark(background),
    surface: background,
    raised,
    text,
    muted: grades.find((grade) => [background, ...raised].every((one) => contrast(grade, one) >= CONTRAST)) ?? text,
    line: mixed(background, text, 0.14),
    edge: edges.find((edge) => contrast(edge, raised[2]) >= EDGE_CONTRAST) ?? text,
    accent,
    onAccent: textOnAccent(accent),
    success: sign(SIGNS.success),
    warn: sign(SIGNS.warn),
    danger: sign(SIGNS.danger),
  };
}

export type Pair = { background: string; accent: string };

export function twinOf({ background, accent }: Pair): Pair {
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
    accent: nearest(toHex({ l: 1.12 - l, c, h }), (one) => contrast(one, other) >= CONTRAST),
  };
}

export type Refusal = {
  part: 'background' | 'accent';
  colour: string;
  against: string;
  ratio: number;
  nearest: string;
};

const isReadBackground = (background: string) => contrast(textOn(background), background) >= CONTRAST;

export function refusalsOf({ background, accent }: Pair): Refusal[] {
  const refusals: Refusal[] = [];
  if (!isReadBackground(background))
    refusals.push({
      part: 'background',
      colour: background,
      against: textOn(background),
      ratio: contrast(textOn(background), background),
      nearest: nearest(background, isReadBackground),
    });
  if (contrast(accent, background) < CONTRAST)
    refusals.push({
      part: 'accent',
      colour: accent,
      against: background,
      ratio: contrast(accent, background),
      nearest: nearest(accent, (one) => contrast(one, background) >= CONTRAST),
    });
  return refusals;
}

/** Returns the lowest contrast of text on background, accent on background, and text on accent. */
export function weakestOf({ background, accent }: Pair): number {
  return Math.min(
    contrast(textOn(background), background),
    contrast(accent, background),
    contrast(textOnAccent(accent), accent),
  );
}

/** `4.5:1`, rounded down. */
export function ratioWords(ratio: number): string {
  return `${(Math.floor(ratio * 10) / 10).toFixed(1)}:1`;
}
