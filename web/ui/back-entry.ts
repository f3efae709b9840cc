/**
 * One entry of the history that stands in for all that lies over the page, where a browser tells nothing of back. The app's router
 * knows nothing of it: what it writes meanwhile goes in its place, and steps over it are one longer.
 */

type Close = () => void;
type Written = { state: unknown; url: string | URL | null | undefined };

/** Marks the entry. The rest of its state is the page's own. */
const MARK = 'isOver';
/** After so long a step has been taken, whatever the browser told of it. */
const STEP_MS = 500;
/** The router undoes a step that unsaved work forbids, by another one; and whoever closes a sheet often goes somewhere: both come first. */
const SETTLE_MS = 100;
/** A page that is being left is not stepped in: that would call the leaving off. */
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

/** The entry that stands in for all that is open, where a browser tells nothing of back. */
function createEntry() {
  const native = { push: history.pushState, replace: history.replaceState, go: history.go };
  const open: Close[] = [];
  let isThere = false;
  /** The page's key, and what was written in its place since. */
  let page: { key: unknown; written: Written | undefined } = { key: undefined, written: undefined };
  /** What the router does while a step of ours is under way waits until it is taken. */
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
    // As a page that was loaded anew here finds it.
    if (isMarked(history.state)) native.replace.call(history, plain(history.state), '');
    page = { key: keyOf(history.state), written: undefined };
    native.push.call(history, marked(history.state), '');
    isThere = true;
    history.pushState = (state, unused, url) => {
      if (waiting) return void waiting.push(() => history.pushState(state, unused, url));
      // The next page stands in the place of the entry.
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

  /** The entry is gone, and the page is where it was: with what was written meanwhile. */
  function takenBack(): void {
    letGo();
    const { written } = page;
    if (written) native.replace.call(history, written.state, '', written.url);
    const calls = waiting ?? [];
    waiting = undefined;
    for (const call of calls) call();
    settle();
  }

  /** Nothing is open any more: a step back, of which the router hears nothing. */
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

/** Calls `close` when somebody goes back. Answers the function that stops it. */
export function standIn(close: Close): () => void {
  entry ??= createEntry();
  return entry(close);
}
