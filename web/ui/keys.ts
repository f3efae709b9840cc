/**
 * Single-letter keyboard shortcuts. They work only while the focus is within the element, and never while the user
 * types.
 */
import type { KeyboardEvent } from 'react';

export function isPlainKey(event: KeyboardEvent): boolean {
  const { target, altKey, ctrlKey, metaKey } = event;
  if (altKey || ctrlKey || metaKey || !(target instanceof HTMLElement)) return false;
  return !target.matches('textarea, select, input:not([type="radio"], [type="checkbox"])');
}

/** J and K move the focus along the links or expandable rows of a list. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { j: 1, k: -1 }[event.key.toLowerCase()];
  if (step === undefined || !isPlainKey(event)) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('li a:not(details *), li summary')];
  const at = links.findIndex((link) => link.matches(':focus'));
  const next = at < 0 ? links.at(0) : links[at + step];
  next?.focus();
  event.preventDefault();
}
