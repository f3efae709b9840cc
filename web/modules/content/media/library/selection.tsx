import type { Media } from '@stagedoor/contract/content/media.ts';
import { DELETED_MEDIA_DAYS } from '@stagedoor/contract/shared/limits.ts';
import { type Dispatch, useState } from 'react';
import { formatCount } from '../../../../platform/dates.ts';
import { showToast } from '../../../../platform/feedback.ts';
import { Button } from '../../../../ui/button.tsx';
import { ConfirmDialog } from '../../../../ui/dialog.tsx';
import { ActionBar } from '../../../../ui/shell.tsx';
import type { LibraryItem } from './socket-events.ts';
import { useDeletedToast, useDeleteMedia } from './use-library.ts';

export type SelectionProps = {
  items: readonly LibraryItem[];
  selectedIds: ReadonlySet<Media['id']>;
  onSelect: Dispatch<ReadonlySet<Media['id']>>;
  onEnd: () => void;
};

export function SelectionBar({ items, selectedIds, onSelect, onEnd }: SelectionProps) {
  const [isPrompting, setIsPrompting] = useState(false);
  const deletion = useDeleteMedia();
  const showDeleted = useDeletedToast();
  const unused = items.flatMap(({ media }) => (media.isUsed ? [] : [media.id]));
  const deleteSelected = async () => {
    const { deletedIds, refusedCount } = await deletion.run([...selectedIds]);
    setIsPrompting(false);
    const deleted = items.flatMap(({ media }) => (deletedIds.includes(media.id) ? [media] : []));
    if (deletedIds.length > 0) showDeleted(deleted, `${formatCount(deletedIds.length, 'file')} deleted.`);
    if (refusedCount > 0)
      void showToast(
        `${formatCount(refusedCount, 'file')} couldn’t be deleted. ${refusedCount === 1 ? 'It' : 'They'} may be in use.`,
        'error',
      );
    onEnd();
  };
  return (
    <>
      <ActionBar>
        <div className="flex flex-wrap items-center gap-2">
          <p className="flex-1 font-semibold tabular-nums" role="status">
            {formatCount(selectedIds.size, 'file')} selected
          </p>
          {selectedIds.size < unused.length && (
            <Button variant="quiet" onClick={() => onSelect(new Set(unused))}>
              All {unused.length} shown
            </Button>
          )}
          <Button variant="quiet" onClick={onEnd}>
            Cancel
          </Button>
          <Button variant="danger" icon="trash" disabled={selectedIds.size === 0} onClick={() => setIsPrompting(true)}>
            Delete
          </Button>
        </div>
      </ActionBar>
      <ConfirmDialog
        open={isPrompting}
        onOpenChange={setIsPrompting}
        title={`Delete ${formatCount(selectedIds.size, 'file')}?`}
        lead={`${selectedIds.size === 1 ? 'It’s' : 'They’re'} removed from your library now and permanently deleted after ${DELETED_MEDIA_DAYS} days. Posts and messages aren’t affected.`}
        confirmText="Delete"
        busyText="Deleting…"
        danger
        busy={deletion.isBusy}
        onConfirm={() => void deleteSelected()}
      />
    </>
  );
}
