import { useEffect, useState } from 'react';
import { useBlocker } from 'react-router';
import { blockReloadWhile } from '../../../platform/reload-guard.ts';
import { useUnsavedChanges } from '../../../platform/unsaved.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import * as texts from './texts.ts';

export type LeaveGuardProps = {
  /** Explains what would be lost or stopped. Undefined when the page may be left. */
  unsavedMessage: string | undefined;
  /** While saving there is no prompt, although the save may fail. */
  isSaving?: boolean | undefined;
  onSave?: (() => Promise<boolean>) | undefined;
  /** Changes of the query string do not count as leaving. */
  isPathOnly?: boolean | undefined;
};

/** Navigation state for a page that changes its own URL without being left. */
export const STAY_STATE = { stays: true } as const;

function isStayState(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'stays' in state;
}

export function LeaveGuard({ unsavedMessage, isSaving = false, onSave, isPathOnly = false }: LeaveGuardProps) {
  const [isBusy, setIsBusy] = useState(false);
  const isBlocking = unsavedMessage !== undefined && !isSaving;
  useUnsavedChanges(unsavedMessage !== undefined, isSaving);
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    const isSame = isPathOnly && currentLocation.pathname === nextLocation.pathname;
    return isBlocking && !isSame && !isStayState(nextLocation.state);
  });
  useEffect(() => (isBlocking ? blockReloadWhile(() => true) : undefined), [isBlocking]);
  if (blocker.state !== 'blocked') return null;
  const save = async () => {
    setIsBusy(true);
    const isSaved = await onSave?.();
    setIsBusy(false);
    if (isSaved) blocker.proceed();
    else blocker.reset();
  };
  return (
    <Dialog
      open
      onOpenChange={() => blocker.reset()}
      title={texts.leavePageQuestion}
      lead={unsavedMessage}
      locked={isBusy}
    >
      <div className="dialog__acts">
        {onSave && (
          <Button variant="primary" size="lg" wide busy={isBusy} busyText={texts.saving} onClick={() => void save()}>
            {texts.saveAndLeave}
          </Button>
        )}
        <Button variant={onSave ? 'line' : 'danger'} wide disabled={isBusy} onClick={() => blocker.proceed()}>
          {onSave ? texts.leaveWithoutSaving : texts.leave}
        </Button>
        <Button variant="quiet" wide disabled={isBusy} onClick={() => blocker.reset()}>
          {texts.stay}
        </Button>
      </div>
    </Dialog>
  );
}
