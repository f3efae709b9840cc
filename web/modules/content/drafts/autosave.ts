/**
 * Saves a draft while it is edited: shortly after the last change, one save at a time, each based on the last known
 * version. Independent of React for testing.
 */
import type { Draft, DraftBody } from '@stagedoor/contract/content/drafts.ts';
import { ApiError } from '../../../platform/api-error.ts';

/**
 * `invalid`: it is not valid for saving. `conflict`: another browser changed it. `gone`: it was published or deleted
 * elsewhere.
 */
export type SaveState =
  | { kind: 'clean' }
  | { kind: 'waiting' }
  | { kind: 'saving' }
  | { kind: 'saved'; at: string }
  | { kind: 'failed'; message: string }
  | { kind: 'invalid'; message: string }
  | { kind: 'conflict'; theirs: Draft }
  | { kind: 'gone' };

export type DraftApi = {
  create(body: DraftBody, operationId: string): Promise<Draft>;
  update(id: string, version: number, body: DraftBody): Promise<Draft>;
  read(id: string): Promise<Draft>;
};

export type Autosave = {
  /**
   * Sets the current content and saves it shortly after. `invalidReason` is the reason why it cannot be saved. With `hasStarted`
   * even an empty draft is saved, because a running upload will belong to it.
   */
  set(body: DraftBody, invalidReason?: string, hasStarted?: boolean): void;
  /** Saves immediately. Returns the draft, or undefined when it could not be saved. The state has the reason. */
  flush(): Promise<Draft | undefined>;
  /** Continues on the version of another browser, or as a new draft. */
  rebase(base: Draft | undefined): void;
  isDirty(): boolean;
  getDraft(): Draft | undefined;
  stop(): void;
};

const SAVE_DELAY_MS = 2_000;
const RETRY_MS = 5_000;

export function createAutosave(
  api: DraftApi,
  initial: { draft: Draft | undefined; body: DraftBody; isAutomatic: boolean },
  /** `text` is the saved content as JSON. */
  reportState: (state: SaveState, draft?: Draft, text?: string) => void,
): Autosave {
  let lastDraft = initial.draft;
  let savedText = JSON.stringify(initial.body);
  let body = initial.body;
  let invalidReason: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let queue: Promise<Draft | undefined> = Promise.resolve(undefined);
  // The idempotency key of the first save. It stays the same until the outcome is known, so that a lost response
  // creates no second draft.
  let creation = { text: '', operationId: '' };
  let isStopped = false;

  let mustCreate = false;
  const isDirty = () => JSON.stringify(body) !== savedText || (mustCreate && !lastDraft);

  function scheduleFlush(ms: number): void {
    clearTimeout(timer);
    if (initial.isAutomatic && !isStopped) timer = setTimeout(() => void flush(), ms);
  }

  async function sendDraft(text: string): Promise<Draft> {
    if (lastDraft) return api.update(lastDraft.id, lastDraft.version, body);
    if (creation.text !== text) creation = { text, operationId: crypto.randomUUID() };
    return api.create(body, creation.operationId);
  }

  async function handleError(error: unknown): Promise<undefined> {
    const code = error instanceof ApiError ? error.code : 'NETWORK';
    const message = error instanceof Error ? error.message : '';
    if (lastDraft && (code === 'CONFLICT' || code === 'NOT_FOUND')) {
      const current = await api.read(lastDraft.id).then(
        (theirs) => theirs,
        (failure: unknown) => (failure instanceof ApiError && failure.code === 'NOT_FOUND' ? 'gone' : undefined),
      );
      if (current === 'gone') reportState({ kind: 'gone' });
      else if (current && current.version !== lastDraft.version) reportState({ kind: 'conflict', theirs: current });
      else reportState({ kind: 'failed', message });
      return undefined;
    }
    reportState({ kind: 'failed', message });
    if (code === 'NETWORK' || code === 'UNAVAILABLE' || code === 'RATE_LIMITED' || code === 'INTERNAL')
      scheduleFlush(RETRY_MS);
    return undefined;
  }

  async function save(): Promise<Draft | undefined> {
    const text = JSON.stringify(body);
    reportState({ kind: 'saving' });
    try {
      const draft = await sendDraft(text);
      lastDraft = draft;
      savedText = text;
      reportState({ kind: 'saved', at: draft.updatedAt }, draft, text);
      return draft;
    } catch (error) {
      return handleError(error);
    }
  }

  async function saveIfNeeded(): Promise<Draft | undefined> {
    clearTimeout(timer);
    if (invalidReason !== undefined) {
      reportState({ kind: 'invalid', message: invalidReason });
      return undefined;
    }
    return lastDraft && !isDirty() ? lastDraft : save();
  }

  function flush(): Promise<Draft | undefined> {
    queue = queue.then(saveIfNeeded, saveIfNeeded);
    return queue;
  }

  return {
    set: (next, message, hasStarted = false) => {
      body = next;
      invalidReason = message;
      mustCreate = hasStarted;
      if (!isDirty()) {
        clearTimeout(timer);
        reportState(lastDraft ? { kind: 'saved', at: lastDraft.updatedAt } : { kind: 'clean' });
        return;
      }
      if (message === undefined) reportState({ kind: 'waiting' });
      else reportState({ kind: 'invalid', message });
      if (message === undefined) scheduleFlush(SAVE_DELAY_MS);
    },
    flush,
    rebase: (base) => {
      lastDraft = base;
      savedText = '';
      scheduleFlush(0);
    },
    isDirty,
    getDraft: () => lastDraft,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
