/**
 * Tracks unsaved changes. A page with unsaved changes, or with text in an open dialog, is not reloaded or left
 * automatically. The browser warns before a page with registered changes is closed.
 */
import { useEffect } from 'react';
import { hasTypedDialogText } from './typed-text.ts';

let unsavedCount = 0;

export function hasUnsavedChanges(): boolean {
  return unsavedCount > 0 || hasTypedDialogText();
}

/** Registers unsaved changes. While they are being saved they still count, but the browser does not ask. */
export function useUnsavedChanges(isDirty: boolean, isSaving = false): void {
  useEffect(() => {
    if (!isDirty) return;
    const confirmUnload = (event: BeforeUnloadEvent) => {
      if (!isSaving) event.preventDefault();
    };
    unsavedCount += 1;
    addEventListener('beforeunload', confirmUnload);
    return () => {
      unsavedCount -= 1;
      removeEventListener('beforeunload', confirmUnload);
    };
  }, [isDirty, isSaving]);
}
