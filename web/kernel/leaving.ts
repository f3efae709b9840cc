/** Asks a person who is about to leave a page with changes that were not saved, within the app; otherwise the browser does (unsaved.ts). */
import { useBlocker } from 'react-router';
import { useStake } from './unsaved.ts';

export interface Leaving {
  isAsked: boolean;
  /** Goes on, and the changes are gone. */
  leave: () => void;
  stay: () => void;
}

/** While it is saved nothing asks. Another tab or filter of the same page is no leaving, unless what is unsaved is of that tab alone. */
export function useUnsaved(isDirty: boolean, isSaving: boolean, isOfTab = false): Leaving {
  useStake(isDirty, isSaving);
  const isHeld = isDirty && !isSaving;
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isHeld &&
      (currentLocation.pathname !== nextLocation.pathname ||
        (isOfTab && currentLocation.search !== nextLocation.search)),
  );
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
