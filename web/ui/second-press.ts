/**
 * Ignores the second tap of a double tap where the first one changed what is under the finger, such as an opening or
 * closing sheet.
 */

const WITHIN_MS = 400;
/** The maximum distance between the two taps in CSS pixels. A finger is less precise than a mouse. */
const [NEAR, NEAR_OF_MOUSE] = [28, 4];
/** The time within which the click of a press follows. */
const CLICK_MS = 700;

export type Press = Pick<PointerEvent, 'clientX' | 'clientY' | 'timeStamp' | 'pointerType'>;

export function isSecondOf(next: Press, first: Press): boolean {
  const reach = next.pointerType === 'mouse' ? NEAR_OF_MOUSE : NEAR;
  const distance = Math.hypot(next.clientX - first.clientX, next.clientY - first.clientY);
  return next.timeStamp - first.timeStamp <= WITHIN_MS && distance <= reach;
}

let last: Press | undefined;
let held: Press | undefined;

function stop(event: Event): void {
  removeEventListener('click', stop, true);
  event.preventDefault();
  event.stopImmediatePropagation();
}

function onPress(event: PointerEvent): void {
  if (held && isSecondOf(event, held)) {
    stop(event);
    addEventListener('click', stop, true);
    setTimeout(() => removeEventListener('click', stop, true), CLICK_MS);
  } else {
    removeEventListener('click', stop, true);
    last = event;
  }
}

export function holdSecondPress(): void {
  held = last;
}

if (!import.meta.env.SSR) addEventListener('pointerdown', onPress, true);
