/** Holds a person who is about to leave a page with changes that were not saved: within the app it asks, else the browser does. */
import { useEffect } from 'react';
import { useBlocker } from 'react-router';

export interface Leaving {
  isAsked: boolean;
  /** Goes on, and the changes are gone. */
  leave: () => void;
  stay: () => void;
}

/** Another tab or filter of the same page is no leaving. */
export function useUnsaved(isDirty: boolean): Leaving {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!isDirty) return;
    const hold = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', hold);
    return () => window.removeEventListener('beforeunload', hold);
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
