/** Pure functions for a drawn signature: strokes of points on a canvas of 1,000 by 300 units. */
import { VERIFICATION } from '@stagedoor/contract/atoms/room-limits.ts';

export const SHEET = { width: 1_000, height: 300 } as const;
export type Point = [x: number, y: number];
export type Strokes = readonly (readonly Point[])[];

/** The minimum distance between points. Closer points make no visible difference. */
const LEAST_DISTANCE = 4;

const clamp = (value: number, most: number) => Math.min(most, Math.max(0, Math.round(value)));
const countOf = (strokes: Strokes) => strokes.reduce((sum, { length }) => sum + length, 0);

export function pointOf(
  event: { clientX: number; clientY: number },
  box: { left: number; top: number; width: number; height: number },
): Point {
  return [
    clamp(((event.clientX - box.left) / box.width) * SHEET.width, SHEET.width),
    clamp(((event.clientY - box.top) / box.height) * SHEET.height, SHEET.height),
  ];
}

/** Starts a new stroke, unless a limit is reached. */
export function begun(strokes: Strokes, point: Point): Strokes {
  const isFull = strokes.length >= VERIFICATION.strokes || countOf(strokes) >= VERIFICATION.points;
  return isFull ? strokes : [...strokes, [point]];
}

export function drawn(strokes: Strokes, point: Point): Strokes {
  const line = strokes.at(-1);
  const last = line?.at(-1);
  if (!line || !last || countOf(strokes) >= VERIFICATION.points) return strokes;
  if (Math.hypot(point[0] - last[0], point[1] - last[1]) < LEAST_DISTANCE) return strokes;
  return [...strokes.slice(0, -1), [...line, point]];
}

export function pathOf(line: readonly Point[]): string {
  const [[x, y] = [0, 0], ...rest] = line;
  if (rest.length === 0) return `M${x} ${y}h.1`;
  const curves = rest.slice(0, -1).map(([px, py], index) => {
    const [nx, ny] = rest[index + 1] ?? [px, py];
    return `Q${px} ${py} ${(px + nx) / 2} ${(py + ny) / 2}`;
  });
  const [ex, ey] = rest.at(-1) ?? [x, y];
  return `M${x} ${y}${curves.join('')}L${ex} ${ey}`;
}
