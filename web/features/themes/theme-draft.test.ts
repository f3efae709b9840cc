import { PRESETS } from '@stagedoor/contract/theme-presets.ts';
import { expect, it } from 'vitest';
import { type History, type Step, stepped } from './theme-draft.ts';

const [paper, varnish] = PRESETS.map(({ theme }) => theme);
if (!paper || !varnish) throw new Error('There are too few presets.');
const walk = (...steps: Step[]): History => steps.reduce(stepped, { past: [], now: paper, future: [] });

it('undo and redo step through the changes', () => {
  const changed: Step[] = [
    { kind: 'change', part: { radius: 12 } },
    { kind: 'change', part: { type: 'letter' } },
  ];
  expect(walk(...changed).now).toEqual({ ...paper, radius: 12, type: 'letter' });
  expect(walk(...changed, { kind: 'undo' }).now).toEqual({ ...paper, radius: 12 });
  expect(walk(...changed, { kind: 'undo' }, { kind: 'undo' }, { kind: 'undo' }).now).toEqual(paper);
  expect(walk(...changed, { kind: 'undo' }, { kind: 'redo' }, { kind: 'redo' })).toEqual(walk(...changed));
  const other = walk(...changed, { kind: 'undo' }, { kind: 'change', part: { cover: 'wash' } });
  expect(other.now).toEqual({ ...paper, radius: 12, cover: 'wash' });
  expect(other.future).toEqual([]);
});

it('an unchanged value adds no step, and a loaded theme clears the history', () => {
  expect(walk({ kind: 'change', part: { radius: paper.radius } }).past).toEqual([]);
  expect(walk({ kind: 'change', part: { radius: 12 } }, { kind: 'reset', to: varnish })).toEqual({
    past: [],
    now: varnish,
    future: [],
  });
});

it('the history keeps the last hundred steps', () => {
  const many: Step[] = Array.from({ length: 150 }, (_, n) => ({ kind: 'change', part: { radius: n % 2 ? 4 : 12 } }));
  expect(walk(...many).past).toHaveLength(100);
});
