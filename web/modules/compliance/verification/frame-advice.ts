import * as texts from './texts.ts';
/**
 * Rates the frames of the viewfinder with pure functions on small grayscale pictures. The advice never prevents taking
 * a picture.
 */
export type FrameAdvice = 'looking' | 'dark' | 'bright' | 'glare' | 'moving' | 'blurred' | 'good';
export type FrameShape = 'card' | 'face';
export type GrayscaleImage = { readonly pixels: Uint8Array; readonly width: number; readonly height: number };
export type FrameMeasures = {
  /** Mean brightness, 0 to 255. */
  mean: number;
  /** Fraction of overexposed pixels, 0 to 1. */
  overexposed: number;
  /** Variance of the Laplacian, a measure of sharpness (Pech-Pacheco et al., 2000). */
  sharpness: number;
  /** Mean change from the previous frame, 0 to 255. */
  motion: number;
};

const OVEREXPOSED_VALUE = 250;

/** Grayscale values of RGBA pixels (ITU-R BT.601). */
export function toGrayscale(rgba: Uint8ClampedArray, width: number, height: number): GrayscaleImage {
  const pixels = new Uint8Array(width * height);
  for (let at = 0; at < pixels.length; at += 1) {
    const [red = 0, green = 0, blue = 0] = [rgba[at * 4], rgba[at * 4 + 1], rgba[at * 4 + 2]];
    pixels[at] = Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
  }
  return { pixels, width, height };
}

function calculateSharpness({ pixels, width, height }: GrayscaleImage): number {
  let [count, sum, squares] = [0, 0, 0];
  const getPixel = (index: number) => pixels[index] ?? 0;
  for (let y = 1; y < height - 1; y += 1)
    for (let x = 1; x < width - 1; x += 1) {
      const index = y * width + x;
      const edge =
        4 * getPixel(index) -
        getPixel(index - 1) -
        getPixel(index + 1) -
        getPixel(index - width) -
        getPixel(index + width);
      count += 1;
      sum += edge;
      squares += edge * edge;
    }
  return count === 0 ? 0 : squares / count - (sum / count) ** 2;
}

export function measureFrame(frame: GrayscaleImage, before?: GrayscaleImage): FrameMeasures {
  const { pixels } = frame;
  let [sum, overexposed, change] = [0, 0, 0];
  pixels.forEach((value, index) => {
    sum += value;
    if (value >= OVEREXPOSED_VALUE) overexposed += 1;
    if (before) change += Math.abs(value - (before.pixels[index] ?? value));
  });
  const count = Math.max(1, pixels.length);
  return {
    mean: sum / count,
    overexposed: overexposed / count,
    sharpness: calculateSharpness(frame),
    motion: change / count,
  };
}

/** Returns the most important problem first. Without light the other measures are meaningless. */
export function getAdvice({ mean, overexposed, sharpness, motion }: FrameMeasures, shape: FrameShape): FrameAdvice {
  if (mean < 45) return 'dark';
  if (mean > 225) return 'bright';
  if (overexposed > (shape === 'card' ? 0.04 : 0.2)) return 'glare';
  if (motion > 14) return 'moving';
  return sharpness < (shape === 'card' ? 60 : 20) ? 'blurred' : 'good';
}

export type SteadyAdvice = { shown: FrameAdvice; latest: FrameAdvice; repeats: number };
export const INITIAL_ADVICE: SteadyAdvice = { shown: 'looking', latest: 'looking', repeats: 0 };
/** How many equal results in a row change the shown advice. Screen readers thus hear at most one message per second. */
const STEADY_TIMES = 4;

export function smoothAdvice({ shown, latest, repeats }: SteadyAdvice, advice: FrameAdvice): SteadyAdvice {
  const count = advice === latest ? repeats + 1 : 1;
  return { shown: count >= STEADY_TIMES ? advice : shown, latest: advice, repeats: count };
}

export const ADVICE_MESSAGES: Readonly<Record<FrameShape, Readonly<Record<FrameAdvice, string>>>> = {
  card: {
    looking: texts.documentCornersAdvice,
    dark: texts.documentTooDark,
    bright: texts.documentTooBright,
    glare: texts.documentGlare,
    moving: texts.holdStill,
    blurred: texts.documentBlurry,
    good: texts.documentReady,
  },
  face: {
    looking: texts.faceCenterAdvice,
    dark: texts.faceTooDark,
    bright: texts.faceTooBright,
    glare: texts.faceBacklight,
    moving: texts.holdStill,
    blurred: texts.faceBlurry,
    good: texts.faceReady,
  },
};

type Size = { width: number; height: number };

/**
 * The part of a picture that a box shows when the picture covers it, minus a margin on each side (fraction from 0 to
 * 0.5).
 */
export function getVisiblePart(picture: Size, box: Size, margin: number): Size & { x: number; y: number } {
  const scale = Math.min(picture.width / box.width, picture.height / box.height);
  const [width, height] = [box.width * scale * (1 - 2 * margin), box.height * scale * (1 - 2 * margin)];
  return { x: (picture.width - width) / 2, y: (picture.height - height) / 2, width, height };
}
