/**
 * Fills outlines by exact area coverage with signed accumulation, as in font-rs (github.com/raphlinus/font-rs).
 * Security: the SVG loader of the picture library stays disabled, because it would read uploads too.
 */
export type Point = readonly [x: number, y: number];
export type RgbColor = readonly [red: number, green: number, blue: number];
/** A contour in the opposite direction cuts a hole. */
export type Outline = readonly (readonly Point[])[];

const CURVE_SEGMENTS = 10;

export function flattenQuadratic([x0, y0]: Point, [x1, y1]: Point, [x2, y2]: Point): Point[] {
  return Array.from({ length: CURVE_SEGMENTS }, (_, index): Point => {
    const t = (index + 1) / CURVE_SEGMENTS;
    const u = 1 - t;
    return [u * u * x0 + 2 * u * t * x1 + t * t * x2, u * u * y0 + 2 * u * t * y1 + t * t * y2];
  });
}

export function flattenCubic([x0, y0]: Point, [x1, y1]: Point, [x2, y2]: Point, [x3, y3]: Point): Point[] {
  return Array.from({ length: CURVE_SEGMENTS }, (_, index): Point => {
    const t = (index + 1) / CURVE_SEGMENTS;
    const u = 1 - t;
    const [a, b, c, d] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
    return [a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3];
  });
}

export const createRectangle = (x: number, y: number, width: number, height: number): Outline => [
  [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ],
];

/** `from` and `to` are full turns. Clockwise if `to` is larger. */
export function createArc(x: number, y: number, radius: number, from = 0, to = 1): Point[] {
  const count = 64;
  return Array.from({ length: count + 1 }, (_, index): Point => {
    const angle = 2 * Math.PI * (from + ((to - from) * index) / count);
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
}

export function createRoundedRectangle(
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number,
  isLowerLeftRounded = true,
): Outline {
  const r = Math.min(radius, width / 2, height / 2);
  if (r === 0) return createRectangle(x, y, width, height);
  const [right, bottom] = [x + width, y + height];
  const lowerLeft: Point[] = isLowerLeftRounded ? createArc(x + r, bottom - r, r, 0.25, 0.5) : [[x, bottom]];
  return [
    [
      ...createArc(x + r, y + r, r, 0.5, 0.75),
      ...createArc(right - r, y + r, r, 0.75, 1),
      ...createArc(right - r, bottom - r, r, 0, 0.25),
      ...lowerLeft,
    ],
  ];
}

export const transformOutline = (outline: Outline, x: number, y: number, scale = 1): Outline =>
  outline.map((contour) => contour.map(([left, down]): Point => [x + left * scale, y + down * scale]));

export class RasterCanvas {
  readonly #width: number;
  readonly #height: number;
  readonly #pixels: Buffer;
  readonly #areas: Float32Array;

  /** `pixels` are RGB, row by row, and are modified. */
  constructor(pixels: Buffer, width: number, height: number) {
    this.#pixels = pixels;
    this.#width = width;
    this.#height = height;
    this.#areas = new Float32Array((width + 3) * height);
  }

  fill(outline: Outline, color: RgbColor | ((x: number, y: number) => RgbColor)): void {
    this.#areas.fill(0);
    for (const contour of outline) {
      let previous = contour.at(-1);
      for (const point of contour) {
        if (previous) this.#edge(previous, point);
        previous = point;
      }
    }
    for (let y = 0; y < this.#height; y += 1) {
      let area = 0;
      for (let x = 0; x < this.#width; x += 1) {
        area += this.#areas[y * (this.#width + 3) + x] ?? 0;
        const share = Math.min(1, Math.abs(area));
        if (share > 0.003) this.#blend(y * this.#width + x, share, typeof color === 'function' ? color(x, y) : color);
      }
    }
  }

  #blend(pixel: number, share: number, color: RgbColor): void {
    for (const [index, part] of color.entries()) {
      const at = pixel * 3 + index;
      this.#pixels[at] = Math.round((this.#pixels[at] ?? 0) * (1 - share) + part * share);
    }
  }

  /** Adds what lies right of an edge, row by row. The sum of a row up to a pixel is the coverage of that pixel. */
  #edge([fromX, fromY]: Point, [toX, toY]: Point): void {
    if (fromY === toY) return;
    const direction = fromY < toY ? 1 : -1;
    const [x0, y0, x1, y1] = fromY < toY ? [fromX, fromY, toX, toY] : [toX, toY, fromX, fromY];
    const slope = (x1 - x0) / (y1 - y0);
    const clampX = (x: number) => Math.min(this.#width, Math.max(0, x));
    const last = Math.min(this.#height, Math.ceil(y1));
    for (let y = Math.max(0, Math.floor(y0)); y < last; y += 1) {
      const [top, bottom] = [Math.max(y, y0), Math.min(y + 1, y1)];
      const ends = [clampX(x0 + (top - y0) * slope), clampX(x0 + (bottom - y0) * slope)] as const;
      this.#row(y, Math.min(...ends), Math.max(...ends), (bottom - top) * direction);
    }
  }

  /**
   * Distributes `height` of an edge that goes from `left` to `right` within one row over the pixels that it crosses.
   */
  #row(y: number, left: number, right: number, height: number): void {
    const start = y * (this.#width + 3);
    const first = Math.floor(left);
    const add = (x: number, area: number) => {
      this.#areas[start + x] = (this.#areas[start + x] ?? 0) + area;
    };
    // The height that lies left of each pixel's end, as a running sum. Its differences are added.
    let addedSoFar = 0;
    const end = Math.ceil(right) + 1;
    for (let x = first; x <= end; x += 1) {
      const covered = height * getCoverage(x, left, right);
      add(x, covered - addedSoFar);
      addedSoFar = covered;
    }
  }
}

/** Returns the mean part of pixel `x` that lies right of an edge from `left` to `right`. */
function getCoverage(x: number, left: number, right: number): number {
  if (right - left < 1e-6) return Math.min(1, Math.max(0, x + 1 - left));
  // The integral of a ramp that is 0 up to the pixel's start and 1 from its end on, seen from the other side.
  const integrate = (at: number) => {
    const inside = Math.min(1, Math.max(0, x + 1 - at));
    return at >= x + 1 ? 0 : at >= x ? (inside * inside) / 2 : 0.5 + (x - at);
  };
  return (integrate(left) - integrate(right)) / (right - left);
}
