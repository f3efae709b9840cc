/**
 * Ignores the second tap of a double tap where the first one changed what is under the finger, such as an opening or
 * closing sheet.
 */

const MAX_INTERVAL_MS = 400;
/** The maximum distance between the two taps in CSS pixels. A finger is less precise than a mouse. */
const [MAX_DISTANCE_PX, MAX_MOUSE_DISTANCE_PX] = [28, 4];
/** The time within which the click of a press follows. */
const CLICK_MS = 700;

export type TapEvent = Pick<PointerEvent, 'clientX' | 'clientY' | 'timeStamp' | 'pointerType'>;

export function isDoubleTap(next: TapEvent, first: TapEvent): boolean {
  const maxDistance = next.pointerType === 'mouse' ? MAX_MOUSE_DISTANCE_PX : MAX_DISTANCE_PX;
  const distance = Math.hypot(next.clientX - first.clientX, next.clientY - first.clientY);
  return next.timeStamp - first.timeStamp <= MAX_INTERVAL_MS && distance <= maxDistance;
}

let lastTap: TapEvent | undefined;
let guardedTap: TapEvent | undefined;

function stopEvent(event: Event): void {
  removeEventListener('click', stopEvent, true);
  event.preventDefault();
  event.stopImmediatePropagation();
}

function handleTap(event: PointerEvent): void {
  if (guardedTap && isDoubleTap(event, guardedTap)) {
    stopEvent(event);
    addEventListener('click', stopEvent, true);
    setTimeout(() => removeEventListener('click', stopEvent, true), CLICK_MS);
  } else {
    removeEventListener('click', stopEvent, true);
    lastTap = event;
  }
}

export function guardDoubleTap(): void {
  guardedTap = lastTap;
}

if (!import.meta.env.SSR) addEventListener('pointerdown', handleTap, true);
