/** Keeps the draft of a theme on the server: a pause after each change, one save after another; what failed is tried again. */
import type { Theme, ThemeState } from '@stagedoor/contract/themes.ts';
import { ApiError } from '../../kernel/api-error.ts';

/** So long nothing is changed before the draft is kept. */
const PAUSE_MS = 700;

export const isConflict = (error: unknown) => error instanceof ApiError && error.code === 'CONFLICT';
export const isSameTheme = (one: Theme, other: Theme) => JSON.stringify(one) === JSON.stringify(other);

export type Kept = {
  /** What server and page agree on. */
  known: ThemeState;
  /** What the page made of it, and what of it the server has; null where it has another. */
  kept: Theme | null;
  /** `elsewhere`: nothing more is sent, as another window was first. */
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
  /** What is on its way. */
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
    // The same again waits for a change, for the connection, or for who asks for it.
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
    /** From now on this is to be kept, after a pause. */
    want: (theme: Theme) => {
      if (isSameTheme(wanted, theme)) return;
      wanted = theme;
      schedule(PAUSE_MS);
    },
    /** What is not kept yet is sent at once, or right after what is on its way. */
    hasten: () => {
      if (flights > 0) isHasty = true;
      else schedule(0);
    },
    /** The document goes: nothing can be waited for, so that what is on its way counts as arrived. */
    leave: () => {
      if (isDue()) send(state.known.revision + flights);
    },
    /** Goes on from what the server has; `theme` upon it counts as kept, or else is to be kept as it stands. */
    take: (after: ThemeState, theme: Theme | null) => {
      isHeld = false;
      if (theme) wanted = theme;
      set({ known: after, kept: theme, failure: undefined });
      schedule(PAUSE_MS);
    },
    /** Nothing is sent beside what else is on its way, until it is taken, lost or let go. */
    hold: () => {
      isHeld = true;
      clearTimeout(timer);
    },
    letGo: () => {
      isHeld = false;
      schedule(PAUSE_MS);
    },
    /** Another window was first. */
    lose: () => {
      isHeld = false;
      clearTimeout(timer);
      set({ failure: 'elsewhere' });
    },
  };
}
