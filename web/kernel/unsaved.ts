/** Holds a person who is about to leave a page with changes that were not saved: within the app it asks, else the browser does. */
import { useEffect } from 'react';
import { useBlocker } from 'react-router';

export interface Leaving {
  isAsked: boolean;
  /** Goes on, and the changes are gone. */
  leave: () => void;
  stay: () => void;
}

let unsaved = 0;

/** Whether this page has changes that were not saved. */
export function isUnsaved(): boolean {
  return unsaved > 0;
}

/** While it is saved nothing asks. Another tab or filter of the same page is no leaving. */
export function useUnsaved(isDirty: boolean, isSaving: boolean): Leaving {
  const isHeld = isDirty && !isSaving;
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isHeld && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!isHeld) return;
    const hold = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', hold);
    return () => window.removeEventListener('beforeunload', hold);
  }, [isHeld]);
  useEffect(() => {
    if (!isDirty) return;
    unsaved += 1;
    return () => {
      unsaved -= 1;
    };
  }, [isDirty]);
  const isAsked = blocker.state === 'blocked';
  return { isAsked, leave: () => blocker.proceed?.(), stay: () => blocker.reset?.() };
}

/** What a dialog asks then. */
export const UNSAVED_WORDS = {
  title: 'Leave without saving?',
  lead: 'What you changed here is not saved yet.',
  confirmText: 'Leave',
  cancelText: 'Stay',
  danger: true,
} as const;
