import type { Draft } from '@stagedoor/contract/content/drafts.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatCount } from '../../../platform/dates.ts';
import { Button } from '../../../ui/button.tsx';
import { cx } from '../../../ui/class-names.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { formatNodes } from '../../../ui/format-nodes.ts';
import { Banner } from '../../../ui/states.tsx';
import type { SaveState } from './autosave.ts';
import { formatShortTime, formatZonedClock, LocalTime } from './local-time.tsx';
import * as texts from './texts.ts';

function formatSaveState(state: SaveState, isDirty: boolean, isWithoutPrice: boolean) {
  switch (state.kind) {
    case 'saving':
      return texts.saving;
    case 'saved':
      return (
        <>
          {isDirty ? texts.editedSince : texts.savedAt}
          <LocalTime iso={state.at} format={formatZonedClock} />
          {isWithoutPrice && texts.withoutThePrice}
        </>
      );
    case 'failed':
      return formatText(texts.notSaved, { message: state.message });
    case 'invalid':
      return formatText(texts.notSavedYetBecause, { message: state.message });
    case 'waiting':
      return texts.notSavedYet;
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
    <p role="status" className={cx('text-small', hasFailed ? 'text-danger' : 'text-muted')}>
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
      title={texts.draftConflictQuestion}
      lead={formatNodes(texts.draftConflict, {
        updatedAt: <LocalTime iso={theirs.updatedAt} format={formatShortTime} />,
        title: theirs.title || texts.untitled,
        fileCount: formatCount(theirs.media.length, 'file'),
      })}
    >
      <div className="dialog__acts">
        <Button variant="line" wide onClick={onMine}>
          {texts.useThisVersion}
        </Button>
        <Button variant="line" wide onClick={onTheirs}>
          {texts.useTheOtherVersion}
        </Button>
        <Button variant="quiet" wide onClick={onBoth}>
          {texts.saveBothSeparately}
        </Button>
      </div>
    </Dialog>
  );
}

export function DeletedDraftBanner({ onSaveAsNew }: { onSaveAsNew: () => void }) {
  return (
    <Banner kind="warn" inline action={<Button onClick={onSaveAsNew}>{texts.saveAsANewDraft}</Button>}>
      {texts.draftGoneWarning}
    </Banner>
  );
}
