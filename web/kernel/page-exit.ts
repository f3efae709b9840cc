/**
 * Leaving the document. From the moment at which it is left, the page takes no more input and shows that it is leaving (`body[inert]`):
 * what would be pressed or typed in it would be lost with it.
 */
import { isUnsaved } from './unsaved.ts';

/** A document that is still here after so long was not left after all. */
const STAYED_MS = 30_000;

/** Whether this document is being left. */
export function isLeaving(): boolean {
  return document.body.inert;
}

/** Takes input again, as after a log-out that failed. */
export function allowInput(): void {
  document.body.inert = false;
}

/** Takes no more input, for as long as the document is here. The browser's Back may bring it up again, which then takes input. */
export function stopInput(): void {
  document.body.inert = true;
  addEventListener('pageshow', allowInput, { once: true });
  setTimeout(allowInput, STAYED_MS);
}

/** Loads another document, or without an address this one anew. With something unsaved the browser asks first, and the person may stay. */
export function openDocument(address?: string): void {
  if (!isUnsaved()) stopInput();
  if (address === undefined) location.reload();
  else location.assign(address);
}
