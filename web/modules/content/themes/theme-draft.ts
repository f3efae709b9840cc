import { THEME_PRESETS } from '@stagedoor/contract/content/theme-presets.ts';
import {
  findThemeContrastProblems,
  saveThemeDraft,
  type Theme,
  type ThemeContrastProblem,
  type ThemeState,
} from '@stagedoor/contract/content/themes.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useReducer, useState, useSyncExternalStore } from 'react';
import { api } from '../../../platform/mutation.ts';
import { ownThemeQuery } from './apply.tsx';
import { createThemeSaver, isSameTheme } from './theme-saver.ts';

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

export function getInitialTheme({ draft, published, arrangement }: ThemeState, from: Theme | null): Theme {
  const [paper] = THEME_PRESETS;
  if (!paper) throw new Error('There are no presets.');
  return from ?? draft ?? published ?? { ...paper.theme, ...arrangement };
}

export type ThemeSaveState = 'untouched' | 'saved' | 'waiting' | 'saving' | 'unreadable' | 'failed' | 'elsewhere';

export interface ThemeDraft {
  now: Theme;
  /** The last readable version, which is previewed and saved. */
  shown: Theme;
  problems: readonly ThemeContrastProblem[];
  canUndo: boolean;
  canRedo: boolean;
  saveState: ThemeSaveState;
  isSaving: boolean;
  serverState: ThemeState;
  change: (part: Partial<Theme>) => void;
  undo: () => void;
  redo: () => void;
  /** Continues from the server's state with this theme. */
  load: (state: ThemeState, theme: Theme) => void;
  /** The server's state changed through this page. The current theme is saved on top of it. */
  rebase: (state: ThemeState) => void;
  /** Called when another window has changed the theme first. */
  markConflict: () => void;
  /** Pauses saving while something else of the theme is sent, until `load`, `markConflict` or `resumeSaving`. */
  pauseSaving: () => void;
  resumeSaving: () => void;
  saveNow: () => void;
}

/** The last save continues after the page is left. When the user returns, the editor waits for it. */
let lastSave: Promise<unknown> = Promise.resolve();

function createSaver(client: QueryClient, state: ThemeState, initialTheme: Theme) {
  const save = async (body: { revision: number; theme: Theme }) => {
    const saving = api(saveThemeDraft, { body }, { showErrorMessage: false, keepalive: true });
    lastSave = saving.catch(() => undefined);
    const after = await saving;
    client.setQueryData(ownThemeQuery().queryKey, after);
    return after;
  };
  return createThemeSaver(save, state, initialTheme);
}

export function useThemeDraft(state: ThemeState, from: Theme | null): ThemeDraft {
  const client = useQueryClient();
  const [initialTheme] = useState(() => getInitialTheme(state, from));
  const [saver] = useState(() => createSaver(client, state, initialTheme));
  const { serverState, savedTheme, failure, isSaving } = useSyncExternalStore(
    saver.subscribe,
    saver.state,
    saver.state,
  );
  const [history, step] = useReducer(applyStep, { past: [], now: initialTheme, future: [] });
  const { now } = history;
  const problems = findThemeContrastProblems(now);
  const isReadable = problems.length === 0;
  const [shown, setShown] = useState(initialTheme);
  if (isReadable && !isSameTheme(shown, now)) setShown(now);
  useEffect(() => saver.setTheme(shown), [saver, shown]);

  const load = (after: ThemeState, theme: Theme) => {
    saver.load(after, theme);
    step({ kind: 'reset', to: theme });
  };
  // A reloaded document may have been rendered before the previous one had sent its last save.
  const catchUp = useEffectEvent((after: ThemeState) => {
    if (history.past.length === 0 && !isSaving && after.revision > serverState.revision)
      load(after, getInitialTheme(after, from));
  });
  useEffect(() => {
    void lastSave
      .then(() => client.fetchQuery({ ...ownThemeQuery(), staleTime: 0 }))
      .then((after) => catchUp(after))
      .catch(() => undefined);
  }, [client]);
  useEffect(() => {
    const handleVisibility = () => document.visibilityState === 'hidden' && saver.saveNow();
    addEventListener('online', saver.saveNow);
    addEventListener('beforeunload', saver.saveOnLeave);
    addEventListener('pagehide', saver.saveOnLeave);
    document.addEventListener('visibilitychange', handleVisibility);
    return () => {
      removeEventListener('online', saver.saveNow);
      removeEventListener('beforeunload', saver.saveOnLeave);
      removeEventListener('pagehide', saver.saveOnLeave);
      document.removeEventListener('visibilitychange', handleVisibility);
      saver.saveNow();
    };
  }, [saver]);

  const isSaved = savedTheme !== null && isSameTheme(savedTheme, now);
  return {
    now,
    shown,
    problems,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    saveState:
      failure ??
      (!isReadable
        ? 'unreadable'
        : isSaving
          ? 'saving'
          : isSaved
            ? serverState.draft
              ? 'saved'
              : 'untouched'
            : 'waiting'),
    isSaving,
    serverState,
    change: (part) => step({ kind: 'change', part }),
    undo: () => step({ kind: 'undo' }),
    redo: () => step({ kind: 'redo' }),
    load,
    rebase: (after) => saver.load(after, null),
    markConflict: saver.markConflict,
    pauseSaving: saver.pause,
    resumeSaving: saver.resume,
    saveNow: saver.saveNow,
  };
}
