import { createDraft, type Draft, type DraftBody, getDraft, updateDraft } from '@stagedoor/contract/publishing.ts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { api } from '../../kernel/mutation.ts';
import { type Autosave, createAutosave, type DraftApi, type SaveState } from './autosave.ts';

const quiet = { showErrorMessage: false } as const;
const DRAFTS_API: DraftApi = {
  create: (body, operationId) => api(createDraft, { body }, { ...quiet, operationId }),
  update: (id, version, body) => api(updateDraft, { params: { id }, body: { ...body, version } }, quiet),
  read: (id) => api(getDraft, { params: { id } }, quiet),
};

export type Keeping = {
  state: SaveState;
  draft: Draft | undefined;
  isDirty: boolean;
  /**
   * Saves immediately. With `instead` that body is saved, and later changes of the form are ignored unless the save
   * failed.
   */
  flush(instead?: DraftBody): Promise<Draft | undefined>;
  rebase(onto: Draft | undefined): void;
};

export type KeepingOptions = {
  draft: Draft | undefined;
  body: DraftBody;
  held: string | undefined;
  isBegun: boolean;
  /** False: saves only on request, as for scheduled posts. */
  isAutomatic: boolean;
  onKept: (draft: Draft) => void;
};

export function useAutosave({ draft: start, body, held, isBegun, isAutomatic, onKept }: KeepingOptions): Keeping {
  const [state, setState] = useState<SaveState>({ kind: 'clean' });
  const [draft, setDraft] = useState(start);
  const [keptText, setKeptText] = useState(() => JSON.stringify(body));
  const autosave = useRef<Autosave | undefined>(undefined);
  const kept = useEffectEvent(onKept);
  const begin = useEffectEvent(() =>
    createAutosave(DRAFTS_API, { draft: start, body, isAutomatic }, (next, saved, text) => {
      setState(next);
      if (!saved) return;
      setDraft(saved);
      if (text !== undefined) setKeptText(text);
      kept(saved);
    }),
  );
  useEffect(() => {
    const made = begin();
    autosave.current = made;
    return () => made.stop();
  }, []);
  const text = JSON.stringify(body);
  const isFrozen = useRef(false);
  const set = useEffectEvent(() => {
    if (!isFrozen.current) autosave.current?.set(body, held, isBegun);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the body
  useEffect(() => set(), [text, held, isBegun]);
  return {
    state,
    draft,
    isDirty: text !== keptText || (isBegun && !draft),
    flush: async (instead) => {
      isFrozen.current = instead !== undefined;
      // The last keystroke may not have been passed on yet.
      autosave.current?.set(instead ?? body, held, isBegun);
      const saved = await autosave.current?.flush();
      if (!saved) isFrozen.current = false;
      return saved;
    },
    rebase: (onto) => autosave.current?.rebase(onto),
  };
}
