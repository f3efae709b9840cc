/**
 * The second tap of a double tap is meant for what the first one pressed. Where a press puts something else under the
 * finger (a sheet that comes or goes), whoever does so holds it: it presses nothing.
 */

/** As long as a double tap takes. */
const WITHIN_MS = 400;
/** How far from the first it falls, in CSS pixels: a thumb is broad, a mouse is not moved. */
const [NEAR, NEAR_OF_MOUSE] = [28, 4];
/** Within this the click comes that belongs to a press. */
const CLICK_MS = 700;

export type Press = Pick<PointerEvent, 'clientX' | 'clientY' | 'timeStamp' | 'pointerType'>;

/** Whether `next` is the second of a double tap that began with `first`. */
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

/** From a moment at which something else came under the finger that pressed last: its second tap presses nothing. */
export function holdSecondPress(): void {
  held = last;
}

if (!import.meta.env.SSR) addEventListener('pointerdown', onPress, true);
