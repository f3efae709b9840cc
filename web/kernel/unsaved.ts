/**
 * Tracks unsaved changes. A page with unsaved changes is not reloaded or left automatically, and the browser asks
 * before it is closed.
 */
import { useEffect } from 'react';

let unsaved = 0;

export function isUnsaved(): boolean {
  return unsaved > 0;
}

/** Registers unsaved changes. While they are being saved they still count, but the browser does not ask. */
export function useStake(isDirty: boolean, isSaving = false): void {
  useEffect(() => {
    if (!isDirty) return;
    const ask = (event: BeforeUnloadEvent) => {
      if (!isSaving) event.preventDefault();
    };
    unsaved += 1;
    addEventListener('beforeunload', ask);
    return () => {
      unsaved -= 1;
      removeEventListener('beforeunload', ask);
    };
  }, [isDirty, isSaving]);
}
