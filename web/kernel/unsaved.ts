/** What is written here and not saved: a page that is not loaded anew, nor left by itself, and of which the browser asks before it goes. */
import { useEffect } from 'react';

let unsaved = 0;

/** Whether this page has something that was not saved. */
export function isUnsaved(): boolean {
  return unsaved > 0;
}

/** For every place that holds what is not saved yet. It counts while it is saved, too, but then the browser asks nothing. */
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
