/** Asks before a page with unkept work is left: within the app by a dialog of its own, else by the browser's. */
import { useEffect, useState } from 'react';
import { useBlocker } from 'react-router';
import { busyWhile } from '../../kernel/busy.ts';
import { useStake } from '../../kernel/unsaved.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

export type LeaveGuardProps = {
  /** What would be lost or stopped, in words; nothing when the page may be left. */
  stake: string | undefined;
  /** It is being saved: nothing asks, and it may come to nothing. */
  isSaving?: boolean | undefined;
  /** Keeps what can be kept. Answers whether it is. */
  onSave?: (() => Promise<boolean>) | undefined;
  /** The page is its path: other parameters do not leave it. */
  isPath?: boolean | undefined;
};

/** A page that changes its own address says so, and is not left by it. */
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
