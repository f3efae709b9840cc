import { THEME_PRESETS } from '@stagedoor/contract/content/theme-presets.ts';
import { expect, it } from 'vitest';
import { applyStep, type ThemeHistory, type ThemeStep } from './theme-history.ts';

const [paper, varnish] = THEME_PRESETS.map(({ theme }) => theme);
if (!paper || !varnish) throw new Error('There are too few presets.');
const applySteps = (...steps: ThemeStep[]): ThemeHistory =>
  steps.reduce(applyStep, { past: [], now: paper, future: [] });

it('undo and redo step through the changes', () => {
  const changed: ThemeStep[] = [
    { kind: 'change', part: { radius: 12 } },
    { kind: 'change', part: { type: 'letter' } },
  ];
  expect(applySteps(...changed).now).toEqual({ ...paper, radius: 12, type: 'letter' });
  expect(applySteps(...changed, { kind: 'undo' }).now).toEqual({ ...paper, radius: 12 });
  expect(applySteps(...changed, { kind: 'undo' }, { kind: 'undo' }, { kind: 'undo' }).now).toEqual(paper);
  expect(applySteps(...changed, { kind: 'undo' }, { kind: 'redo' }, { kind: 'redo' })).toEqual(applySteps(...changed));
  const other = applySteps(...changed, { kind: 'undo' }, { kind: 'change', part: { cover: 'wash' } });
  expect(other.now).toEqual({ ...paper, radius: 12, cover: 'wash' });
  expect(other.future).toEqual([]);
});

it('an unchanged value adds no step, and a loaded theme clears the history', () => {
  expect(applySteps({ kind: 'change', part: { radius: paper.radius } }).past).toEqual([]);
  expect(applySteps({ kind: 'change', part: { radius: 12 } }, { kind: 'reset', to: varnish })).toEqual({
    past: [],
    now: varnish,
    future: [],
  });
});

it('the history keeps the last hundred steps', () => {
  const many: ThemeStep[] = Array.from({ length: 150 }, (_, n) => ({
    kind: 'change',
    part: { radius: n % 2 ? 4 : 12 },
  }));
  expect(applySteps(...many).past).toHaveLength(100);
});
