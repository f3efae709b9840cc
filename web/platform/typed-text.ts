/** Text that the user typed into a dialog that is still open. It would be lost with the page. */

type TextControl = HTMLInputElement | HTMLTextAreaElement;

const NOT_TEXT: readonly string[] = ['checkbox', 'radio', 'range', 'file', 'color', 'hidden'];
const typedControls = new Set<TextControl>();

function isTextControl(target: EventTarget | null): target is TextControl {
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && !NOT_TEXT.includes(target.type);
}

function markTyped({ target }: Event): void {
  if (isTextControl(target)) typedControls.add(target);
}

/** Notes what is typed on this page. Returns the function that stops it. */
export function watchTypedText(): () => void {
  addEventListener('input', markTyped, { capture: true, passive: true });
  return () => removeEventListener('input', markTyped, { capture: true });
}

export function hasTypedDialogText(): boolean {
  for (const control of typedControls) if (!control.isConnected) typedControls.delete(control);
  return [...typedControls].some(
    (control) => control.value !== '' && control.checkVisibility() && control.closest('[role="dialog"]') !== null,
  );
}
