import { showToast } from './feedback.ts';
import * as texts from './texts.ts';

/**
 * Copies the text and shows `message` in a toast. If the browser refuses, the user copies it from the
 * toast.
 */
export async function copyText(text: string, message: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    await showToast(message, 'success');
  } catch {
    await showToast(texts.copyError, 'error');
  }
}

/** Opens the share sheet of the device. Closing it is not an error. */
export function shareNatively(url: string, title: string): void {
  navigator.share({ url, title }).catch(() => undefined);
}
