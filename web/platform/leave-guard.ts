import { useBlocker } from 'react-router';
import * as texts from './texts.ts';
import { useUnsavedChanges } from './unsaved.ts';

export interface LeaveGuardState {
  isPrompting: boolean;
  leave: () => void;
  stay: () => void;
}

/**
 * Does not ask while a save is running. Another tab or filter of the same page does not count as leaving, unless
 * `isSearchGuarded` is set.
 */
export function useLeaveGuard(isDirty: boolean, isSaving: boolean, isSearchGuarded = false): LeaveGuardState {
  useUnsavedChanges(isDirty, isSaving);
  const isGuarded = isDirty && !isSaving;
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isGuarded &&
      (currentLocation.pathname !== nextLocation.pathname ||
        (isSearchGuarded && currentLocation.search !== nextLocation.search)),
  );
  const isPrompting = blocker.state === 'blocked';
  return { isPrompting, leave: () => blocker.proceed?.(), stay: () => blocker.reset?.() };
}

export const UNSAVED_DIALOG = {
  title: texts.leaveWithoutSaving,
  lead: texts.unsavedChangesHint,
  confirmText: texts.leave,
  cancelText: texts.stay,
  danger: true,
} as const;
