/** Pure functions for a drawn signature: strokes of points on a canvas of 1,000 by 300 units. */
import { VERIFICATION_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';

export const SIGNATURE_CANVAS = { width: 1_000, height: 300 } as const;
export type SignaturePoint = [x: number, y: number];
export type Strokes = readonly (readonly SignaturePoint[])[];

/** The minimum distance between points. Closer points make no visible difference. */
const MIN_DISTANCE = 4;

const clamp = (value: number, max: number) => Math.min(max, Math.max(0, Math.round(value)));
const countPoints = (strokes: Strokes) => strokes.reduce((sum, { length }) => sum + length, 0);

export function toSignaturePoint(
  event: { clientX: number; clientY: number },
  box: { left: number; top: number; width: number; height: number },
): SignaturePoint {
  return [
    clamp(((event.clientX - box.left) / box.width) * SIGNATURE_CANVAS.width, SIGNATURE_CANVAS.width),
    clamp(((event.clientY - box.top) / box.height) * SIGNATURE_CANVAS.height, SIGNATURE_CANVAS.height),
  ];
}

/** Starts a new stroke, unless a limit is reached. */
export function startStroke(strokes: Strokes, point: SignaturePoint): Strokes {
  const isFull = strokes.length >= VERIFICATION_LIMITS.strokes || countPoints(strokes) >= VERIFICATION_LIMITS.points;
  return isFull ? strokes : [...strokes, [point]];
}

export function extendStroke(strokes: Strokes, point: SignaturePoint): Strokes {
  const stroke = strokes.at(-1);
  const last = stroke?.at(-1);
  if (!stroke || !last || countPoints(strokes) >= VERIFICATION_LIMITS.points) return strokes;
  if (Math.hypot(point[0] - last[0], point[1] - last[1]) < MIN_DISTANCE) return strokes;
  return [...strokes.slice(0, -1), [...stroke, point]];
}

export function toSignaturePath(stroke: readonly SignaturePoint[]): string {
  const [[x, y] = [0, 0], ...rest] = stroke;
  if (rest.length === 0) return `M${x} ${y}h.1`;
  const curves = rest.slice(0, -1).map(([px, py], index) => {
    const [nx, ny] = rest[index + 1] ?? [px, py];
    return `Q${px} ${py} ${(px + nx) / 2} ${(py + ny) / 2}`;
  });
  const [ex, ey] = rest.at(-1) ?? [x, y];
  return `M${x} ${y}${curves.join('')}L${ex} ${ey}`;
}
