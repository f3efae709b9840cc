/**
 * Makes saving protected media and opening developer tools harder (row J6). This is a deterrent, not protection,
 * because a visible picture can always be saved. Forms, the keyboard's context menu and assistive technology keep
 * working.
 */

const FORM = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])';
const MEDIA = 'img, picture, video, audio, canvas, .pic, .player, .yarl__root';
const DEVELOPER_KEYS = new Set(['KeyI', 'KeyJ', 'KeyC', 'KeyK', 'KeyE']);

const isWithin = (target: EventTarget | null, selector: string) =>
  target instanceof Element && target.closest(selector) !== null;

export type KeyPress = Pick<KeyboardEvent, 'code' | 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

/**
 * Matches F12 and the browsers' shortcuts for developer tools and page source. Control with Option belongs to
 * VoiceOver, Insert and Caps Lock to other screen readers.
 */
export function isDeveloperKey({ code, key, ctrlKey, metaKey, shiftKey, altKey }: KeyPress): boolean {
  if (key === 'F12') return !ctrlKey && !metaKey && !altKey;
  if (ctrlKey && !metaKey && !altKey) return shiftKey ? DEVELOPER_KEYS.has(code) : code === 'KeyU';
  return metaKey && altKey && !ctrlKey && (DEVELOPER_KEYS.has(code) || code === 'KeyU');
}

/**
 * iOS fires no event for the long-press menu, so a style property disables it. Each protected page has its own style
 * sheet.
 */
function disableCallout(): () => void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`:is(${MEDIA}) { -webkit-touch-callout: none; }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
  };
}

/** Returns the function that ends it. */
export function protectContent(): () => void {
  const controller = new AbortController();
  const options = { capture: true, signal: controller.signal };
  const blockOnMedia = (event: Event) => {
    if (isWithin(event.target, MEDIA) && !isWithin(event.target, FORM)) event.preventDefault();
  };
  addEventListener(
    'contextmenu',
    (event) => {
      // The context menu key of a keyboard has no pointer type and no button.
      const isPointed = event.button === 2 || (event instanceof PointerEvent && event.pointerType !== '');
      if (isPointed) blockOnMedia(event);
    },
    options,
  );
  addEventListener('dragstart', blockOnMedia, options);
  addEventListener(
    'keydown',
    (event) => {
      if (isDeveloperKey(event) && !isWithin(event.target, FORM)) event.preventDefault();
    },
    options,
  );
  const restoreCallout = disableCallout();
  return () => {
    controller.abort();
    restoreCallout();
  };
}
