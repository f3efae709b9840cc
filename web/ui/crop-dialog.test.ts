import { expect, test } from 'vitest';
import { toSquare } from './crop-dialog.tsx';

test('the default crop is the middle of a wide or tall picture', () => {
  expect(toSquare({ x: 0.5, y: 0.5, zoom: 1 }, { width: 900, height: 300 })).toEqual({ x: 1 / 3, y: 0, side: 1 });
  expect(toSquare({ x: 0.5, y: 0.5, zoom: 1 }, { width: 300, height: 600 })).toEqual({ x: 0, y: 0.25, side: 1 });
  expect(toSquare({ x: 0.5, y: 0.5, zoom: 2 }, { width: 300, height: 300 })).toEqual({ x: 0.25, y: 0.25, side: 0.5 });
});

test.each([
  [-5, -5],
  [5, 5],
  [0, 1],
  [1, 0],
])('a crop dragged to %d, %d stays inside the picture', (x, y) => {
  for (const zoom of [1, 1.7, 4])
    for (const size of [
      { width: 900, height: 300 },
      { width: 100, height: 700 },
    ]) {
      const square = toSquare({ x, y, zoom }, size);
      const pixels = square.side * Math.min(size.width, size.height);
      expect(square.x * size.width).toBeGreaterThanOrEqual(0);
      expect(square.y * size.height).toBeGreaterThanOrEqual(0);
      expect(square.x * size.width + pixels).toBeLessThanOrEqual(size.width + 1e-6);
      expect(square.y * size.height + pixels).toBeLessThanOrEqual(size.height + 1e-6);
    }
});
