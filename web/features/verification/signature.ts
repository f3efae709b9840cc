/** A signature drawn by finger, pen or mouse: lines of points on a sheet of 1,000 by 300. Pure. */
import { VERIFICATION } from '@stagedoor/contract/atoms/room-limits.ts';

export const SHEET = { width: 1_000, height: 300 } as const;
export type Point = [x: number, y: number];
export type Strokes = readonly (readonly Point[])[];

/** Nearer points say nothing that is seen. */
const LEAST_DISTANCE = 4;

const clamp = (value: number, most: number) => Math.min(most, Math.max(0, Math.round(value)));
const countOf = (strokes: Strokes) => strokes.reduce((sum, { length }) => sum + length, 0);

/** A place within a box, as a point of the sheet. */
export function pointOf(
  event: { clientX: number; clientY: number },
  box: { left: number; top: number; width: number; height: number },
): Point {
  return [
    clamp(((event.clientX - box.left) / box.width) * SHEET.width, SHEET.width),
    clamp(((event.clientY - box.top) / box.height) * SHEET.height, SHEET.height),
  ];
}

/** With a new line begun; one too many begins none. */
export function begun(strokes: Strokes, point: Point): Strokes {
  const isFull = strokes.length >= VERIFICATION.strokes || countOf(strokes) >= VERIFICATION.points;
  return isFull ? strokes : [...strokes, [point]];
}

/** With the last line led on to a point. */
export function drawn(strokes: Strokes, point: Point): Strokes {
  const line = strokes.at(-1);
  const last = line?.at(-1);
  if (!line || !last || countOf(strokes) >= VERIFICATION.points) return strokes;
  if (Math.hypot(point[0] - last[0], point[1] - last[1]) < LEAST_DISTANCE) return strokes;
  return [...strokes.slice(0, -1), [...line, point]];
}

/** A path through the middles between points, which makes a hand's line of them; a dot for a single one. */
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
