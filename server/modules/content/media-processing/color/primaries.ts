/** Color primaries of ITU-T H.273. */

export type Triple = readonly [number, number, number];
export type Matrix3 = readonly [Triple, Triple, Triple];
type Point = readonly [x: number, y: number];
/** As CIE xy coordinates. */
export type Primaries = { white: Point; red: Point; green: Point; blue: Point };

const D65: Point = [0.3127, 0.329];
const ILLUMINANT_C: Point = [0.31, 0.316];
export const SRGB: Primaries = { white: D65, red: [0.64, 0.33], green: [0.3, 0.6], blue: [0.15, 0.06] };
/** Table 2 of H.273. Each row holds x and y of red, green and blue. */
const PRIMARIES: ReadonlyMap<number, Primaries> = new Map(
  (
    [
      [4, ILLUMINANT_C, [0.67, 0.33], [0.21, 0.71], [0.14, 0.08]],
      [5, D65, [0.64, 0.33], [0.29, 0.6], [0.15, 0.06]],
      [6, D65, [0.63, 0.34], [0.31, 0.595], [0.155, 0.07]],
      [7, D65, [0.63, 0.34], [0.31, 0.595], [0.155, 0.07]],
      [8, ILLUMINANT_C, [0.681, 0.319], [0.243, 0.692], [0.145, 0.049]],
      [9, D65, [0.708, 0.292], [0.17, 0.797], [0.131, 0.046]],
      [11, [0.314, 0.351], [0.68, 0.32], [0.265, 0.69], [0.15, 0.06]],
      [12, D65, [0.68, 0.32], [0.265, 0.69], [0.15, 0.06]],
      [22, D65, [0.63, 0.34], [0.295, 0.605], [0.155, 0.077]],
    ] as const
  ).map(([code, white, red, green, blue]) => [code, { white, red, green, blue }]),
);

/** Unknown codes count as sRGB. */
export function getPrimaries(code: number): Primaries {
  return PRIMARIES.get(code) ?? SRGB;
}

const isNear = (one: Point, other: Point) => Math.hypot(one[0] - other[0], one[1] - other[1]) < 0.003;

export function isSrgbPrimaries({ white, red, green, blue }: Primaries): boolean {
  const pairs = [isNear(white, SRGB.white), isNear(red, SRGB.red), isNear(green, SRGB.green), isNear(blue, SRGB.blue)];
  return pairs.every(Boolean);
}

export function multiply(matrix: Matrix3, [a, b, c]: Triple): Triple {
  const row = ([x, y, z]: Triple) => x * a + y * b + z * c;
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])];
}

export function transpose([[a, b, c], [d, e, f], [g, h, i]]: Matrix3): Matrix3 {
  return [
    [a, d, g],
    [b, e, h],
    [c, f, i],
  ];
}

export function invert([[a, b, c], [d, e, f], [g, h, i]]: Matrix3): Matrix3 {
  const [A, B, C] = [e * i - f * h, f * g - d * i, d * h - e * g];
  const determinant = a * A + b * B + c * C;
  const divide = (value: number) => value / determinant;
  return [
    [divide(A), divide(c * h - b * i), divide(b * f - c * e)],
    [divide(B), divide(a * i - c * g), divide(c * d - a * f)],
    [divide(C), divide(b * g - a * h), divide(a * e - b * d)],
  ];
}

const toWhiteXyz = ([x, y]: Point): Triple => [x / y, 1, (1 - x - y) / y];
/** White point of ICC profiles. */
export const D50: Triple = [0.9642, 1, 0.8249];
const BRADFORD: Matrix3 = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
];

/** Converts to CIE XYZ as ICC profiles need it, adapted to {@link D50}. The columns are the primaries. */
export function toXyz({ white, red, green, blue }: Primaries): Matrix3 {
  const [r, g, b] = [toWhiteXyz(red), toWhiteXyz(green), toWhiteXyz(blue)];
  const amounts = multiply(invert(transpose([r, g, b])), toWhiteXyz(white));
  const [from, to] = [multiply(BRADFORD, toWhiteXyz(white)), multiply(BRADFORD, D50)];
  const adapt = (column: Triple, amount: number) => {
    const [l, m, s] = multiply(BRADFORD, column);
    return multiply(invert(BRADFORD), [
      (l * amount * to[0]) / from[0],
      (m * amount * to[1]) / from[1],
      (s * amount * to[2]) / from[2],
    ]);
  };
  return transpose([adapt(r, amounts[0]), adapt(g, amounts[1]), adapt(b, amounts[2])]);
}
