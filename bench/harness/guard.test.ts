import { expect, test } from 'vitest';
import { compareWithSaved } from './guard.ts';
import type { Figure } from './report.ts';
import { toRatio } from './rounds.ts';

const COST = 'home, cached ÷ raw node:http';
const RATE = 'tip over HTTP ÷ thin tip';

const createFigure = (name: string, ratio: number, rest: Partial<Figure> = {}): Figure => ({
  name,
  ours: '',
  limit: '',
  ratio: toRatio(ratio),
  ...rest,
});
const saved = { at: '2026-01-01', ratios: { [COST]: 2, [RATE]: 2 } };

test('a figure is worse when its cost grew by more than 15 %, or its rate fell by as much', () => {
  const compare = (cost: number, rate: number) =>
    compareWithSaved([createFigure(COST, cost), createFigure(RATE, rate, { aim: { atLeast: 0.8 } })], saved).map(
      ({ isWorse }) => isWorse,
    );
  expect(compare(2.29, 1 / 2.29)).toEqual([false, false]);
  expect(compare(2.31, 1 / 2.31)).toEqual([true, true]);
  expect(compare(1, 1)).toEqual([false, false]);
});

test('a rate without an aim is worse when it fell', () => {
  const unlock = 'unlock over HTTP ÷ thin tip';
  const [row] = compareWithSaved([createFigure(unlock, 0.3, { byCpu: toRatio(0.2) })], {
    ...saved,
    ratios: { [unlock]: 4 },
  });
  expect(row).toEqual({ name: unlock, ratio: 5, saved: 4, isWorse: true });
});

test('the CPU counts where it was measured, figures that are not guarded do not, and without a saved run nothing is worse', () => {
  const figures = [
    createFigure(RATE, 1, { byCpu: toRatio(0.25), aim: { atLeast: 0.8 } }),
    createFigure('not guarded', 9),
  ];
  expect(compareWithSaved(figures, saved)).toEqual([{ name: RATE, ratio: 4, saved: 2, isWorse: true }]);
  expect(compareWithSaved(figures, undefined)).toEqual([{ name: RATE, ratio: 4, saved: undefined, isWorse: false }]);
});
