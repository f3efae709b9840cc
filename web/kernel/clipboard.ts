/** Putting a text where it can be pasted from, and saying so. */
import { showToast } from './outcome.ts';

/** Copies, and says `words`; or where the text can be copied by hand, when the browser does not allow it. */
export async function copyText(text: string, words: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    await showToast(words, 'success');
  } catch {
    await showToast('Your browser did not allow copying. The text is in the field: select and copy it.', 'error');
  }
}

/** The device's own sheet; whoever closes it wanted nothing. */
export function shareNatively(url: string, title: string): void {
  navigator.share({ url, title }).catch(() => undefined);
}
