/**
 * One history entry for all open overlays in browsers without CloseWatcher, so that the back button closes an overlay.
 * React Router does not know about it: its writes replace the entry, and its backward steps are one longer.
 */

type Close = () => void;
type HistoryWrite = { state: unknown; url: string | URL | null | undefined };

const MARK = 'isOver';
/** After this time a history step counts as done even if the browser fired no event. */
const STEP_MS = 500;
/**
 * The delay before a change, because the router may first undo a forbidden step, and closing an overlay is often
 * followed by a navigation.
 */
const SETTLE_MS = 100;
/** The history is not changed while the document is being unloaded, because that would cancel the unload. */
const UNLOAD_MS = 5_000;

const isObject = (state: unknown): state is object => typeof state === 'object' && state !== null;
const getKey = (state: unknown): unknown => (isObject(state) ? Reflect.get(state, 'key') : undefined);
const isMarked = (state: unknown): boolean => isObject(state) && MARK in state;
const addMark = (state: unknown): object => ({ ...(isObject(state) && state), [MARK]: true });
function removeMark(state: unknown): unknown {
  if (!isObject(state) || !(MARK in state)) return state;
  const { [MARK]: _, ...rest } = state;
  return rest;
}

function createEntry() {
  const native = { push: history.pushState, replace: history.replaceState, go: history.go };
  const closers: Close[] = [];
  let isPushed = false;
  let page: { key: unknown; written: HistoryWrite | undefined } = { key: undefined, written: undefined };
  /** Router calls made during our own history step. They run after it. */
  let queuedCalls: (() => void)[] | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let notBefore = 0;

  function schedule(): void {
    if (queuedCalls) return;
    clearTimeout(timer);
    timer = setTimeout(
      () => {
        if (closers.length > 0 && !isPushed) pushEntry();
        else if (closers.length === 0 && isPushed) removeEntry();
      },
      Math.max(SETTLE_MS, notBefore - performance.now()),
    );
  }

  function pushEntry(): void {
    // A reload while an overlay was open leaves the mark in the state.
    if (isMarked(history.state)) native.replace.call(history, removeMark(history.state), '');
    page = { key: getKey(history.state), written: undefined };
    native.push.call(history, addMark(history.state), '');
    isPushed = true;
    history.pushState = (state, unused, url) => {
      if (queuedCalls) return void queuedCalls.push(() => history.pushState(state, unused, url));
      // The next page replaces the entry.
      restoreHistory();
      native.replace.call(history, state, unused, url);
      schedule();
    };
    history.replaceState = (state, unused, url) => {
      if (queuedCalls) return void queuedCalls.push(() => history.replaceState(state, unused, url));
      page.written = { state: removeMark(state), url };
      native.replace.call(history, addMark(state), unused, url);
    };
    history.go = (delta = 0) => {
      if (queuedCalls) return void queuedCalls.push(() => history.go(delta));
      restoreHistory();
      native.go.call(history, delta < 0 ? delta - 1 : delta);
      schedule();
    };
  }

  function restoreHistory(): void {
    isPushed = false;
    for (const name of ['pushState', 'replaceState', 'go']) Reflect.deleteProperty(history, name);
  }

  /** The entry was removed and the page's own entry is current again. It receives the writes made meanwhile. */
  function handleRemoved(): void {
    restoreHistory();
    const { written } = page;
    if (written) native.replace.call(history, written.state, '', written.url);
    const calls = queuedCalls ?? [];
    queuedCalls = undefined;
    for (const call of calls) call();
    schedule();
  }

  function removeEntry(): void {
    queuedCalls = [];
    timer = setTimeout(handleRemoved, STEP_MS);
    native.go.call(history, -1);
  }

  addEventListener(
    'popstate',
    (event) => {
      if (isPushed && getKey(event.state) === page.key && !isMarked(event.state)) {
        event.stopImmediatePropagation();
        clearTimeout(timer);
        if (!queuedCalls) closers.at(-1)?.();
        handleRemoved();
      } else if (!queuedCalls) {
        if (isPushed) restoreHistory();
        schedule();
      }
    },
    true,
  );

  addEventListener('beforeunload', () => {
    notBefore = performance.now() + UNLOAD_MS;
    schedule();
  });

  return (close: Close): (() => void) => {
    closers.push(close);
    schedule();
    return () => {
      closers.splice(closers.indexOf(close), 1);
      schedule();
    };
  };
}

let entry: ReturnType<typeof createEntry> | undefined;

export function pushCloseEntry(close: Close): () => void {
  entry ??= createEntry();
  return entry(close);
}
