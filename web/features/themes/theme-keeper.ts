/** Saves the draft of a theme on the server: after a pause, one request at a time, with retries. */
import type { Theme, ThemeState } from '@stagedoor/contract/themes.ts';
import { ApiError } from '../../kernel/api-error.ts';

const PAUSE_MS = 700;

export const isConflict = (error: unknown) => error instanceof ApiError && error.code === 'CONFLICT';
export const isSameTheme = (one: Theme, other: Theme) => JSON.stringify(one) === JSON.stringify(other);

export type Kept = {
  known: ThemeState;
  /** The theme that the server has stored, or null if it has another one. */
  kept: Theme | null;
  /** `elsewhere`: nothing more is sent because another window has changed the theme first. */
  failure: 'failed' | 'elsewhere' | undefined;
  isSaving: boolean;
};

export function createKeeper(
  save: (body: { revision: number; theme: Theme }) => Promise<ThemeState>,
  known: ThemeState,
  begin: Theme,
) {
  let state: Kept = { known, kept: begin, failure: undefined, isSaving: false };
  let wanted = begin;
  let sent: Theme | undefined;
  let flights = 0;
  let isHasty = false;
  let isHeld = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();
  const set = (part: Partial<Kept>) => {
    state = { ...state, ...part };
    for (const listener of listeners) listener();
  };
  const isDue = () => {
    const last = sent ?? state.kept;
    return !isHeld && state.failure !== 'elsewhere' && (last === null || !isSameTheme(last, wanted));
  };
  const schedule = (pauseMs: number) => {
    clearTimeout(timer);
    if (flights > 0 || !isDue()) return;
    if (pauseMs === 0) send(state.known.revision);
    else timer = setTimeout(() => send(state.known.revision), pauseMs);
  };
  const landed = (part: Partial<Kept>) => {
    flights -= 1;
    const isRefused = part.failure === 'failed' && sent !== undefined && isSameTheme(sent, wanted);
    if (flights === 0) sent = undefined;
    set({ ...part, isSaving: flights > 0 });
    // The same theme is sent again only after a change, a reconnect or an explicit request.
    if (!isRefused) schedule(isHasty ? 0 : PAUSE_MS);
  };
  function send(revision: number): void {
    clearTimeout(timer);
    const theme = wanted;
    flights += 1;
    sent = theme;
    isHasty = false;
    set({ isSaving: true });
    save({ revision, theme }).then(
      (after) =>
        landed({
          known: after.revision > state.known.revision ? after : state.known,
          kept: theme,
          failure: state.failure === 'elsewhere' ? 'elsewhere' : undefined,
        }),
      (error: unknown) => landed({ failure: isConflict(error) ? 'elsewhere' : (state.failure ?? 'failed') }),
    );
  }
  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    state: () => state,
    want: (theme: Theme) => {
      if (isSameTheme(wanted, theme)) return;
      wanted = theme;
      schedule(PAUSE_MS);
    },
    hasten: () => {
      if (flights > 0) isHasty = true;
      else schedule(0);
    },
    /** The document is being unloaded. Nothing can be awaited, so running requests count as completed. */
    leave: () => {
      if (isDue()) send(state.known.revision + flights);
    },
    /**
     * Continues from the server's state. A given `theme` counts as saved, with null the current theme is saved again.
     */
    take: (after: ThemeState, theme: Theme | null) => {
      isHeld = false;
      if (theme) wanted = theme;
      set({ known: after, kept: theme, failure: undefined });
      schedule(PAUSE_MS);
    },
    hold: () => {
      isHeld = true;
      clearTimeout(timer);
    },
    letGo: () => {
      isHeld = false;
      schedule(PAUSE_MS);
    },
    lose: () => {
      isHeld = false;
      clearTimeout(timer);
      set({ failure: 'elsewhere' });
    },
  };
}
