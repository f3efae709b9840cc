import { createDraft, type Draft, type DraftBody, getDraft, updateDraft } from '@stagedoor/contract/content/drafts.ts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { api } from '../../../platform/mutation.ts';
import { type Autosave, createAutosave, type DraftApi, type SaveState } from './autosave.ts';

const quiet = { showErrorMessage: false } as const;
const DRAFTS_API: DraftApi = {
  create: (body, operationId) => api(createDraft, { body }, { ...quiet, operationId }),
  update: (id, version, body) => api(updateDraft, { params: { id }, body: { ...body, version } }, quiet),
  read: (id) => api(getDraft, { params: { id } }, quiet),
};

export type AutosaveState = {
  state: SaveState;
  draft: Draft | undefined;
  isDirty: boolean;
  /**
   * Saves immediately. With `replacement` that body is saved, and later changes of the form are ignored unless the save
   * failed.
   */
  flush(replacement?: DraftBody): Promise<Draft | undefined>;
  rebase(base: Draft | undefined): void;
};

export type AutosaveOptions = {
  draft: Draft | undefined;
  body: DraftBody;
  invalidReason: string | undefined;
  hasStarted: boolean;
  /** False: saves only on request, as for scheduled posts. */
  isAutomatic: boolean;
  onSaved: (draft: Draft) => void;
};

export function useAutosave({
  draft: initialDraft,
  body,
  invalidReason,
  hasStarted,
  isAutomatic,
  onSaved,
}: AutosaveOptions): AutosaveState {
  const [state, setState] = useState<SaveState>({ kind: 'clean' });
  const [draft, setDraft] = useState(initialDraft);
  const [savedText, setSavedText] = useState(() => JSON.stringify(body));
  const autosave = useRef<Autosave | undefined>(undefined);
  const handleSaved = useEffectEvent(onSaved);
  const createInstance = useEffectEvent(() =>
    createAutosave(DRAFTS_API, { draft: initialDraft, body, isAutomatic }, (next, saved, text) => {
      setState(next);
      if (!saved) return;
      setDraft(saved);
      if (text !== undefined) setSavedText(text);
      handleSaved(saved);
    }),
  );
  useEffect(() => {
    const instance = createInstance();
    autosave.current = instance;
    return () => instance.stop();
  }, []);
  const text = JSON.stringify(body);
  const isFrozen = useRef(false);
  const set = useEffectEvent(() => {
    if (!isFrozen.current) autosave.current?.set(body, invalidReason, hasStarted);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the body
  useEffect(() => set(), [text, invalidReason, hasStarted]);
  return {
    state,
    draft,
    isDirty: text !== savedText || (hasStarted && !draft),
    flush: async (replacement) => {
      isFrozen.current = replacement !== undefined;
      // The last keystroke may not have been passed on yet.
      autosave.current?.set(replacement ?? body, invalidReason, hasStarted);
      const saved = await autosave.current?.flush();
      if (!saved) isFrozen.current = false;
      return saved;
    },
    rebase: (base) => autosave.current?.rebase(base),
  };
}
