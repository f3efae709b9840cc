/**
 * Leaves the document. While it is being left, the page takes no input and shows that (`body[inert]`), because the
 * input would be lost.
 */
import { hasUnsavedChanges } from './unsaved.ts';

const STAY_TIMEOUT_MS = 30_000;

export function isLeaving(): boolean {
  return document.body.inert;
}

export function allowInput(): void {
  document.body.inert = false;
}

/** Blocks input until the document is gone. A page that the back button restores accepts input again. */
export function blockInput(): void {
  document.body.inert = true;
  addEventListener('pageshow', allowInput, { once: true });
  setTimeout(allowInput, STAY_TIMEOUT_MS);
}

/**
 * Loads another document, or reloads this one without an address. With unsaved changes the browser shows its warning
 * first, and the user may stay.
 */
export function openDocument(address?: string): void {
  if (!hasUnsavedChanges()) blockInput();
  if (address === undefined) location.reload();
  else location.assign(address);
}
