/** A theme while it is being made: every step can be taken back, what can be read is kept by the server, and another window is noticed. */
import {
  type PlacedRefusal,
  refusals,
  saveThemeDraft,
  type Theme,
  type ThemeState,
} from '@stagedoor/contract/themes.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useRef, useState } from 'react';
import { ApiError } from '../../kernel/api-error.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { ownThemeQuery } from './apply.tsx';

export type History = { past: readonly Theme[]; now: Theme; future: readonly Theme[] };
export type Step =
  | { kind: 'change'; part: Partial<Theme> }
  | { kind: 'undo' }
  | { kind: 'redo' }
  | { kind: 'reset'; to: Theme };

const MOST_STEPS = 100;
const same = (one: Theme, other: Theme) => JSON.stringify(one) === JSON.stringify(other);

/** One more step, or one back or forth. A change that changes nothing is none. */
export function stepped({ past, now, future }: History, step: Step): History {
  if (step.kind === 'reset') return { past: [], now: step.to, future: [] };
  if (step.kind === 'change') {
    const next = { ...now, ...step.part };
    return same(now, next) ? { past, now, future } : { past: [...past, now].slice(-MOST_STEPS), now: next, future: [] };
  }
  if (step.kind === 'undo') {
    const before = past.at(-1);
    return before ? { past: past.slice(0, -1), now: before, future: [now, ...future] } : { past, now, future };
  }
  const [after, ...rest] = future;
  return after ? { past: [...past, now], now: after, future: rest } : { past, now, future };
}

/** So long nothing is changed before the draft is kept. */
const PAUSE_MS = 700;

export type Keeping = 'untouched' | 'kept' | 'waiting' | 'keeping' | 'unreadable' | 'failed' | 'elsewhere';

export interface ThemeDraft {
  now: Theme;
  /** The last that could be read: what is previewed. */
  shown: Theme;
  refused: readonly PlacedRefusal[];
  canUndo: boolean;
  canRedo: boolean;
  keeping: Keeping;
  /** What server and page agree on. */
  known: ThemeState;
  change: (part: Partial<Theme>) => void;
  undo: () => void;
  redo: () => void;
  /** Goes on from what the server has, or from `theme` upon it. */
  take: (state: ThemeState, theme: Theme) => void;
  keepNow: () => void;
}

export function useThemeDraft(state: ThemeState, begin: Theme): ThemeDraft {
  const client = useQueryClient();
  const [history, step] = useReducer(stepped, { past: [], now: begin, future: [] });
  const [known, setKnown] = useState(state);
  const [kept, setKept] = useState<Theme | null>(begin);
  const [failure, setFailure] = useState<'failed' | 'elsewhere'>();
  const { now } = history;
  const refused = refusals(now);
  const isReadable = refused.length === 0;
  const [shown, setShown] = useState(begin);
  if (isReadable && !same(shown, now)) setShown(now);
  const save = useApiMutation(saveThemeDraft, {
    showErrorMessage: false,
    onSuccess: (after, { body }) => {
      client.setQueryData(ownThemeQuery().queryKey, after);
      setKnown(after);
      setKept(body.theme === null ? null : now);
      setFailure(undefined);
    },
    onError: (error) => setFailure(error instanceof ApiError && error.code === 'CONFLICT' ? 'elsewhere' : 'failed'),
  });
  const isKept = kept !== null && same(kept, now);
  const isAtIt = save.isPending;
  const keep = () => {
    if (isReadable && !isAtIt) save.mutate({ body: { revision: known.revision, theme: now } });
  };
  const latest = useRef(keep);
  useEffect(() => {
    latest.current = keep;
  });
  const text = JSON.stringify(now);
  useEffect(() => {
    if (isKept || isAtIt || !isReadable || failure || text === '') return;
    const timer = setTimeout(() => latest.current(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, isKept, isAtIt, isReadable, failure]);
  return {
    now,
    shown,
    refused,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    keeping:
      failure ??
      (!isReadable ? 'unreadable' : isAtIt ? 'keeping' : isKept ? (known.draft ? 'kept' : 'untouched') : 'waiting'),
    known,
    change: (part) => step({ kind: 'change', part }),
    undo: () => step({ kind: 'undo' }),
    redo: () => step({ kind: 'redo' }),
    take: (after, theme) => {
      setKnown(after);
      setKept(theme);
      setFailure(undefined);
      step({ kind: 'reset', to: theme });
    },
    keepNow: () => {
      setFailure(undefined);
      keep();
    },
  };
}
