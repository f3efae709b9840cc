import { THEME_PRESETS } from '@stagedoor/contract/content/theme-presets.ts';
import { saveThemeDraft, type Theme, type ThemeState } from '@stagedoor/contract/content/themes.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { api } from '../../../platform/mutation.ts';
import { ownThemeQuery } from './apply.tsx';
import { isSameTheme, type ThemeEditing, useThemeHistory } from './theme-history.ts';
import { createThemeSaver } from './theme-saver.ts';

export function getInitialTheme({ draft, published, arrangement }: ThemeState, from: Theme | null): Theme {
  const [paper] = THEME_PRESETS;
  if (!paper) throw new Error('There are no presets.');
  return from ?? draft ?? published ?? { ...paper.theme, ...arrangement };
}

export type ThemeSaveState = 'untouched' | 'saved' | 'waiting' | 'saving' | 'unreadable' | 'failed' | 'elsewhere';

export interface ThemeDraft extends ThemeEditing {
  saveState: ThemeSaveState;
  isSaving: boolean;
  serverState: ThemeState;
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
  const { reset, ...editing } = useThemeHistory(initialTheme);
  const { now, shown, problems, canUndo } = editing;
  useEffect(() => saver.setTheme(shown), [saver, shown]);

  const load = (after: ThemeState, theme: Theme) => {
    saver.load(after, theme);
    reset(theme);
  };
  // A reloaded document may have been rendered before the previous one had sent its last save.
  const catchUp = useEffectEvent((after: ThemeState) => {
    if (!canUndo && !isSaving && after.revision > serverState.revision) load(after, getInitialTheme(after, from));
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
    ...editing,
    saveState:
      failure ??
      (problems.length > 0
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
    load,
    rebase: (after) => saver.load(after, null),
    markConflict: saver.markConflict,
    pauseSaving: saver.pause,
    resumeSaving: saver.resume,
    saveNow: saver.saveNow,
  };
}
