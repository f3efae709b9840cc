import { PRESETS } from '@stagedoor/contract/theme-presets.ts';
import {
  type PlacedRefusal,
  refusals,
  saveThemeDraft,
  type Theme,
  type ThemeState,
} from '@stagedoor/contract/themes.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useReducer, useState, useSyncExternalStore } from 'react';
import { api } from '../../kernel/mutation.ts';
import { ownThemeQuery } from './apply.tsx';
import { createKeeper, isSameTheme } from './theme-keeper.ts';

export type History = { past: readonly Theme[]; now: Theme; future: readonly Theme[] };
export type Step =
  | { kind: 'change'; part: Partial<Theme> }
  | { kind: 'undo' }
  | { kind: 'redo' }
  | { kind: 'reset'; to: Theme };

const MOST_STEPS = 100;

export function stepped({ past, now, future }: History, step: Step): History {
  if (step.kind === 'reset') return { past: [], now: step.to, future: [] };
  if (step.kind === 'change') {
    const next = { ...now, ...step.part };
    return isSameTheme(now, next)
      ? { past, now, future }
      : { past: [...past, now].slice(-MOST_STEPS), now: next, future: [] };
  }
  if (step.kind === 'undo') {
    const before = past.at(-1);
    return before ? { past: past.slice(0, -1), now: before, future: [now, ...future] } : { past, now, future };
  }
  const [after, ...rest] = future;
  return after ? { past: [...past, now], now: after, future: rest } : { past, now, future };
}

export function beginning({ draft, published, arrangement }: ThemeState, from: Theme | null): Theme {
  const [paper] = PRESETS;
  if (!paper) throw new Error('There are no presets.');
  return from ?? draft ?? published ?? { ...paper.theme, ...arrangement };
}

export type Keeping = 'untouched' | 'kept' | 'waiting' | 'keeping' | 'unreadable' | 'failed' | 'elsewhere';

export interface ThemeDraft {
  now: Theme;
  /** The last readable version, which is previewed and saved. */
  shown: Theme;
  refused: readonly PlacedRefusal[];
  canUndo: boolean;
  canRedo: boolean;
  keeping: Keeping;
  isSaving: boolean;
  known: ThemeState;
  change: (part: Partial<Theme>) => void;
  undo: () => void;
  redo: () => void;
  /** Continues from the server's state with this theme. */
  take: (state: ThemeState, theme: Theme) => void;
  /** The server's state changed through this page. The current theme is saved on top of it. */
  goOn: (state: ThemeState) => void;
  /** Called when another window has changed the theme first. */
  lose: () => void;
  /** Pauses saving while something else of the theme is sent, until `take`, `lose` or `letGo`. */
  hold: () => void;
  letGo: () => void;
  keepNow: () => void;
}

/** The last save continues after the page is left. When the user returns, the editor waits for it. */
let last: Promise<unknown> = Promise.resolve();

function keeperFor(client: QueryClient, state: ThemeState, begin: Theme) {
  const save = async (body: { revision: number; theme: Theme }) => {
    const saving = api(saveThemeDraft, { body }, { showErrorMessage: false, keepalive: true });
    last = saving.catch(() => undefined);
    const after = await saving;
    client.setQueryData(ownThemeQuery().queryKey, after);
    return after;
  };
  return createKeeper(save, state, begin);
}

export function useThemeDraft(state: ThemeState, from: Theme | null): ThemeDraft {
  const client = useQueryClient();
  const [begin] = useState(() => beginning(state, from));
  const [keeper] = useState(() => keeperFor(client, state, begin));
  const { known, kept, failure, isSaving } = useSyncExternalStore(keeper.subscribe, keeper.state, keeper.state);
  const [history, step] = useReducer(stepped, { past: [], now: begin, future: [] });
  const { now } = history;
  const refused = refusals(now);
  const isReadable = refused.length === 0;
  const [shown, setShown] = useState(begin);
  if (isReadable && !isSameTheme(shown, now)) setShown(now);
  useEffect(() => keeper.want(shown), [keeper, shown]);

  const take = (after: ThemeState, theme: Theme) => {
    keeper.take(after, theme);
    step({ kind: 'reset', to: theme });
  };
  // A reloaded document may have been rendered before the previous one had sent its last save.
  const catchUp = useEffectEvent((after: ThemeState) => {
    if (history.past.length === 0 && !isSaving && after.revision > known.revision) take(after, beginning(after, from));
  });
  useEffect(() => {
    void last
      .then(() => client.fetchQuery({ ...ownThemeQuery(), staleTime: 0 }))
      .then((after) => catchUp(after))
      .catch(() => undefined);
  }, [client]);
  useEffect(() => {
    const hide = () => document.visibilityState === 'hidden' && keeper.hasten();
    addEventListener('online', keeper.hasten);
    addEventListener('beforeunload', keeper.leave);
    addEventListener('pagehide', keeper.leave);
    document.addEventListener('visibilitychange', hide);
    return () => {
      removeEventListener('online', keeper.hasten);
      removeEventListener('beforeunload', keeper.leave);
      removeEventListener('pagehide', keeper.leave);
      document.removeEventListener('visibilitychange', hide);
      keeper.hasten();
    };
  }, [keeper]);

  const isKept = kept !== null && isSameTheme(kept, now);
  return {
    now,
    shown,
    refused,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    keeping:
      failure ??
      (!isReadable ? 'unreadable' : isSaving ? 'keeping' : isKept ? (known.draft ? 'kept' : 'untouched') : 'waiting'),
    isSaving,
    known,
    change: (part) => step({ kind: 'change', part }),
    undo: () => step({ kind: 'undo' }),
    redo: () => step({ kind: 'redo' }),
    take,
    goOn: (after) => keeper.take(after, null),
    lose: keeper.lose,
    hold: keeper.hold,
    letGo: keeper.letGo,
    keepNow: keeper.hasten,
  };
}
