import { DELETED_MEDIA_DAYS } from '@stagedoor/contract/atoms/limits.ts';
import type { Media } from '@stagedoor/contract/media.ts';
import { type Dispatch, useState } from 'react';
import { plural } from '../../kernel/dates.ts';
import { showToast } from '../../kernel/outcome.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ActionBar } from '../../ui/shell.tsx';
import type { LibraryItem } from './live.ts';
import { useDeletion, useSayDeleted } from './use-library.ts';

export type SelectionProps = {
  items: readonly LibraryItem[];
  chosen: ReadonlySet<Media['id']>;
  onChoose: Dispatch<ReadonlySet<Media['id']>>;
  onEnd: () => void;
};

export function SelectionBar({ items, chosen, onChoose, onEnd }: SelectionProps) {
  const [isAsking, setIsAsking] = useState(false);
  const deletion = useDeletion();
  const sayDeleted = useSayDeleted();
  const unused = items.flatMap(({ media }) => (media.isUsed ? [] : [media.id]));
  const erase = async () => {
    const { gone, refused } = await deletion.run([...chosen]);
    setIsAsking(false);
    const deleted = items.flatMap(({ media }) => (gone.includes(media.id) ? [media] : []));
    if (gone.length > 0) sayDeleted(deleted, `${plural(gone.length, 'file')} deleted.`);
    if (refused > 0)
      void showToast(
        `${plural(refused, 'file')} couldn’t be deleted. ${refused === 1 ? 'It' : 'They'} may be in use.`,
        'error',
      );
    onEnd();
  };
  return (
    <>
      <ActionBar>
        <div className="flex flex-wrap items-center gap-2">
          <p className="flex-1 font-semibold tabular-nums" role="status">
            {plural(chosen.size, 'file')} selected
          </p>
          {chosen.size < unused.length && (
            <Button variant="quiet" onClick={() => onChoose(new Set(unused))}>
              All {unused.length} shown
            </Button>
          )}
          <Button variant="quiet" onClick={onEnd}>
            Cancel
          </Button>
          <Button variant="danger" icon="trash" disabled={chosen.size === 0} onClick={() => setIsAsking(true)}>
            Delete
          </Button>
        </div>
      </ActionBar>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={`Delete ${plural(chosen.size, 'file')}?`}
        lead={`${chosen.size === 1 ? 'It’s' : 'They’re'} removed from your library now and permanently deleted after ${DELETED_MEDIA_DAYS} days. Posts and messages aren’t affected.`}
        confirmText="Delete"
        busyText="Deleting…"
        danger
        busy={deletion.isBusy}
        onConfirm={() => void erase()}
      />
    </>
  );
}
