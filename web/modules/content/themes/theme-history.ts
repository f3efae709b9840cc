/** The steps of editing a theme, which can be undone. What is saved, and where, is not its concern. */
import {
  findThemeContrastProblems,
  type Theme,
  type ThemeContrastProblem,
} from '@stagedoor/contract/content/themes.ts';
import { useReducer, useState } from 'react';

export const isSameTheme = (one: Theme, other: Theme) => JSON.stringify(one) === JSON.stringify(other);

export type ThemeHistory = { past: readonly Theme[]; now: Theme; future: readonly Theme[] };
export type ThemeStep =
  | { kind: 'change'; part: Partial<Theme> }
  | { kind: 'undo' }
  | { kind: 'redo' }
  | { kind: 'reset'; to: Theme };

const MAX_STEPS = 100;

export function applyStep({ past, now, future }: ThemeHistory, step: ThemeStep): ThemeHistory {
  if (step.kind === 'reset') return { past: [], now: step.to, future: [] };
  if (step.kind === 'change') {
    const next = { ...now, ...step.part };
    return isSameTheme(now, next)
      ? { past, now, future }
      : { past: [...past, now].slice(-MAX_STEPS), now: next, future: [] };
  }
  if (step.kind === 'undo') {
    const before = past.at(-1);
    return before ? { past: past.slice(0, -1), now: before, future: [now, ...future] } : { past, now, future };
  }
  const [after, ...rest] = future;
  return after ? { past: [...past, now], now: after, future: rest } : { past, now, future };
}

export interface ThemeEditing {
  now: Theme;
  /** The last readable version, which is previewed and saved. */
  shown: Theme;
  problems: readonly ThemeContrastProblem[];
  canUndo: boolean;
  canRedo: boolean;
  change: (part: Partial<Theme>) => void;
  undo: () => void;
  redo: () => void;
}

/** `reset` continues from a theme without the steps before. */
export function useThemeHistory(initialTheme: Theme): ThemeEditing & { reset: (theme: Theme) => void } {
  const [history, step] = useReducer(applyStep, { past: [], now: initialTheme, future: [] });
  const { now } = history;
  const problems = findThemeContrastProblems(now);
  const [shown, setShown] = useState(initialTheme);
  if (problems.length === 0 && !isSameTheme(shown, now)) setShown(now);
  return {
    now,
    shown,
    problems,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    change: (part) => step({ kind: 'change', part }),
    undo: () => step({ kind: 'undo' }),
    redo: () => step({ kind: 'redo' }),
    reset: (theme) => step({ kind: 'reset', to: theme }),
  };
}
