/**
 * One history entry for all open overlays in browsers without CloseWatcher, so that the back button closes an overlay.
 * React Router does not know about it: its writes replace the entry, and its backward steps are one longer.
 */

type Close = () => void;
type Written = { state: unknown; url: string | URL | null | undefined };

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
const keyOf = (state: unknown): unknown => (isObject(state) ? Reflect.get(state, 'key') : undefined);
const isMarked = (state: unknown): boolean => isObject(state) && MARK in state;
const marked = (state: unknown): object => ({ ...(isObject(state) && state), [MARK]: true });
function plain(state: unknown): unknown {
  if (!isObject(state) || !(MARK in state)) return state;
  const { [MARK]: _, ...rest } = state;
  return rest;
}

function createEntry() {
  const native = { push: history.pushState, replace: history.replaceState, go: history.go };
  const open: Close[] = [];
  let isThere = false;
  let page: { key: unknown; written: Written | undefined } = { key: undefined, written: undefined };
  /** Router calls made during our own history step. They run after it. */
  let waiting: (() => void)[] | undefined;
  let settling: ReturnType<typeof setTimeout> | undefined;
  let notBefore = 0;

  function settle(): void {
    if (waiting) return;
    clearTimeout(settling);
    settling = setTimeout(
      () => {
        if (open.length > 0 && !isThere) stand();
        else if (open.length === 0 && isThere) leave();
      },
      Math.max(SETTLE_MS, notBefore - performance.now()),
    );
  }

  function stand(): void {
    // A reload while an overlay was open leaves the mark in the state.
    if (isMarked(history.state)) native.replace.call(history, plain(history.state), '');
    page = { key: keyOf(history.state), written: undefined };
    native.push.call(history, marked(history.state), '');
    isThere = true;
    history.pushState = (state, unused, url) => {
      if (waiting) return void waiting.push(() => history.pushState(state, unused, url));
      // The next page replaces the entry.
      letGo();
      native.replace.call(history, state, unused, url);
      settle();
    };
    history.replaceState = (state, unused, url) => {
      if (waiting) return void waiting.push(() => history.replaceState(state, unused, url));
      page.written = { state: plain(state), url };
      native.replace.call(history, marked(state), unused, url);
    };
    history.go = (delta = 0) => {
      if (waiting) return void waiting.push(() => history.go(delta));
      letGo();
      native.go.call(history, delta < 0 ? delta - 1 : delta);
      settle();
    };
  }

  function letGo(): void {
    isThere = false;
    for (const name of ['pushState', 'replaceState', 'go']) Reflect.deleteProperty(history, name);
  }

  /** The entry was removed and the page's own entry is current again. It receives the writes made meanwhile. */
  function takenBack(): void {
    letGo();
    const { written } = page;
    if (written) native.replace.call(history, written.state, '', written.url);
    const calls = waiting ?? [];
    waiting = undefined;
    for (const call of calls) call();
    settle();
  }

  function leave(): void {
    waiting = [];
    settling = setTimeout(takenBack, STEP_MS);
    native.go.call(history, -1);
  }

  addEventListener(
    'popstate',
    (event) => {
      if (isThere && keyOf(event.state) === page.key && !isMarked(event.state)) {
        event.stopImmediatePropagation();
        clearTimeout(settling);
        if (!waiting) open.at(-1)?.();
        takenBack();
      } else if (!waiting) {
        if (isThere) letGo();
        settle();
      }
    },
    true,
  );

  addEventListener('beforeunload', () => {
    notBefore = performance.now() + UNLOAD_MS;
    settle();
  });

  return (close: Close): (() => void) => {
    open.push(close);
    settle();
    return () => {
      open.splice(open.indexOf(close), 1);
      settle();
    };
  };
}

let entry: ReturnType<typeof createEntry> | undefined;

export function standIn(close: Close): () => void {
  entry ??= createEntry();
  return entry(close);
}
