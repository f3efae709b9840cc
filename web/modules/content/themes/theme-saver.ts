/** Saves the draft of a theme on the server: after a pause, one request at a time, with retries. */
import type { Theme, ThemeState } from '@stagedoor/contract/content/themes.ts';
import { ApiError } from '../../../platform/api-error.ts';
import { isSameTheme } from './theme-history.ts';

const PAUSE_MS = 700;

export const isConflict = (error: unknown) => error instanceof ApiError && error.code === 'CONFLICT';

export type ThemeSaverState = {
  serverState: ThemeState;
  /** The theme that the server has stored, or null if it has another one. */
  savedTheme: Theme | null;
  /** `elsewhere`: nothing more is sent because another window has changed the theme first. */
  failure: 'failed' | 'elsewhere' | undefined;
  isSaving: boolean;
};

export function createThemeSaver(
  save: (body: { revision: number; theme: Theme }) => Promise<ThemeState>,
  serverState: ThemeState,
  initialTheme: Theme,
) {
  let state: ThemeSaverState = { serverState, savedTheme: initialTheme, failure: undefined, isSaving: false };
  let currentTheme = initialTheme;
  let sent: Theme | undefined;
  let runningCount = 0;
  let isUrgent = false;
  let isPaused = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();
  const set = (part: Partial<ThemeSaverState>) => {
    state = { ...state, ...part };
    for (const listener of listeners) listener();
  };
  const isDue = () => {
    const last = sent ?? state.savedTheme;
    return !isPaused && state.failure !== 'elsewhere' && (last === null || !isSameTheme(last, currentTheme));
  };
  const schedule = (pauseMs: number) => {
    clearTimeout(timer);
    if (runningCount > 0 || !isDue()) return;
    if (pauseMs === 0) send(state.serverState.revision);
    else timer = setTimeout(() => send(state.serverState.revision), pauseMs);
  };
  const handleResult = (part: Partial<ThemeSaverState>) => {
    runningCount -= 1;
    const isRefused = part.failure === 'failed' && sent !== undefined && isSameTheme(sent, currentTheme);
    if (runningCount === 0) sent = undefined;
    set({ ...part, isSaving: runningCount > 0 });
    // The same theme is sent again only after a change, a reconnect or an explicit request.
    if (!isRefused) schedule(isUrgent ? 0 : PAUSE_MS);
  };
  function send(revision: number): void {
    clearTimeout(timer);
    const theme = currentTheme;
    runningCount += 1;
    sent = theme;
    isUrgent = false;
    set({ isSaving: true });
    save({ revision, theme }).then(
      (after) =>
        handleResult({
          serverState: after.revision > state.serverState.revision ? after : state.serverState,
          savedTheme: theme,
          failure: state.failure === 'elsewhere' ? 'elsewhere' : undefined,
        }),
      (error: unknown) => handleResult({ failure: isConflict(error) ? 'elsewhere' : (state.failure ?? 'failed') }),
    );
  }
  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    state: () => state,
    setTheme: (theme: Theme) => {
      if (isSameTheme(currentTheme, theme)) return;
      currentTheme = theme;
      schedule(PAUSE_MS);
    },
    saveNow: () => {
      if (runningCount > 0) isUrgent = true;
      else schedule(0);
    },
    /** The document is being unloaded. Nothing can be awaited, so running requests count as completed. */
    saveOnLeave: () => {
      if (isDue()) send(state.serverState.revision + runningCount);
    },
    /**
     * Continues from the server's state. A given `theme` counts as saved, with null the current theme is saved again.
     */
    load: (after: ThemeState, theme: Theme | null) => {
      isPaused = false;
      if (theme) currentTheme = theme;
      set({ serverState: after, savedTheme: theme, failure: undefined });
      schedule(PAUSE_MS);
    },
    pause: () => {
      isPaused = true;
      clearTimeout(timer);
    },
    resume: () => {
      isPaused = false;
      schedule(PAUSE_MS);
    },
    markConflict: () => {
      isPaused = false;
      clearTimeout(timer);
      set({ failure: 'elsewhere' });
    },
  };
}
