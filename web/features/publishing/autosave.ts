/**
 * Saves a draft while it is edited: shortly after the last change, one save at a time, each based on the last known
 * version. Independent of React for testing.
 */
import type { Draft, DraftBody } from '@stagedoor/contract/publishing.ts';
import { ApiError } from '../../kernel/api-error.ts';

/**
 * `held`: it is not valid for saving. `conflict`: another browser changed it. `gone`: it was published or deleted
 * elsewhere.
 */
export type SaveState =
  | { kind: 'clean' }
  | { kind: 'waiting' }
  | { kind: 'saving' }
  | { kind: 'saved'; at: string }
  | { kind: 'failed'; words: string }
  | { kind: 'held'; words: string }
  | { kind: 'conflict'; theirs: Draft }
  | { kind: 'gone' };

export type DraftApi = {
  create(body: DraftBody, operationId: string): Promise<Draft>;
  update(id: string, version: number, body: DraftBody): Promise<Draft>;
  read(id: string): Promise<Draft>;
};

export type Autosave = {
  /**
   * Sets the current content and saves it shortly after. `held` is the reason why it cannot be saved. With `isBegun`
   * even an empty draft is saved, because a running upload will belong to it.
   */
  set(body: DraftBody, held?: string, isBegun?: boolean): void;
  /** Saves immediately. Returns the draft, or undefined when it could not be saved. The state has the reason. */
  flush(): Promise<Draft | undefined>;
  /** Continues on the version of another browser, or as a new draft. */
  rebase(onto: Draft | undefined): void;
  isDirty(): boolean;
  known(): Draft | undefined;
  stop(): void;
};

const AFTER_MS = 2_000;
const AGAIN_MS = 5_000;

export function createAutosave(
  api: DraftApi,
  start: { draft: Draft | undefined; body: DraftBody; isAutomatic: boolean },
  /** `text` is the saved content as JSON. */
  tell: (state: SaveState, draft?: Draft, text?: string) => void,
): Autosave {
  let last = start.draft;
  let kept = JSON.stringify(start.body);
  let body = start.body;
  let held: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let queue: Promise<Draft | undefined> = Promise.resolve(undefined);
  // The idempotency key of the first save. It stays the same until the outcome is known, so that a lost response
  // creates no second draft.
  let birth = { text: '', operationId: '' };
  let isStopped = false;

  let isWanted = false;
  const isDirty = () => JSON.stringify(body) !== kept || (isWanted && !last);

  function later(ms: number): void {
    clearTimeout(timer);
    if (start.isAutomatic && !isStopped) timer = setTimeout(() => void flush(), ms);
  }

  async function send(text: string): Promise<Draft> {
    if (last) return api.update(last.id, last.version, body);
    if (birth.text !== text) birth = { text, operationId: crypto.randomUUID() };
    return api.create(body, birth.operationId);
  }

  async function fail(error: unknown): Promise<undefined> {
    const code = error instanceof ApiError ? error.code : 'NETWORK';
    const words = error instanceof Error ? error.message : '';
    if (last && (code === 'CONFLICT' || code === 'NOT_FOUND')) {
      const found = await api.read(last.id).then(
        (theirs) => theirs,
        (failure: unknown) => (failure instanceof ApiError && failure.code === 'NOT_FOUND' ? 'gone' : undefined),
      );
      if (found === 'gone') tell({ kind: 'gone' });
      else if (found && found.version !== last.version) tell({ kind: 'conflict', theirs: found });
      else tell({ kind: 'failed', words });
      return undefined;
    }
    tell({ kind: 'failed', words });
    if (code === 'NETWORK' || code === 'UNAVAILABLE' || code === 'RATE_LIMITED' || code === 'INTERNAL') later(AGAIN_MS);
    return undefined;
  }

  async function save(): Promise<Draft | undefined> {
    const text = JSON.stringify(body);
    tell({ kind: 'saving' });
    try {
      const draft = await send(text);
      last = draft;
      kept = text;
      tell({ kind: 'saved', at: draft.updatedAt }, draft, text);
      return draft;
    } catch (error) {
      return fail(error);
    }
  }

  async function step(): Promise<Draft | undefined> {
    clearTimeout(timer);
    if (held !== undefined) {
      tell({ kind: 'held', words: held });
      return undefined;
    }
    return last && !isDirty() ? last : save();
  }

  function flush(): Promise<Draft | undefined> {
    queue = queue.then(step, step);
    return queue;
  }

  return {
    set: (next, words, isBegun = false) => {
      body = next;
      held = words;
      isWanted = isBegun;
      if (!isDirty()) {
        clearTimeout(timer);
        tell(last ? { kind: 'saved', at: last.updatedAt } : { kind: 'clean' });
        return;
      }
      if (words === undefined) tell({ kind: 'waiting' });
      else tell({ kind: 'held', words });
      if (words === undefined) later(AFTER_MS);
    },
    flush,
    rebase: (onto) => {
      last = onto;
      kept = '';
      later(0);
    },
    isDirty,
    known: () => last,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
