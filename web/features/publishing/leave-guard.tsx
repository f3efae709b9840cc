import { useEffect, useState } from 'react';
import { useBlocker } from 'react-router';
import { busyWhile } from '../../kernel/busy.ts';
import { useStake } from '../../kernel/unsaved.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

export type LeaveGuardProps = {
  /** Explains what would be lost or stopped. Undefined when the page may be left. */
  stake: string | undefined;
  /** While saving there is no prompt, although the save may fail. */
  isSaving?: boolean | undefined;
  onSave?: (() => Promise<boolean>) | undefined;
  /** Changes of the query string do not count as leaving. */
  isPath?: boolean | undefined;
};

/** Navigation state for a page that changes its own URL without being left. */
export const STAYS = { stays: true } as const;

function isStaying(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'stays' in state;
}

export function LeaveGuard({ stake, isSaving = false, onSave, isPath = false }: LeaveGuardProps) {
  const [isBusy, setIsBusy] = useState(false);
  const isHeld = stake !== undefined && !isSaving;
  useStake(stake !== undefined, isSaving);
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    const isSame = isPath && currentLocation.pathname === nextLocation.pathname;
    return isHeld && !isSame && !isStaying(nextLocation.state);
  });
  useEffect(() => (isHeld ? busyWhile(() => true) : undefined), [isHeld]);
  if (blocker.state !== 'blocked') return null;
  const save = async () => {
    setIsBusy(true);
    const isKept = await onSave?.();
    setIsBusy(false);
    if (isKept) blocker.proceed();
    else blocker.reset();
  };
  return (
    <Dialog open onOpenChange={() => blocker.reset()} title="Leave this page?" lead={stake} locked={isBusy}>
      <div className="dialog__acts">
        {onSave && (
          <Button variant="primary" size="lg" wide busy={isBusy} busyText="Saving…" onClick={() => void save()}>
            Save and leave
          </Button>
        )}
        <Button variant={onSave ? 'line' : 'danger'} wide disabled={isBusy} onClick={() => blocker.proceed()}>
          {onSave ? 'Leave without saving' : 'Leave'}
        </Button>
        <Button variant="quiet" wide disabled={isBusy} onClick={() => blocker.reset()}>
          Stay
        </Button>
      </div>
    </Dialog>
  );
}
