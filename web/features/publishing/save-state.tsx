import type { Draft } from '@stagedoor/contract/publishing.ts';
import { plural } from '../../kernel/dates.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Banner } from '../../ui/states.tsx';
import type { SaveState } from './autosave.ts';
import { clockTime, LocalTime, shortTime } from './local-time.tsx';

function wordsOf(state: SaveState, isDirty: boolean, isWithoutPrice: boolean) {
  switch (state.kind) {
    case 'saving':
      return 'Saving…';
    case 'saved':
      return (
        <>
          {isDirty ? 'Edited since ' : 'Saved '}
          <LocalTime iso={state.at} format={clockTime} />
          {isWithoutPrice && ', without the price'}
        </>
      );
    case 'failed':
      return `Not saved. ${state.words}`;
    case 'held':
      return `Not saved yet: ${state.words}`;
    case 'waiting':
      return 'Not saved yet';
    default:
      return null;
  }
}

export type SaveLineProps = {
  state: SaveState;
  isDirty: boolean;
  isWithoutPrice: boolean;
};

export function SaveLine({ state, isDirty, isWithoutPrice }: SaveLineProps) {
  const isBad = state.kind === 'failed';
  return (
    <p role="status" className={cx('text-small', isBad ? 'text-danger' : 'one-line text-muted')}>
      {wordsOf(state, isDirty, isWithoutPrice)}
    </p>
  );
}

export type ConflictProps = {
  theirs: Draft;
  onTheirs: () => void;
  onMine: () => void;
  /** Saves this version as a separate draft. */
  onBoth: () => void;
};

export function ConflictDialog({ theirs, onTheirs, onMine, onBoth }: ConflictProps) {
  return (
    <Dialog
      open
      onOpenChange={() => undefined}
      locked
      title="Which version do you want to keep?"
      lead={
        <>
          This draft was edited in another window or on another device,{' '}
          <LocalTime iso={theirs.updatedAt} format={shortTime} />. The other version, “{theirs.title || 'Untitled'}”,
          has {plural(theirs.media.length, 'file')}.
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

export function GoneBanner({ onKeep }: { onKeep: () => void }) {
  return (
    <Banner kind="warn" inline action={<Button onClick={onKeep}>Save as a new draft</Button>}>
      This draft was published or deleted elsewhere. Your changes here won’t be saved.
    </Banner>
  );
}
