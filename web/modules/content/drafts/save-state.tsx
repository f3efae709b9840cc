import type { Draft } from '@stagedoor/contract/content/drafts.ts';
import { formatCount } from '../../../platform/dates.ts';
import { Button } from '../../../ui/button.tsx';
import { cx } from '../../../ui/class-names.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Banner } from '../../../ui/states.tsx';
import type { SaveState } from './autosave.ts';
import { formatShortTime, formatZonedClock, LocalTime } from './local-time.tsx';

function formatSaveState(state: SaveState, isDirty: boolean, isWithoutPrice: boolean) {
  switch (state.kind) {
    case 'saving':
      return 'Saving…';
    case 'saved':
      return (
        <>
          {isDirty ? 'Edited since ' : 'Saved '}
          <LocalTime iso={state.at} format={formatZonedClock} />
          {isWithoutPrice && ', without the price'}
        </>
      );
    case 'failed':
      return `Not saved. ${state.message}`;
    case 'invalid':
      return `Not saved yet: ${state.message}`;
    case 'waiting':
      return 'Not saved yet';
    default:
      return null;
  }
}

export type SaveStatusProps = {
  state: SaveState;
  isDirty: boolean;
  isWithoutPrice: boolean;
};

export function SaveStatus({ state, isDirty, isWithoutPrice }: SaveStatusProps) {
  const hasFailed = state.kind === 'failed';
  return (
    <p role="status" className={cx('text-small', hasFailed ? 'text-danger' : 'one-line text-muted')}>
      {formatSaveState(state, isDirty, isWithoutPrice)}
    </p>
  );
}

export type ConflictDialogProps = {
  theirs: Draft;
  onTheirs: () => void;
  onMine: () => void;
  /** Saves this version as a separate draft. */
  onBoth: () => void;
};

export function ConflictDialog({ theirs, onTheirs, onMine, onBoth }: ConflictDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={() => undefined}
      locked
      title="Which version do you want to keep?"
      lead={
        <>
          This draft was edited in another window or on another device,{' '}
          <LocalTime iso={theirs.updatedAt} format={formatShortTime} />. The other version, “
          {theirs.title || 'Untitled'}”, has {formatCount(theirs.media.length, 'file')}.
        </>
      }
    >
      <div className="dialog__acts">
        <Button variant="line" wide onClick={onMine}>
          Keep this version
        </Button>
        <Button variant="line" wide onClick={onTheirs}>
          Use the other version
        </Button>
        <Button variant="quiet" wide onClick={onBoth}>
          Keep both as separate drafts
        </Button>
      </div>
    </Dialog>
  );
}

export function DeletedDraftBanner({ onSaveAsNew }: { onSaveAsNew: () => void }) {
  return (
    <Banner kind="warn" inline action={<Button onClick={onSaveAsNew}>Save as a new draft</Button>}>
      This draft was published or deleted elsewhere. Your changes here won’t be saved.
    </Banner>
  );
}
