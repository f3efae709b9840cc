import { useBlocker } from 'react-router';
import { useStake } from './unsaved.ts';

export interface Leaving {
  isAsked: boolean;
  leave: () => void;
  stay: () => void;
}

/**
 * Does not ask while a save is running. Another tab or filter of the same page does not count as leaving, unless
 * `isOfTab` is set.
 */
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

export const UNSAVED_WORDS = {
  title: 'Leave without saving?',
  lead: 'You have unsaved changes.',
  confirmText: 'Leave',
  cancelText: 'Stay',
  danger: true,
} as const;
