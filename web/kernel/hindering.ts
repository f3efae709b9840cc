/**
 * What an operator wants made harder where protected media are (row J6): saving them with the mouse or a finger, and the keys of
 * developer tools. A deterrent and no protection: whoever sees a picture can keep it. Forms, the keyboard's own menu and whatever
 * assistive technology presses stay as they are.
 */

const FORM = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])';
/** Pictures and players, also where something transparent lies over them. */
const MEDIA = 'img, picture, video, audio, canvas, .pic, .player, .yarl__root';
const TOOLS = new Set(['KeyI', 'KeyJ', 'KeyC', 'KeyK', 'KeyE']);

const isWithin = (target: EventTarget | null, selector: string) =>
  target instanceof Element && target.closest(selector) !== null;

export type Pressed = Pick<KeyboardEvent, 'code' | 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

/** F12, the tools and the page's source, as browsers have them. Control with Option is VoiceOver's, Insert and Caps Lock those of others. */
export function isDeveloperKey({ code, key, ctrlKey, metaKey, shiftKey, altKey }: Pressed): boolean {
  if (key === 'F12') return !ctrlKey && !metaKey && !altKey;
  if (ctrlKey && !metaKey && !altKey) return shiftKey ? TOOLS.has(code) : code === 'KeyU';
  return metaKey && altKey && !ctrlKey && (TOOLS.has(code) || code === 'KeyU');
}

/** iOS tells no page of the menu under a long press, and takes this property for it. Each page that hinders has a sheet of its own. */
function takeCallout(): () => void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`:is(${MEDIA}) { -webkit-touch-callout: none; }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
  };
}

/** Answers the function that ends it. */
export function hinderInspection(): () => void {
  const ending = new AbortController();
  const options = { capture: true, signal: ending.signal };
  const hold = (event: Event) => {
    if (isWithin(event.target, MEDIA) && !isWithin(event.target, FORM)) event.preventDefault();
  };
  addEventListener(
    'contextmenu',
    (event) => {
      // A keyboard's menu key has no pointer and no second button.
      const isPointed = event.button === 2 || (event instanceof PointerEvent && event.pointerType !== '');
      if (isPointed) hold(event);
    },
    options,
  );
  addEventListener('dragstart', hold, options);
  addEventListener(
    'keydown',
    (event) => {
      if (isDeveloperKey(event) && !isWithin(event.target, FORM)) event.preventDefault();
    },
    options,
  );
  const giveCallout = takeCallout();
  return () => {
    ending.abort();
    giveCallout();
  };
}
