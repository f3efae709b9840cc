/**
 * Rates the frames of the viewfinder with pure functions on small grayscale pictures. The advice never prevents taking
 * a picture.
 */
export type Advice = 'looking' | 'dark' | 'bright' | 'glare' | 'moving' | 'blurred' | 'good';
export type Shape = 'card' | 'face';
export type Grey = { readonly pixels: Uint8Array; readonly width: number; readonly height: number };
export type Measures = {
  /** Mean brightness, 0 to 255. */
  mean: number;
  /** Fraction of overexposed pixels, 0 to 1. */
  burnt: number;
  /** Variance of the Laplacian, a measure of sharpness (Pech-Pacheco et al., 2000). */
  sharpness: number;
  /** Mean change from the previous frame, 0 to 255. */
  motion: number;
};

const BURNT = 250;

/** Grayscale values of RGBA pixels (ITU-R BT.601). */
export function greyOf(rgba: Uint8ClampedArray, width: number, height: number): Grey {
  const pixels = new Uint8Array(width * height);
  for (let at = 0; at < pixels.length; at += 1) {
    const [red = 0, green = 0, blue = 0] = [rgba[at * 4], rgba[at * 4 + 1], rgba[at * 4 + 2]];
    pixels[at] = Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
  }
  return { pixels, width, height };
}

function sharpnessOf({ pixels, width, height }: Grey): number {
  let [count, sum, squares] = [0, 0, 0];
  const at = (index: number) => pixels[index] ?? 0;
  for (let y = 1; y < height - 1; y += 1)
    for (let x = 1; x < width - 1; x += 1) {
      const index = y * width + x;
      const edge = 4 * at(index) - at(index - 1) - at(index + 1) - at(index - width) - at(index + width);
      count += 1;
      sum += edge;
      squares += edge * edge;
    }
  return count === 0 ? 0 : squares / count - (sum / count) ** 2;
}

export function measure(frame: Grey, before?: Grey): Measures {
  const { pixels } = frame;
  let [sum, burnt, change] = [0, 0, 0];
  pixels.forEach((value, index) => {
    sum += value;
    if (value >= BURNT) burnt += 1;
    if (before) change += Math.abs(value - (before.pixels[index] ?? value));
  });
  const count = Math.max(1, pixels.length);
  return { mean: sum / count, burnt: burnt / count, sharpness: sharpnessOf(frame), motion: change / count };
}

/** Returns the most important problem first. Without light the other measures are meaningless. */
export function adviceOf({ mean, burnt, sharpness, motion }: Measures, shape: Shape): Advice {
  if (mean < 45) return 'dark';
  if (mean > 225) return 'bright';
  if (burnt > (shape === 'card' ? 0.04 : 0.2)) return 'glare';
  if (motion > 14) return 'moving';
  return sharpness < (shape === 'card' ? 60 : 20) ? 'blurred' : 'good';
}

export type Steady = { said: Advice; seen: Advice; times: number };
export const LOOKING: Steady = { said: 'looking', seen: 'looking', times: 0 };
/** How many equal results in a row change the shown advice. Screen readers thus hear at most one message per second. */
const STEADY_TIMES = 4;

export function steadied({ said, seen, times }: Steady, advice: Advice): Steady {
  const now = advice === seen ? times + 1 : 1;
  return { said: now >= STEADY_TIMES ? advice : said, seen: advice, times: now };
}

export const ADVICE_WORDS: Readonly<Record<Shape, Readonly<Record<Advice, string>>>> = {
  card: {
    looking: 'Bring all four corners into view.',
    dark: 'Too dark. Turn on a light.',
    bright: 'Too bright. Move it out of the light.',
    glare: 'Glare. Tilt it slightly.',
    moving: 'Hold still.',
    blurred: 'Blurry. Move back a little.',
    good: 'Sharp and well lit. Take the photo.',
  },
  face: {
    looking: 'Center your face in the oval.',
    dark: 'Too dark. Face a window.',
    bright: 'Too bright. Turn away from the light.',
    glare: 'Backlight. Turn slightly.',
    moving: 'Hold still.',
    blurred: 'Blurry. Wipe the lens or move back a little.',
    good: 'Good light. Keep your face in the oval.',
  },
};

type Size = { width: number; height: number };

/**
 * The part of a picture that a box shows when the picture covers it, minus a margin on each side (fraction from 0 to
 * 0.5).
 */
export function visiblePart(picture: Size, box: Size, margin: number): Size & { x: number; y: number } {
  const scale = Math.min(picture.width / box.width, picture.height / box.height);
  const [width, height] = [box.width * scale * (1 - 2 * margin), box.height * scale * (1 - 2 * margin)];
  return { x: (picture.width - width) / 2, y: (picture.height - height) / 2, width, height };
}
